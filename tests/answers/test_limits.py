"""Gates and seeds for what is asked of a study."""

import math

import numpy as np
import pytest

from ceopt.answers.limits import check_counts, check_limits, seed_of
from ceopt.errors import StudyError


@pytest.mark.parametrize("value", [0, -1, True, False, 1.0, 2.5, "3", None, [1], math.nan])
def test_a_count_is_a_whole_number_from_1(value):
    with pytest.raises(StudyError) as refusal:
        check_counts(n=2, samples=value)
    assert str(refusal.value) == f"samples= is a whole number from 1 up, but got {value!r}"


def test_1_is_enough_and_numpy_counts_as_well():
    check_counts(n=1, samples=np.int64(1))


@pytest.mark.parametrize("limits", [(1, None), (None, 0.5), (3, 2), (None, 7)])
def test_one_limit_is_enough(limits):
    check_limits(*limits)


@pytest.mark.parametrize(
    ("trials", "budget", "named"),
    [
        (None, None, r"^optimize wants trials= or budget=, in all"),
        (0, None, r"^trials= is a whole number from 1 up, but got 0"),
        (2.0, None, r"^trials= is a whole number"),
        (True, 5.0, r"^trials= is a whole number"),
        (None, 0, r"^budget= is a finite number above 0, but got 0"),
        (None, -1.0, r"^budget= is a finite number above 0"),
        (3, math.nan, r"^budget= is a finite number above 0, but got nan"),
        (3, "10", r"^budget= is a finite number above 0, but got '10'"),
    ],
)
def test_a_limit_that_is_none_is_refused_by_name(trials, budget, named):
    with pytest.raises(StudyError, match=named):
        check_limits(trials, budget)


def test_a_seed_is_a_function_of_all_that_it_depends_on():
    parts = ([(("X",), (1.0,))], b"rows", [])
    others = [
        ([(("X",), (2.0,))], b"rows", []),
        ([(("Z",), (1.0,))], b"rows", []),
        ([(("X",), (1.0,))], b"rowz", []),
        ([(("X",), (1.0,))], b"rows", [1]),
    ]
    seeds = [seed_of(0, *parts), seed_of(1, *parts), *(seed_of(0, *other) for other in others)]
    assert len(set(seeds)) == len(seeds)
    assert seed_of(0, *parts) == seeds[0]


def test_a_seed_keeps_the_one_it_was_made_from_and_serves_numpy():
    assert seed_of(11, "a")[0] == 11
    assert all(0 <= part < 2**64 for part in seed_of(11, "a"))
    np.random.default_rng(seed_of(11, "a"))
