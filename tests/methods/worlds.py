"""A small world that is asked fast, X -> Z -> Y, and every method at its smallest."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

import ceopt
from ceopt.acquisition.space_filling import middle
from ceopt.domain.intervention import Intervention
from ceopt.methods import CBO, CDCBO, CEO, MES, MI, Proposal, Random
from ceopt.problems.scm import Equation, System, normal

CHAIN, TURNED, WHOLE = "X -> Z; Z -> Y", "Z -> X; Z -> Y", "X -> Y; X -> Z; Z -> Y"
TEXTS = (CHAIN, TURNED, WHOLE)

SYSTEM = System(
    {
        "X": Equation((), lambda eps: eps, normal()),
        "Z": Equation(("X",), lambda x, eps: x + eps, normal(0.5)),
        "Y": Equation(("Z",), lambda z, eps: 2 * (z - 1) ** 2 + eps, normal(0.3)),
    },
    target="Y",
)
"""E[Y | do(Z = z)] = 2 (z - 1)^2 is least at Z = 1, and far from it under do(X = -1)."""

METHODS = {
    "ceo": CEO(points=12, fantasies=4, draws=64),
    "cbo": CBO(points=12),
    "cd-cbo": CDCBO(discovery=MI(points=12, fantasies=8), search=CBO(points=12)),
    "mi": MI(points=12, fantasies=8),
    "mes": MES(points=24, fantasies=16, draws=128),
    "random": Random(),
}
INFORMED = ("ceo", "mi", "mes")  # their gain is information


def prior(*texts, weights=None):
    return ceopt.GraphPrior.from_graphs(list(texts), weights=weights)


def question(**changed):
    domains = {"X": (-2.0, 2.0), "Z": (-2.0, 2.0)}
    asked = {"target": "Y", "direction": "minimize", "domains": domains, "graphs": prior(*TEXTS)}
    return ceopt.Problem(**{**asked, **changed})


def seen(n=30, rng=1):
    return SYSTEM.sample(n, rng=rng)


def study_of(method="ceo", problem=None, observations=None, seed=0):
    """A study of the small world, by the small method of that name or by a value."""
    return ceopt.create_study(
        question() if problem is None else problem,
        observations=seen() if observations is None else observations,
        method=METHODS[method] if isinstance(method, str) else method,
        seed=seed,
    )


def outcome(do, y=1.0, rng=5):
    """A whole row under do, its target given."""
    return {**SYSTEM.sample(1, do=do, rng=rng).iloc[0].to_dict(), "Y": y}


def mirrored(method, told=()):
    """Two studies: minimise Y, and maximise -Y; each told the same (do, y)."""
    turned = seen().assign(Y=-seen()["Y"])
    down = study_of(method)
    up = study_of(method, question(direction="maximize"), turned)
    for study, sign in ((down, 1), (up, -1)):
        for do, y in told:
            study.tell(do=do, outcome=outcome(do, sign * y))
    return down, up


def leaning(belief, *p):
    """The same belief with P(G | D) as given."""
    return replace(belief, graphs=belief.graphs.reweighted(np.log(p)))


@dataclass(frozen=True)
class Fixed:
    """A researcher's own method: always the same, or the middle of the first set."""

    do: Intervention | None = None
    name: str = "fixed"

    def believe(self, belief):
        return belief

    def propose(self, beliefs, asking):
        problem = beliefs[0].problem
        return Proposal(self.do or middle(problem, problem.sets[0]), 0.5, 0.25, 0.75, "nats")


@dataclass(frozen=True)
class Says:
    """A method that proposes whatever it was given, and raises it if it is an error."""

    answer: object
    name: str = "says"

    def believe(self, belief):
        return belief

    def propose(self, beliefs, asking):
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


def setting(**levels):
    """A method that always sets these levels."""
    return Fixed(Intervention.of(levels))


def make_fixed():
    """What an entry point may name: a function that makes a method."""
    return Fixed(name="made")


FIXED = Fixed(name="ready")
"""What an entry point may name: a method."""
