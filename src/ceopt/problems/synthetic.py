"""Synthetic: a chain whose superset is hard to tell from it, with three local minima.

    X = eps_X
    Z = 4 + exp(-X) + eps_Z                   variant "cbo": Z = exp(-X) + eps_Z
    Y = cos Z - exp(-Z / 20) + eps_Y          eps ~ N(0, 1)

From Aglietti et al., "Causal Bayesian Optimization" (AISTATS 2020); the CEO experiments added the 4. The
hypotheses are all DAGs over X, Z, Y with Y a sink and no node isolated.
"""

from __future__ import annotations

import numpy as np

from ceopt.domain.problem import Problem
from ceopt.domain.weighted_graphs import WeightedGraphs
from ceopt.graphs.text import parse_graph
from ceopt.problems.benchmark import Benchmark, Optimum, variant_of
from ceopt.problems.scm import Equation, System, normal

VARIANTS = {"ceo": (4.0, (-5.5, 13.0)), "cbo": (0.0, (-5.0, 20.0))}  # shift of Z, domain of Z

HYPOTHESES = (
    "X -> Z; Z -> Y",  # the truth
    "X -> Z; X -> Y",
    "X -> Z; X -> Y; Z -> Y",
    "Z -> X; Z -> Y",
    "X -> Y; Z -> Y",
    "Z -> X; X -> Y; Z -> Y",
    "Z -> X; X -> Y",
)


def synthetic(variant: str = "ceo") -> Benchmark:
    """X -> Z -> Y, seven hypotheses; variant "ceo" or "cbo"."""
    name, (shift, domain) = variant_of("synthetic", variant, VARIANTS)
    system = System(
        {
            "X": Equation((), lambda eps: eps, normal()),
            "Z": Equation(("X",), lambda x, eps: shift + np.exp(-x) + eps, normal()),
            "Y": Equation(("Z",), lambda z, eps: np.cos(z) - np.exp(-z / 20) + eps, normal()),
        },
        target="Y",
    )
    problem = Problem(
        target="Y",
        direction="minimize",
        domains={"X": (-5.0, 5.0), "Z": domain},
        graphs=WeightedGraphs.of([parse_graph(text) for text in HYPOTHESES]),
        sets=[("Z",), ("X",), ("X", "Z")],
        cost=1.0,
    )
    return Benchmark(name, problem, system, Optimum(("Z",), (-3.2003028,), -2.1718057))
