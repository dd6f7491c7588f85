"""A small problem with a clean data frame."""

import pandas as pd

from ceopt.domain.graph import Graph
from ceopt.domain.problem import Problem
from ceopt.domain.weighted_graphs import WeightedGraphs

NAMES = ("age", "aspirin", "psa", "statin")
CLEAN = pd.DataFrame(
    {"psa": [5.0, 6, 7], "age": [60, 70, 65], "statin": [0.1, 0.2, 0.3], "aspirin": [0, 1, 0]}
)
PROBLEM = Problem(
    target="psa",
    direction="minimize",
    domains={"statin": (0, 1), "aspirin": (0, 1)},
    graphs=WeightedGraphs.of([Graph.from_edges([("statin", "psa"), ("aspirin", "psa"), ("age", "psa")])]),
)
