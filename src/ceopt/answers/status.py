"""How a study stands."""

from __future__ import annotations

from dataclasses import dataclass

from ceopt.answers.suggestion import Suggestion
from ceopt.answers.warning_signs import about_belief
from ceopt.answers.words import said
from ceopt.inference.belief import Belief


@dataclass(frozen=True, repr=False)
class Status:
    """What is open, what was told and spent, and what puts the answers in question; `print` it to read it."""

    open: tuple[Suggestion, ...]
    trials: int
    spent: float
    warnings: tuple[str, ...]

    def __str__(self) -> str:
        told = f"{self.trials} experiment{'' if self.trials == 1 else 's'} told"
        lines = [f"{told}, at a cost of {self.spent:g}; {len(self.open)} open."]
        lines += [f"Suggestion {one.id} is open: {said(one.intervention)}." for one in self.open]
        return "\n".join([*lines, *(f"Warning: {one}." for one in self.warnings)])

    __repr__ = __str__


def status_of(belief: Belief, waiting: tuple[Suggestion, ...], trials: int, spent: float) -> Status:
    """The status that follows from a belief."""
    return Status(waiting, trials, spent, about_belief(belief))
