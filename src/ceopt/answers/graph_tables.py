"""P(G | D) as tables."""

from __future__ import annotations

import pandas as pd

from ceopt.domain.weighted_graphs import WeightedGraphs


def posterior_series(graphs: WeightedGraphs) -> pd.Series[float]:
    """The probability of each graph, largest first, by the text of the graph."""
    names = pd.Index([graph.text for graph in graphs.graphs], name="graph")
    posterior = pd.Series(graphs.probabilities, index=names, name="probability")
    return posterior.sort_values(ascending=False, kind="stable")


def edge_table(graphs: WeightedGraphs) -> pd.DataFrame:
    """The probability of each edge: a row a cause, a column an effect."""
    index, columns = (pd.Index(graphs.variables, name=name) for name in ("cause", "effect"))
    return pd.DataFrame(graphs.edge_probabilities(), index=index, columns=columns)
