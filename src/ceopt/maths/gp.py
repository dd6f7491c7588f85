r"""Condition a Gaussian process on what was seen.

With K = k(X, X) + noise, L L^T = K and r = y - m(X):

    posterior mean        m(x) + k(x, X) K^-1 r
    posterior covariance  k(x, x') - k(x, X) K^-1 k(X, x')
    log evidence          -1/2 r^T K^-1 r - 1/2 log det K - n/2 log 2 pi

=============  ==============  ==================================================
symbol         shape           meaning
=============  ==============  ==================================================
K              (n, n)          covariance of what was seen, noise included
r              (n,)            what was seen less its prior mean
L              (n, n)          lower Cholesky factor of K
a              (n,)            L^-1 r
K_sX           (s, n)          covariance of new points with what was seen
=============  ==============  ==================================================

Nothing here knows kernels, units or variables, and nothing writes into its arguments.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

Floats = NDArray[np.float64]
LOG_2PI = float(np.log(2 * np.pi))


class Conditioned(NamedTuple):
    """What was seen, ready to predict from."""

    L: Floats
    a: Floats


def cholesky(K: Floats) -> Floats:
    """The lower factor of K; a K that is singular to rounding gets the least jitter that helps."""
    jitter = 0.0
    for power in range(-12, -3):
        L, failed = lapack.dpotrf(K + jitter * np.eye(len(K)) if jitter else K, lower=1, clean=1)
        if not failed:
            return np.asarray(L)
        jitter = 10.0**power * float(np.mean(np.diag(K)))
    raise np.linalg.LinAlgError("covariance is not positive definite")


def solve_lower(L: Floats, b: Floats) -> Floats:
    """L^-1 b."""
    x, _ = lapack.dtrtrs(L, b, lower=1)
    return np.asarray(x)


def solve_upper(L: Floats, b: Floats) -> Floats:
    """L^-T b."""
    x, _ = lapack.dtrtrs(L, b, lower=1, trans=1)
    return np.asarray(x)


def condition(K: Floats, r: Floats) -> Conditioned:
    """See r, whose covariance is K."""
    if not len(r):
        return Conditioned(np.zeros((0, 0)), np.zeros(0))
    L = cholesky(K)
    return Conditioned(L, solve_lower(L, r))


def extend(given: Conditioned, K_nX: Floats, K_nn: Floats, r: Floats) -> Conditioned:
    """See r as well: K_nX (q, n) its covariance with what was seen, K_nn (q, q) its own with noise."""
    n, q = len(given.a), len(r)
    if not n:
        return condition(K_nn, r)
    B = solve_lower(given.L, K_nX.T).T
    corner = condition(K_nn - B @ B.T, r - B @ given.a)
    L = np.zeros((n + q, n + q))
    L[:n, :n], L[n:, :n], L[n:, n:] = given.L, B, corner.L
    return Conditioned(L, np.concatenate([given.a, corner.a]))


def log_evidence(given: Conditioned) -> float:
    """log N(r; 0, K).  The difference after an `extend` is the log predictive density of the new rows."""
    n = len(given.a)
    return float(-0.5 * given.a @ given.a - np.log(np.diag(given.L)).sum() - 0.5 * n * LOG_2PI)


def weights(given: Conditioned) -> Floats:
    """K^-1 r, so that the posterior mean is m(x) + k(x, X) @ weights."""
    return solve_upper(given.L, given.a) if len(given.a) else given.a


def mean(given: Conditioned, K_sX: Floats) -> Floats:
    """Posterior mean less the prior mean, (s,)."""
    return K_sX @ weights(given)


def variance(given: Conditioned, K_sX: Floats, k_ss: Floats) -> Floats:
    """Posterior variances, (s,), from the prior variances k_ss (s,); never below 0."""
    if not len(given.a):
        return k_ss
    A = solve_lower(given.L, K_sX.T)
    return np.asarray(np.maximum(k_ss - np.einsum("ns,ns->s", A, A), 0.0))


def covariance(given: Conditioned, K_sX: Floats, K_ss: Floats) -> Floats:
    """Posterior covariance, (s, s)."""
    if not len(given.a):
        return K_ss
    A = solve_lower(given.L, K_sX.T)
    return K_ss - A.T @ A


def draws(mean: Floats, covariance: Floats, z: Floats) -> Floats:
    """Joint draws (J, s) of N(mean, covariance) from standard normals z (J, s)."""
    return np.asarray(mean + z @ cholesky(covariance).T)


def samples(mean: Floats, variance: Floats, s2: float, z: Floats) -> Floats:
    """N noisy samples (..., N) of one uncertain value, from standard normals z (..., N).

    v_i = f + e_i with f ~ N(mean, variance) in common and e_i ~ N(0, s2); mean and variance broadcast to z.
    """
    N = z.shape[-1]
    together = (np.sqrt(s2 + N * variance) - np.sqrt(s2)) * z.mean(axis=-1, keepdims=True)
    return np.asarray(mean + np.sqrt(s2) * z + together)
