"""A domain holds the levels that it says, and nothing else."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ceopt.domain.variable import Domain, as_number
from ceopt.errors import ProblemError
from tests.strategies import domains, law


@law
@given(domains(), st.integers(1, 9))
def test_a_grid_lies_inside_rises_and_is_no_longer_than_asked(spec, n):
    domain = Domain.of("dose", spec)
    grid = domain.grid(n)
    count = n if domain.levels is None else min(n, len(domain.levels))
    assert grid.shape == (count,)
    assert all(domain.contains(x) for x in grid)
    assert (np.diff(grid) > 0).all()


@law
@given(domains())
def test_a_domain_reads_back_what_it_writes(spec):
    domain = Domain.of("dose", spec)
    assert Domain.of("dose", domain.spec) == domain == Domain.of("dose", domain)


@law
@given(domains())
def test_ends_are_inside_up_to_rounding_and_what_lies_beyond_is_not(spec):
    domain = Domain.of("dose", spec)
    size = max(abs(domain.low), abs(domain.high))
    for end, way in ((domain.low, -1), (domain.high, 1)):
        assert domain.contains(end) and domain.contains(end + way * 0.5e-9 * size)
        assert not domain.contains(end + way * (2e-9 * size + 1e-12))
    assert not domain.contains(math.nan)


def test_a_tuple_is_a_range_and_a_list_or_array_is_levels():
    assert Domain.of("dose", (0, 1)).levels is None
    assert Domain.of("dose", [1, 0]).levels == Domain.of("dose", np.array([0.0, 1.0])).levels == (0.0, 1.0)


@pytest.mark.parametrize(
    ("spec", "levels"),
    [
        ((0, 1, 0.1), [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]),
        ((0, 1, 0.3), [0, 0.3, 0.6, 0.9]),
        ((-1, 1, 2), [-1, 1]),
        ((1000, 1000.3, 0.1), [1000, 1000.1, 1000.2, 1000.3]),
    ],
)
def test_steps_start_at_low_and_never_pass_high(spec, levels):
    assert Domain.of("dose", spec).levels == tuple(levels)


def test_one_allowed_level_is_enough():
    domain = Domain.of("knock-out", [0])
    assert domain.grid(5).tolist() == [0.0]
    assert domain.contains(0) and not domain.contains(1e-12)


def test_a_large_grid_keeps_both_ends_of_the_levels():
    assert Domain.of("dose", (0, 100, 1)).grid(3).tolist() == [0.0, 50.0, 100.0]


@pytest.mark.parametrize("spec", [(1, 1), (2, 1), (2, 1, 0.5)])
def test_r29_low_must_be_below_high(spec):
    with pytest.raises(ProblemError, match=r"'dose' wants low < high, but got \(\d, \d\)"):
        Domain.of("dose", spec)


@pytest.mark.parametrize(
    "spec",
    [
        (math.nan, 1),
        (0, math.inf),
        (0,),
        (0, 1, 2, 3),
        [],
        "0,1",
        5,
        None,
        ("0", 1),
        [True, False],
        [None],
        (0, 10**400),
    ],
)
def test_r29_bounds_are_finite_numbers(spec):
    with pytest.raises(ProblemError, match="'dose'"):
        Domain.of("dose", spec)


@pytest.mark.parametrize("step", [0, -1, 2])
def test_r29_a_step_fits_between_low_and_high(step):
    with pytest.raises(ProblemError, match=f"'dose'.*{step}"):
        Domain.of("dose", (0, 1, step))


def test_r29_a_level_listed_twice_is_named():
    with pytest.raises(ProblemError, match=r"'dose' lists the level 0.5 twice"):
        Domain.of("dose", [0.5, 0, 0.5])


def test_r27_too_many_levels_are_counted_before_they_are_made():
    with pytest.raises(ProblemError, match=r"'dose' has 1e\+09 levels"):
        Domain.of("dose", (0, 1, 1e-9))


def test_only_numbers_are_numbers():
    assert [as_number(x) for x in (1, np.int64(2), np.float32(0.5), 10**400)] == [1, 2, 0.5, math.inf]
    assert [as_number(x) for x in (True, np.True_, "1", None, 1j)] == [None] * 5
