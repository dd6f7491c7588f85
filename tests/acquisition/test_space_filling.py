"""Where to look when nothing can be said: far from everything, in the set tried least."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ceopt.acquisition.candidates import spread
from ceopt.acquisition.space_filling import POINTS, middle, space_filling
from ceopt.domain.intervention import Intervention
from tests.acquisition.worlds import question
from tests.strategies import interventions, law, problems

TEXT = ["A -> Y; B -> Y"]


@law
@given(problems(), st.data())
def test_it_is_always_allowed(problem, data):
    done = data.draw(st.lists(interventions(problem), max_size=4))
    assert problem.inside(space_filling(problem, done))


def test_first_comes_the_middle_of_the_cheapest_set():
    problem = question(TEXT, cost={"A": 2.0, "B": 1.0}, domains={"A": (0, 4), "B": (-2, 4)})
    first = space_filling(problem, [])
    assert first == middle(problem, ("B",)) == Intervention(("B",), (1.0,))
    second = space_filling(problem, [first])
    assert second == Intervention(("A",), (2.0,))
    assert space_filling(problem, [first, second]) == Intervention(("A", "B"), (2.0, 1.0))


@pytest.mark.parametrize("sets", [[("A",)], [("A", "B")]])
def test_then_the_level_farthest_from_those_tried(sets):
    problem = question(TEXT, sets=sets, domains={"A": (0, 100), "B": (0, 1)})
    done = [Intervention(sets[0], x) for x in [(20.0, 0.3), (70.0, 0.9)] for x in [x[: len(sets[0])]]]
    found = space_filling(problem, done)
    scale = np.array([100.0, 1.0])[: len(sets[0])]

    def distance(x):
        return min(np.linalg.norm((np.array(x) - one.levels) / scale) for one in done)

    points = spread(problem, sets[0], POINTS)
    assert distance(found.levels) == pytest.approx(max(map(distance, points)))


def test_the_set_tried_least_is_next_whatever_it_costs():
    problem = question(TEXT, cost={"A": 9.0, "B": 1.0}, sets=[("A",), ("B",)])
    done = [Intervention.of({"B": 0.0}), Intervention.of({"B": 1.0}), Intervention.of({"A": 1.5})]
    assert space_filling(problem, done) == Intervention(("A",), (-2.0,))


def test_what_was_done_to_other_sets_does_not_matter():
    problem = question(TEXT, sets=[("A",)])
    strange = [Intervention.of({"B": 0.0}), Intervention.of({"A": 0.0, "B": 0.0})]
    assert space_filling(problem, strange) == middle(problem, ("A",))
