r"""The causal kernel k_I: how far an outcome at one level speaks for another  [eq_surrogate].

    k_I(x, x') = (v + s(x) s(x')) r(x, x') + c(x) . c(x'),   r(x, x') = exp(-1/2 sum_d (x_d - x'_d)^2 / l_d^2)

V^[Y | do(x)] is the variance of E[Y | do(x)] over what is in doubt, so between two levels it is a covariance.
For the graphs that is exact, the law of total covariance with w = P(G | D):

    c_g(x) = sqrt(w_g) (E_g(x) - sum_h w_h E_h(x)),   c(x) . c(x') = sum_g w_g E_g(x) E_g(x') - m(x) m(x')

For the functions, s(x)^2 = sum_g w_g F_g(x), and r says how soon one level ceases to speak for another. At
x = x' the kernel is v + V^, as printed in the paper.  `coupling="product"` is what the published code does:
s = 0 and one c = sqrt(V^), as if a single number were in doubt at all levels (docs/decisions/005).

=========  ===============  =====================================================
symbol     shape            meaning
=========  ===============  =====================================================
A, B, X    (., d + 1 + K)   levels: places in the unit cube, then s, then c
theta      (d + 1,)         log v, log l
=========  ===============  =====================================================
"""

from dataclasses import dataclass

import numpy as np

from ceopt.inference.effects import Effects
from ceopt.inference.settings import Mechanisms
from ceopt.maths.gp import Floats
from ceopt.maths.kernels import Rbf


@dataclass(frozen=True, slots=True)
class CausalKernel:
    """k_I; `smooth` is v r, of the first d columns."""

    smooth: Rbf

    @property
    def centre(self) -> Floats:
        """Where the priors of theta are centred."""
        return self.smooth.centre

    def matrix(self, theta: Floats, A: Floats, B: Floats) -> Floats:
        """k_I(A, B), (a, b)."""
        d = self.smooth.dimension
        K = self.smooth.matrix(theta, A[:, :d], B[:, :d])
        return np.asarray(K * _raised(theta, A[:, d], B[:, d]) + A[:, d + 1 :] @ B[:, d + 1 :].T)

    def diagonal(self, theta: Floats, A: Floats) -> Floats:
        """k_I(x, x), (a,)."""
        return np.asarray(np.exp(theta[0]) + (A[:, self.smooth.dimension :] ** 2).sum(axis=1))

    def pullback(self, theta: Floats, X: Floats, K: Floats, M: Floats) -> Floats:
        """sum_ij M_ij dK_ij / dtheta, given K = k_I(X, X)."""
        d = self.smooth.dimension
        local = K - X[:, d + 1 :] @ X[:, d + 1 :].T
        by_length = self.smooth.pullback(theta, X[:, :d], local, M)[1:]
        return np.asarray(np.r_[(M * local / _raised(theta, X[:, d], X[:, d])).sum(), by_length])


def _raised(theta: Floats, s: Floats, t: Floats) -> Floats:
    """1 + s s' / v."""
    return np.asarray(1 + np.outer(s, t) * np.exp(-theta[0]))


def beside(x: Floats, effects: Effects, w: Floats, settings: Mechanisms) -> Floats:
    """Places x (L, d) with s and c beside them, for graph weights w."""
    m, weighed = effects.moments(w), w[effects.keys] > 0
    functions = m.functions + (m.noise if settings.band == "total" else 0.0)
    if settings.coupling == "product":
        return np.column_stack([x, np.zeros(len(x)), np.sqrt(functions + m.graphs)])
    c = np.sqrt(w[effects.keys[weighed], None]) * (effects.E[weighed] - m.mean)
    return np.column_stack([x, np.sqrt(functions), c.T])
