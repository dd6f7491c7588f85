"""The dice decide."""

from collections import Counter
from types import SimpleNamespace

import pytest
from scipy.stats import chisquare, kstest

from ceopt.methods import Asking, Random
from tests.methods.worlds import outcome, question, study_of

PROBLEM = question(
    domains={"X": (-2.0, 2.0), "Z": [0.0, 1.0, 5.0]}, sets=[("X",), ("Z",), ("X", "Z")], cost={"X": 1, "Z": 9}
)
BELIEF = SimpleNamespace(problem=PROBLEM)


@pytest.fixture(scope="module")
def proposals():
    return [Random().propose([BELIEF], Asking((0, seed))).intervention for seed in range(600)]


def test_every_set_is_as_likely_whatever_it_costs(proposals):
    counts = Counter(do.targets for do in proposals)
    assert set(counts) == set(PROBLEM.sets)
    assert chisquare(list(counts.values())).pvalue > 0.001


def test_levels_are_uniform_over_the_domain(proposals):
    levels = [do.do["X"] for do in proposals if "X" in do.targets]
    assert kstest(levels, "uniform", args=(-2.0, 4.0)).pvalue > 0.001


def test_levels_of_a_list_are_from_the_list(proposals):
    assert {do.do["Z"] for do in proposals if "Z" in do.targets} == {0.0, 1.0, 5.0}


def test_it_promises_nothing_and_says_why():
    one = study_of("random").ask()
    assert (one.gain, one.why.optimum, one.why.graph, one.why.unit) == (0, 0, 0, "")
    assert one.why.reason.lower() == "picked at random"


def test_it_believes_all_that_is_believed():
    belief = study_of("random").belief
    assert Random().believe(belief) is belief


def test_the_seed_is_all_that_decides():
    one, other, third = (Random().propose([BELIEF], Asking((0, s), n)) for s, n in ((1, 1), (1, 5), (2, 1)))
    assert one == other != third


def test_a_new_row_and_an_open_suggestion_throw_the_dice_again():
    study = study_of("random")
    first, second = study.ask(2)
    study.tell(first, outcome(first.do))
    third = study.ask()
    assert len({first.intervention, second.intervention, third.intervention}) == 3
