"""Hyperparameters: gradients are derivatives, replicates are exact, Laplace is close to the integral."""

import numpy as np
import pytest
from scipy.integrate import quad
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

from ceopt.maths import fit
from ceopt.maths.kernels import Rbf, Scikit


@pytest.fixture
def curve(rng):
    X = rng.uniform(-3, 3, size=(40, 1))
    return X, np.sin(X[:, 0]) + 0.3 * rng.normal(size=40)


def replicated(rng):
    N, SS = np.array([1.0, 4.0, 2.0, 7.0]), np.array([0.0, 3.1, 0.2, 5.0])
    return fit.Regression(Rbf(2), rng.normal(size=(4, 2)), rng.normal(size=4), N, SS, 1e-3)


@pytest.mark.parametrize("objective", [fit.log_likelihood, None])
def test_the_gradient_is_the_derivative(objective, rng):
    regression, prior = replicated(rng), fit.Prior(np.zeros(4), np.full(4, 1.5))
    f = fit.log_posterior(regression, prior) if objective is None else lambda t: objective(regression, t)
    theta = 0.3 * rng.normal(size=4)
    steps = 1e-6 * np.eye(4)
    expected = [(f(theta + step)[0] - f(theta - step)[0]) / 2e-6 for step in steps]
    np.testing.assert_allclose(f(theta)[1], expected, rtol=1e-5, atol=1e-6)


def test_means_of_replicates_say_all_that_their_rows_say(rng):
    x, counts = rng.normal(size=(4, 2)), [3, 1, 5, 2]
    X, y = np.repeat(x, counts, axis=0), rng.normal(size=11)
    groups = np.split(y, np.cumsum(counts)[:-1])
    means, SS = np.array([g.mean() for g in groups]), np.array([((g - g.mean()) ** 2).sum() for g in groups])
    theta = np.array([0.2, -0.3, 0.4, -1.0])
    few = fit.log_likelihood(fit.Regression(Rbf(2), x, means, np.array(counts, float), SS), theta)
    all_rows = fit.log_likelihood(fit.rows(Rbf(2), X, y), theta)
    assert few[0] == pytest.approx(all_rows[0], abs=1e-9)
    np.testing.assert_allclose(few[1], all_rows[1], atol=1e-8)


def test_the_likelihood_is_scikit_learns_and_flat_at_its_optimum(curve):
    X, y = curve
    peer = GaussianProcessRegressor(ConstantKernel(1.0) * RBF(2.0) + WhiteKernel(0.1)).fit(X, y)
    value, slope = fit.log_likelihood(fit.rows(Rbf(1), X, y, floor=1e-12), peer.kernel_.theta)
    assert value == pytest.approx(peer.log_marginal_likelihood_value_, abs=1e-7)
    np.testing.assert_allclose(slope, 0, atol=1e-3)


def test_the_maximum_is_higher_than_all_around_it(curve, rng):
    regression = fit.rows(Rbf(1), *curve)
    prior = fit.Prior(np.zeros(3), np.full(3, 2.0))
    theta = fit.maximum(regression, prior, fit.starts(prior, 3))
    f = fit.log_posterior(regression, prior)
    assert np.abs(f(theta)[1]).max() < 1e-3
    assert all(f(theta + 0.2 * rng.normal(size=3))[0] < f(theta)[0] for _ in range(50))


def test_the_evidence_is_the_integral_over_a_hyperparameter(curve):
    X, y = curve
    fixed = Scikit(ConstantKernel(0.5, "fixed") * RBF(1.3, "fixed"))
    regression, prior = fit.rows(fixed, X, y), fit.Prior(np.log([0.1]), np.array([2.0]))
    found = fit.fit(regression, prior, fit.starts(prior, 3))
    f = fit.log_posterior(regression, prior)
    top = f(found.theta)[0]
    integral, _ = quad(lambda t: np.exp(f(np.array([t]))[0] - top), -9, 6, points=[float(found.theta[0])])
    assert found.log_evidence == pytest.approx(top + np.log(integral), abs=0.02)


def test_laplace_is_exact_for_a_normal_density():
    A, at = np.array([[2.0, 0.6], [0.6, 1.0]]), np.array([0.3, -1.0])

    def objective(theta):
        return 1.5 - 0.5 * (theta - at) @ A @ (theta - at), -A @ (theta - at)

    prior = fit.Prior(np.zeros(2), np.array([1.0, 3.0]))
    expected = 1.5 + np.log(2 * np.pi) - 0.5 * np.log(np.linalg.det(A))
    assert fit.laplace(objective, prior, at) == pytest.approx(expected, abs=1e-6)


def test_a_useless_input_costs_evidence(rng):
    X = rng.normal(size=(80, 2))
    y = np.sin(2 * X[:, 0]) + 0.3 * rng.normal(size=80)
    evidence = {}
    for d in (1, 2):
        prior = fit.Prior(np.r_[Rbf(d).centre, np.log(0.1)], np.r_[np.full(d + 1, 1.5), 2.0])
        regression = fit.rows(Rbf(d), X[:, :d], y)
        found = fit.fit(regression, prior, fit.starts(prior, 3))
        evidence[d] = found.log_evidence, fit.log_likelihood(regression, found.theta)[0]
    assert evidence[1][0] > evidence[2][0] + 0.5
    assert evidence[1][1] > evidence[2][1] - 0.5  # the maximised likelihood alone hardly punishes it


def test_a_covariance_that_cannot_be_factored_is_no_candidate():
    twice = fit.rows(Rbf(1), np.zeros((3, 1)), np.zeros(3), floor=0.0)
    value, slope = fit.log_likelihood(twice, np.array([0.0, 0.0, -800.0]))
    assert value == fit.IMPOSSIBLE
    assert not slope.any()


def test_starts_begin_at_the_centre_and_are_the_same_each_time():
    prior = fit.Prior(np.array([1.0, -2.0]), np.array([0.5, 3.0]))
    first = fit.starts(prior, 4)
    assert first.shape == (4, 2)
    assert first[0].tolist() == [1.0, -2.0]
    assert (first == fit.starts(prior, 4)).all()
    assert len(np.unique(first, axis=0)) == 4
