"""From the standardised, oriented target of a belief to the target as the user measures it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ceopt.domain.orientation import sign
from ceopt.inference.belief import Belief
from ceopt.maths.gp import Floats

INTERVAL = 1.6448536269514722  # standard deviations either side of a mean that hold 90 %


class Interval(NamedTuple):
    """Holds the truth with probability 0.9, if the belief is right."""

    lower: float
    upper: float

    def __str__(self) -> str:
        return f"{self.lower:.4g} to {self.upper:.4g}"


class Target:
    """The target of a belief."""

    def __init__(self, belief: Belief) -> None:
        self._name, self._scale = belief.problem.target, belief.learnt.scale
        self._sign = sign(belief.problem)

    def mean(self, mean: Floats) -> Floats:
        """Means, as measured."""
        return np.asarray(self._sign * self._scale.mean_back(self._name, mean))

    def sd(self, sd: Floats) -> Floats:
        """Standard deviations, or differences to the better, as measured."""
        return self._scale.sd_back(self._name, sd)

    def value(self, mean: float) -> float:
        """One mean."""
        return float(self.mean(np.asarray(mean)))

    def amount(self, sd: float) -> float:
        """One standard deviation, or difference to the better."""
        return float(self.sd(np.asarray(sd)))

    def interval(self, mean: float, sd: float) -> Interval:
        """Of a normal belief."""
        middle, half = self.value(mean), INTERVAL * self.amount(sd)
        return Interval(middle - half, middle + half)
