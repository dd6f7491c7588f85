"""Every acyclic graph over a few variables, the slow and obvious way."""

from functools import cache
from itertools import combinations, product

import networkx as nx

from ceopt.domain.graph import Graph


@cache
def all_graphs(names):
    """Each pair in each of three states; those with a cycle left out."""
    found = []
    for states in product((0, 1, -1), repeat=len(names) * (len(names) - 1) // 2):
        pairs = zip(combinations(names, 2), states, strict=True)
        edges = [pair[::way] for pair, way in pairs if way]
        if nx.is_directed_acyclic_graph(nx.DiGraph(edges)):
            found.append(Graph(names, frozenset(edges)))
    return found


def agrees(graph, known):
    """Whether a graph agrees with statements without "*" (but for `forbidden`)."""
    named = known["required"] + (known.get("undecided") or [])
    named_pairs = {frozenset(text.split(" ")[::2]) for text in named}
    tier = {v: t for t, tier in enumerate(known["tiers"]) for v in tier}
    return (
        all(_holds(graph, *text.split(" ")) for text in named)
        and ("undecided" not in known or all({*edge} in named_pairs for edge in graph.edges))
        and not any(_matches(edge, text) for edge in graph.edges for text in known["forbidden"])
        and not any(a in tier and b in tier and tier[a] > tier[b] for a, b in graph.edges)
        and not any(a == known["target"] for a, _ in graph.edges)
    )


def _holds(graph, a, sign, b):
    onwards, backwards = (a, b) in graph.edges, (b, a) in graph.edges
    return {"->": onwards, "-": True, "--": onwards or backwards, "?>": not backwards}[sign]


def _matches(edge, text):
    a, _, b = text.split(" ")
    return a in ("*", edge[0]) and b in ("*", edge[1])
