"""What happened, one event after the other, each sealed by a digest of itself and of all before it.

    digest_k = sha256(digest_{k-1}, k, kind, time, body),   digest_0 = 64 zeros

so that a changed, lost or swapped event is noticed.  Bodies are JSON, written in one way only, and in ASCII,
so that no encoding of a database or a file touches them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, NamedTuple, TypeAlias

KINDS = ("created", "suggested", "told", "amended", "abandoned", "noted", "added")
NOTHING = "0" * 64

Body: TypeAlias = Mapping[str, Any]


class Draft(NamedTuple):
    """An event that is not in the log yet."""

    kind: str
    body: Body


class Event(NamedTuple):
    """An event in the log: its place, from 1; when it came; and its seal."""

    seq: int
    kind: str
    time: str
    text: str  # the body as it is stored
    digest: str

    @property
    def body(self) -> dict[str, Any]:
        """The body."""
        found: dict[str, Any] = json.loads(self.text)
        return found

    @property
    def at(self) -> datetime:
        """When it came."""
        return datetime.fromisoformat(self.time)


class Tip(NamedTuple):
    """The last event of a log: its place and its seal."""

    seq: int = 0
    digest: str = NOTHING


def canonical(body: Body) -> str:
    """The one way to write a body: sorted names, no spaces, floats that read back to the last bit."""
    return json.dumps(body, sort_keys=True, separators=(",", ":"), allow_nan=False, default=_plain)


def _plain(number: Any) -> Any:
    """A number of NumPy as one of Python."""
    if not hasattr(number, "item"):
        raise TypeError(f"{number!r} is no number, text or list of them")
    return number.item()


def seal(tip: Tip, kind: str, time: str, text: str) -> str:
    """The digest of the event that follows a tip."""
    parts = (
        f"{tip.digest}\x1f{tip.seq + 1}\x1f{kind}\x1f{time}\x1f{text}"  # of damaged ones whatever they are
    )
    return sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()


def sealed(tip: Tip, drafts: Iterable[Draft], now: datetime | None = None) -> list[Event]:
    """Drafts as the events that follow a tip."""
    time, events = (now or datetime.now(UTC)).isoformat(), []
    for kind, body in drafts:
        text = canonical(body)
        events.append(Event(tip.seq + 1, kind, time, text, seal(tip, kind, time, text)))
        tip = Tip(events[-1].seq, events[-1].digest)
    return events


def broken_at(events: Iterable[Event], tip: Tip = Tip()) -> int | None:  # noqa: B008  (a constant)
    """The place of the first event whose seal does not fit; None when all do."""
    for event in events:
        if event.seq != tip.seq + 1 or event.digest != seal(tip, event.kind, event.time, event.text):
            return tip.seq + 1
        tip = Tip(event.seq, event.digest)
    return None
