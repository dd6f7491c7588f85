r"""Hyperparameters of a Gaussian process: their MAP value, and the evidence with them integrated out.

The data are means ybar_i of N_i replicates with sums of squares SS_i about them (N_i = 1, SS_i = 0 for plain
rows):

    log p(y | theta) = log N(ybar; m, k_theta(X, X) + diag(s2 / N_i))
                       - sum_i [(N_i - 1)/2 log(2 pi s2) + 1/2 log N_i + SS_i / (2 s2)],

with s2 = floor + exp(theta_last).  Every theta has a weak normal prior.  Laplace's method gives

    log p(y) ~ log p(y | theta^) p(theta^) + p/2 log 2 pi - 1/2 log det H,

H the negative Hessian of log p(y | theta) p(theta) at its maximum theta^.

=========  ===========  ==================================================
symbol     shape        meaning
=========  ===========  ==================================================
theta      (p,)         log hyperparameters of the kernel, then log noise
r          (n,)         ybar - m(X)
N, SS      (n,)         replicates a point, and their sums of squares
floor      ()           least noise variance
=========  ===========  ==================================================
"""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.linalg import lapack
from scipy.optimize import fmin_l_bfgs_b
from scipy.special import ndtri

from ceopt.maths.gp import LOG_2PI, Floats
from ceopt.maths.kernels import Kernel
from ceopt.maths.quasi import lattice

Objective = Callable[[Floats], tuple[float, Floats]]
EPS = float(np.finfo(np.float64).eps)
IMPOSSIBLE = -1e25  # log density of a theta whose covariance cannot be factored


class Regression(NamedTuple):
    """What is to be explained."""

    kernel: Kernel
    X: Floats
    r: Floats
    N: Floats
    SS: Floats
    floor: float = 1e-6


class Prior(NamedTuple):
    """Independent normals over theta."""

    mean: Floats
    sd: Floats


class Fit(NamedTuple):
    """The outcome of a fit: theta^, and Laplace's log p(y)."""

    theta: Floats
    log_evidence: float


def rows(kernel: Kernel, X: Floats, r: Floats, floor: float = 1e-6) -> Regression:
    """A regression on plain rows, without replicates."""
    return Regression(kernel, X, r, np.ones(len(r)), np.zeros(len(r)), floor)


def noise(regression: Regression, theta: Floats) -> float:
    """s2, the noise variance of one row."""
    return float(regression.floor + np.exp(theta[-1]))


@lru_cache(maxsize=8)
def twice_below(n: int) -> Floats:
    """Weights that make the lower half of a symmetric matrix stand for the whole, (n, n)."""
    return np.tril(np.full((n, n), 2.0), -1) + np.eye(n)


def log_likelihood(regression: Regression, theta: Floats) -> tuple[float, Floats]:
    """log p(y | theta) and its gradient."""
    kernel, X, r, N, SS, _ = regression
    s2 = noise(regression, theta)
    K = kernel.matrix(theta[:-1], X, X)
    C = K.copy()
    C[np.diag_indices_from(C)] += s2 / N
    L, failed = lapack.dpotrf(C.T, lower=1, overwrite_a=1)  # C is symmetric; .T is the order LAPACK wants
    if failed:
        return IMPOSSIBLE, np.zeros_like(theta)
    alpha, _ = lapack.dpotrs(L, r, lower=1)
    log_det = 2 * np.log(np.diag(L)).sum()
    inverse, _ = lapack.dpotri(L, lower=1, overwrite_c=1)  # below the diagonal only
    M = (0.5 * (alpha[:, None] * alpha - inverse)) * twice_below(len(r))
    n, more = len(r), float((N - 1).sum())
    value = -0.5 * r @ alpha - 0.5 * log_det - 0.5 * n * LOG_2PI
    value -= 0.5 * more * (LOG_2PI + np.log(s2)) + 0.5 * np.log(N).sum() + 0.5 * SS.sum() / s2
    slope = (np.diag(M) / N).sum() - 0.5 * more / s2 + 0.5 * SS.sum() / s2**2
    return float(value), np.r_[kernel.pullback(theta[:-1], X, K, M), slope * np.exp(theta[-1])]


def log_prior(prior: Prior, theta: Floats) -> tuple[float, Floats]:
    """log p(theta) and its gradient."""
    z = (theta - prior.mean) / prior.sd
    return float(-0.5 * z @ z - np.log(prior.sd).sum() - 0.5 * len(z) * LOG_2PI), -z / prior.sd


def log_posterior(regression: Regression, prior: Prior) -> Objective:
    """theta -> log p(y | theta) p(theta) and its gradient."""

    def objective(theta: Floats) -> tuple[float, Floats]:
        value, slope = log_likelihood(regression, theta)
        weight, pull = log_prior(prior, theta)
        return value + weight, slope + pull

    return objective


def starts(prior: Prior, count: int) -> Floats:
    """The prior's mean, then points spread over it, (count, p); the same ones each time."""
    spread = ndtri(lattice(max(count - 1, 0), len(prior.mean)))
    return prior.mean + prior.sd * np.vstack([np.zeros((1, len(prior.mean))), spread])


def climb(objective: Objective, prior: Prior, start: Floats, tolerance: float = 1e-8) -> tuple[float, Floats]:
    """The local maximum reached from `start`, in coordinates whitened by the prior."""

    def downhill(z: Floats) -> tuple[float, Floats]:
        value, slope = objective(prior.mean + prior.sd * z)
        return -value, -slope * prior.sd

    z0 = (start - prior.mean) / prior.sd
    limits = [(-8.0, 8.0)] * len(z0)
    z, value, _ = fmin_l_bfgs_b(downhill, z0, bounds=limits, factr=tolerance / EPS, pgtol=1e-7)
    return -float(value), prior.mean + prior.sd * z


def hessian(objective: Objective, theta: Floats, slope: Floats, step: float = 1e-4) -> Floats:
    """The negative Hessian, by differences from the gradient `slope` at theta."""
    shifts = step * np.eye(len(theta))
    H = np.array([slope - objective(theta + shift)[1] for shift in shifts]) / step
    return np.asarray(0.5 * (H + H.T))


def laplace(objective: Objective, prior: Prior, theta: Floats) -> float:
    """log of the integral of exp(objective), by Laplace's method at its maximum theta."""
    value, slope = objective(theta)
    whitened = hessian(objective, theta, slope) * np.outer(prior.sd, prior.sd)
    curvature = np.maximum(np.linalg.eigvalsh(whitened), 0.1)  # weaker than the prior: a shoulder, not a peak
    return float(value + np.log(prior.sd).sum() + 0.5 * len(theta) * LOG_2PI - 0.5 * np.log(curvature).sum())


def sharpened(objective: Objective, theta: Floats) -> Floats:
    """One Newton step, where it climbs: from near the maximum to the maximum, up to rounding."""
    value, slope = objective(theta)
    step = np.linalg.lstsq(hessian(objective, theta, slope), slope, rcond=1e-8)[0]
    return theta + step if objective(theta + step)[0] >= value else theta


def maximum(regression: Regression, prior: Prior, candidates: Floats) -> Floats:
    """theta^, the best of the maxima reached from each of the candidates (c, p)."""
    objective = log_posterior(regression, prior)
    rough = [climb(objective, prior, start, tolerance=1e-5) for start in candidates]
    _, theta = climb(objective, prior, max(rough, key=lambda found: found[0])[1])
    return sharpened(objective, theta)


def fit(regression: Regression, prior: Prior, candidates: Floats) -> Fit:
    """theta^ and how well the data are explained."""
    theta = maximum(regression, prior, candidates)
    return Fit(theta, laplace(log_posterior(regression, prior), prior, theta))
