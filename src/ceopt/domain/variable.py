"""The levels that a variable may be set to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ceopt.errors import ProblemError

TOLERANCE = 1e-9
"""Relative to the largest number of a domain: how far off still counts as on."""

PART_OF_STEP = 1e-6
"""How far from a multiple of its step a range may end and still count as ending there."""

MOST_LEVELS = 100_000


class Levels(tuple[float, ...]):
    """A tuple of allowed levels, told apart by its type from (low, high)."""

    __slots__ = ()


DomainSpec: TypeAlias = "Sequence[float] | NDArray[np.float64] | Domain"
"""(low, high), (low, high, step), a list of levels, or a Domain."""


@dataclass(frozen=True)
class Domain:
    """Every level from low to high, or, when there are `levels`, only those.

    >>> Domain.of("dose", (0, 1)).contains(0.3), Domain.of("dose", [0, 0.5, 2]).contains(0.3)
    (True, False)
    >>> Domain.of("dose", (0, 1, 0.25)).levels
    (0.0, 0.25, 0.5, 0.75, 1.0)
    """

    low: float
    high: float
    levels: tuple[float, ...] | None = None

    @classmethod
    def of(cls, name: str, spec: DomainSpec) -> Domain:
        """From (low, high), (low, high, step) or a list of levels; `name` is for the error."""
        if isinstance(spec, Domain):
            return spec
        numbers = _numbers(name, spec)
        if not isinstance(spec, tuple) or isinstance(spec, Levels):
            return _from_levels(name, numbers)
        if len(spec) not in (2, 3):
            raise ProblemError(_wanted(name, spec))
        low, high, *step = numbers
        if low >= high:
            raise ProblemError(f"the domain of {name!r} wants low < high, but got ({low:g}, {high:g})")
        return _from_levels(name, _stepped(name, low, high, step[0])) if step else cls(low, high)

    @property
    def spec(self) -> tuple[float, ...]:
        """(low, high), or the levels; `Domain.of` reads it back."""
        return (self.low, self.high) if self.levels is None else Levels(self.levels)

    @property
    def slack(self) -> float:
        """How far a level may be off and still count."""
        return TOLERANCE * max(abs(self.low), abs(self.high))

    def contains(self, x: float) -> bool:
        """Whether x may be set, up to rounding."""
        if self.levels is None:
            return bool(self.low - self.slack <= x <= self.high + self.slack)
        return any(abs(x - level) <= self.slack for level in self.levels)

    def grid(self, n: int) -> NDArray[np.float64]:
        """(k,) evenly spread levels, k = n; all of them when there are at most n."""
        if self.levels is None:
            return np.linspace(self.low, self.high, n) if n > 1 else np.array([(self.low + self.high) / 2])
        last = len(self.levels) - 1
        places = np.linspace(0, last, min(n, last + 1)) if n > 1 else [last // 2]
        return np.array([self.levels[round(place)] for place in places])


def as_number(value: object) -> float | None:
    """The value as a float; None when it is not a number (True and "1" are none)."""
    if isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            return math.inf if value > 0 else -math.inf
    return None


def _wanted(name: str, spec: object) -> str:
    return (
        f"the domain of {name!r} is (low, high), (low, high, step) or a list of allowed levels,"
        f" all finite numbers, but got {spec!r}"
    )


def _numbers(name: str, spec: object) -> list[float]:
    if isinstance(spec, (str, bytes)) or not isinstance(spec, (Sequence, np.ndarray)) or len(spec) == 0:
        raise ProblemError(_wanted(name, spec))
    numbers = [as_number(value) for value in spec]
    finite = [x for x in numbers if x is not None and math.isfinite(x)]
    if len(finite) < len(numbers):
        raise ProblemError(_wanted(name, spec))
    return finite


def _from_levels(name: str, levels: list[float]) -> Domain:
    levels = sorted(levels)
    twice = [a for a, b in pairwise(levels) if a == b]
    if twice:
        raise ProblemError(f"the domain of {name!r} lists the level {twice[0]:g} twice; list it once")
    return Domain(levels[0], levels[-1], tuple(levels))


def _stepped(name: str, low: float, high: float, step: float) -> list[float]:
    """low, low + step, ... up to high, free of rounding dust."""
    steps = (high - low) / step + PART_OF_STEP if step > 0 else 0.0
    if steps < 1:
        raise ProblemError(f"the step of {name!r} is above 0 and at most high - low, but got {step:g}")
    if steps >= MOST_LEVELS:
        raise ProblemError(
            f"the domain of {name!r} has {steps + 1:.3g} levels; take a larger step, or (low, high)"
        )
    between = [float(f"{low + k * step:.12g}") for k in range(1, math.floor(steps))]
    last = low + math.floor(steps) * step
    return [low, *between, high if abs(high - last) <= PART_OF_STEP * step else float(f"{last:.12g}")]
