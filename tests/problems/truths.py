"""The systems once more, written down independently of the package, and what is known of them."""

from collections.abc import Callable
from functools import cache
from math import exp
from typing import NamedTuple

import numpy as np

from tests.problems.quadrature import (
    Do,
    Floats,
    Part,
    Parts,
    effect,
    mean,
    moments,
    normal,
    normal_evenly,
    uniform,
)

Moments = dict[str, tuple[float, float | None]]  # mean and variance


def logistic(x: Floats) -> Floats:
    return 1 / (1 + np.exp(-x))


def synthetic(shift: float) -> Parts:
    return {
        "X": Part(lambda v: 0.0, normal_evenly(801)),
        "Z": Part(lambda v: shift + np.exp(-v["X"]), normal(1, 40)),
        "Y": Part(lambda v: np.cos(v["Z"]) - np.exp(-v["Z"] / 20), normal(1, 2)),
    }


def health(b_sd: float, y_sd: float, b_in_y: float) -> Parts:
    return {
        "A": Part(lambda v: 0.0, uniform(55, 75, 30)),
        "B": Part(lambda v: 27 - v["A"] / 100, normal(b_sd, 30)),
        "R": Part(lambda v: logistic(-8 + 0.1 * v["A"] + 0.03 * v["B"])),
        "S": Part(lambda v: logistic(-13 + 0.1 * v["A"] + 0.2 * v["B"])),
        "C": Part(lambda v: logistic(2.2 - 0.05 * v["A"] + 0.01 * v["B"] - 0.04 * v["S"] + 0.02 * v["R"])),
        "Y": Part(
            lambda v: 6.8 + 0.04 * v["A"] + b_in_y * v["B"] - 0.6 * v["S"] + 0.55 * v["R"] + v["C"],
            normal(y_sd, 2),
        ),
    }


def epidemiology(low: float, high: float, y_sd: float) -> Parts:
    return {
        "U": Part(lambda v: 0.0, uniform(-1, 1, 30)),
        "T": Part(lambda v: 0.0, uniform(low, high, 60)),
        "L": Part(lambda v: logistic(v["T"] / 2 + v["U"])),
        "R": Part(lambda v: 4 + v["L"] * v["T"]),
        "Y": Part(lambda v: 0.5 + np.cos(4 * v["T"]) + np.sin(2 * v["R"] - v["L"]) + v["U"], normal(y_sd, 2)),
    }


def epidemiology_extended(y_sd: float) -> Parts:
    def root(n: int) -> Part:
        return Part(lambda v: 0.0, uniform(-1, 1, n))

    return {
        "P": root(6),
        "M": root(12),
        "E": root(12),
        "Z": root(7),
        "X": root(2),  # it only adds: two nodes have its mean and variance
        "U": Part(lambda v: v["P"], uniform(-1, 1, 6)),
        "T": Part(lambda v: v["M"], uniform(0, 2, 12)),
        "L": Part(lambda v: logistic(v["T"] / 2 + v["U"]) + v["E"]),
        "R": Part(lambda v: 4 + v["L"] * v["T"] + v["Z"]),
        "Y": Part(
            lambda v: 0.5 + np.cos(4 * v["T"]) + np.sin(2 * v["R"] - v["L"]) + v["U"] + v["X"],
            normal(y_sd, 2),
        ),
    }


def symptoms() -> Parts:
    return {
        "C": Part(lambda v: 0.0, normal(0.5, 30)),
        "D": Part(lambda v: 0.7 * v["C"], normal(0.4, 10)),
        "Y": Part(lambda v: 1.5 * np.sin(v["C"]) + v["D"] / 2, normal(0.5, 6)),
        "S": Part(lambda v: v["Y"], normal(0.3, 2)),
        "W": Part(lambda v: v["Y"], normal(0.3, 2)),
    }


def complete_graph() -> Parts:
    """With what is hidden; too many noises for a grid, so its moments and effects are worked out below."""
    noise = normal(1, 2)
    return {
        "U1": Part(lambda v: 0.0, noise),
        "U2": Part(lambda v: 0.0, noise),
        "F": Part(lambda v: 0.0, noise),
        "A": Part(lambda v: v["F"] ** 2 + v["U1"], noise),
        "B": Part(lambda v: v["U2"], noise),
        "C": Part(lambda v: np.exp(-v["B"]), noise),
        "D": Part(lambda v: np.exp(-v["C"]) / 10, noise),
        "E": Part(lambda v: np.cos(v["A"]) + v["C"] / 10, noise),
        "Y": Part(
            lambda v: np.cos(v["D"]) - v["D"] / 5 + np.sin(v["E"]) - v["E"] / 4 + v["U1"] + np.exp(-v["U2"]),
            noise,
        ),
    }


@cache
def of_a(f: Callable[[Floats], Floats]) -> float:
    """E f(A), where A = F^2 + U1 + eps_A and U1 + eps_A ~ N(0, 2)."""
    F, rest = normal_evenly(801), normal(2**0.5, 40)
    return mean(f(F.nodes[:, None] ** 2 + rest.nodes), [F.weights, rest.weights])


def complete_graph_effect(do: Do) -> float:
    """E[Y | do]: the noises of D and E integrated out by hand, E[sin(a + eps)] = exp(-1/2) sin a."""
    b = normal_evenly(401)  # B = U2 + eps_B ~ N(0, 2)
    b = b._replace(nodes=2**0.5 * b.nodes) if "B" not in do else uniform(do["B"], do["B"], 1)
    c = normal(1, 30)
    C = np.exp(-b.nodes)[:, None] + c.nodes
    if "D" in do:
        through_d = np.full_like(C, np.cos(do["D"]) - do["D"] / 5)
    else:
        through_d = exp(-0.5) * np.cos(np.exp(-C) / 10) - np.exp(-C) / 50
    if "E" in do:
        through_e = np.full_like(C, np.sin(do["E"]) - do["E"] / 4)
    else:
        sine = of_a(sin_cos) * np.cos(C / 10) + of_a(cos_cos) * np.sin(C / 10)
        through_e = exp(-0.5) * sine - (of_a(np.cos) + C / 10) / 4
    return mean(through_d + through_e, [b.weights, c.weights]) + exp(0.5)  # E exp(-U2)


def sin_cos(a: Floats) -> Floats:
    return np.sin(np.cos(a))


def cos_cos(a: Floats) -> Floats:
    return np.cos(np.cos(a))


def complete_graph_moments() -> Moments:
    """By hand; no variances downstream of exp(-B), whose fourth moment no sample can show."""
    b = normal_evenly(801)
    once, twice = (mean(np.exp(k**2 / 2 - k * np.exp(-(2**0.5) * b.nodes)), [b.weights]) for k in (1, 2))
    return {
        "F": (0.0, 1.0),
        "A": (1.0, 4.0),
        "B": (0.0, 2.0),
        "C": (exp(1), None),
        "D": (once / 10, twice / 100 - (once / 10) ** 2 + 1),
        "E": (of_a(np.cos) + exp(1) / 10, None),
        "Y": (complete_graph_effect({}), None),
    }


class Truth(NamedTuple):
    """What is known of a system."""

    parts: Parts
    moments: Callable[[], Moments]
    effect: Callable[[Do], float]


def truth_of(parts: Parts) -> Truth:
    return Truth(parts, lambda: dict(moments(parts)), lambda do: effect(parts, do))


TRUTHS = {
    "synthetic": truth_of(synthetic(shift=4)),
    "synthetic-cbo": truth_of(synthetic(shift=0)),
    "health": truth_of(health(b_sd=1, y_sd=1, b_in_y=0.15)),
    "health-cbo": truth_of(health(b_sd=0.7, y_sd=0.4, b_in_y=-0.15)),
    "epidemiology": truth_of(epidemiology(0, 2, y_sd=1)),
    "epidemiology-authors": truth_of(epidemiology(0, 2, y_sd=2)),
    "epidemiology-paper-text": truth_of(epidemiology(4, 8, y_sd=1)),
    "epidemiology-extended": truth_of(epidemiology_extended(y_sd=1)),
    "epidemiology-extended-authors": truth_of(epidemiology_extended(y_sd=2)),
    "symptoms": truth_of(symptoms()),
    "complete-graph": Truth(complete_graph(), complete_graph_moments, complete_graph_effect),
}
