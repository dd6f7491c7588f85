"""P(G): graphs over the same variables, each with its probability."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ceopt.domain.graph import Graph, Pair
from ceopt.errors import GraphError

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class WeightedGraphs:
    """Distinct graphs over the union of their variables, and their log probabilities.

    >>> g, h = Graph.from_edges([("X", "Y")]), Graph.from_edges([], isolated=["X", "Y"])
    >>> P = WeightedGraphs.of([g, h], weights=[3, 1])
    >>> P.variables, P.probabilities.round(2).tolist()
    (('X', 'Y'), [0.75, 0.25])
    >>> P.edge_probabilities().round(2).tolist()
    [[0.0, 0.75], [0.0, 0.0]]
    """

    graphs: tuple[Graph, ...]
    log_weights: Floats  # (G,)  normalised: exp sums to one

    def __post_init__(self) -> None:
        object.__setattr__(self, "graphs", _over_their_union(tuple(self.graphs)))
        object.__setattr__(self, "log_weights", _normalised(self.log_weights, self.graphs))

    @classmethod
    def of(cls, graphs: Sequence[Graph], weights: ArrayLike | None = None) -> WeightedGraphs:
        """Graphs with weights that need not sum to one; without weights all are equally likely."""
        graphs = tuple(graphs)
        if weights is None:
            return cls(graphs, np.zeros(len(graphs)))
        values = _checked_weights(weights, graphs)
        with np.errstate(divide="ignore"):
            return cls(graphs, np.log(values))

    def __repr__(self) -> str:
        return f"<WeightedGraphs: {len(self)} over {', '.join(self.variables)}>"

    def __len__(self) -> int:
        return len(self.graphs)

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables of every graph, sorted."""
        return self.graphs[0].variables

    @property
    def probabilities(self) -> Floats:
        """P(g) of each graph, (G,)."""
        return np.exp(self.log_weights)

    def entropy(self) -> float:
        """H[P(G)] in nats, with 0 log 0 = 0."""
        p = self.probabilities
        return -float(np.sum(p[p > 0] * self.log_weights[p > 0])) + 0.0

    def reweighted(self, log_weights: ArrayLike) -> WeightedGraphs:
        """The same graphs with other log weights, normalised."""
        other = copy(self)  # what was worked out about the graphs is shared
        object.__setattr__(other, "log_weights", _normalised(log_weights, self.graphs))
        return other

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """The distinct (variable, parents) of all graphs, sorted."""
        return tuple(sorted({pair for g in self.graphs for pair in g.pairs}))

    @cached_property
    def pair_index(self) -> NDArray[np.intp]:
        """(G, V): the place in `pairs` of each graph's pair for each variable."""
        place = {pair: i for i, pair in enumerate(self.pairs)}
        index = np.array([[place[pair] for pair in g.pairs] for g in self.graphs], dtype=np.intp)
        index = index.reshape(len(self), len(self.variables))
        index.setflags(write=False)
        return index

    def edge_probabilities(self) -> Floats:
        """(V, V): P(row causes column directly), in the order of `variables`."""
        V = len(self.variables)
        column = {v: i for i, v in enumerate(self.variables)}
        weight = np.repeat(self.probabilities, V)
        of_pair = np.bincount(self.pair_index.ravel(), weights=weight, minlength=len(self.pairs))
        table = np.zeros((V, V))
        for (effect, causes), p in zip(self.pairs, of_pair, strict=True):
            table[[column[c] for c in causes], column[effect]] += p
        return np.minimum(table, 1.0)


def _over_their_union(graphs: tuple[Graph, ...]) -> tuple[Graph, ...]:
    """The graphs, each over all variables; refuses none at all and any given twice."""
    if not graphs:
        raise GraphError("there is no graph to weigh; give at least one")
    variables = tuple(sorted({v for g in graphs for v in g.variables}))
    if not variables:
        raise GraphError("the graphs have no variable; name at least one")
    full = tuple(g if g.variables == variables else Graph(variables, g.edges) for g in graphs)
    twice = [g.text for g, n in Counter(full).items() if n > 1]
    if twice:
        shown = ", ".join(repr(text) for text in twice[:3]) + (", ..." if len(twice) > 3 else "")
        raise GraphError(f"each graph is given once, but {shown} came several times; add their weights up")
    return full


def _checked_weights(weights: ArrayLike, graphs: tuple[Graph, ...]) -> Floats:
    """The weights as (G,) floats that are finite and not negative."""
    try:
        values = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise GraphError(f"weights are numbers, one a graph, but got {weights!r}") from None
    _check_count(values, graphs)
    for g, w in zip(graphs, values, strict=True):
        if not (np.isfinite(w) and w >= 0):
            raise GraphError(f"a weight is a number from 0 up, but graph {g.text!r} has {w}")
    if not values.any():
        raise GraphError(f"all {len(graphs)} weights are zero; give at least one graph a positive weight")
    return values


def _check_count(values: Floats, graphs: tuple[Graph, ...]) -> None:
    if values.shape != (len(graphs),):
        raise GraphError(f"{len(graphs)} graphs want one weight each, but got shape {values.shape}")


def _normalised(log_weights: ArrayLike, graphs: tuple[Graph, ...]) -> Floats:
    """log_weights minus their logsumexp, read-only; refuses NaN, +inf and nothing but -inf."""
    values = np.array(log_weights, dtype=np.float64)
    _check_count(values, graphs)
    top = values.max()
    if not np.isfinite(top):
        raise GraphError(f"log weights are below infinity and not all -inf, but the largest is {top}")
    values -= top  # first, as the top may be so large that the logarithm would be lost in it
    values -= np.log(np.exp(values).sum())
    values.setflags(write=False)
    return values
