"""A study as a file of lines, an event each: to hand over, to keep, and to bring back what a damage left.

{"seq": 1, "kind": "created", "time": "...", "body": {...}, "digest": "..."}
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ceopt.errors import CeoptError, StorageError
from ceopt.storage.events import Event, Tip, broken_at, canonical
from ceopt.storage.records import to_data, to_problem
from ceopt.storage.state import State, after


class Salvage(NamedTuple):
    """What is sound, and the place of the first event that is not; None when all are."""

    sound: tuple[Event, ...]
    broken: int | None
    lost: int  # events at and after that place


def lines(events: Iterable[Event]) -> Iterable[str]:
    """Each event as a line."""
    for event in events:
        body = json.loads(event.text)
        parts = {"seq": event.seq, "kind": event.kind, "time": event.time, "body": body}
        yield canonical({**parts, "digest": event.digest})


def written(path: str | Path, events: Sequence[Event]) -> None:
    """Into a new file, whole or not at all."""
    target = Path(path)
    if target.exists():
        raise StorageError(f"{str(target)!r} exists already; name another file")
    part = target.with_name(target.name + ".part")
    try:
        part.write_text("".join(line + "\n" for line in lines(events)), encoding="utf-8")
        part.rename(target)
    except OSError as e:
        with suppress(OSError):
            part.unlink()
        said = f"{str(target)!r} cannot be written: {e.strerror}"
        raise StorageError(f"{said}; name a file in a folder that can be written, and has room") from e


def read(path: str | Path) -> list[Event]:
    """The events of a file, every seal checked."""
    found = []
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as e:
        raise StorageError(f"{str(path)!r} cannot be read: {e}; name a file that ceopt export wrote") from e
    for number, line in enumerate(text.removesuffix("\n").split("\n"), start=1):
        try:
            row = json.loads(line)
            one = Event(row["seq"], row["kind"], row["time"], canonical(row["body"]), row["digest"])
        except (ValueError, KeyError, TypeError) as e:
            said = f"line {number} of {str(path)!r} is no event of a study: {e}"
            raise StorageError(f"{said}; export the study again") from e
        found.append(one)
    if (place := broken_at(found)) is not None:
        raise StorageError(f"event {place} of {str(path)!r} is damaged or missing; export the study again")
    try:
        _replay(found)
    except (LookupError, TypeError, ValueError, AttributeError, CeoptError) as e:
        said = f"{str(path)!r} does not read as a study ({type(e).__name__}: {e})"
        raise StorageError(f"{said}; it may be of a newer ceopt") from e
    return found


def _replay(events: Sequence[Event]) -> None:
    """What a study that is opened goes through; prices of a cost function are in the events."""
    kind, first = events[0].kind, events[0].body
    if kind != "created" or not isinstance(first["name"], str):
        raise StorageError(f"it begins with {kind!r}")
    cost = (lambda do: 1.0) if first["problem"]["cost"] is None else None
    state = State.start(to_problem(first["problem"], cost), to_data(first["data"]))
    after(state, events)


def salvaged(events: Sequence[Event], end: Tip) -> Salvage:
    """The events up to the first whose seal does not fit, of a log that is said to end there."""
    place = broken_at(events)
    sound = tuple(events if place is None else events[: place - 1])
    lost = max(len(events), end.seq) - len(sound)
    return Salvage(sound, len(sound) + 1 if lost else None, lost)
