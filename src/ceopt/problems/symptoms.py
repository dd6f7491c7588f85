"""Symptoms: two that look like causes, so that a wrong graph hurts.

    C, D = 0.6 eps
    Y = 1.5 sin C + D / 2 + 0.5 eps_Y
    S = 2 Y + 0.1 eps_S
    W = 1.5 Y + 0.075 eps_W                   eps ~ N(0, 1)

Two drugs C and D lower the severity Y of a disease; S and W are symptoms that follow it closely. Nearly the
same data would arise if one of the symptoms stood between the drugs and the disease, so observations hardly
tell the three hypotheses apart. Whoever takes a symptom for a cause tries to cure the disease by treating it,
and expects more from that than anything can give. A problem of this package.
"""

from __future__ import annotations

import numpy as np

from ceopt.domain.problem import Problem
from ceopt.domain.weighted_graphs import WeightedGraphs
from ceopt.graphs.text import parse_graph
from ceopt.problems.benchmark import Benchmark, Optimum
from ceopt.problems.scm import Equation, System, normal

HYPOTHESES = (
    "C -> Y; D -> Y; Y -> S; Y -> W",  # the truth
    "C -> S; D -> S; S -> Y; Y -> W",
    "C -> W; D -> W; W -> Y; Y -> S",
)


def symptoms() -> Benchmark:
    """C and D cause Y; S and W only show it. Three hypotheses."""
    system = System(
        {
            "C": Equation((), lambda eps: eps, normal(0.6)),
            "D": Equation((), lambda eps: eps, normal(0.6)),
            "Y": Equation(("C", "D"), lambda c, d, eps: 1.5 * np.sin(c) + d / 2 + eps, normal(0.5)),
            "S": Equation(("Y",), lambda y, eps: 2 * y + eps, normal(0.1)),
            "W": Equation(("Y",), lambda y, eps: 1.5 * y + eps, normal(0.075)),
        },
        target="Y",
    )
    problem = Problem(
        target="Y",
        direction="minimize",
        domains={"C": (-3.0, 3.0), "D": (-2.0, 2.0), "S": (-6.0, 6.0), "W": (-4.5, 4.5)},
        graphs=WeightedGraphs.of([parse_graph(text) for text in HYPOTHESES]),
        sets=[("C",), ("D",), ("S",), ("W",), ("C", "D")],
        cost=1.0,
    )
    return Benchmark("symptoms", problem, system, Optimum(("C", "D"), (-np.pi / 2, -2.0), -2.5))
