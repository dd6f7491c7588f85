r"""Causal Entropy Search: which experiment tells most about the best value and the graph  [eq:ces_acq].

    alpha_CES(X_I, x_I) = I[(y*, G); outcome of do(X_I = x_I) | D] / Co(X_I, x_I)

The numerator is `information_gain` (the paper's Algorithm 2); ceopt.acquisition.choice divides by the cost.
Once the graph is known, H[P(G | D)] ~ 0, only the part about y* is left (lines 12-24); that is judged anew at
each step, on the entropy, and not before a few interventions were seen: observations alone can make the wrong
graph look certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ceopt.acquisition.gain import Gain, Places
from ceopt.acquisition.information_gain import About, information_gain
from ceopt.acquisition.noise import Noise
from ceopt.acquisition.scene import Choices, scene
from ceopt.inference.belief import Belief
from ceopt.maths.gp import Floats

COARSE = 4  # fantasies at a point, where most points are only to be sorted out


@dataclass(frozen=True)
class EntropySearch:
    """Information gain about some variables, with its random numbers and choices."""

    about: About
    noise: Noise
    choices: Choices

    def __call__(self, belief: Belief, points: Sequence[Floats], at: Sequence[Places]) -> tuple[Gain, ...]:
        """The gain at the chosen points of each set, in nats."""
        return information_gain(scene(belief, points, self.noise, self.choices), self.about, at)

    def coarse(self) -> EntropySearch:
        """Few fantasies, which move their own set only."""
        noise = replace(self.noise, fantasies=min(COARSE, self.noise.fantasies))
        return replace(self, noise=noise, choices=replace(self.choices, graph_aware=False))


def graph_is_known(belief: Belief, entropy: float, least: int) -> bool:
    """Whether H[P(G | D)] is below `entropy` nats, after `least` interventions or more (Alg. 2, line 12)."""
    return len(set(belief.data.interventions)) >= least and belief.graphs.entropy() < entropy
