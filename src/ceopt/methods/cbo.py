"""Causal Bayesian Optimisation: one graph taken as true, and expected improvement for each unit of cost.

Aglietti, Lu, Paleyes, Gonzalez: Causal Bayesian Optimization. AISTATS 2020.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ceopt.acquisition.expected_improvement import ExpectedImprovement
from ceopt.domain.graph import Graph
from ceopt.domain.weighted_graphs import WeightedGraphs
from ceopt.errors import MethodError
from ceopt.graphs.text import parse_graph
from ceopt.inference.belief import Belief, under
from ceopt.inference.nested import without_superfluous
from ceopt.methods.compare import most_improving
from ceopt.methods.method import Asking, Proposal
from ceopt.methods.options import check_flag, check_whole


@dataclass(frozen=True)
class CBO:
    """Expected improvement under one graph.

    graph   the graph, as text or a Graph; None for the most probable one under the prior
    points  acquisition points of each set
    noisy   the incumbent is the best posterior mean; False for the best outcome seen, as published
    """

    graph: Graph | str | None = None
    points: int = 60
    noisy: bool = True

    name = "cbo"

    def __post_init__(self) -> None:
        check_whole("points", self.points, 2)
        check_flag("noisy", self.noisy)
        graph_of(self.graph)

    def believe(self, belief: Belief) -> Belief:
        """As if the graph were known; without sets that bring nothing over a smaller one."""
        graph = graph_of(self.graph) or most_probable(belief.problem.graphs)
        return without_superfluous(knowing(belief, graph))

    def propose(self, beliefs: Sequence[Belief], asking: Asking) -> Proposal:
        """The experiment that promises to improve most, for its cost."""
        return most_improving(beliefs, ExpectedImprovement(self.noisy), self.points)


def graph_of(choice: object) -> Graph | None:
    """A graph from its text; None stays None."""
    if isinstance(choice, str):
        return parse_graph(choice)
    if not isinstance(choice, Graph | None):
        raise MethodError(f"graph= is a text such as 'a -> b; b -> c', but got {choice!r}")
    return choice


def most_probable(graphs: WeightedGraphs) -> Graph:
    """The first of them, where several are."""
    return graphs.graphs[int(graphs.log_weights.argmax())]


def knowing(belief: Belief, graph: Graph) -> Belief:
    """The same data, the graph being known."""
    variables = belief.problem.variables
    if not set(graph.variables) <= set(variables):
        strange = ", ".join(sorted(set(graph.variables) - set(variables)))
        raise MethodError(f"graph= has {strange}, but the problem's variables are {', '.join(variables)}")
    return under(belief, WeightedGraphs.of([Graph(variables, graph.edges)]))
