"""Complete graph: two hidden confounders, so that no hypothesis is true.

    F, U1, U2 = eps                           U1, U2 hidden
    A = F^2 + U1 + eps_A
    B = U2 + eps_B
    C = exp(-B) + eps_C
    D = exp(-C) / 10 + eps_D
    E = cos A + C / 10 + eps_E
    Y = cos D - D / 5 + sin E - E / 4 + U1 + exp(-U2) + eps_Y       eps ~ N(0, 1)

From Aglietti et al., "Causal Bayesian Optimization" (AISTATS 2020), as are the sets: the minimal
intervention sets of its graph. A and Y are confounded by U1, B and Y by U2. The hypotheses are plausible
DAGs over what can be seen; none is the truth, and there is no P(true graph) to report.
"""

from __future__ import annotations

import numpy as np

from ceopt.domain.graph import Graph
from ceopt.domain.problem import Problem
from ceopt.domain.weighted_graphs import WeightedGraphs
from ceopt.graphs.text import parse_graph
from ceopt.problems.benchmark import Benchmark, Optimum, changed
from ceopt.problems.scm import Equation, System, normal


def complete_graph() -> Benchmark:
    """Y behind a chain, a collider and two hidden confounders; four hypotheses, none of them true."""
    problem = Problem(
        target="Y",
        direction="minimize",
        domains={"B": (-5.0, 4.0), "D": (-5.0, 5.0), "E": (-6.0, 3.0)},
        graphs=WeightedGraphs.of(_hypotheses()),
        sets=[("B",), ("D",), ("E",), ("B", "D"), ("B", "E"), ("D", "E")],
        cost=1.0,
    )
    return Benchmark("complete-graph", problem, _system(), Optimum(("B", "D"), (-5.0, 3.3429506), -3.4830555))


def _system() -> System:
    root = Equation((), lambda eps: eps, normal())
    return System(
        {
            "U1": root,
            "U2": root,
            "F": root,
            "A": Equation(("F", "U1"), lambda F, U1, eps: F**2 + U1 + eps, normal()),
            "B": Equation(("U2",), lambda U2, eps: U2 + eps, normal()),
            "C": Equation(("B",), lambda B, eps: np.exp(-B) + eps, normal()),
            "D": Equation(("C",), lambda C, eps: np.exp(-C) / 10 + eps, normal()),
            "E": Equation(("A", "C"), lambda A, C, eps: np.cos(A) + C / 10 + eps, normal()),
            "Y": Equation(
                ("D", "E", "U1", "U2"),
                lambda D, E, U1, U2, eps: np.cos(D) - D / 5 + np.sin(E) - E / 4 + U1 + np.exp(-U2) + eps,
                normal(),
            ),
        },
        target="Y",
        hidden=("U1", "U2"),
    )


def _hypotheses() -> tuple[Graph, ...]:
    visible = parse_graph("F -> A -> E -> Y; B -> C -> D -> Y; C -> E")
    return (
        visible,  # as if nothing were hidden
        changed(visible, plus="A -> Y; B -> Y"),  # each confounder taken for an arrow of its own
        changed(visible, less="C -> E", plus="A -> Y; B -> Y"),  # C acts through D only
        changed(visible, less="D -> Y", plus="C -> Y; A -> Y; B -> Y"),  # D is a symptom of C
    )
