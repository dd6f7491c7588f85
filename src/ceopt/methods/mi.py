"""Causal discovery: learn the graph, whatever that is good for.

von Kuegelgen, Rubenstein, Schoelkopf, Weller: Optimal experimental design via Bayesian optimization. 2019.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ceopt.acquisition.entropy_search import EntropySearch
from ceopt.acquisition.noise import Noise
from ceopt.acquisition.scene import Choices
from ceopt.inference.belief import Belief
from ceopt.methods.compare import most_informative
from ceopt.methods.method import Asking, Proposal
from ceopt.methods.options import check_whole


@dataclass(frozen=True)
class MI:
    """Information gain about G alone.

    points     acquisition points of each set
    fantasies  imagined outcomes at each point
    """

    points: int = 60
    fantasies: int = 64

    name = "mi"

    def __post_init__(self) -> None:
        check_whole("points", self.points, 2)
        check_whole("fantasies", self.fantasies, 2)

    def believe(self, belief: Belief) -> Belief:
        """All of it."""
        return belief

    def propose(self, beliefs: Sequence[Belief], asking: Asking) -> Proposal:
        """The experiment that tells most of the graph, for its cost."""
        noise = Noise(asking.seed, 2, self.fantasies, asking.samples)
        return most_informative(beliefs, EntropySearch("G", noise, Choices()), self.points)
