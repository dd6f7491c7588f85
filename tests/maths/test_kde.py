"""Entropy of weighted samples: closed forms, a sum of kernels, and what it does not depend on."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import entr, ndtri
from scipy.stats import norm

from ceopt.maths.kde import M, entropies, shared_out
from tests.strategies import law

CASES = {
    "normal": (lambda rng: rng.normal(size=200), None),
    "two humps": (lambda rng: np.r_[rng.normal(size=60), rng.normal(6, 0.5, size=140)], None),
    "skewed": (lambda rng: rng.exponential(size=150), None),
    "three samples": (lambda rng: np.array([0.0, 1.0, 5.0]), None),
    "weighted": (lambda rng: rng.normal(size=100), lambda rng: rng.uniform(size=100)),
    "one sample weighs most": (lambda rng: rng.normal(size=30), lambda rng: np.r_[20.0, np.ones(29)]),
}


def case(name, rng):
    samples, weights = CASES[name]
    y = samples(rng)
    return y, np.ones(len(y)) if weights is None else weights(rng)


def summed(y, w, sd=None):
    """The same by a sum of kernels of Silverman's width on a fine grid."""
    w = w / w.sum()
    sd = sd or np.sqrt(w @ (y - w @ y) ** 2)
    h = sd * (4 / (3 / (w**2).sum())) ** 0.2
    grid = np.linspace(y.min() - 8 * h, y.max() + 8 * h, 5001)
    p = sum(w_i * norm.pdf(grid, y_i, h) for y_i, w_i in zip(y, w, strict=True))
    return entr(p).sum() * (grid[1] - grid[0])


@pytest.mark.parametrize("name", CASES)
def test_it_is_the_entropy_of_a_sum_of_kernels(name, rng):
    y, w = case(name, rng)
    assert entropies(y[None], w[None])[0] == pytest.approx(summed(y, w), abs=2e-3)


@pytest.mark.parametrize("sd", [1e-3, 1.0, 40.0])
def test_normal_samples_have_the_entropy_of_a_normal(sd):
    y = sd * ndtri((np.arange(4000) + 0.5) / 4000)[None]
    h = (4 / (3 * 4000)) ** 0.2
    expected = 0.5 * np.log(2 * np.pi * np.e * sd**2 * (1 + h**2))  # kernels widen it by their own variance
    assert entropies(y, np.ones((1, 4000)))[0] == pytest.approx(expected, abs=2e-3)
    assert entropies(y, np.ones((1, 4000)))[0] == pytest.approx(
        0.5 * np.log(2 * np.pi * np.e * sd**2), abs=0.03
    )


@law
@given(st.floats(-1e3, 1e3), st.floats(1e-2, 1e2), st.integers(0, 99))
def test_a_shift_changes_nothing_and_a_scale_adds_its_logarithm(shift, scale, seed):
    rng = np.random.default_rng(seed)
    y, w = rng.normal(size=(1, 20)), rng.uniform(0.1, 1, size=(1, 20))
    assert entropies(shift + scale * y, w)[0] == pytest.approx(entropies(y, w)[0] + np.log(scale), abs=1e-6)


@law
@given(st.integers(0, 99), st.floats(1e-3, 1e3))
def test_order_mirror_and_the_sum_of_the_weights_do_not_matter(seed, factor):
    rng = np.random.default_rng(seed)
    y, w, order = rng.normal(size=(1, 25)), rng.uniform(0.1, 1, size=(1, 25)), rng.permutation(25)
    expected = entropies(y, w)[0]
    assert entropies(y[:, order], factor * w[:, order])[0] == pytest.approx(expected, abs=1e-9)
    assert entropies(-y, w)[0] == pytest.approx(expected, abs=1e-9)


def test_each_row_is_a_density_of_its_own(rng):
    y, w = rng.normal(size=(5, 30)) * np.arange(1, 6)[:, None], rng.uniform(size=(5, 30))
    each = [entropies(y[i : i + 1], w[i : i + 1])[0] for i in range(5)]
    np.testing.assert_allclose(entropies(y, w), each, atol=1e-12)
    shared = [entropies(y[i : i + 1], w[:1])[0] for i in range(5)]
    np.testing.assert_allclose(entropies(y, w[:1]), shared, atol=1e-12)


def test_a_sample_without_weight_is_not_there(rng):
    y, w = np.sort(rng.normal(size=40)), rng.uniform(size=40)
    more, none = np.insert(y, 20, y[19:21].mean()), np.insert(w, 20, 0.0)
    assert entropies(more[None], none[None])[0] == pytest.approx(entropies(y[None], w[None])[0], abs=1e-12)


def test_samples_far_out_count_as_being_at_seven_standard_deviations():
    y = np.r_[ndtri((np.arange(298) + 0.5) / 298), 12.0, 15.0]  # both are farther out: they come together
    near = np.minimum(y - y.mean(), 7 * y.std())
    assert near[-1] == near[-2]
    expected = summed(near, np.ones(300), y.std())
    assert entropies(y[None], np.ones((1, 300)))[0] == pytest.approx(expected, abs=5e-4)
    assert entropies(-y[None], np.ones((1, 300)))[0] == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize("y", [np.zeros((2, 9)), np.full((1, 1), 3.0), np.full((1, 4), -1e3)])
def test_samples_that_all_agree_are_finite_and_nearly_certain(y):
    received = entropies(y, np.ones(y.shape))
    assert np.isfinite(received).all()
    assert (received < -10).all()


@law
@given(st.lists(st.tuples(st.floats(0, M - 1), st.floats(0, 1)), min_size=1, max_size=20))
def test_sharing_out_keeps_mass_and_mean(samples):
    place, w = np.array(samples).T[:, None, :]
    shared = shared_out(place, w)
    assert shared.shape == (1, M)
    assert shared.sum() == pytest.approx(w.sum(), abs=1e-9)
    assert shared[0] @ np.arange(M) == pytest.approx((w * place).sum(), abs=1e-6)
    assert shared.min() >= -1e-12


def test_sharing_out_reaches_the_two_nearest_cells_of_the_own_row_only():
    shared = shared_out(np.array([[2.25], [M - 1.0], [0.0]]), np.array([[2.0], [3.0], [1.0]]))
    expected = np.zeros((3, M))
    expected[0, 2:4], expected[1, -1], expected[2, 0] = (1.5, 0.5), 3.0, 1.0
    np.testing.assert_allclose(shared, expected, atol=1e-12)


def test_weights_share_out_as_repetitions_do(rng):
    place, times = rng.uniform(0, M - 1, size=(1, 6)), np.array([1, 4, 2, 2, 5, 3])
    repeated = np.repeat(place, times, axis=1)
    expected = shared_out(repeated, np.ones(repeated.shape))
    np.testing.assert_allclose(shared_out(place, times[None].astype(float)), expected, atol=1e-12)
