"""Linear-Gaussian systems: data, and the exact moments of an effect under uncertain coefficients."""

from typing import NamedTuple

import numpy as np
from sklearn.gaussian_process.kernels import DotProduct

from ceopt.domain.dataset import Dataset
from ceopt.domain.graph import Graph
from ceopt.inference.mechanisms import Mechanism

KERNEL = DotProduct(
    1.0
)  # k(x, x') = sigma_0^2 + x . x': a prior N(0, 1) over slopes, N(0, sigma_0^2) over the rest


def sample(graph: Graph, coefficients, n, rng, sd=0.7):
    """Rows (n, V) of X_j = sum_i c_ij X_i + sd eps."""
    values = {}
    for v in graph.order:
        causes = sum((coefficients[u, v] * values[u] for u in graph.parents(v)), np.zeros(n))
        values[v] = causes + sd * rng.normal(size=n)
    return np.column_stack([values[v] for v in graph.variables])


def observed(graph, rows):
    return Dataset(graph.variables, rows, np.empty((0, len(graph.variables))), ())


class Coefficients(NamedTuple):
    """The posterior of a mechanism's slopes and intercept: mean (d + 1,), E[w w^T], noise variance."""

    mean: np.ndarray
    square: np.ndarray
    s2: float


def posterior(f: Mechanism, v: np.ndarray) -> Coefficients:
    """Bayesian linear regression of v (n,) on f.X, at the fitted hyperparameters of KERNEL."""
    Phi = np.column_stack([f.X, np.ones(len(v))])
    prior = np.r_[np.ones(f.X.shape[1]), np.exp(2 * f.theta[0])]
    covariance = np.linalg.inv(np.diag(1 / prior) + Phi.T @ Phi / f.s2)
    mean = covariance @ Phi.T @ v / f.s2
    return Coefficients(mean, covariance + np.outer(mean, mean), f.s2)


def moments(graph, coefficients, roots, levels, noise: bool):
    """Exact mean and variance of Y, the last in causal order, where do(levels).

    By recursion over the first two moments of (1, X_1, ...), as each mechanism's coefficients are independent
    of all before; with noise=False of E[Y | coefficients] instead of Y.
    """
    at = {"1": 0, **{v: i + 1 for i, v in enumerate(graph.order)}}
    M, S = np.zeros(len(at)), np.zeros((len(at), len(at)))
    M[0] = S[0, 0] = 1.0
    for v in graph.order:
        if v in levels:
            names, w, ww, s2 = ["1"], np.array([levels[v]]), np.array([[levels[v] ** 2]]), 0.0
        elif v in roots:
            mean, s2 = roots[v]
            names, w, ww = ["1"], np.array([mean]), np.array([[mean**2]])
        else:
            names, (w, ww, s2) = [*graph.parents(v), "1"], coefficients[v]
        i, ins = at[v], [at[u] for u in names]
        M[i] = w @ M[ins]
        S[i] = w @ S[ins]
        S[:, i] = S[i]
        S[i, i] = (ww * S[np.ix_(ins, ins)]).sum() + (s2 if noise else 0.0)
    y = at[graph.order[-1]]
    return M[y], S[y, y] - M[y] ** 2
