"""Max-value entropy search without causes: whatever can be set is set, and one surrogate is learnt.

Wang, Jegelka: Max-value entropy search for efficient Bayesian optimization. ICML 2017.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ceopt.acquisition.entropy_search import EntropySearch
from ceopt.acquisition.noise import Noise
from ceopt.acquisition.scene import Choices
from ceopt.domain.graph import Graph
from ceopt.domain.weighted_graphs import WeightedGraphs
from ceopt.inference.belief import Belief, under
from ceopt.methods.compare import most_informative
from ceopt.methods.method import Asking, Proposal
from ceopt.methods.options import check_whole


@dataclass(frozen=True)
class MES:
    """Information gain about y* alone, with a surrogate that knows no cause.

    points     acquisition points of each set, usually one: all that can be set
    fantasies  imagined outcomes at each point
    draws      joint draws of the effect behind p(y*)
    """

    points: int = 120
    fantasies: int = 16
    draws: int = 200

    name = "mes"

    def __post_init__(self) -> None:
        for option in ("points", "fantasies", "draws"):
            check_whole(option, getattr(self, option), 2)

    def believe(self, belief: Belief) -> Belief:
        """As if nothing caused anything: a constant mean, and no set that another one contains."""
        return acausal(belief)

    def propose(self, beliefs: Sequence[Belief], asking: Asking) -> Proposal:
        """The experiment that tells most of the best value, for its cost."""
        noise = Noise(asking.seed, self.draws, self.fantasies, asking.samples)
        return most_informative(beliefs, EntropySearch("y*", noise, Choices()), self.points)


def acausal(belief: Belief) -> Belief:
    """The belief of somebody who sets everything and models the target alone."""
    problem = belief.problem
    nothing = WeightedGraphs.of([Graph(problem.variables, frozenset())])
    largest = tuple(one for one in problem.sets if not any(set(one) < set(other) for other in problem.sets))
    return under(belief, nothing, largest)
