"""P(G), the belief about the graph before any data: from graphs, from knowledge, or from nothing at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from numpy.typing import ArrayLike

from ceopt.domain.weighted_graphs import WeightedGraphs
from ceopt.errors import GraphError
from ceopt.graphs.enumeration import list_graphs
from ceopt.graphs.knowledge import Knowledge
from ceopt.graphs.text import GraphLike, parse_graph

LIMIT = 20_000


class GraphPrior:
    """The ways to a prior over graphs; each gives a WeightedGraphs.

    >>> P = GraphPrior.from_knowledge(["a", "b", "c"], required=["a -> b"], undecided=["b ?> c"])
    >>> [str(g) for g in P.graphs]
    ['a -> b; c', 'a -> b; b -> c']
    """

    @staticmethod
    def from_graphs(graphs: Iterable[GraphLike], weights: ArrayLike | None = None) -> WeightedGraphs:
        """Graphs named one by one: texts, edge lists, networkx DiGraphs or Graph values.

        All are over the union of their variables. Weights need not sum to one; without them all are equal.

        >>> GraphPrior.from_graphs(["a -> b", "b -> a; c"], weights=[3, 1]).probabilities.round(2).tolist()
        [0.75, 0.25]
        """
        if isinstance(graphs, str) or not isinstance(graphs, Iterable):
            raise GraphError(f"from_graphs wants a list of graphs, but got {graphs!r}; write [{graphs!r}]")
        return WeightedGraphs.of([parse_graph(g) for g in graphs], weights)

    @staticmethod
    def from_knowledge(  # noqa: PLR0913  (these names are promised)
        variables: Sequence[str],
        required: Iterable[str] = (),
        undecided: Iterable[str] | None = None,
        forbidden: Iterable[str] = (),
        tiers: Sequence[Sequence[str]] | None = None,
        edge_probabilities: Mapping[str, float] | None = None,
        target: str | None = None,
        limit: int = LIMIT,
    ) -> WeightedGraphs:
        """Every acyclic graph that agrees with what is known; "*" stands for any other variable.

        required: certain edges "a -> b".
        undecided: "a - b" either way or absent; "a -- b" linked, direction unknown; "a ?> b" that way or
            absent. Pairs named neither here nor in `required` have no edge; None: every pair is undecided.
        forbidden: edges "a -> b" that cannot be.
        tiers: lists of variables; one of a later list causes none of an earlier list.
        edge_probabilities: {"a -> b": 0.8}. P(g) is proportional to the product over pairs of the probability
            of the pair's state; what the given ones leave is spread evenly over the pair's other states.
        target: a variable that causes nothing.
        limit: the most graphs to list; they are counted first.

        Where two of `required` and `undecided` speak of the same pair the one with fewer "*" counts.
        """
        known = Knowledge(
            variables=variables,
            required=required,
            undecided=undecided,
            forbidden=forbidden,
            tiers=tiers,
            edge_probabilities=edge_probabilities,
            target=target,
        )
        graphs, log_weights = list_graphs(tuple(known.variables), known.pair_states(), limit)
        return WeightedGraphs(tuple(graphs), log_weights)

    @staticmethod
    def uniform(variables: Sequence[str], target: str | None = None, limit: int = LIMIT) -> WeightedGraphs:
        """Every acyclic graph over the variables, all equally likely.

        >>> len(GraphPrior.uniform(["a", "b", "c"])), len(GraphPrior.uniform(["a", "b", "c"], target="c"))
        (25, 12)
        """
        return GraphPrior.from_knowledge(variables, target=target, limit=limit)
