"""Epidemiology: two treatments against HIV, whose effects oscillate.

    U = U[-1, 1]
    T = U[0, 2]                                         variant "paper-text": U[4, 8]
    L = s(.5 T + U)
    R = 4 + L T
    Y = .5 + cos(4 T) + sin(-L + 2 R) + U + eps_Y       eps ~ N(0, 1); variant "authors": sd 2

T and R are the treatments, Y the viral load; s is the logistic function; L and R have no noise. The CEO
paper, appendix J, adapts it from Havercroft and Didelez, "Simulating from marginal structural models with
time-dependent confounding" (2012). Whatever is done to T and R, the L in Y is s(.5 T + U), so here that is
written out: as the paper draws it, no arrow L -> Y is needed. In variant "authors", as in the authors' runs,
the true graph is not among the hypotheses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import expit as s

from ceopt.domain.graph import Graph
from ceopt.domain.problem import Problem
from ceopt.domain.weighted_graphs import WeightedGraphs
from ceopt.problems.benchmark import Benchmark, Optimum, changed, variant_of
from ceopt.problems.scm import Equation, Floats, System, normal, still, uniform


class Setting(NamedTuple):
    """Where the variants differ: the law of T, the noise of Y, whether the truth is a hypothesis."""

    t_range: tuple[float, float]
    y_sd: float
    with_truth: bool


VARIANTS = {
    "ceo": Setting((0, 2), 1.0, with_truth=True),
    "authors": Setting((0, 2), 2.0, with_truth=False),
    "paper-text": Setting((4, 8), 1.0, with_truth=True),
}


def epidemiology(variant: str = "ceo") -> Benchmark:
    """Viral load under two treatments, four hypotheses; variant "ceo", "authors" or "paper-text"."""
    name, setting = variant_of("epidemiology", variant, VARIANTS)
    system = System(
        {
            "U": Equation((), lambda eps: eps, uniform(-1, 1)),
            "T": Equation((), lambda eps: eps, uniform(*setting.t_range)),
            "L": Equation(("T", "U"), lambda T, U, _: s(0.5 * T + U), still),
            "R": Equation(("L", "T"), lambda L, T, _: 4 + L * T, still),
            "Y": Equation(
                ("T", "R", "U"),
                lambda T, R, U, eps: viral_load(T, s(0.5 * T + U), R, U + eps),
                normal(setting.y_sd),
            ),
        },
        target="Y",
    )
    doubts = rivals(system.graph)
    problem = two_treatments((system.graph, *doubts) if setting.with_truth else doubts)
    return Benchmark(name, problem, system, Optimum(("R", "T"), (2.7879930, 3.9270837), -1.4978619))


def viral_load(T: Floats, L: Floats, R: Floats, rest: Floats) -> Floats:
    """Y of both epidemiology systems; U and the noises are the rest."""
    return 0.5 + np.cos(4 * T) + np.sin(-L + 2 * R) + rest


def rivals(truth: Graph) -> tuple[Graph, ...]:
    """What else might hold among T, L, R and Y."""
    return (
        changed(truth, less="T -> Y"),
        changed(truth, less="L -> R; T -> R"),
        changed(truth, less="L -> R; T -> Y", plus="L -> Y; R -> L"),
    )


def two_treatments(hypotheses: Sequence[Graph]) -> Problem:
    """Which of T and R to give, and how much."""
    return Problem(
        target="Y",
        direction="minimize",
        domains={"T": (0.0, 4.0), "R": (0.0, 4.0)},
        graphs=WeightedGraphs.of(hypotheses),
        sets=[("T",), ("R",), ("T", "R")],
        cost=1.0,
    )
