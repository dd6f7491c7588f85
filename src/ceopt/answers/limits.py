"""Gates and seeds for what is asked of a study."""

from __future__ import annotations

from hashlib import sha256

from ceopt.errors import StudyError


def check_counts(**counts: object) -> None:
    """Whole numbers from 1 up, by name."""
    for name, value in counts.items():
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise StudyError(f"{name}= is a whole number from 1 up, but got {value!r}")


def check_limits(trials: object, budget: object) -> None:
    """One limit or both."""
    if trials is None and budget is None:
        raise StudyError("optimize wants trials= or budget=, in all, so that it knows when to stop")
    if trials is not None:
        check_counts(trials=trials)
    if budget is not None and not (isinstance(budget, int | float) and budget > 0):
        raise StudyError(f"budget= is a number above 0, but got {budget!r}")


def seed_of(seed: int, *parts: object) -> tuple[int, int]:
    """A seed that is a function of another one and of some plain values."""
    return (seed, int.from_bytes(sha256(repr(parts).encode()).digest()[:8]))
