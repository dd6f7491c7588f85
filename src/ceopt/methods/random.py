"""Any experiment: what every other method has to beat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ceopt.acquisition.candidates import allowed
from ceopt.domain.intervention import Intervention
from ceopt.inference.belief import Belief
from ceopt.methods.method import Asking, Proposal


@dataclass(frozen=True)
class Random:
    """A set at random, then levels at random; it believes all that can be believed."""

    name = "random"

    def believe(self, belief: Belief) -> Belief:
        """All of it."""
        return belief

    def propose(self, beliefs: Sequence[Belief], asking: Asking) -> Proposal:
        """The dice decide."""
        problem, rng = beliefs[0].problem, np.random.default_rng(asking.seed)
        targets = problem.sets[rng.integers(len(problem.sets))]
        levels = allowed([problem.domain(v) for v in targets], rng.random((1, len(targets))))
        return Proposal(Intervention(targets, tuple(levels[0].tolist())), reason="picked at random")
