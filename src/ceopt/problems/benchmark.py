"""A problem whose answer is known: what is asked, what is true, and the best that can be done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from ceopt.domain.graph import Graph
from ceopt.domain.problem import Problem
from ceopt.errors import ProblemError, did_you_mean
from ceopt.graphs.text import parse_graph
from ceopt.problems.scm import System

Choice = TypeVar("Choice")


class Optimum(NamedTuple):
    """The intervention with the best E[target | do(set = levels)], and that value."""

    set: tuple[str, ...]
    levels: tuple[float, ...]
    value: float

    @property
    def do(self) -> dict[str, float]:
        """Variable -> level."""
        return dict(zip(self.set, self.levels, strict=True))


@dataclass(frozen=True, eq=False)
class Benchmark:
    """A problem, the system that answers its experiments, and its solution."""

    name: str
    problem: Problem
    system: System
    optimum: Optimum

    @property
    def true_graph(self) -> Graph | None:
        """The graph of the system, whether or not it is a hypothesis; None where something is hidden."""
        return None if self.system.hidden else self.system.graph

    @property
    def true_index(self) -> int | None:
        """The place of the true graph in `problem.graphs`; None where it has none, nor a P(true graph)."""
        graphs = self.problem.graphs.graphs
        return graphs.index(self.true_graph) if self.true_graph in graphs else None


def variant_of(benchmark: str, variant: str, settings: Mapping[str, Choice]) -> tuple[str, Choice]:
    """The variant's full name and its settings; the first variant goes by the benchmark's own name."""
    if variant not in settings:
        allowed = ", ".join(repr(v) for v in settings)
        hint = did_you_mean(str(variant), tuple(settings))
        raise ProblemError(f"{benchmark} has no variant {variant!r}; it has {allowed}{hint}")
    first = next(iter(settings))
    return benchmark if variant == first else f"{benchmark}-{variant}", settings[variant]


def changed(graph: Graph, less: str = "", plus: str = "") -> Graph:
    """A rival of a graph: `changed(truth, less="T -> Y", plus="L -> Y; R -> L")`."""
    removed, added = (parse_graph(text).edges if text else frozenset() for text in (less, plus))
    if absent := removed - graph.edges:
        raise ProblemError(f"cannot take {sorted(absent)} away: {graph.text} has no such edge")
    return Graph(graph.variables, (graph.edges - removed) | added)
