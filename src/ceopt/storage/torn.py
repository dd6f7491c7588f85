"""What can be read of a study whose database is damaged, its file cut short perhaps."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy.engine import make_url

from ceopt.errors import StorageError
from ceopt.storage.sql import Database, Left

MAGIC = b"SQLite format 3\0"


def whatever_is_left(url: str, name: str) -> Left:
    """The events as they are; those of a file that lost its end from a copy, padded with nothing."""
    try:
        return Database(url, create=False).whatever_is_left(name)
    except StorageError:
        with _padded(url) as copy:
            if copy is None:
                raise
            return Database(copy, create=False).whatever_is_left(name)


@contextmanager
def _padded(url: str) -> Iterator[str | None]:
    """A copy as long as its first page says; none of what is not cut short."""
    file = Path(make_url(url).database or "")
    missing = _missing(file) if url.startswith("sqlite") and file.is_file() else 0
    if missing <= 0:
        yield None
        return
    with TemporaryDirectory(prefix="ceopt") as folder:
        copy = Path(folder) / file.name
        shutil.copyfile(file, copy)
        os.truncate(copy, copy.stat().st_size + missing)
        yield f"sqlite:///{copy}"


def _missing(file: Path) -> int:
    """How many bytes the file lacks: pages of a size, both told in its head."""
    with file.open("rb") as opened:
        head = opened.read(100)
    if not head.startswith(MAGIC) or len(head) < 100:
        return 0
    size, pages = int.from_bytes(head[16:18]), int.from_bytes(head[28:32])
    return (65_536 if size == 1 else size) * pages - file.stat().st_size
