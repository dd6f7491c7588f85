"""Reading and writing graphs: text, edge lists and networkx graphs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from ceopt.domain.graph import Graph
from ceopt.errors import GraphError

if TYPE_CHECKING:
    import networkx as nx

GraphLike: TypeAlias = "str | Graph | Iterable[tuple[str, str]] | nx.DiGraph[str]"
"""What can be read as a graph: "a -> b; c", a Graph, (cause, effect) pairs, or a networkx DiGraph."""

SIGN = re.compile(r"\s*(->|--|\?>|(?<=\s)-(?=\s))\s*")


class Link(NamedTuple):
    """Two names with a sign between them, as in "a -> b"."""

    left: str
    sign: str
    right: str


def parse_link(text: str) -> Link | None:
    """The link that a text writes down; None when it writes none.

    >>> parse_link("beta-blocker ?> psa")
    Link(left='beta-blocker', sign='?>', right='psa')
    """
    parts = SIGN.split(text.strip())
    return Link(*parts) if len(parts) == 3 and parts[0] and parts[2] else None


def parse_graph(source: GraphLike) -> Graph:
    """The graph that a text, an edge list or a networkx DiGraph means.

    >>> print(parse_graph("X -> Z -> Y; W"))
    X -> Z; Z -> Y; W
    >>> parse_graph([("X", "Z"), ("Z", "Y")]) == parse_graph("Z -> Y; X -> Z")
    True
    """
    if isinstance(source, Graph):
        return source
    if isinstance(source, str):
        return _from_text(source)
    if hasattr(source, "nodes") and hasattr(source, "edges"):
        return _from_networkx(cast("nx.DiGraph[str]", source))
    return _from_pairs(source)


def to_networkx(graph: Graph) -> nx.DiGraph[str]:
    """The same graph as a networkx DiGraph."""
    import networkx as nx  # a tenth of a second that most users need not spend

    drawn: nx.DiGraph[str] = nx.DiGraph()
    drawn.add_nodes_from(graph.variables)
    drawn.add_edges_from(sorted(graph.edges))
    return drawn


def _from_text(text: str) -> Graph:
    """Statements between semicolons or line breaks: chains of arrows, or bare names."""
    edges: list[tuple[str, str]] = []
    names: list[str] = []
    for statement in re.split(r"[;\r\n]", text):
        if not statement.strip():
            continue
        chain = [name.strip() for name in statement.split("->")]
        if not all(chain) or any(SIGN.search(name) for name in chain):
            raise GraphError(
                f"{statement.strip()!r} is no part of a graph; write 'a -> b', or 'c' for a lone variable"
            )
        names += chain
        edges += pairwise(chain)
    if not names:
        raise GraphError(f"the text {text!r} names no variable; write 'a -> b; c'")
    return Graph.from_edges(edges, isolated=names)


def _from_pairs(source: object) -> Graph:
    if not isinstance(source, Iterable):
        wanted = "a text such as 'a -> b; c', (cause, effect) pairs or a networkx DiGraph"
        raise GraphError(f"a graph is {wanted}, but got {source!r}")
    return Graph.from_edges(_edge(item) for item in source)


def _from_networkx(drawn: nx.DiGraph[str]) -> Graph:
    if not drawn.is_directed():
        raise GraphError("a causal graph has arrows, but got an undirected networkx graph; give a DiGraph")
    return Graph.from_edges(((a, b) for a, b in drawn.edges()), isolated=list(drawn.nodes()))


def _edge(item: object) -> tuple[str, str]:
    if isinstance(item, str) or not isinstance(item, (tuple, list)) or len(item) != 2:
        raise GraphError(
            f"an edge is a pair (cause, effect), but got {item!r}; or write the graph as text 'a -> b; c'"
        )
    return item[0], item[1]
