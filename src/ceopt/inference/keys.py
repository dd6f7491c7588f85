"""Which graphs agree on all that matters: thousands of them have a handful of keys.

Under do(X_I) the target depends on its ancestors in the mutilated graph only, so graphs with the same
(v, Pa_v) among those share one effect.  The same holds for what a row with missing values says of a graph.

=========  ==========  =====================================================
symbol     shape       meaning
=========  ==========  =====================================================
listens    (G, V, V)   in graph g, does the first variable hear the second?
relevant   (G, V)      in graph g, does the mechanism of the variable matter?
of         (G,)        the key of each graph
example    (K,)        one graph of each key
=========  ==========  =====================================================
"""

from collections.abc import Collection
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ceopt.domain.weighted_graphs import WeightedGraphs
from ceopt.maths.gp import Floats

Booleans: TypeAlias = NDArray[np.bool_]
NEXT_TO_NOTHING = 1e-6  # of the largest weight: not worth a simulation


class Keys(NamedTuple):
    """The key of each graph, and a graph of each key."""

    of: NDArray[np.intp]
    example: NDArray[np.intp]

    def weights(self, P_G: Floats) -> Floats:
        """P(G) summed over the graphs of each key, (K,), where that is more than next to nothing."""
        w = np.bincount(self.of, weights=P_G, minlength=len(self.example)).astype(np.float64)
        w[w < NEXT_TO_NOTHING * w.max()] = 0.0
        return np.asarray(w / w.sum())


def effect_keys(graphs: WeightedGraphs, target: str, targets: Collection[str]) -> Keys:
    """Keys of the effect on the target when `targets` are set."""
    was_set = among(graphs, targets)
    relevant = np.zeros((len(graphs), len(was_set)), dtype=np.bool_)
    relevant[:, graphs.variables.index(target)] = True
    return shared(graphs, with_causes(relevant, listens(graphs, was_set), ~was_set))


def acting(graphs: WeightedGraphs, target: str, targets: Collection[str]) -> Booleans:
    """(G, V): which of the variables that are set act on the target, each graph mutilated."""
    was_set = among(graphs, targets)
    heard, relevant = listens(graphs, was_set), np.zeros((len(graphs), len(was_set)), dtype=np.bool_)
    relevant[:, graphs.variables.index(target)] = True
    relevant = with_causes(relevant, heard, ~was_set)
    return np.asarray((relevant[:, :, None] & heard).any(axis=1) & was_set)


def missing_keys(graphs: WeightedGraphs, missing: Booleans, was_set: Booleans) -> tuple[Keys, Booleans]:
    """Keys of what a row with missing values (V,) says through them, and the variables relevant to that.

    Those are the measured nodes that hear a missing one, and the missing causes that they have.
    """
    heard = listens(graphs, was_set)
    relevant = with_causes((heard & missing).any(axis=2) & ~missing, heard, missing)
    return shared(graphs, relevant), relevant


def among(graphs: WeightedGraphs, names: Collection[str]) -> Booleans:
    """(V,): which variables are named."""
    return np.array([v in names for v in graphs.variables])


def listens(graphs: WeightedGraphs, was_set: Booleans) -> Booleans:
    """(G, V, V): who hears whom in the mutilated graphs."""
    column = {v: j for j, v in enumerate(graphs.variables)}
    hears = np.zeros((len(graphs.pairs), len(column)), dtype=np.bool_)
    for i, (node, parents) in enumerate(graphs.pairs):
        hears[i, [column[parent] for parent in parents]] = not was_set[column[node]]
    return np.asarray(hears[graphs.pair_index])


def with_causes(relevant: Booleans, listens: Booleans, through: Booleans) -> Booleans:
    """(G, V): the relevant variables and their causes, near and far, that are reached `through` (V,)."""
    while True:
        causes = (relevant[:, :, None] & listens).any(axis=1) & through
        if not (causes & ~relevant).any():
            return relevant
        relevant = relevant | causes


def shared(graphs: WeightedGraphs, relevant: Booleans) -> Keys:
    """Graphs with the same pairs at the relevant variables have the same key."""
    of = np.zeros(len(graphs), dtype=np.intp)
    for column in np.where(
        relevant, graphs.pair_index, -1
    ).T:  # one at a time, as unique rows are slow to find
        _, of = np.unique(of * (len(graphs.pairs) + 1) + column, return_inverse=True)
    return Keys(of, np.unique(of, return_index=True)[1])
