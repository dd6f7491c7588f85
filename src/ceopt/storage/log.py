"""Where events are kept: what every log can do, and the one in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Protocol, TypeAlias

from ceopt.storage.events import Draft, Event, Tip, sealed

Making: TypeAlias = Callable[[Sequence[Event]], Sequence[Draft]]
"""From the events that came in the meantime to those to be added; it may refuse by raising."""


class Log(Protocol):
    """The events of one study; many may read and write at once."""

    def read(self, tip: Tip) -> list[Event]:
        """The events after a tip, in order, their seals checked."""

    def append(self, tip: Tip, make: Making) -> list[Event]:
        """Add events while nobody else can: `make` sees those after the tip first; all after it come back."""


class MemoryLog:
    """A log that ends with the process."""

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._lock = Lock()

    def read(self, tip: Tip) -> list[Event]:
        """The events after a tip."""
        return self._events[tip.seq :]

    def append(self, tip: Tip, make: Making) -> list[Event]:
        """Add events while no other thread can."""
        with self._lock:
            news = self._events[tip.seq :]
            last = self._events[-1] if self._events else None
            self._events += sealed(Tip(last.seq, last.digest) if last else Tip(), make(news))
            return self._events[tip.seq :]
