"""From a URL to an engine whose transactions begin as they should, and what its failures mean.

SQLite keeps its rollback journal (its write-ahead log could lose commits in versions that Python still links)
with synchronous=EXTRA: what was acknowledged is on the disk.  No connection outlives its transaction, so
that a process may fork, and a file that was moved is missed instead of written to.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from weakref import WeakSet

from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from ceopt.errors import StorageError

LEAST = 512  # bytes of a database; SQLite would write over a file of one
BUSY = 5_000  # milliseconds that a writer waits for another one
IDLE = 60_000  # and after which a silent client lets go of what it holds
WANTED = "sqlite:///file.db or postgresql+psycopg://user@host/name"
ADVICE = {
    "locked": "somebody else has been writing all the time; try again",
    "lock timeout": "somebody else has been writing all the time; try again",
    "is full": "make room and try again; what was accepted before is safe",
    "disk i/o": "make room or mend the disk, and try again; what was accepted before is safe",
    "readonly": "make the file and its folder writable, or name another one",
    "read-only": "make it writable, or name another one",
    "unable to open": "check that the file and its folder may be read and written",
    "not a database": "it is something else; name another file",
    "malformed": "what is sound can be saved with ceopt recover",
    "connect": "check that the server runs and that the URL names it",
}


def engine_of(url: str, create: bool) -> Engine:
    """The engine of a URL; a file is made only to create."""
    parts = _parts(url)
    if parts.drivername in ("sqlite", "sqlite+pysqlite"):
        return _sqlite(parts, create)
    if parts.drivername in ("postgresql", "postgresql+psycopg"):
        return _postgresql(parts)
    raise StorageError(f"storage= is SQLite or PostgreSQL, as in {WANTED}, but got {shown(url)!r}")


def shown(url: str) -> str:
    """A URL without its password."""
    return _parts(url).render_as_string(hide_password=True)


def meaning(error: SQLAlchemyError) -> str:
    """A failure in one sentence, and what to do about it."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    said = (str(cause).strip() or type(cause).__name__).splitlines()[0][:200].rstrip(".")
    advice = next((advice for sign, advice in ADVICE.items() if sign in said.lower()), None)
    return said if advice is None else f"{said}; {advice}"


def _masked(url: object) -> object:
    return re.sub(r"//.*@", "//***@", url) if isinstance(url, str) else url


def _parts(url: str) -> URL:
    try:
        return make_url(url)
    except (ArgumentError, ValueError):
        raise StorageError(f"storage= is a URL such as {WANTED}, but got {_masked(url)!r}") from None


def _sqlite(url: URL, create: bool) -> Engine:
    if not url.database or url.database == ":memory:":
        raise StorageError("sqlite:// names no file; write sqlite:///studies.db")
    if url.query:
        raise StorageError(f"the URL of an SQLite file takes no options, but got {dict(url.query)}")
    file = Path(url.database).absolute()  # whatever folder the process goes to later
    try:
        _check_file(file, create)
    except (OSError, ValueError) as e:
        why = e.strerror if isinstance(e, OSError) else e
        raise StorageError(f"{str(file)!r} cannot be used: {why}; name another file") from e
    made = create_engine("sqlite://", creator=_opener(file), poolclass=NullPool)
    event.listen(made, "begin", _begin)
    return made


def _check_file(file: Path, create: bool) -> None:
    """What is not there is made empty.  It is not read: to close it would let go of every thread's lock."""
    if not file.parent.is_dir():
        raise StorageError(f"there is no folder {str(file.parent)!r} for the database {file.name!r}; make it")
    if file.is_dir():
        raise StorageError(f"{str(file)!r} is a folder; name a file in it")
    if not file.exists():
        if not create:
            raise StorageError(f"there is no database {str(file)!r} yet; create a study first")
        file.touch()
    elif 0 < file.stat().st_size < LEAST:
        raise StorageError(f"{str(file)!r} is not a database; it is something else; name another file")


class Closing(sqlite3.Connection):
    """Its cursors close with it: one that an interrupt left open would keep the file locked."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._cursors: WeakSet[sqlite3.Cursor] = WeakSet()

    def cursor(self, *arguments: Any) -> Any:
        """One that is remembered."""
        made = super().cursor(*arguments)
        self._cursors.add(made)
        return made

    def close(self) -> None:
        """With all that hangs on it."""
        for cursor in list(self._cursors):
            cursor.close()
        super().close()


def _opener(file: Path) -> Callable[[], sqlite3.Connection]:
    def opened() -> sqlite3.Connection:
        with suppress(PermissionError):
            if not file.exists():
                raise StorageError(f"the database {str(file)!r} is gone; put it back where it was")
        url = f"{file.as_uri()}?mode=rw"  # a file that is gone is not made anew
        made = sqlite3.connect(url, uri=True, timeout=BUSY / 1000, isolation_level=None, factory=Closing)
        made.text_factory = _text  # the seals notice what is damaged
        made.execute("PRAGMA synchronous=EXTRA")
        made.execute("PRAGMA foreign_keys=ON")
        return made

    return opened


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _begin(connection: Connection) -> None:
    """Whoever writes has the file to himself from the start."""
    if connection.get_execution_options().get("ceopt_reads"):
        connection.exec_driver_sql("BEGIN DEFERRED")
    else:
        connection.exec_driver_sql("PRAGMA journal_mode=DELETE")
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def _postgresql(url: URL) -> Engine:
    settings = f"-c lock_timeout={BUSY} -c idle_in_transaction_session_timeout={IDLE}"
    wanted: dict[str, Any] = {"connect_timeout": 10, "client_encoding": "utf8", "options": settings}
    arguments = {name: value for name, value in wanted.items() if name not in url.query}
    try:
        url = url.set(drivername="postgresql+psycopg")
        return create_engine(url, poolclass=NullPool, connect_args=arguments)
    except ModuleNotFoundError as e:
        raise StorageError(f"PostgreSQL needs {e.name}: pip install 'ceopt[postgres]'") from e
