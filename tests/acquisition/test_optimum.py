"""The belief about the best value: the paper's weights, and the mixture that they make."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import entr
from scipy.stats import norm

from ceopt.acquisition.optimum import Optimum, shares
from ceopt.maths import kde
from tests.strategies import law

NUMBERS = arrays(float, (2, 3), elements=st.floats(-5, 5))


def best(rng, weights, J=50, mu=None, sd=None, beta=0.1):
    Y = rng.normal(size=(2, 3, J)) + np.array([0.0, 0.5, 2.0])[:, None]
    mu = rng.normal(size=(2, 3)) if mu is None else mu
    return Optimum(Y, mu, rng.uniform(size=(2, 3)) if sd is None else sd, beta, weights)


@law
@given(NUMBERS, NUMBERS.map(abs), st.floats(0, 3))
def test_the_belief_over_the_best_set_is_the_papers_turned_for_minimising(mu, sd, beta):
    q = Optimum(np.zeros((2, 3, 1)), mu, sd, beta, "softmax").q
    for b, i in np.ndindex(2, 3):
        total = sum(np.exp(-mu[b, k] + beta * sd[b, k]) for k in range(3))
        assert q[b, i] == pytest.approx(np.exp(-mu[b, i] + beta * sd[b, i]) / total)
    np.testing.assert_allclose(q.sum(axis=1), 1.0)


def test_a_set_has_the_share_of_joint_draws_that_it_wins():
    Y = np.array([[[0.0, 3.0, -1.0, 2.0], [1.0, 2.0, 0.0, 0.0], [5.0, 1.0, 5.0, 5.0]]])
    assert shares(Y).tolist() == [[0.5, 0.25, 0.25]]
    assert Optimum(Y, np.zeros((1, 3)), np.zeros((1, 3)), 0.1, "draws").q.tolist() == [[0.5, 0.25, 0.25]]


def mixture_entropy(y, w):
    """Of a sum of kernels whose width comes from the moments of the mixture."""
    sd = np.sqrt(w @ y**2 - (w @ y) ** 2)
    h = sd * (4 * (w**2).sum() / 3) ** 0.2
    grid = np.linspace(y.min() - 8 * h, y.max() + 8 * h, 5001)
    p = norm.pdf(grid[:, None], y, h) @ w
    return entr(p).sum() * (grid[1] - grid[0])


def test_softmax_mixes_the_draws_of_all_sets(rng):
    one = best(rng, "softmax")
    for b, received in enumerate(one.entropy()):
        w = np.repeat(one.q[b] / 50, 50)
        assert received == pytest.approx(mixture_entropy(one.Y[b].ravel(), w), abs=3e-3)


def test_draws_take_the_best_over_sets_of_each_joint_draw(rng):
    one = best(rng, "draws")
    for b, received in enumerate(one.entropy()):
        assert received == pytest.approx(mixture_entropy(one.Y[b].min(axis=0), np.full(50, 0.02)), abs=3e-3)


def test_a_mixture_has_the_entropy_of_the_pooled_draws(rng):
    q = np.array([0.5, 0.25, 0.25])
    one = best(rng, "softmax", J=40, mu=np.tile(-np.log(q), (2, 1)), beta=0.0)
    np.testing.assert_allclose(one.q, [q, q])
    pooled = one.Y.reshape(2, 120)
    np.testing.assert_allclose(
        one.entropy(), kde.entropies(pooled, np.repeat([2.0, 1.0, 1.0], 40)[None]), atol=1e-12
    )


def test_a_set_that_cannot_be_best_does_not_count(rng):
    mu = np.array([[0.0, 800.0, 900.0]] * 2)
    one = best(rng, "softmax", mu=mu)
    alone = Optimum(one.Y[:, :1], mu[:, :1], one.sd[:, :1], 0.1, "softmax")
    np.testing.assert_allclose(one.q, [[1, 0, 0]] * 2)
    np.testing.assert_allclose(one.entropy(), alone.entropy(), atol=5e-3)


@pytest.mark.parametrize("weights", ["softmax", "draws"])
@pytest.mark.parametrize("few", [1, 7, 50])
def test_the_weights_of_the_first_draws_sum_to_one(weights, few, rng):
    received = best(rng, weights).of_draws(few)
    assert received.shape == (2, 3, few)
    np.testing.assert_allclose(received.sum(axis=(1, 2)), 1.0)


def test_a_draw_weighs_as_its_set_does_or_as_it_wins(rng):
    soft, hard = best(rng, "softmax"), best(rng, "draws")
    np.testing.assert_allclose(soft.of_draws(4), np.repeat(soft.q[:, :, None] / 4, 4, axis=2))
    for b, k in np.ndindex(2, 4):
        expected = np.zeros(3)
        expected[hard.Y[b, :, k].argmin()] = 0.25
        assert hard.of_draws(4)[b, :, k].tolist() == expected.tolist()
