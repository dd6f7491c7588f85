"""Numbers and interventions as people read them."""

from __future__ import annotations

from ceopt.domain.intervention import Intervention


def said(do: Intervention) -> str:
    """An intervention, rounded for the eye: "dose = 0.25, rest = 8"."""
    return ", ".join(f"{name} = {level:.4g}" for name, level in do.do.items())


def percent(p: float) -> str:
    """A probability: "38 %"; next to 0 or 1 it says so.

    >>> percent(0.384), percent(0.001), percent(0.999), percent(1.0)
    ('38 %', 'under 1 %', 'over 99 %', '100 %')
    """
    if 0 < p < 0.01:
        return "under 1 %"
    if 0.99 < p < 1:
        return "over 99 %"
    return f"{100 * p:.0f} %"
