r"""Kernels k(x, x'; theta) with theta = log hyperparameters, and the one derivative that fitting needs.

Two answers to one question: `Rbf` is the default,

    k(x, x') = exp(theta_0) exp(-1/2 sum_d (x_d - x'_d)^2 / exp(2 theta_d)),

and `Scikit` wraps any kernel of scikit-learn.  They agree where both apply (a test); `Rbf` is there because
its pullback needs no (n, n, p) array, which makes inference more than twice as fast (benchmarks/engine.py).

==========  =========  =========================================================
symbol      shape      meaning
==========  =========  =========================================================
theta       (p,)       log hyperparameters, those that are not fixed
A, B, X     (., d)     inputs
M           (n, n)     any weights, symmetric or not
pullback    (p,)       sum_ij M_ij dK_ij / dtheta
==========  =========  =========================================================
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from scipy.spatial.distance import cdist

from ceopt.maths.gp import Floats

FAR = 1e5  # of 1/2 |x|^2 in lengthscales: beyond it differences of squares lose digits that matter
KernelChoice: TypeAlias = Any | Callable[[int], Any] | None
"""None, a kernel of scikit-learn, or a function of the number of inputs that gives one."""


class Kernel(Protocol):
    """What fitting and predicting ask of a kernel."""

    @property
    def centre(self) -> Floats:
        """Where the weak prior of theta is centred, and the first start of a fit."""

    def matrix(self, theta: Floats, A: Floats, B: Floats) -> Floats:
        """k(A, B), (a, b)."""

    def diagonal(self, theta: Floats, A: Floats) -> Floats:
        """k(x, x) for each x of A, (a,)."""

    def pullback(self, theta: Floats, X: Floats, K: Floats, M: Floats) -> Floats:
        """sum_ij M_ij dK_ij / dtheta, given K = k(X, X)."""


@dataclass(frozen=True, slots=True)
class Rbf:
    """Squared exponential with a variance and one lengthscale a dimension (ARD)."""

    dimension: int
    variance: float = 1.0
    lengthscale: float = 2.0

    @property
    def centre(self) -> Floats:
        """Logs of the stated variance and lengthscale."""
        return np.asarray(np.log(np.r_[self.variance, np.full(self.dimension, self.lengthscale)]))

    def matrix(self, theta: Floats, A: Floats, B: Floats) -> Floats:
        """k(A, B), (a, b)."""
        scale = np.exp(-theta[1:])
        K = half_squared_distances(A * scale, B * scale)
        np.subtract(theta[0], K, out=K)
        return np.asarray(np.exp(K, out=K))

    def diagonal(self, theta: Floats, A: Floats) -> Floats:
        """k(x, x) for each x of A, (a,)."""
        return np.full(len(A), np.exp(theta[0]))

    def pullback(self, theta: Floats, X: Floats, K: Floats, M: Floats) -> Floats:
        """sum_ij M_ij dK_ij / dtheta, given K = k(X, X)."""
        P = M * K
        ends = P.sum(axis=0) + P.sum(axis=1)
        spread = ends @ X**2 - 2 * np.einsum("nd,nd->d", X, P @ X)  # sum_ij P_ij (x_i - x_j)^2
        return np.asarray(np.r_[0.5 * ends.sum(), spread * np.exp(-2 * theta[1:])])


def half_squared_distances(A: Floats, B: Floats) -> Floats:
    """1/2 |x - x'|^2, (a, b): as |x|^2 / 2 + |x'|^2 / 2 - x . x', unless that would be inexact."""
    a, b = 0.5 * np.einsum("ad,ad->a", A, A), 0.5 * np.einsum("bd,bd->b", B, B)
    if max(a.max(initial=0.0), b.max(initial=0.0)) > FAR:
        return np.asarray(0.5 * cdist(A, B, "sqeuclidean"))
    left = np.column_stack([A, a, np.ones(len(A))])
    right = np.column_stack([-B, np.ones(len(B)), b])
    return np.asarray(left @ right.T)


@dataclass(frozen=True, slots=True)
class Scikit:
    """Any kernel of scikit-learn; its stated values are the centre of the prior."""

    template: Any

    @property
    def centre(self) -> Floats:
        """Logs of the kernel's stated hyperparameters."""
        return np.asarray(self.template.theta, dtype=np.float64)

    def matrix(self, theta: Floats, A: Floats, B: Floats) -> Floats:
        """k(A, B), (a, b)."""
        return np.asarray(self.template.clone_with_theta(theta)(A, B), dtype=np.float64)

    def diagonal(self, theta: Floats, A: Floats) -> Floats:
        """k(x, x) for each x of A, (a,)."""
        return np.asarray(self.template.clone_with_theta(theta).diag(A), dtype=np.float64)

    def pullback(self, theta: Floats, X: Floats, K: Floats, M: Floats) -> Floats:
        """sum_ij M_ij dK_ij / dtheta; K is worked out again, with its slopes."""
        _, slopes = self.template.clone_with_theta(theta)(X, eval_gradient=True)
        return np.asarray(np.einsum("ij,ijp->p", M, slopes))


def kernel_for(choice: KernelChoice, dimension: int) -> Kernel:
    """The kernel of a function of `dimension` inputs: None is `Rbf`; a callable is asked for one."""
    if choice is None:
        return Rbf(dimension)
    if hasattr(choice, "theta"):
        return Scikit(choice)
    return Scikit(choice(dimension))
