"""Conditioning agrees with scikit-learn's GaussianProcessRegressor and with itself."""

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern

from ceopt.maths import gp
from ceopt.maths.kernels import Rbf, Scikit

NOISE = 0.3
KERNELS = {
    "rbf": (ConstantKernel(1.7) * RBF([0.8, 2.5]), Rbf(2)),
    "matern": (ConstantKernel(0.6) * Matern(1.2, nu=2.5), None),
}


@pytest.fixture(params=KERNELS)
def fitted(request, rng):
    theirs, ours = KERNELS[request.param]
    kernel = ours or Scikit(theirs)
    X, y, new = rng.normal(size=(40, 2)), rng.normal(size=40), rng.normal(size=(15, 2))
    peer = GaussianProcessRegressor(theirs, alpha=NOISE, optimizer=None).fit(X, y)
    given = gp.condition(kernel.matrix(theirs.theta, X, X) + NOISE * np.eye(40), y)
    return peer, given, kernel.matrix(theirs.theta, new, X), kernel.matrix(theirs.theta, new, new), new


def test_marginal_likelihood_equals_scikit_learns(fitted):
    peer, given, *_ = fitted
    assert gp.log_evidence(given) == pytest.approx(peer.log_marginal_likelihood_value_, abs=1e-8)


def test_posterior_moments_equal_scikit_learns(fitted):
    peer, given, K_sX, K_ss, new = fitted
    mean, covariance = peer.predict(new, return_cov=True)
    np.testing.assert_allclose(gp.mean(given, K_sX), mean, atol=1e-8)
    np.testing.assert_allclose(gp.covariance(given, K_sX, K_ss), covariance, atol=1e-8)
    np.testing.assert_allclose(gp.variance(given, K_sX, np.diag(K_ss)), np.diag(covariance), atol=1e-8)


def test_extending_equals_conditioning_on_everything(rng):
    X, y = rng.normal(size=(30, 2)), rng.normal(size=30)
    K = Rbf(2).matrix(Rbf(2).centre, X, X) + NOISE * np.eye(30)
    part = gp.condition(K[:20, :20], y[:20])
    received = gp.extend(part, K[20:, :20], K[20:, 20:], y[20:])
    expected = gp.condition(K, y)
    np.testing.assert_allclose(received.L, expected.L, atol=1e-10)
    np.testing.assert_allclose(received.a, expected.a, atol=1e-10)


def test_what_extending_adds_to_the_evidence_is_the_predictive_density(rng):
    X, y = rng.normal(size=(12, 1)), rng.normal(size=12)
    K = Rbf(1).matrix(Rbf(1).centre, X, X) + NOISE * np.eye(12)
    before = gp.condition(K[:11, :11], y[:11])
    mean, variance = gp.mean(before, K[11:, :11])[0], gp.variance(before, K[11:, :11], K[11:, 11])[0]
    expected = -0.5 * ((y[11] - mean) ** 2 / variance + np.log(2 * np.pi * variance))
    after = gp.extend(before, K[11:, :11], K[11:, 11:], y[11:])
    assert gp.log_evidence(after) - gp.log_evidence(before) == pytest.approx(expected, abs=1e-10)


def test_nothing_seen_leaves_the_prior():
    nothing = gp.condition(np.zeros((0, 0)), np.zeros(0))
    assert gp.log_evidence(nothing) == 0.0
    assert gp.mean(nothing, np.zeros((3, 0))).tolist() == [0, 0, 0]
    assert gp.covariance(nothing, np.zeros((2, 0)), np.eye(2)).tolist() == [[1, 0], [0, 1]]
    assert gp.variance(nothing, np.zeros((2, 0)), np.ones(2)).tolist() == [1, 1]


def test_joint_draws_have_the_mean_and_covariance_asked_for(rng):
    mean, A = np.array([1.0, -2.0, 0.5]), rng.normal(size=(3, 3))
    F = gp.draws(mean, A @ A.T, rng.standard_normal((200_000, 3)))
    np.testing.assert_allclose(F.mean(axis=0), mean, atol=0.03)
    np.testing.assert_allclose(np.cov(F.T), A @ A.T, atol=0.08)


def test_a_singular_covariance_gets_the_least_jitter_that_helps():
    v = np.arange(1.0, 6.0)
    L = gp.cholesky(np.outer(v, v))
    np.testing.assert_allclose(L @ L.T, np.outer(v, v), atol=1e-8)


def test_a_matrix_that_is_no_covariance_is_refused():
    with pytest.raises(np.linalg.LinAlgError, match="positive definite"):
        gp.cholesky(np.array([[1.0, 2.0], [2.0, 1.0]]))
