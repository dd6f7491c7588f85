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
    n = len(v)
    if not n:
        return 0.0
    kappa, a, b = prior
    kappa_n, a_n = kappa + n, a + n / 2
    b_n = b + 0.5 * (((v - v.mean()) ** 2).sum() + kappa * n * v.mean() ** 2 / kappa_n)
    value = gammaln(a_n) - gammaln(a) + a * np.log(b) - a_n * np.log(b_n) + 0.5 * np.log(kappa / kappa_n)
    return float(value - 0.5 * n * LOG_2PI)
