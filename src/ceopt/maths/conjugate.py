r"""The evidence of normal values of unknown mean and variance, under the conjugate prior.

    s2 ~ InverseGamma(a, b),   mu | s2 ~ N(0, s2 / kappa),   v_i | mu, s2 ~ N(mu, s2)

    log p(v) = log Gamma(a') / Gamma(a) + a log b - a' log b' + 1/2 log(kappa / kappa') - n/2 log 2 pi

    kappa' = kappa + n,  a' = a + n/2,  b' = b + 1/2 [sum (v_i - vbar)^2 + kappa n vbar^2 / kappa'].

The predictive density of further values (a Student t for one) is a ratio of two such evidences.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from ceopt.maths.gp import LOG_2PI, Floats


class Prior(NamedTuple):
    """As weak as one imagined row of the standardised variable."""

    kappa: float = 1.0
    a: float = 1.0
    b: float = 1.0


WEAK = Prior()


def log_evidence(v: Floats, prior: Prior = WEAK) -> float:
    """log p(v) for v (n,)."""
    if not len(v):
        return 0.0
    return float(_from_moments(len(v), v.mean(), ((v - v.mean()) ** 2).sum(), prior))


def log_predictive(v: Floats, more: Floats, prior: Prior = WEAK) -> Floats:
    """log p(more | v) for v (n,), n > 0, and each block of further values more (..., N)."""
    n, N, mean = len(v), more.shape[-1], more.mean(axis=-1)
    spread = ((v - v.mean()) ** 2).sum() + ((more - mean[..., None]) ** 2).sum(axis=-1)
    spread = spread + (mean - v.mean()) ** 2 * n * N / (n + N)
    both = (n * v.mean() + N * mean) / (n + N)
    return _from_moments(n + N, both, spread, prior) - log_evidence(v, prior)


def _from_moments(n: int, mean: Floats, spread: Floats, prior: Prior) -> Floats:
    """log p(v) from the number, the mean and the sum of squares about it."""
    kappa, a, b = prior
    kappa_n, a_n = kappa + n, a + n / 2
    b_n = b + 0.5 * (spread + kappa * n * mean**2 / kappa_n)
    value = gammaln(a_n) - gammaln(a) + a * np.log(b) - a_n * np.log(b_n) + 0.5 * np.log(kappa / kappa_n)
    return np.asarray(value - 0.5 * n * LOG_2PI)
