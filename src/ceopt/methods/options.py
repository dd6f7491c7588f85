"""The gate for the options of methods."""

from __future__ import annotations

import math
from numbers import Integral

from ceopt.acquisition.optimum import WEIGHTS
from ceopt.domain.variable import as_number
from ceopt.errors import MethodError


def check_whole(option: str, value: object, least: int) -> None:
    """A whole number from `least` up."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise MethodError(f"{option}= is a whole number from {least} up, but got {value!r}")


def check_share(option: str, value: object) -> None:
    """A finite number from 0 up."""
    number = as_number(value)
    if number is None or not 0 <= number < math.inf:
        raise MethodError(f"{option}= is a finite number from 0 up, but got {value!r}")


def check_flag(option: str, value: object) -> None:
    """True or False."""
    if not isinstance(value, bool):
        raise MethodError(f"{option}= is True or False, but got {value!r}")


def check_weights(value: object) -> None:
    """A way of weighing the sets."""
    if value not in WEIGHTS:
        raise MethodError(f"weights= is one of {', '.join(WEIGHTS)}, but got {value!r}")
