"""Extended epidemiology: the same treatments, with a cause of its own behind every variable.

    P, M, E, Z, X = U[-1, 1]
    U = P + U[-1, 1]
    T = M + U[0, 2]
    L = s(.5 T + U) + E
    R = 4 + L T + Z
    Y = .5 + cos(4 T) + sin(-L + 2 R) + U + X + eps_Y       eps ~ N(0, 1); variant "authors": sd 2

From the CEO paper, appendix J; L and R are functions of their parents. As L has a cause of its own, and
moves Y beside R, the true graph has L -> Y. The paper draws no such arrow, which is right in
`epidemiology` only; so variant "authors", as in the authors' runs, has the three rivals of a graph
without it, and not the truth.
"""

from __future__ import annotations

from scipy.special import expit as s

from ceopt.problems.benchmark import Benchmark, Optimum, changed, variant_of
from ceopt.problems.epidemiology import rivals, two_treatments, viral_load
from ceopt.problems.scm import Equation, System, normal, still, uniform

VARIANTS = {"ceo": (1.0, True), "authors": (2.0, False)}  # sd of eps_Y, whether the truth is a hypothesis


def epidemiology_extended(variant: str = "ceo") -> Benchmark:
    """Viral load with ten variables, four hypotheses; variant "ceo" or "authors"."""
    name, (y_sd, with_truth) = variant_of("epidemiology-extended", variant, VARIANTS)
    own_cause = Equation((), lambda eps: eps, uniform(-1, 1))
    system = System(
        {
            **dict.fromkeys(("P", "M", "E", "Z", "X"), own_cause),
            "U": Equation(("P",), lambda P, eps: P + eps, uniform(-1, 1)),
            "T": Equation(("M",), lambda M, eps: M + eps, uniform(0, 2)),
            "L": Equation(("T", "U", "E"), lambda T, U, E, _: s(0.5 * T + U) + E, still),
            "R": Equation(("L", "T", "Z"), lambda L, T, Z, _: 4 + L * T + Z, still),
            "Y": Equation(
                ("T", "L", "R", "U", "X"),
                lambda T, L, R, U, X, eps: viral_load(T, L, R, U + X + eps),
                normal(y_sd),
            ),
        },
        target="Y",
    )
    truth = system.graph
    doubts = rivals(truth if with_truth else changed(truth, less="L -> Y"))
    problem = two_treatments((truth, *doubts) if with_truth else doubts)
    return Benchmark(name, problem, system, Optimum(("R", "T"), (2.7818398, 3.9271440), -1.3373597))
