"""Counting, then listing, the acyclic graphs that a state for each pair can make.

Only variables that could lie on a common cycle constrain each other, so variables fall into groups, and pairs
between groups are free. Within a group, A(S), the number of acyclic graphs over the subset S, follows from
the graphs in which the variables of T have no cause in S, by inclusion and exclusion:

    A(S) = sum over non-empty T in S of (-1)^(|T|+1) * A(S - T) * [T may be without edges]
           * product over t in T, s in S - T of the number of states of (t, s) other than s -> t

which takes 3^V steps: 3, 25, 543, 29281 graphs for 2 to 5 free variables.
"""

from __future__ import annotations

import math
from decimal import Decimal
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ceopt.domain.graph import Graph
from ceopt.errors import GraphError
from ceopt.graphs.claims import State
from ceopt.graphs.knowledge import PairStates, certain_edges

Floats = NDArray[np.float64]

LARGEST_COUNTED = 12
"""The most variables of a group that is counted exactly: 3^12 steps take half a second."""


class Count(NamedTuple):
    """A number of graphs; when it is not exact, there are at least so many."""

    number: int
    exact: bool


def count_graphs(states: PairStates) -> Count:
    """How many acyclic graphs there are.

    >>> from ceopt.graphs.knowledge import Knowledge
    >>> count_graphs(Knowledge(variables=["a", "b", "c"]).pair_states())
    Count(number=25, exact=True)
    """
    groups = tangles(states)
    together = {pair for group in groups for pair in combinations(group, 2)}
    number = math.prod(len(options) for pair, options in states.items() if pair not in together)
    small = [len(group) <= LARGEST_COUNTED for group in groups]
    for group, exact in zip(groups, small, strict=True):
        number *= _acyclic(group, states) if exact else _along_one_order(group, states)
    return Count(number, exact=all(small))


def list_graphs(variables: tuple[str, ...], states: PairStates, limit: int) -> tuple[list[Graph], Floats]:
    """Every acyclic graph and their log weights, (G,); counts first, and refuses more than `limit`."""
    count = count_graphs(states)
    if count.number > limit:
        raise GraphError(_too_many(count, states, limit))
    choices = [options for options in states.values() if len(options) > 1]
    picks = _acyclic_picks(states, limit)
    log_weights = np.zeros(len(picks))
    for k, options in enumerate(choices):
        log_weights += np.log(list(options.values()))[picks[:, k]]
    certain, choosable = certain_edges(states), [list(options) for options in choices]
    graphs = []
    for row in picks.tolist():
        chosen = (options[i] for options, i in zip(choosable, row, strict=True))
        graphs.append(Graph(variables, certain.union(edge for edge in chosen if edge)))
    return graphs, log_weights


def tangles(states: PairStates) -> list[tuple[str, ...]]:
    """The groups of two or more variables that could lie on a common cycle, each sorted."""
    names = sorted({v for pair in states for v in pair})
    place = {v: i for i, v in enumerate(names)}
    reach = np.eye(len(names), dtype=np.bool_)
    for options in states.values():
        for cause, effect in filter(None, options):
            reach[place[cause], place[effect]] = True
    for k in range(len(names)):  # Warshall's closure
        reach |= reach[:, [k]] & reach[[k], :]
    groups = {tuple(names[i] for i in np.flatnonzero(row)) for row in reach & reach.T}
    return sorted(group for group in groups if len(group) > 1)


def _states(a: str, b: str, states: PairStates) -> dict[State, float]:
    return states[min(a, b), max(a, b)]


def _acyclic(group: tuple[str, ...], states: PairStates) -> int:
    """A(group), by the formula on top; the subsets R = S - T and T are the bits of integers."""
    n = len(group)
    ways, linked = _ways_and_links(group, states)
    A = [1] + [0] * (2**n - 1)
    for R in range(2**n):
        into = [math.prod(row[s] for s in range(n) if R >> s & 1) for row in ways]
        free = (2**n - 1) ^ R
        term = {0: -A[R]}
        T = free & -free
        while T:
            low = T & -T
            t, others = low.bit_length() - 1, T ^ low
            term[T] = 0 if others & linked[t] else -term[others] * into[t]
            A[R | T] += term[T]
            T = (T - free) & free  # the next subset of `free`
    return A[-1]


def _ways_and_links(group: tuple[str, ...], states: PairStates) -> tuple[list[list[int]], list[int]]:
    """ways[t][s]: the states of (t, s) other than s -> t; linked[t]: a bit for each s that t must touch."""
    ways = [[0] * len(group) for _ in group]
    linked = [0] * len(group)
    for t, a in enumerate(group):
        for s, b in enumerate(group):
            if s != t:
                options = _states(a, b, states)
                ways[t][s] = len(options) - ((b, a) in options)
                linked[t] |= (None not in options) << s
    return ways, linked


def _along_one_order(group: tuple[str, ...], states: PairStates) -> int:
    """At least so many: the graphs along one order in which the certain edges point onwards."""
    certain = frozenset(edge for edge in certain_edges(states) if set(edge) <= set(group))
    order = Graph(group, certain).order
    onwards = (_states(a, b, states).keys() - {(b, a)} for a, b in combinations(order, 2))
    return math.prod(len(options) for options in onwards)


class _Level(NamedTuple):
    """The acyclic ways to settle the first k choices."""

    picks: NDArray[np.int8]  # (n, k)  which state each choice takes
    reach: NDArray[np.bool_]  # (n, m, m)  whether a path leads from row to column, itself included


def _acyclic_picks(states: PairStates, limit: int) -> NDArray[np.int8]:
    """(G, K): for each acyclic graph, the place of the state that each open pair takes.

    As any acyclic beginning can be completed, no level holds more rows than there are graphs.
    """
    place = {v: i for i, v in enumerate(v for group in tangles(states) for v in group)}
    reach = np.eye(len(place), dtype=np.bool_)[None]
    for edge in certain_edges(states):
        _, reach = _closed(reach, edge, place)
    level = _Level(np.zeros((1, 0), dtype=np.int8), reach)
    for options in states.values():
        if len(options) > 1:
            level = _next_level(level, options, place)
        if len(level.picks) > limit:
            raise GraphError(_too_many(Count(limit + 1, exact=False), states, limit))
    return level.picks


def _next_level(level: _Level, options: dict[State, float], place: dict[str, int]) -> _Level:
    picks, reaches = [], []
    for i, edge in enumerate(options):
        fine, reach = _closed(level.reach, edge, place)
        picks.append(np.pad(level.picks[fine], ((0, 0), (0, 1)), constant_values=i))
        reaches.append(reach)
    return _Level(np.concatenate(picks), np.concatenate(reaches))


def _closed(
    reach: NDArray[np.bool_], edge: State, place: dict[str, int]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """(n,) where the edge makes no cycle, and the reach with the edge there."""
    if edge is None or not place.keys() >= set(edge):
        return np.ones(len(reach), dtype=np.bool_), reach
    u, v = place[edge[0]], place[edge[1]]
    fine = ~reach[:, v, u]
    kept = reach[fine]
    return fine, kept | (kept[:, :, u, None] & kept[:, v, None, :])


def _too_many(count: Count, states: PairStates, limit: int) -> str:
    """What came, what was wanted and what to do."""
    n = count.number
    number = f"{n:,}" if n < 10**9 else f"{Decimal(n):.1e}"
    about = "at least " if not count.exact else "about " if n >= 10**9 else ""
    choices = sum(len(options) > 1 for options in states.values())
    return (
        f"what is known allows {about}{number} graphs, above the limit of {limit:,}, as {choices} of"
        f" {len(states)} pairs are undecided; tell GraphPrior.from_knowledge more (undecided= with only those"
        " that truly are, forbidden=, tiers=, target=), or raise limit="
    )
