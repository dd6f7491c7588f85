"""The experiment with the largest gain for its cost, as a proposal: what most methods end with."""

from __future__ import annotations

from collections.abc import Sequence

from ceopt.acquisition.choice import is_nothing, ranking, runners_up
from ceopt.acquisition.entropy_search import EntropySearch
from ceopt.acquisition.expected_improvement import ExpectedImprovement
from ceopt.acquisition.gain import Score
from ceopt.acquisition.space_filling import space_filling
from ceopt.inference.belief import Belief
from ceopt.methods.method import Proposal

NATS, DEVIATIONS = "nats", "sd of the target"


def most_informative(beliefs: Sequence[Belief], score: EntropySearch, points: int) -> Proposal:
    """By information gain, in nats."""
    return _best(beliefs, score, points, NATS)


def most_improving(beliefs: Sequence[Belief], score: ExpectedImprovement, points: int) -> Proposal:
    """By expected improvement, in standard deviations of the target."""
    return _best(beliefs, score, points, DEVIATIONS)


def _best(beliefs: Sequence[Belief], score: Score, points: int, unit: str) -> Proposal:
    ranked = ranking(beliefs, score, points)
    if is_nothing(ranked):
        return spread_out(beliefs, "no experiment promises any gain, so this one is far from those done")
    best = ranked[0]
    return Proposal(*best, unit, runners_up(ranked))


def spread_out(beliefs: Sequence[Belief], reason: str) -> Proposal:
    """The experiment farthest from those done or open."""
    belief = beliefs[0]
    return Proposal(space_filling(belief.problem, belief.data.interventions), reason=reason)
