"""A true structural causal model: what an experimenter could only sample from.

Each variable is X_j = f_j(Pa_j, eps_j), the noises independent. Setting a variable, do(X_I = x_I),
replaces its equation by its level and leaves every other equation, and every noise, as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ceopt.domain.graph import Graph
from ceopt.domain.variable import as_number
from ceopt.errors import GraphError, OutcomeError, ProblemError, did_you_mean

Floats: TypeAlias = NDArray[np.float64]
Noise: TypeAlias = Callable[[np.random.Generator, int], Floats]
Seed: TypeAlias = int | np.random.Generator | None


def normal(sd: float = 1.0) -> Noise:
    """N(0, sd^2)."""
    return lambda rng, n: sd * rng.standard_normal(n)


def uniform(low: float, high: float) -> Noise:
    """U[low, high]."""
    return lambda rng, n: rng.uniform(low, high, n)


def still(rng: np.random.Generator, n: int) -> Floats:
    """No noise: the variable is a function of its parents."""
    return np.zeros(n)


class Equation(NamedTuple):
    """X_j = function(*parents, noise), each argument an array with one entry a sample."""

    parents: tuple[str, ...]
    function: Callable[..., Floats]
    noise: Noise


@dataclass(frozen=True, eq=False)
class System:
    """Equations in causal order, the variable to optimise, and the variables nobody can see or set."""

    equations: Mapping[str, Equation]
    target: str
    hidden: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "equations", MappingProxyType(dict(self.equations)))
        seen: set[str] = set()
        for name, equation in self.equations.items():
            if late := sorted(set(equation.parents) - seen):
                raise ProblemError(f"the equation of {name!r} uses {late}; list these before it")
            seen.add(name)
        for name in (self.target, *self.hidden):
            if name not in seen:
                raise ProblemError(f"{name!r} has no equation{did_you_mean(name, sorted(seen))}")
        if self.target in self.hidden:
            raise ProblemError(f"the target {self.target!r} is hidden; a target must be measured")

    @property
    def variables(self) -> tuple[str, ...]:
        """What can be measured, every cause before its effects: the columns of a sample."""
        return tuple(v for v in self.equations if v not in self.hidden)

    @property
    def graph(self) -> Graph:
        """The true graph; over the visible variables alone none need be true, so hidden ones are refused."""
        if self.hidden:
            raise GraphError(f"{', '.join(self.hidden)} hidden: no graph over the rest is the true one")
        edges = [(cause, v) for v, equation in self.equations.items() for cause in equation.parents]
        return Graph.from_edges(edges, isolated=self.variables)

    def sample(self, n: int, do: Mapping[str, float] | None = None, rng: Seed = None) -> pd.DataFrame:
        """Draw n rows of the visible variables under do; a seed brings the same noises under every do."""
        columns = self._simulate(n, do or {}, np.random.default_rng(rng))
        return pd.DataFrame({v: columns[v] for v in self.variables})

    def mean(self, do: Mapping[str, float] | None = None, n: int = 100_000, rng: Seed = 0) -> float:
        """E[target | do] by Monte Carlo over n rows; by default every do meets the same noises."""
        return float(self._simulate(n, do or {}, np.random.default_rng(rng))[self.target].mean())

    def _simulate(self, n: int, do: Mapping[str, float], rng: np.random.Generator) -> dict[str, Floats]:
        self._check(n, do)
        noises = {v: equation.noise(rng, n) for v, equation in self.equations.items()}  # whatever do is
        columns: dict[str, Floats] = {}
        for v, equation in self.equations.items():
            if v in do:  # do(v = 0) too
                columns[v] = np.full(n, float(do[v]))
            else:
                columns[v] = equation.function(*(columns[u] for u in equation.parents), noises[v])
        return columns

    def _check(self, n: int, do: Mapping[str, float]) -> None:
        if n < 1:
            raise OutcomeError(f"asked for {n} samples; ask for at least one")
        for v, level in do.items():
            if v not in self.variables:
                hint = did_you_mean(v, self.variables)
                raise OutcomeError(f"cannot set {v!r}: the variables are {', '.join(self.variables)}{hint}")
            number = as_number(level)
            if number is None or not isfinite(number):
                raise OutcomeError(f"cannot set {v!r} to {level!r}; give a finite number")
