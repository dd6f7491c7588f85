"""Expected improvement: the integral that it is, and the incumbent it starts from."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm

from ceopt.acquisition.expected_improvement import ExpectedImprovement, expected_improvement
from tests.acquisition.worlds import chain, levels_of
from tests.strategies import law

NUMBERS = st.floats(-3, 3)
AT = [np.arange(7), np.array([5, 1]), np.array([], dtype=np.intp)]


@law
@given(NUMBERS, st.floats(0.01, 3), NUMBERS)
def test_it_is_the_integral_of_what_is_gained(mean, sd, best):
    low = min(best, mean - 12 * sd)
    integral, _ = quad(
        lambda f: (best - f) * norm.pdf(f, mean, sd), low, best, points=[mean] if mean < best else None
    )
    assert expected_improvement(np.array([mean]), np.array([sd]), best)[0] == pytest.approx(
        integral, abs=1e-7
    )


@law
@given(NUMBERS, NUMBERS)
def test_without_doubt_it_is_the_improvement_itself(mean, gap):
    received = expected_improvement(np.array([mean]), np.zeros(1), mean + gap)[0]
    assert received == pytest.approx(max(gap, 0.0), abs=1e-12)


@law
@given(NUMBERS, st.floats(0, 1), st.floats(0, 1), st.floats(-3, 0.5))
def test_it_is_never_negative_and_grows_with_doubt(mean, sd, more, below):
    few, many = expected_improvement(np.full(2, mean), np.array([sd, sd + more]), mean + below)
    assert 0 <= few <= many + 1e-12


def test_points_are_looked_at_one_by_one_and_the_graph_gains_nothing():
    belief, points = chain(), levels_of(chain())
    gains = ExpectedImprovement()(belief, points, AT)
    best = min(
        float(m)
        for targets, f in belief.surrogates.items()
        for m in belief.marginals(targets, f.told.levels).mean
    )
    for targets, x, at, gain in zip(belief.problem.sets, points, AT, gains, strict=True):
        f = belief.marginals(targets, x)
        np.testing.assert_allclose(gain.optimum, expected_improvement(f.mean, f.sd, best)[at], atol=1e-12)
        assert gain.graph.tolist() == [0.0] * len(at)


def test_without_noise_the_incumbent_is_the_best_outcome_seen():
    belief, points = chain(), levels_of(chain())
    y = belief.learnt.scale.rows(belief.data.outcomes)[:, 3]
    per_level = [y[1], y[2], y[4], (y[0] + y[3]) / 2]  # A = 1 was tried twice
    f = belief.marginals(("A",), points[0])
    received = ExpectedImprovement(noisy=False)(belief, points, AT)[0].optimum
    np.testing.assert_allclose(received, expected_improvement(f.mean, f.sd, min(per_level)), atol=1e-12)


@pytest.mark.parametrize("noisy", [True, False])
def test_where_nothing_was_told_the_incumbent_is_the_best_mean_of_all_points(noisy):
    belief = chain(outcomes=False)
    points = levels_of(belief)
    found = [belief.marginals(t, x) for t, x in zip(belief.problem.sets, points, strict=True)]
    best = min(f.mean.min() for f in found)
    received = ExpectedImprovement(noisy)(belief, points, AT)[1].optimum
    expected = expected_improvement(found[1].mean[AT[1]], found[1].sd[AT[1]], best)
    np.testing.assert_allclose(received, expected, atol=1e-12)


def test_a_coarse_look_is_no_cheaper():
    score = ExpectedImprovement(noisy=False)
    assert score.coarse() == score
