"""A memo gives what the function gives, and asks it once."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ceopt.inference.effects import Effects
from ceopt.inference.memo import Memo
from tests.strategies import law

KEYS = 4
QUESTIONS = st.lists(
    st.tuples(
        st.lists(st.sampled_from(range(KEYS)), min_size=1, unique=True).map(sorted),
        st.lists(st.tuples(st.integers(-3, 3), st.integers(-1, 1)), max_size=8),
    ),
    max_size=6,
)


def moments(keys, levels):
    """A pure function of keys and levels (L, 2)."""
    E = np.cos(np.add.outer(keys, levels @ [1.0, 10.0]))
    return Effects(keys, E, 2 * E + 3, E**2)


def recorded(asked):
    def simulate(keys, levels):
        asked.extend((key, *level) for key in keys.tolist() for level in levels.tolist())
        return moments(keys, levels)

    return simulate


@law
@given(QUESTIONS)
def test_it_gives_what_the_function_gives(questions):
    memo = Memo(KEYS)
    for keys, levels in questions:
        keys, levels = np.array(keys), np.array(levels, dtype=float).reshape(-1, 2)
        received = memo.effects(keys, levels, moments)
        for part, whole in zip(received, moments(keys, levels), strict=True):
            np.testing.assert_array_equal(part, whole)


@law
@given(QUESTIONS)
def test_what_is_known_is_never_simulated_alone(questions):
    memo, asked, known = Memo(KEYS), [], set()
    for keys, levels in questions:
        wanted = {(key, *map(float, level)) for key in keys for level in levels}
        before = len(asked)
        memo.effects(np.array(keys), np.array(levels, dtype=float).reshape(-1, 2), recorded(asked))
        fresh = asked[before:]
        assert len(fresh) == len(set(fresh))  # each once, however often a level was named
        assert bool(fresh) == bool(wanted - known)
        assert wanted - known <= set(fresh) <= wanted
        known |= wanted


def test_only_new_levels_and_only_keys_that_lack_one_are_simulated():
    memo, asked = Memo(KEYS), []
    levels = np.arange(4.0)[:, None] * [1.0, 0.0]
    memo.effects(np.array([0, 1]), levels[:2], recorded(asked))
    memo.effects(np.array([1]), levels[:3], recorded(asked))
    assert asked[4:] == [(1, 2.0, 0.0)]
    memo.effects(np.array([1, 3]), levels[:3], recorded(asked))
    assert asked[5:] == [(3, x, 0.0) for x in (0.0, 1.0, 2.0)]


def test_an_answer_is_a_copy():
    memo, keys, levels = Memo(KEYS), np.array([0, 2]), np.zeros((1, 2))
    memo.effects(keys, levels, moments).E[:] = np.nan
    assert np.isfinite(memo.effects(keys, levels, moments).E).all()
