r"""Rows that an experiment might give, and what each would say of the graph.

A fantasy row under do(X_I = x): draw a graph from P(G | D); in its topological order simulate the
non-descendants of Y, take y from the surrogate, then simulate the descendants of Y given that y.  The whole
row enters P(G | D): log p(row | g) is a sum of local predictive densities over the nodes that were not set,
the same that a real row would add.  Only nodes that some likely graphs explain differently are worked out.

======  ==============  =======================================================
symbol  shape           meaning
======  ==============  =======================================================
x       (S, d)          levels of the set, standardised
y       (S, Q, N)       values of Y: Q fantasies of N rows at each point
ell     (S, Q, G)       log p(rows | g, D) for the likely graphs, up to a constant
likely  (G,)            places of those graphs in the support
======  ==============  =======================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ceopt.acquisition.likely import Likely, stratified
from ceopt.domain.graph import Graph, Pair
from ceopt.inference.belief import Belief
from ceopt.inference.learnt import Targets
from ceopt.inference.predictive import log_density, simulated
from ceopt.maths.gp import Floats

Values: TypeAlias = dict[str, Floats]


@dataclass(frozen=True, eq=False)
class Rows:
    """What fantasies of one set are made from."""

    belief: Belief
    likely: Likely
    targets: Targets
    x: Floats

    def log_likelihoods(self, y: Floats | None, u: Floats) -> Floats:
        """ell for y, or for Y from its own mechanism, by noise u (2 + V, Q, N); u[1] picks graphs."""
        values, (_, Q, N) = self._simulate(y, u), u.shape
        S, graphs = len(self.x), self.belief.problem.graphs
        index = graphs.pair_index[self.likely.places]
        ell = np.zeros((S, Q, len(index)))
        for j, node in enumerate(graphs.variables):
            if node in self.disputed:
                pairs, of = np.unique(index[:, j], return_inverse=True)
                each = [self._density(graphs.pairs[i], values, (S, Q, N)) for i in pairs]
                ell += np.stack(each, axis=-1)[..., of]
        return ell

    @property
    def disputed(self) -> frozenset[str]:
        """Nodes that are not set, and that likely graphs explain differently."""
        graphs = self.belief.problem.graphs
        index = graphs.pair_index[self.likely.places]
        differ = (index != index[0]).any(axis=0)
        named = {v for v, on in zip(graphs.variables, differ, strict=True) if on}
        return frozenset(named - set(self.targets))

    @property
    def needed(self) -> frozenset[str]:
        """Disputed nodes and whatever may cause them: what a row is made of."""
        graphs = [self.belief.problem.graphs.graphs[g] for g in self.likely.places]
        found = set(self.disputed)
        pairs = {pair for g in graphs for pair in g.pairs}
        while True:
            more = {
                u for v, parents in pairs if v in found and v not in self.targets for u in parents
            } - found
            if not more:
                return frozenset(found)
            found |= more

    def _simulate(self, y: Floats | None, u: Floats) -> Values:
        """Values (S, Q, N) of the nodes that are needed; (S, 1, 1) for those that are set."""
        problem = self.belief.problem
        chosen = stratified(self.likely.log_w, u[1, :, 0])
        fixed = {v: self.x[:, k, None, None] for k, v in enumerate(self.targets)}
        parts: dict[str, list[Floats]] = {v: [] for v in self.needed if v not in fixed}
        kinds = np.unique(chosen)
        for g in kinds:
            mine = chosen == g
            graph = problem.graphs.graphs[self.likely.places[g]]
            found = self._follow(graph, fixed, None if y is None else y[:, mine], u[2:, mine], self.needed)
            for v, part in parts.items():
                part.append(np.broadcast_to(found[v], (len(self.x), mine.sum(), u.shape[2])))
        back = np.argsort(np.concatenate([np.flatnonzero(chosen == g) for g in kinds]))
        return fixed | {v: np.concatenate(part, axis=1)[:, back] for v, part in parts.items() if part}

    def whole(self, graph: Graph, y: Floats, u: Floats) -> Floats:
        """Every variable's value in rows of one graph, (S, Q, N, V), by noise u (V, Q, N)."""
        fixed = {v: self.x[:, k, None, None] for k, v in enumerate(self.targets)}
        found = self._follow(graph, fixed, y, u, frozenset(graph.variables))
        return np.stack([np.broadcast_to(found[v], y.shape) for v in graph.variables], axis=-1)

    def _follow(
        self, graph: Graph, fixed: Mapping[str, Floats], y: Floats | None, u: Floats, wanted: frozenset[str]
    ) -> Values:
        """Values of some of one graph's nodes, every cause before its effects."""
        values, problem = dict(fixed), self.belief.problem
        if y is not None:
            values[problem.target] = y
        for v in graph.order:
            if v in wanted and v not in values:
                noise = u[problem.variables.index(v)]
                score = self.belief.evidence.scores[v, graph.parents(v)]
                values[v] = simulated(score, self._parents(graph.parents(v), values), noise)
        return values

    def _density(self, pair: Pair, values: Values, shape: tuple[int, int, int]) -> Floats:
        """log p(node | parents, D) of each fantasy, (S, Q)."""
        v = np.broadcast_to(values[pair[0]], shape)
        return log_density(self.belief.evidence.scores[pair], self._parents(pair[1], values), v)

    @staticmethod
    def _parents(names: tuple[str, ...], values: Values) -> Floats:
        """Values of several nodes side by side, (S, Q, N, d); Q and N are 1 where all are set."""
        if not names:
            return np.zeros((1, 1, 1, 0))
        return np.stack(np.broadcast_arrays(*(values[v] for v in names)), axis=-1)
