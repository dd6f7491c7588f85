"""Where to look: allowed levels only, spread over the domain, with what was told that looks best."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ceopt.acquisition.candidates import TOLD, allowed, around, candidates, nearest, spread, without
from ceopt.domain.variable import Domain
from tests.acquisition.worlds import CHAIN, believed, chain, observed, question
from tests.strategies import domains, law

NAMES = "ABC"


def over(*specs):
    """A question with these domains."""
    names = NAMES[: len(specs)]
    return question(["; ".join(f"{v} -> Y" for v in names)], domains=dict(zip(names, specs, strict=True)))


questions = st.lists(domains(), min_size=1, max_size=3).map(lambda specs: over(*specs))
counts = st.integers(2, 40)


def inside(problem, targets, levels):
    return all(problem.domain(v).contains(x) for row in levels for v, x in zip(targets, row, strict=True))


def distinct(levels):
    return len(np.unique(levels, axis=0)) == len(levels)


@law
@given(questions, counts)
def test_levels_are_allowed_distinct_and_about_as_many_as_asked(problem, count):
    for targets in problem.sets:
        levels = spread(problem, targets, count)
        assert levels.shape[1] == len(targets)
        assert inside(problem, targets, levels)
        assert distinct(levels)
        assert 1 <= len(levels) <= count


@law
@given(questions, counts)
def test_all_levels_are_there_when_they_are_few(problem, count):
    for targets in problem.sets:
        listed = [problem.domain(v).levels for v in targets]
        if all(listed) and np.prod([len(one) for one in listed]) <= count:
            assert sorted(map(tuple, spread(problem, targets, count).tolist())) == sorted(product(*listed))


@pytest.mark.parametrize(("d", "count"), [(1, 2), (1, 9), (2, 16), (2, 60), (3, 32), (3, 60)])
def test_the_corners_are_there_where_they_are_not_most_of_it(d, count):
    problem = over(*[(-1, 3), (0, 10), (5, 6)][:d])
    targets = tuple(NAMES[:d])
    levels = spread(problem, targets, count)
    assert len(levels) == count
    found = set(map(tuple, levels.tolist()))
    assert set(product(*[(-1.0, 3.0), (0.0, 10.0), (5.0, 6.0)][:d])) <= found


@pytest.mark.parametrize(("d", "count"), [(2, 15), (3, 31)])
def test_few_points_are_not_spent_on_corners(d, count):
    problem = over(*[(0, 1)] * d)
    levels = spread(problem, tuple(NAMES[:d]), count)
    assert len(levels) == count
    assert not (np.isin(levels, [0.0, 1.0]).all(axis=1)).any()


@pytest.mark.parametrize("d", [1, 2, 3])
def test_the_domain_is_filled(d):
    levels = spread(over(*[(0, 1)] * d), tuple(NAMES[:d]), 64)
    for column in levels.T:
        assert np.histogram(column, 4, (0, 1))[0].min() >= 10


def test_a_mixed_set_takes_levels_of_each_kind():
    problem = over((0, 1), [0, 0.1, 5])
    levels = spread(problem, ("A", "B"), 40)
    assert set(levels[:, 1]) == {0, 0.1, 5}
    assert len(set(levels[:, 0])) > 20


@law
@given(domains(), st.floats(-2e3, 2e3))
def test_the_nearest_allowed_level_is_allowed_and_none_is_nearer(spec, x):
    domain = Domain.of("A", spec)
    (found,) = nearest(domain, np.array([x]))
    assert domain.contains(found)
    best = min(max(domain.low - x, x - domain.high, 0.0), np.inf)
    if domain.levels is not None:
        best = min(abs(level - x) for level in domain.levels)
    assert abs(found - x) == pytest.approx(best)


def test_the_unit_cube_is_stretched_over_the_domain():
    found = allowed(
        [Domain(-1.0, 3.0), Domain(0.0, 4.0, (0.0, 1.0, 4.0))], np.array([[0.0, 0.2], [0.75, 0.9]])
    )
    assert found.tolist() == [[-1.0, 1.0], [2.0, 4.0]]


@law
@given(questions, st.floats(0.01, 0.5), st.integers(1, 20), st.data())
def test_levels_around_one_are_allowed_distinct_and_near(problem, radius, count, data):
    for targets in problem.sets:
        centre = np.array([data.draw(st.sampled_from(problem.domain(v).grid(5).tolist())) for v in targets])
        levels = around(problem, targets, centre, radius, count)
        assert inside(problem, targets, levels)
        assert distinct(levels)
        assert 1 <= len(levels) <= count
        for k, v in enumerate(targets):
            domain = problem.domain(v)
            steps = np.diff(domain.levels or (0.0,))
            slack = max(steps, default=0.0) / 2  # a level between which there are none may be farther
            width = domain.high - domain.low
            assert np.abs(levels[:, k] - centre[k]).max() <= radius * width + slack + 1e-6 * width


def test_levels_around_one_are_on_all_sides():
    levels = around(over((0, 10), (0, 1)), ("A", "B"), np.array([5.0, 0.5]), 0.2, 32)
    assert len(levels) == 32
    for column, (low, high) in zip(levels.T, [(3, 7), (0.3, 0.7)], strict=True):
        assert np.histogram(column, 4, (low, high))[0].min() >= 5


@pytest.mark.parametrize("targets", chain().problem.sets)
def test_told_levels_are_among_the_candidates_once(targets):
    belief = chain()
    found = candidates(belief, targets, 30)
    base, told = spread(belief.problem, targets, 30), belief.surrogates[targets].told.levels
    np.testing.assert_array_equal(found[: len(base)], base)
    assert set(map(tuple, found.tolist())) == set(map(tuple, [*base.tolist(), *told.tolist()]))
    assert distinct(found)


def test_of_many_told_levels_those_that_look_best_are_taken():
    belief, count = chain(), TOLD  # room for one of two
    means = belief.marginals(("A",), belief.surrogates[("A",)].told.levels).mean
    best = belief.surrogates[("A",)].told.levels[means.argmin()]
    found = candidates(belief, ("A",), count)
    assert found[count:].tolist() == [best.tolist()]


def test_a_told_level_outside_the_domain_is_no_candidate():
    belief = believed(CHAIN, (0.25,) * 4, observed(), domains={"A": (-1, 2), "B": (-2, 2)})
    told = belief.surrogates[("A",)].told.levels
    assert told.tolist() == [[-1.5], [1.0]]
    found = candidates(belief, ("A",), 12).tolist()
    assert [1.0] in found
    assert [-1.5] not in found


def test_a_told_level_that_is_a_candidate_anyway_comes_once():
    found = candidates(chain(), ("A",), 9)  # -2, -1.5, ..., 1, ..., 2
    assert len(found) == 9
    assert distinct(found)


def test_without_what_is_known():
    levels = np.array([[1.0, 2.0], [3.0, 4.0], [0.0, 0.0]])
    assert without(levels, np.array([[3.0, 4.0], [1.0, 0.0]])).tolist() == [[1.0, 2.0], [0.0, 0.0]]
    assert without(levels, levels).shape == (0, 2)
    assert without(levels, np.zeros((0, 2))).tolist() == levels.tolist()
