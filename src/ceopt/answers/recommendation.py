"""A recommendation: what to do for good, how sure that is, and what doing nothing would bring."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ceopt.acquisition.recommendation import doing_nothing, recommend
from ceopt.answers.units import Interval, Target
from ceopt.answers.warning_signs import about_belief, about_point
from ceopt.answers.words import percent, said
from ceopt.domain.intervention import Intervention
from ceopt.inference.belief import Belief


@dataclass(frozen=True)
class Baseline:
    """E[target] when nothing is set, how much better the recommendation is on average, and P(better)."""

    mean: float
    interval: Interval
    gain: float
    probability: float


@dataclass(frozen=True)
class Observed:
    """The best mean outcome told so far. It is partly luck; the recommendation is not made from it alone."""

    do: dict[str, float]
    mean: float
    samples: int


@dataclass(frozen=True, eq=False, repr=False)
class Recommendation:
    """The best expected target over all sets and levels, as far as is known; `print` it to read it.

    mean, interval  E[target | do], and where it lies with probability 0.9
    probability     set -> the chance that it holds the best value
    baseline        doing nothing
    observed        the best outcome told, None before any
    warnings        what puts all this in question
    """

    intervention: Intervention
    mean: float
    interval: Interval
    probability: pd.Series[float]
    baseline: Baseline
    observed: Observed | None
    warnings: tuple[str, ...]
    target: str

    @property
    def do(self) -> dict[str, float]:
        """Variable -> level."""
        return self.intervention.do

    def __str__(self) -> str:
        base, chances = self.baseline, self.probability
        sure = f"with probability {percent(base.probability)}"
        each = "; ".join(f"{name} {percent(p)}" for name, p in chances.items())
        own, likeliest = ", ".join(self.intervention.targets), chances.index[0]
        lines = [
            f"Set {said(self.intervention)}.",
            f"Expected {self.target}: {self.mean:.4g} ({self.interval} with probability 0.9).",
            f"Doing nothing: {base.mean:.4g} ({base.interval}).",
            f"The recommendation is better {sure}, by {base.gain:.3g} on average.",
            f"Chance of holding the best value: {each}.",
        ]
        if own != likeliest:
            elsewhere = f"The best value may well be had by setting {likeliest}"
            lines.append(f"{elsewhere}, but at which levels is not known well enough yet.")
        if self.observed is not None:
            told = f"{self.observed.mean:.4g}, mean of {self.observed.samples}, at {_named(self.observed.do)}"
            lines.append(f"Best outcome told, luck included: {told}.")
        return "\n".join([*lines, *(f"Warning: {one}." for one in self.warnings)])

    __repr__ = __str__


def _named(do: dict[str, float]) -> str:
    return said(Intervention.of(do))


def recommended(full: Belief, belief: Belief, seed: tuple[int, ...]) -> Recommendation:
    """The recommendation that follows from a method's own belief; warnings are by the full one."""
    found, target, problem = recommend(belief, seed), Target(belief), belief.problem
    best, (nothing, error) = found.best, doing_nothing(belief)
    names = pd.Index([", ".join(targets) for targets in full.problem.sets], name="set")
    chances = pd.Series(0.0, index=names, name="probability")
    chances[[", ".join(one.intervention.targets) for one in found.each]] = found.shares
    return Recommendation(
        best.intervention,
        target.value(best.mean),
        target.interval(best.mean, best.sd),
        chances.sort_values(ascending=False, kind="stable"),
        Baseline(
            target.value(nothing),
            target.interval(nothing, error),
            target.amount(nothing - best.mean),
            found.better,
        ),
        _observed(full, target),
        (*about_belief(full), *about_point(full, best.intervention)),
        problem.target,
    )


def _observed(belief: Belief, target: Target) -> Observed | None:
    data = belief.data
    y = belief.learnt.scale.rows(data.outcomes)[:, data.column(belief.problem.target)]
    told: dict[Intervention, list[float]] = {}
    for do, value in zip(data.interventions, y.tolist(), strict=True):
        told.setdefault(do, []).append(value)
    if not told:
        return None
    best = min(told, key=lambda do: float(np.mean(told[do])))
    return Observed(best.do, target.value(float(np.mean(told[best]))), len(told[best]))
