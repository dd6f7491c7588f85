"""Gates and seeds for what is asked of a study."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from numbers import Integral

import numpy as np

from ceopt.domain.variable import as_number
from ceopt.errors import NumericsError, StudyError

FAILURES = (ArithmeticError, np.linalg.LinAlgError)
"""What numbers may do.  Anything else is a mistake in a program, and is not hidden."""


def check_counts(**counts: object) -> None:
    """Whole numbers from 1 up, by name."""
    for name, value in counts.items():
        if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
            raise StudyError(f"{name}= is a whole number from 1 up, but got {value!r}")


def check_limits(trials: object, budget: object) -> None:
    """One limit or both."""
    if trials is None and budget is None:
        raise StudyError("optimize wants trials= or budget=, in all, so that it knows when to stop")
    if trials is not None:
        check_counts(trials=trials)
    if budget is not None and not ((amount := as_number(budget)) is not None and 0 < amount < math.inf):
        raise StudyError(f"budget= is a finite number above 0, but got {budget!r}")


@contextmanager
def numbers() -> Iterator[None]:
    """Numbers that fail are said to have, in one sentence."""
    try:
        yield
    except NumericsError:
        raise
    except FAILURES as e:
        advice = "nothing told was lost; a larger Mechanisms(noise_floor=...) often helps"
        raise NumericsError(f"the numbers failed ({type(e).__name__}: {e}); {advice}") from e


def seed_of(seed: int, *parts: object) -> tuple[int, int]:
    """A seed that is a function of another one and of some plain values."""
    return (seed, int.from_bytes(sha256(repr(parts).encode()).digest()[:8]))
