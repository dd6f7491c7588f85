"""A complaint about a file: where, and what is wrong there."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ceopt.errors import CeoptError


class Complaint(NamedTuple):
    """Where in the file, and what is wrong there."""

    where: str
    what: str


def refusals(where: str, call: Callable[[], object]) -> list[Complaint]:
    """Why a call is refused; nothing when it is not."""
    try:
        call()
    except CeoptError as e:
        return [Complaint(where, str(e))]
    except OSError as e:
        return [Complaint(where, f"cannot be read: {e.strerror}")]
    return []
