"""Health: which doses of aspirin and statin lower the prostate specific antigen (PSA)?

    A (age)     = U[55, 75]
    B (bmi)     = 27 - .01 A + eps_B
    R (aspirin) = s(-8 + .1 A + .03 B)
    S (statin)  = s(-13 + .1 A + .2 B)
    C (cancer)  = s(2.2 - .05 A + .01 B - .04 S + .02 R)
    Y (PSA)     = 6.8 + .04 A + .15 B - .6 S + .55 R + C + eps_Y

s is the logistic function, eps ~ N(0, 1); R, S and C have no noise. Variant "cbo", as printed in Aglietti
et al., "Causal Bayesian Optimization" (AISTATS 2020): eps_B has sd .7, eps_Y sd .4, and B enters Y with
-.15.
"""

from __future__ import annotations

from typing import NamedTuple

from scipy.special import expit as s

from ceopt.domain.graph import Graph
from ceopt.domain.problem import Problem
from ceopt.domain.weighted_graphs import WeightedGraphs
from ceopt.problems.benchmark import Benchmark, Optimum, changed, variant_of
from ceopt.problems.scm import Equation, System, normal, still, uniform


class Setting(NamedTuple):
    """Where the variants differ: two noise sds, the coefficient of B in Y, and the optimal value."""

    b_sd: float
    y_sd: float
    b_in_y: float
    best: float


VARIANTS = {"ceo": Setting(1.0, 1.0, 0.15, 13.060289), "cbo": Setting(0.7, 0.4, -0.15, 5.155287)}


def health(variant: str = "ceo") -> Benchmark:
    """PSA under two drugs, five hypotheses; variant "ceo" or "cbo"."""
    name, setting = variant_of("health", variant, VARIANTS)
    system = System(_equations(setting), target="Y")
    problem = Problem(
        target="Y",
        direction="minimize",
        domains={"R": (0.0, 1.0), "S": (0.0, 1.0)},
        graphs=WeightedGraphs.of(_hypotheses(system.graph)),
        sets=[("R",), ("S",), ("S", "R")],
        cost=1.0,
    )
    return Benchmark(name, problem, system, Optimum(("R", "S"), (0.0, 1.0), setting.best))


def _equations(setting: Setting) -> dict[str, Equation]:
    k = setting.b_in_y
    return {
        "A": Equation((), lambda eps: eps, uniform(55, 75)),
        "B": Equation(("A",), lambda A, eps: 27 - 0.01 * A + eps, normal(setting.b_sd)),
        "R": Equation(("A", "B"), lambda A, B, _: s(-8 + 0.1 * A + 0.03 * B), still),
        "S": Equation(("A", "B"), lambda A, B, _: s(-13 + 0.1 * A + 0.2 * B), still),
        "C": Equation(
            ("A", "B", "S", "R"),
            lambda A, B, S, R, _: s(2.2 - 0.05 * A + 0.01 * B - 0.04 * S + 0.02 * R),
            still,
        ),
        "Y": Equation(
            ("A", "B", "S", "R", "C"),
            lambda A, B, S, R, C, eps: 6.8 + 0.04 * A + k * B - 0.6 * S + 0.55 * R + C + eps,
            normal(setting.y_sd),
        ),
    }


def _hypotheses(truth: Graph) -> tuple[Graph, ...]:
    """The truth, and four doubts that a doctor may have."""
    return (
        truth,
        changed(truth, less="S -> Y; S -> C"),  # statin does nothing
        changed(truth, less="R -> Y; R -> C"),  # aspirin does nothing
        changed(truth, less="S -> Y; S -> C; R -> Y; R -> C"),  # neither does
        changed(truth, less="A -> Y; A -> C; B -> Y; B -> C"),  # age and bmi act through the drugs only
    )
