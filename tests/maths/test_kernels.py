"""The two kernels agree, and their pullbacks are derivatives."""

import numpy as np
import pytest
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, DotProduct, Matern

from ceopt.maths.kernels import Kernel, Rbf, Scikit, half_squared_distances, kernel_for

CHOICES: dict[str, Kernel] = {
    "rbf": Rbf(3),
    "rbf of scikit-learn": Scikit(ConstantKernel(1.0) * RBF([2.0, 2.0, 2.0])),
    "matern": Scikit(Matern(1.5, nu=1.5)),
    "linear": Scikit(DotProduct(0.7)),
}


def test_rbf_is_scikit_learns(rng):
    A, B, theta = rng.normal(size=(7, 3)), rng.normal(size=(5, 3)), rng.normal(size=4)
    ours, theirs = CHOICES["rbf"], CHOICES["rbf of scikit-learn"]
    np.testing.assert_allclose(ours.matrix(theta, A, B), theirs.matrix(theta, A, B), rtol=1e-12)
    np.testing.assert_allclose(ours.diagonal(theta, A), theirs.diagonal(theta, A), rtol=1e-12)
    np.testing.assert_allclose(ours.centre, theirs.centre)


@pytest.mark.parametrize("name", CHOICES)
def test_the_pullback_is_the_derivative(name, rng):
    kernel, X, M = CHOICES[name], rng.normal(size=(9, 3)), rng.normal(size=(9, 9))
    theta = kernel.centre + 0.1 * rng.normal(size=len(kernel.centre))
    received = kernel.pullback(theta, X, kernel.matrix(theta, X, X), M)
    steps = 1e-6 * np.eye(len(theta))
    up, down = ([(M * kernel.matrix(theta + s * d, X, X)).sum() for d in steps] for s in (1, -1))
    np.testing.assert_allclose(received, (np.array(up) - np.array(down)) / 2e-6, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", CHOICES)
def test_the_diagonal_is_that_of_the_matrix(name, rng):
    kernel, A = CHOICES[name], rng.normal(size=(6, 3))
    expected = np.diag(kernel.matrix(kernel.centre, A, A))
    np.testing.assert_allclose(kernel.diagonal(kernel.centre, A), expected)


@pytest.mark.parametrize("offset", [0.0, 1e3, 1e7])
def test_distances_keep_their_digits_far_from_the_origin(offset, rng):
    A, B = offset + rng.normal(size=(6, 2)), offset + rng.normal(size=(4, 2))
    expected = 0.5 * ((A[:, None] - B) ** 2).sum(axis=-1)
    np.testing.assert_allclose(half_squared_distances(A, B), expected, atol=1e-10, rtol=1e-9)


def test_a_choice_is_none_a_kernel_or_a_function_of_the_dimension():
    assert kernel_for(None, 2) == Rbf(2)
    assert kernel_for(RBF(3.0), 2).centre == pytest.approx([np.log(3.0)])
    assert kernel_for(lambda d: RBF([2.0] * d), 3).centre == pytest.approx([np.log(2.0)] * 3)
