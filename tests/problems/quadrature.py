"""Exact expectations in a system, by quadrature over its noises; shares no code with what it checks."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import minimum_filter
from scipy.optimize import minimize

Floats = NDArray[np.float64]
Columns = Mapping[str, Floats]
Do = Mapping[str, float]


class Rule(NamedTuple):
    """A law of a noise, as nodes and weights that sum to one."""

    nodes: Floats
    weights: Floats


class Part(NamedTuple):
    """One variable: its mechanism without noise, given all earlier columns, and the noise added to it."""

    mechanism: Callable[[Columns], Floats | float]
    noise: Rule | None = None


Parts = Mapping[str, Part]  # in causal order


def uniform(low: float, high: float, n: int) -> Rule:
    """Gauss-Legendre: exact for polynomials up to 2 n - 1."""
    x, w = np.polynomial.legendre.leggauss(n)
    return Rule((low + high) / 2 + (high - low) / 2 * x, w / 2)


def normal(sd: float, n: int) -> Rule:
    """Gauss-Hermite; n = 2 already has the right mean and variance, enough for noise that is only added."""
    x, w = np.polynomial.hermite_e.hermegauss(n)
    return Rule(sd * x, w / w.sum())


def normal_evenly(n: int, reach: float = 8.0) -> Rule:
    """N(0, 1) on an even grid, for functions that grow or oscillate too fast for Gauss-Hermite."""
    x = np.linspace(-reach, reach, n)
    w = np.exp(-(x**2) / 2)
    return Rule(x, w / w.sum())


def solve(parts: Parts, do: Do) -> tuple[dict[str, Floats], list[Floats]]:
    """Every variable over the grid of the noises left in play, an axis a noise; the weights of each axis.

    A column has length 1 along the axes of noises that it does not depend on.
    """
    rules = {v: part.noise for v, part in parts.items() if part.noise is not None and v not in do}
    axes = np.meshgrid(*(rule.nodes for rule in rules.values()), indexing="ij", sparse=True)
    noises = dict(zip(rules, axes, strict=True))
    columns: dict[str, Floats] = {}
    for v, part in parts.items():
        value = do[v] if v in do else part.mechanism(columns) + noises.get(v, 0.0)
        columns[v] = np.array(value, ndmin=len(rules))
    return columns, [rule.weights for rule in rules.values()]


def mean(x: Floats, weights: list[Floats]) -> float:
    """The expectation of x, one axis after the other."""
    for w in weights:
        x = x[0] if len(x) == 1 else np.tensordot(w, x, axes=1)
    return float(x)


def moments(parts: Parts) -> dict[str, tuple[float, float]]:
    """Mean and variance of each variable when nothing is done."""
    columns, weights = solve(parts, {})
    means = {v: mean(x, weights) for v, x in columns.items()}
    return {v: (m, mean((columns[v] - m) ** 2, weights)) for v, m in means.items()}


def effect(parts: Parts, do: Do) -> float:
    """E[Y | do]."""
    columns, weights = solve(parts, do)
    return mean(columns["Y"], weights)


def best(f: Callable[[Do], float], domains: Mapping[str, tuple[float, float]]) -> tuple[Do, float]:
    """The least f over a box: the local minima of a grid, the lowest few of them polished."""

    def value(x: Floats) -> float:
        return f(dict(zip(domains, x.tolist(), strict=True)))

    axes = [np.linspace(*ends, 201 if len(domains) == 1 else 33) for ends in domains.values()]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    heights = np.apply_along_axis(value, -1, grid)
    valleys = grid[heights == minimum_filter(heights, size=3)]
    starts = sorted(valleys, key=value)[:6]
    polished = [
        minimize(value, x, bounds=list(domains.values()), options={"ftol": 1e-15, "gtol": 1e-9}).x
        for x in starts
    ]
    x = min([*starts, *polished], key=value)
    return dict(zip(domains, x.tolist(), strict=True)), value(x)
