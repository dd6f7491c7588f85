"""Everything that happened to a study, as a table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

import pandas as pd


class Happened(Protocol):
    """An event, as the log has it."""

    @property
    def seq(self) -> int:
        """Its place."""

    @property
    def kind(self) -> str:
        """What happened."""

    @property
    def time(self) -> str:
        """When."""

    @property
    def digest(self) -> str:
        """Its seal."""

    @property
    def body(self) -> dict[str, Any]:
        """The rest."""


def audit_table(events: Iterable[Happened]) -> pd.DataFrame:
    """A row an event, in the order they came."""
    rows = [
        {
            "seq": event.seq,
            "time": pd.Timestamp(event.time),
            "event": event.kind,
            "id": event.body.get("id"),
            "text": event.body.get("reason") or event.body.get("text") or "",
            "digest": event.digest,
        }
        for event in events
    ]
    table = pd.DataFrame(rows, columns=["seq", "time", "event", "id", "text", "digest"])
    return table.astype({"id": "Int64"})
