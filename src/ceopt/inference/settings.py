"""How mechanisms are learnt: the choices a user may make."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ceopt.domain.variable import as_number
from ceopt.errors import ProblemError

Score: TypeAlias = Literal["laplace", "maximum"]
Band: TypeAlias = Literal["knowledge", "total"]
Coupling: TypeAlias = Literal["covariance", "product"]

SCORES = ("laplace", "maximum")
BANDS = ("knowledge", "total")
COUPLINGS = ("covariance", "product")


@dataclass(frozen=True)
class Mechanisms:
    """Choices for the mechanisms X_j = f_j(Pa_j) + eps_j [eq:our_sem_eq] and what is drawn from them.

    kernel       None for a squared exponential with one lengthscale a parent, a scikit-learn kernel, or a
                 function of the number of parents that gives one; its values centre the weak priors
    restarts     starting points of each hyperparameter search
    max_rows     observational rows used; of more, this many are picked evenly at random, and that is said
    score        "laplace": hyperparameters integrated out; "maximum": type-II maximum likelihood
    noise_floor  least noise variance of a mechanism, in variances of its variable
    tempering    power in (0, 1] on the observational evidence about graphs; below 1 it trusts D^O less
    band         V^ of [eq_surrogate]: "knowledge" (functions and graphs in doubt) or "total" (noise as well)
    coupling     what V^ at one level says of another: "covariance", or "product" as in the published code
    draws        even number of function draws behind an effect
    points       noise points a function draw, a power of two
    seed         of those draws
    """

    kernel: Any | Callable[[int], Any] | None = None
    restarts: int = 3
    max_rows: int = 1000
    score: Score = "laplace"
    noise_floor: float = 1e-6
    tempering: float = 1.0
    band: Band = "knowledge"
    coupling: Coupling = "covariance"
    draws: int = 16
    points: int = 32
    seed: int = 0

    def __post_init__(self) -> None:
        made = hasattr(self.kernel, "theta") and not isinstance(self.kernel, type)
        if not (self.kernel is None or made or inspect.isroutine(self.kernel)):
            raise ProblemError(
                "kernel= is None, a scikit-learn kernel or a function of the number of parents,"
                f" but got {self.kernel!r}"
            )
        for name, least in (("restarts", 1), ("max_rows", 2), ("draws", 2), ("points", 1), ("seed", 0)):
            _check_whole(name, getattr(self, name), least)
        if self.draws % 2 or self.points & (self.points - 1):
            both = f"{self.draws} and {self.points}"
            raise ProblemError(f"draws= is even and points= a power of two, but got {both}")
        for name, allowed in (("score", SCORES), ("band", BANDS), ("coupling", COUPLINGS)):
            if getattr(self, name) not in allowed:
                raise ProblemError(f"{name}= is one of {', '.join(allowed)}, but got {getattr(self, name)!r}")
        for name in ("noise_floor", "tempering"):
            _check_share(name, getattr(self, name))


def _check_whole(name: str, value: object, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ProblemError(f"{name}= is a whole number from {least} up, but got {value!r}")


def _check_share(name: str, value: object) -> None:
    number = as_number(value)
    if number is None or not 0 < number <= 1:
        raise ProblemError(f"{name}= is a number above 0 and at most 1, but got {value!r}")
