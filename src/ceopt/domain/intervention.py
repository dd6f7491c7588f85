"""An intervention: which variables are set, and to what (paper: do(X_I = x_I))."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from ceopt.domain.graph import check_name
from ceopt.domain.variable import as_number
from ceopt.errors import OutcomeError


@dataclass(frozen=True, slots=True)
class Intervention:
    """Variables, sorted by name, and the level each is set to; hashable.

    >>> do = Intervention.of({"statin": 0.9, "aspirin": 1})
    >>> do.targets, do.levels, str(do)
    (('aspirin', 'statin'), (1.0, 0.9), 'aspirin=1, statin=0.9')
    """

    targets: tuple[str, ...]
    levels: tuple[float, ...]

    def __post_init__(self) -> None:
        targets = tuple(self.targets)
        if not targets:
            raise OutcomeError("an intervention sets a variable or more, but got none; write {'name': level}")
        if len(set(targets)) < len(targets) or len(targets) != len(self.levels):
            raise OutcomeError(f"each variable has one level, but got {targets} and {self.levels}")
        for name in targets:
            check_name(name)
        order = sorted(range(len(targets)), key=targets.__getitem__)
        object.__setattr__(self, "targets", tuple(targets[i] for i in order))
        object.__setattr__(self, "levels", tuple(_level(targets[i], self.levels[i]) for i in order))

    @classmethod
    def of(cls, do: Mapping[str, float]) -> Intervention:
        """From a mapping of names to levels."""
        if not isinstance(do, Mapping):
            raise OutcomeError(f"an intervention is a mapping such as {{'name': 0.5}}, but got {do!r}")
        return cls(tuple(do), tuple(do.values()))

    @property
    def do(self) -> dict[str, float]:
        """{name: level}, sorted by name."""
        return dict(zip(self.targets, self.levels, strict=True))

    def __str__(self) -> str:
        return ", ".join(f"{name}={level:.10g}" for name, level in self.do.items())


def _level(name: str, level: object) -> float:
    number = as_number(level)
    if number is None or not math.isfinite(number):
        raise OutcomeError(f"{name!r} can only be set to a finite number, but got {level!r}")
    return number + 0.0  # -0.0 becomes 0.0
