"""What an experiment is expected to bring, whatever the way of reckoning it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ceopt.inference.belief import Belief
from ceopt.maths.gp import Floats

Places: TypeAlias = NDArray[np.intp]


class Gain(NamedTuple):
    """At some points of a set, (S,) each: what is gained about the optimum, and about the graph."""

    optimum: Floats
    graph: Floats

    @property
    def total(self) -> Floats:
        """Both."""
        return self.optimum + self.graph


class Score(Protocol):
    """A way of reckoning it: for a belief, points (S, d) of each of its sets, and the places to compare."""

    def __call__(self, belief: Belief, points: Sequence[Floats], at: Sequence[Places]) -> tuple[Gain, ...]:
        """The gain at the chosen points of each set."""

    def coarse(self) -> Self:
        """A cheaper version of it, to sort out the points that are worth comparing."""
