"""A causal graph g: who listens to whom."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from graphlib import CycleError, TopologicalSorter
from typing import TypeAlias

from ceopt.errors import GraphError

Pair: TypeAlias = tuple[str, tuple[str, ...]]
"""A variable and its sorted parents: what one mechanism is about."""

RESERVED = re.compile(r"->|<-|--|\?>|;|[\r\n]|\s-\s")
"""What separates names in the text of a graph, and so cannot be part of one."""


@dataclass(frozen=True)
class Graph:
    """A directed acyclic graph over named variables (paper: g in R_G).

    Hashable and compared by value, so a graph can key P(G).

    >>> g = Graph.from_edges([("X", "Z"), ("Z", "Y")])
    >>> g.order, g.do({"Z"}).parents("Z")
    (('X', 'Z', 'Y'), ())
    >>> g.pairs
    (('X', ()), ('Y', ('Z',)), ('Z', ('X',)))
    >>> print(g, "|", g.do({"Z"}))
    X -> Z; Z -> Y | Z -> Y; X
    """

    variables: tuple[str, ...]
    edges: frozenset[tuple[str, str]]  # (cause, effect)

    def __post_init__(self) -> None:
        for v in self.variables:
            check_name(v)
        object.__setattr__(self, "variables", tuple(sorted(set(self.variables))))
        object.__setattr__(self, "edges", frozenset(self.edges))
        strangers = {v for edge in self.edges for v in edge} - set(self.variables)
        if strangers:
            raise GraphError(f"edges mention {sorted(strangers)}, which are not in {self.variables}")
        try:
            _ = self.order
        except CycleError as e:
            cycle = " -> ".join(e.args[1])
            raise GraphError(
                f"a causal graph has no cycle, but got {cycle}; drop one of these edges"
            ) from None

    @classmethod
    def from_edges(cls, edges: Iterable[tuple[str, str]], isolated: Collection[str] = ()) -> Graph:
        """The graph with these (cause, effect) edges and these unconnected variables."""
        edges = frozenset(edges)
        return cls((*{v for edge in edges for v in edge} | set(isolated),), edges)

    @cached_property
    def _parents(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {v: [] for v in self.variables}
        for cause, effect in self.edges:
            found[effect].append(cause)
        return {v: tuple(sorted(causes)) for v, causes in found.items()}

    def parents(self, v: str) -> tuple[str, ...]:
        """Pa_v^g, sorted by name: the column order that every mechanism f_v relies on."""
        return self._parents[v]

    def ancestors(self, v: str) -> frozenset[str]:
        """All causes of v, near and far, without v itself."""
        found: set[str] = set()
        waiting = list(self._parents[v])
        while waiting:
            cause = waiting.pop()
            if cause not in found:
                found.add(cause)
                waiting.extend(self._parents[cause])
        return frozenset(found)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The variables, every cause before its effects."""
        return tuple(TopologicalSorter(self._parents).static_order())

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """(variable, parents), one a variable: the mechanisms of this graph."""
        return tuple(self._parents.items())

    @property
    def text(self) -> str:
        """The edges sorted, then the isolated variables bare: "a -> b; c"."""
        linked = {v for edge in self.edges for v in edge}
        arrows = [f"{cause} -> {effect}" for cause, effect in sorted(self.edges)]
        return "; ".join([*arrows, *(v for v in self.variables if v not in linked)])

    def __str__(self) -> str:
        return self.text

    def do(self, targets: Collection[str]) -> Graph:
        """The mutilated graph: no arrow enters an intervened variable."""
        mutilated = object.__new__(Graph)  # fewer edges make no cycle, so nothing is checked again
        mutilated.__dict__["variables"] = self.variables
        mutilated.__dict__["edges"] = frozenset(e for e in self.edges if e[1] not in targets)
        return mutilated


@lru_cache(maxsize=4096)
def check_name(name: str) -> None:
    """Refuse a name that the text of a graph could not hold."""
    if not isinstance(name, str):
        raise GraphError(f"a variable's name is text, but got {name!r}; rename it")
    if not name.strip() or name != name.strip() or name == "*" or RESERVED.search(name):
        raise GraphError(
            f"{name!r} cannot name a variable: a name is not empty, is not '*', has no space at its ends,"
            " and holds none of '->', '<-', '--', '?>', ' - ', ';' or a line break; rename it"
        )
