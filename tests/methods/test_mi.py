"""Causal discovery: the graph alone."""

import pytest

from tests.methods.worlds import CHAIN, METHODS, TURNED, prior, question, study_of

SMALL = METHODS["mi"]


def test_it_gains_about_the_graph_alone():
    one = study_of(SMALL).ask()
    assert one.why.optimum == 0 and one.why.graph > 0
    assert one.why.unit == "nats"


def test_it_believes_all_that_is_believed():
    belief = study_of(SMALL).belief
    assert SMALL.believe(belief) is belief


@pytest.mark.parametrize(
    "graphs", [prior(CHAIN), prior(CHAIN, TURNED, weights=[1, 0])], ids=["one", "point mass"]
)
def test_when_the_graph_is_known_it_spreads_out_and_says_so(graphs):
    study = study_of(SMALL, question(graphs=graphs, sets=[("Z",)]))
    first, second, third = study.ask(3)
    assert [one.do["Z"] for one in (first, second)] == [0.0, -2.0]
    assert third.do["Z"] == 2.0
    assert first.gain == first.why.graph == 0
    assert first.why.reason.startswith("no experiment promises any gain")


def test_what_teaches_nothing_of_the_graph_is_worth_nothing():
    """The graphs differ in what joins X and Z, which says nothing when both are set."""
    problem = question(graphs=prior(CHAIN, TURNED), sets=[("X", "Z"), ("X",)], cost=lambda do: 1.0)
    one = study_of(SMALL, problem).ask()
    assert list(one.do) == ["X"]
    assert one.gain > 0.01
    assert all(runner.gain == pytest.approx(0, abs=1e-9) for runner in one.why.runners_up)
