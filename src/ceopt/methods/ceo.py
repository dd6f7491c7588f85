"""Causal Entropy Optimization: learn about the best value and the graph together  [eq:ces_acq].

Branchini, Aglietti, Dhir, Damoulas: Causal Entropy Optimization. AISTATS 2023. Algorithms 1 and 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ceopt.acquisition.entropy_search import EntropySearch, graph_is_known
from ceopt.acquisition.noise import Noise
from ceopt.acquisition.optimum import Weights
from ceopt.acquisition.scene import Choices
from ceopt.inference.belief import Belief
from ceopt.inference.nested import without_superfluous
from ceopt.methods.compare import most_informative
from ceopt.methods.method import Asking, Proposal
from ceopt.methods.options import check_flag, check_share, check_weights, check_whole


@dataclass(frozen=True)
class CEO:
    """Information gain about y* and G; about y* alone once the graph is known.

    points       acquisition points of each set, in any dimension
    fantasies    imagined outcomes at each point
    draws        joint draws of each effect behind p(y*)
    weights      belief over the best set: "draws", the share of joint draws that it wins, or the paper's
    beta         "softmax", which goes with exp(-mu + beta sigma)
    graph_aware  whether a fantasy about the graph moves the effects of every set
    known        the graph counts as known below this entropy, in nats,
    least        and after so many different interventions
    """

    points: int = 60
    fantasies: int = 16
    draws: int = 200
    beta: float = 0.1
    weights: Weights = "draws"
    graph_aware: bool = True
    known: float = 0.01
    least: int = 10

    name = "ceo"

    def __post_init__(self) -> None:
        for option in ("points", "fantasies", "draws", "least"):
            check_whole(option, getattr(self, option), 0 if option == "least" else 2)
        for option in ("beta", "known"):
            check_share(option, getattr(self, option))
        check_weights(self.weights)
        check_flag("graph_aware", self.graph_aware)

    def believe(self, belief: Belief) -> Belief:
        """All of it, but for sets that bring nothing over a smaller one."""
        return without_superfluous(belief)

    def propose(self, beliefs: Sequence[Belief], asking: Asking) -> Proposal:
        """The experiment that tells most, for its cost."""
        known = all(graph_is_known(belief, self.known, self.least) for belief in beliefs)
        noise = Noise(asking.seed, self.draws, self.fantasies, asking.samples)
        choices = Choices(self.beta, self.weights, self.graph_aware)
        return most_informative(
            beliefs, EntropySearch("y*" if known else "y* and G", noise, choices), self.points
        )
