r"""How much better than the best so far would an experiment be?  What causal Bayesian optimisation asks.

    EI(x) = E[max(b - f_I(x), 0)] = sd (z Phi(z) + phi(z)),   z = (b - mean) / sd

b is the incumbent: the best outcome seen, as if outcomes had no noise (Aglietti et al., AISTATS 2020), or the
least posterior mean where something was told, which no lucky outcome can spoil.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from ceopt.acquisition.gain import Gain, Places
from ceopt.inference.belief import Belief
from ceopt.maths.gp import Floats


@dataclass(frozen=True)
class ExpectedImprovement:
    """EI at some points of each set, in standard deviations of Y; `noisy` picks the incumbent."""

    noisy: bool = True

    def __call__(self, belief: Belief, points: Sequence[Floats], at: Sequence[Places]) -> tuple[Gain, ...]:
        """The gain at the chosen points of each set."""
        found = [belief.marginals(t, x) for t, x in zip(belief.problem.sets, points, strict=True)]
        seen = told_means(belief) if self.noisy else told_outcomes(belief)
        best = min(seen) if seen else min(float(f.mean.min()) for f in found)
        gains = (expected_improvement(f.mean[s], f.sd[s], best) for f, s in zip(found, at, strict=True))
        return tuple(Gain(gain, np.zeros_like(gain)) for gain in gains)

    def coarse(self) -> ExpectedImprovement:
        """It is cheap as it is."""
        return self


def expected_improvement(mean: Floats, sd: Floats, best: float) -> Floats:
    """E[max(best - f, 0)] for f ~ N(mean, sd^2), sd >= 0.

    >>> expected_improvement(np.array([0.0, -1.0, 2.0]), np.array([1.0, 0.0, 0.0]), 0.0).round(4).tolist()
    [0.3989, 1.0, 0.0]
    """
    gap = best - mean
    with np.errstate(over="ignore"):
        z = gap / np.maximum(sd, np.finfo(np.float64).tiny)
        density = np.exp(-0.5 * z**2) / np.sqrt(2 * np.pi)
    return np.asarray(np.maximum(gap * ndtr(z) + sd * density, 0.0))


def told_outcomes(belief: Belief) -> list[float]:
    """The mean outcome at each level told."""
    return [float(y) for f in belief.surrogates.values() for y in f.told.ybar]


def told_means(belief: Belief) -> list[float]:
    """The posterior mean of f_I at each level told."""
    levels = ((t, f.told.levels) for t, f in belief.surrogates.items() if len(f.told.levels))
    return [float(m) for targets, told in levels for m in belief.marginals(targets, told).mean]
