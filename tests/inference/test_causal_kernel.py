"""k_I: a covariance, whose diagonal is v + V^ as printed in the paper, and its gradient."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from ceopt.inference.causal_kernel import CausalKernel, beside
from ceopt.inference.effects import Effects
from ceopt.inference.settings import Mechanisms
from ceopt.maths.kernels import Rbf

W = np.array([0.5, 0.0, 0.3, 0.2])  # one key has no weight
THETA = np.log([0.4, 0.3, 0.2])
KERNEL = CausalKernel(Rbf(2))
COUPLINGS = ["covariance", "product"]


@pytest.fixture
def case(rng):
    """Places (12, 2), and effects there of the keys 0, 2 and 3."""
    E, F, N = rng.normal(size=(3, 12)), rng.uniform(size=(3, 12)), rng.uniform(size=(3, 12))
    return rng.uniform(size=(12, 2)), Effects(np.array([0, 2, 3]), E, F, N)


@pytest.mark.parametrize("band", ["knowledge", "total"])
@pytest.mark.parametrize("coupling", COUPLINGS)
def test_the_diagonal_is_v_plus_the_variance_of_the_paper(coupling, band, case):
    x, effects = case
    A, m = beside(x, effects, W, Mechanisms(coupling=coupling, band=band)), effects.moments(W)
    V = m.functions + m.graphs + (m.noise if band == "total" else 0)
    np.testing.assert_allclose(KERNEL.diagonal(THETA, A), 0.4 + V)
    np.testing.assert_allclose(np.diag(KERNEL.matrix(THETA, A, A)), 0.4 + V)


@pytest.mark.parametrize("coupling", COUPLINGS)
def test_it_is_a_covariance(coupling, case):
    A = beside(*case, W, Mechanisms(coupling=coupling))
    K = KERNEL.matrix(THETA, A, A)
    np.testing.assert_allclose(K, K.T)
    assert np.linalg.eigvalsh(K).min() > -1e-9


def test_between_graphs_it_is_the_law_of_total_covariance(case, rng):
    x, effects = case
    known = effects._replace(F=np.zeros_like(effects.F))
    K = KERNEL.matrix(THETA, *[beside(x, known, W, Mechanisms())] * 2)
    graph = rng.choice(3, p=W[effects.keys], size=200_000)
    expected = np.cov(effects.E[graph].T)
    smooth = KERNEL.smooth.matrix(THETA, x, x)
    np.testing.assert_allclose(K - smooth, expected, atol=0.03)


def test_far_apart_functions_in_doubt_have_nothing_in_common(case):
    x, effects = case
    one_graph = np.array([1.0, 0.0, 0.0, 0.0])
    near, far = (beside(x * wide, effects, one_graph, Mechanisms()) for wide in (1e-6, 1e6))
    s = np.sqrt(effects.F[0])
    np.testing.assert_allclose(KERNEL.matrix(THETA, near, near), 0.4 + np.outer(s, s), rtol=1e-6)
    np.testing.assert_allclose(KERNEL.matrix(THETA, far, far), np.diag(0.4 + s**2))


@pytest.mark.parametrize("coupling", COUPLINGS)
def test_the_pullback_is_the_slope(coupling, case, rng):
    A, M = beside(*case, W, Mechanisms(coupling=coupling)), rng.normal(size=(12, 12))
    received = KERNEL.pullback(THETA, A, KERNEL.matrix(THETA, A, A), M)
    expected = approx_fprime(THETA, lambda theta: (M * KERNEL.matrix(theta, A, A)).sum(), 1e-6)
    np.testing.assert_allclose(received, expected, atol=1e-5)


def test_keys_without_weight_do_not_matter(case, rng):
    x, effects = case
    E, F, N = (np.insert(part, 1, rng.normal(size=12), axis=0) for part in effects[1:])
    more = Effects(np.arange(4), E, F, N)
    received, expected = (beside(x, some, W, Mechanisms()) for some in (more, effects))
    np.testing.assert_allclose(received, expected, atol=1e-12)
