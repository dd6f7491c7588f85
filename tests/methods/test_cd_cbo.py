"""First the graph, then the optimum."""

import numpy as np
import pytest

from ceopt.methods import CBO, CDCBO, MI, Asking
from tests.methods.worlds import METHODS, SYSTEM, leaning, study_of

SMALL = METHODS["cd-cbo"]
SHARES = {"in doubt": (0.4, 0.35, 0.25), "nearly": (0.899, 0.1, 0.001), "found": (0.901, 0.098, 0.001)}


@pytest.fixture(scope="module")
def belief():
    study = study_of()
    study.tell(do={"Z": 0.5}, outcome={"X": 0.3, "Y": 0.4})
    return study.belief


@pytest.mark.parametrize("share", ["in doubt", "nearly"])
def test_it_is_mi_while_no_graph_has_more_than_its_share(belief, share):
    now = leaning(belief, *SHARES[share])
    own = SMALL.believe(now)
    assert own is now
    assert SMALL.propose([own], Asking((1,))) == SMALL.discovery.propose([now], Asking((1,)))


@pytest.mark.parametrize("leader", range(3))
def test_it_is_cbo_on_the_leading_graph_once_that_has_more(belief, leader):
    now = leaning(belief, *np.roll(SHARES["found"], leader))
    own, graph = SMALL.believe(now), now.graphs.graphs[leader]
    assert own.graphs.graphs == (graph,)
    cbo = CBO(graph=graph, points=12)
    assert SMALL.propose([own], Asking((1,))) == cbo.propose([cbo.believe(now)], Asking((1,)))


def test_the_share_is_an_option(belief):
    now = leaning(belief, 0.6, 0.3, 0.1)
    assert [len(CDCBO(found=found).believe(now).graphs) for found in (0.59, 0.61)] == [1, 3]


def test_all_data_are_kept(belief):
    own = SMALL.believe(leaning(belief, *SHARES["found"]))
    np.testing.assert_array_equal(own.data.outcomes, belief.data.outcomes)
    assert own.data.interventions == belief.data.interventions


def test_it_is_judged_anew_at_each_step():
    """The graph is found by true outcomes, and in doubt again by outcomes as if Z caused X."""
    study, phases = study_of(SMALL), []
    for k in range(11):
        leading = study.graph_posterior().iloc[0]
        why = study.ask().why
        assert (why.unit == "sd of the target") == (leading > SMALL.found)
        phases.append("search" if leading > SMALL.found else "discovery")
        do = {"Z": (-1.5, 1.5)[k % 2]}
        row = SYSTEM.sample(1, do=do, rng=k)
        study.tell(do=do, outcome=row if k < 5 else row.assign(X=0.8 * do["Z"] + 0.1 * (k % 3)))
    assert [a for a, b in zip(phases, ["", *phases], strict=False) if a != b][:3] == [
        "discovery",
        "search",
        "discovery",
    ]


def test_its_parts_are_options():
    method = CDCBO(discovery=MI(points=7), search=CBO(points=9))
    assert (method.found, method.discovery.points, method.search.points) == (0.9, 7, 9)
