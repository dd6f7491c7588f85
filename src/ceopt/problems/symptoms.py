"""Symptoms: two that look like causes, so that a wrong graph hurts.

    C = 0.5 eps_C
    D = 0.7 C + 0.4 eps_D
    Y = 1.5 sin C + D / 2 + 0.5 eps_Y
    S, W = Y + 0.3 eps                        eps ~ N(0, 1)

Two drugs lower the severity Y of a disease; who gets much of C is given much of D. S and W are symptoms that
follow Y. Within the doses that were seen, C acts almost in proportion, so each hypothesis explains the
observations as well as any other: they are Markov equivalent, and only experiments can tell them apart.
Whoever takes a symptom for the cause tries to cure the disease by treating it, and expects nothing of the
drugs. A problem of this package.
"""

from __future__ import annotations

import numpy as np

from ceopt.domain.problem import Problem
from ceopt.domain.weighted_graphs import WeightedGraphs
from ceopt.graphs.text import parse_graph
from ceopt.problems.benchmark import Benchmark, Optimum
from ceopt.problems.scm import Equation, System, normal

HYPOTHESES = (
    "C -> D; C -> Y; D -> Y; Y -> S; Y -> W",  # the truth
    "S -> Y; Y -> C; Y -> D; C -> D; Y -> W",
    "W -> Y; Y -> C; Y -> D; C -> D; Y -> S",
)


def symptoms() -> Benchmark:
    """C and D cause Y; S and W only show it. Three hypotheses."""
    system = System(
        {
            "C": Equation((), lambda eps: eps, normal(0.5)),
            "D": Equation(("C",), lambda c, eps: 0.7 * c + eps, normal(0.4)),
            "Y": Equation(("C", "D"), lambda c, d, eps: 1.5 * np.sin(c) + d / 2 + eps, normal(0.5)),
            "S": Equation(("Y",), lambda y, eps: y + eps, normal(0.3)),
            "W": Equation(("Y",), lambda y, eps: y + eps, normal(0.3)),
        },
        target="Y",
    )
    problem = Problem(
        target="Y",
        direction="minimize",
        domains={"C": (-3.0, 3.0), "D": (-2.0, 2.0), "S": (-3.0, 3.0), "W": (-3.0, 3.0)},
        graphs=WeightedGraphs.of([parse_graph(text) for text in HYPOTHESES]),
        sets=[("C",), ("D",), ("S",), ("W",), ("C", "D")],
        cost=1.0,
    )
    return Benchmark("symptoms", problem, system, Optimum(("C", "D"), (-np.pi / 2, -2.0), -2.5))
