"""Events in an SQL database: SQLite for one laboratory, PostgreSQL for a team.

SQLite keeps its rollback journal (its write-ahead log could lose commits in versions that Python still links)
with synchronous=EXTRA: what was acknowledged is on the disk.  Whoever writes begins with BEGIN IMMEDIATE, or
locks the study's row, so that writers come one after the other and readers never see half a step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    Engine,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    delete,
    event,
    insert,
    inspect,
    select,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from ceopt.errors import StorageError
from ceopt.storage.events import Event, Tip, broken_at, sealed
from ceopt.storage.log import Making

SCHEMA = 1
BUSY = 5_000  # milliseconds that a writer waits for another one
MEMORY = "memory"

tables = MetaData()
about = Table("ceopt_schema", tables, Column("version", Integer, primary_key=True))
studies = Table("ceopt_studies", tables, Column("name", String(200), primary_key=True))
events = Table(
    "ceopt_events",
    tables,
    Column("study", String(200), ForeignKey(studies.c.name), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(20), nullable=False),
    Column("time", String(40), nullable=False),
    Column("body", Text, nullable=False),
    Column("digest", String(64), nullable=False),
)


COLUMNS = (events.c.seq, events.c.kind, events.c.time, events.c.body, events.c.digest)


class Database:
    """The studies of one database."""

    def __init__(self, url: str, create: bool) -> None:
        self.url = shown(url)
        self._engine = _engine(url)
        if self._engine.dialect.name == "sqlite":
            _check_file(self._engine.url.database or "", create)
        with self._reaching():
            self._check_schema(create)

    @property
    def names(self) -> list[str]:
        """The names of the studies, sorted."""
        with self.reading() as connection:
            return list(connection.scalars(select(studies.c.name).order_by(studies.c.name)))

    def add(self, name: str, make: Making) -> SqlLog:
        """A new study with its first events."""
        with self.writing() as connection:
            if connection.scalar(select(studies.c.name).where(studies.c.name == name)) is not None:
                raise StorageError(f"{self.url} has a study {name!r} already; load it, or take another name")
            connection.execute(insert(studies).values(name=name))
            _write(connection, name, sealed(Tip(), make([])))
        return SqlLog(self, name)

    def log(self, name: str) -> SqlLog:
        """The events of a study."""
        if name not in (known := self.names):
            there = f"it has {', '.join(map(repr, known))}" if known else "it has none"
            raise StorageError(f"{self.url} has no study {name!r}; {there}")
        return SqlLog(self, name)

    def put(self, name: str, sound: Sequence[Event]) -> SqlLog:
        """A new study with events that have their seals already."""
        log = self.add(name, lambda _: [])
        with self.writing() as connection:
            _write(connection, name, sound)
        return log

    def whatever_is_left(self, name: str) -> list[Event]:
        """The events of a study as they are, sound or not; unreadable letters are replaced."""
        self.log(name)
        found: list[Event] = []
        with self.reading() as connection:
            if connection.dialect.name == "sqlite":
                driver: Any = connection.connection.driver_connection
                driver.text_factory = lambda raw: raw.decode("utf-8", "replace")
            try:
                mine = select(*COLUMNS).where(events.c.study == name).order_by(events.c.seq)
                found.extend(Event(*row) for row in connection.execute(mine))
            except DBAPIError:
                pass  # the file itself is damaged from here on
            finally:
                if connection.dialect.name == "sqlite":
                    driver.text_factory = str
        return found

    def remove(self, name: str) -> None:
        """Take a study away with all its events."""
        self.log(name)
        with self.writing() as connection:
            connection.execute(delete(events).where(events.c.study == name))
            connection.execute(delete(studies).where(studies.c.name == name))

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A moment in which nothing changes."""
        with self._reaching(), self._engine.connect() as connection:
            yield connection.execution_options(ceopt_reads=True)

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """All or nothing, and nobody else."""
        with self._reaching(), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def _reaching(self) -> Iterator[None]:
        """A database that fails is named, in one sentence."""
        try:
            yield
        except DBAPIError as e:
            raise StorageError(f"{self.url} cannot be used: {_first_line(e)}") from e

    def _check_schema(self, create: bool) -> None:
        known = set(inspect(self._engine).get_table_names())
        if about.name not in known:
            if known and self._engine.dialect.name == "sqlite":
                raise StorageError(f"{self.url} is a database of something else; take another file")
            if not create:
                raise StorageError(f"{self.url} has no studies yet; create one first")
            with self._engine.begin() as connection:
                tables.create_all(connection)
                if connection.scalar(select(about.c.version)) is None:
                    connection.execute(insert(about).values(version=SCHEMA))
        with self.reading() as connection:
            version = connection.scalar(select(about.c.version))
        if version is None or version > SCHEMA:
            raise StorageError(
                f"{self.url} was written by a newer ceopt (schema {version}, this one knows {SCHEMA});"
                " upgrade ceopt"
            )


class SqlLog:
    """The events of one study in a database."""

    def __init__(self, database: Database, name: str) -> None:
        self._database, self._name = database, name

    def read(self, tip: Tip) -> list[Event]:
        """The events after a tip, their seals checked."""
        with self._database.reading() as connection:
            return self._after(connection, tip)

    def append(self, tip: Tip, make: Making) -> list[Event]:
        """Add events while nobody else can."""
        with self._database.writing() as connection:
            mine = select(studies.c.name).where(studies.c.name == self._name).with_for_update()
            if connection.scalar(mine) is None:
                raise StorageError(f"the study {self._name!r} is no longer in {self._database.url}")
            news = self._after(connection, tip)
            last = Tip(news[-1].seq, news[-1].digest) if news else tip
            more = sealed(last, make(news))
            _write(connection, self._name, more)
        return [*news, *more]

    def _after(self, connection: Connection, tip: Tip) -> list[Event]:
        wanted = (events.c.study == self._name) & (events.c.seq > tip.seq)
        rows = connection.execute(select(*COLUMNS).where(wanted).order_by(events.c.seq))
        found = [Event(*row) for row in rows]
        if (place := broken_at(found, tip)) is not None:
            raise StorageError(
                f"event {place} of the study {self._name!r} in {self._database.url} is damaged;"
                " what comes before it can be saved with ceopt recover"
            )
        return found


def shown(url: str) -> str:
    """A URL without its password."""
    try:
        return make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        wanted = "sqlite:///file.db or postgresql+psycopg://user@host/name"
        raise StorageError(f"storage= is a URL such as {wanted}, but got {url!r}") from None


def _write(connection: Connection, name: str, more: Sequence[Event]) -> None:
    for one in more:
        row = {"study": name, "body": one.text, **one._asdict()}
        del row["text"]
        connection.execute(insert(events).values(**row))


def _engine(url: str) -> Engine:
    """An engine whose transactions begin as they should."""
    try:
        made = create_engine(url)
    except (ArgumentError, NoSuchModuleError) as e:
        wanted = "sqlite:///file.db or postgresql+psycopg://user@host/name"
        raise StorageError(f"storage= is a URL such as {wanted}, but got {url!r}") from e
    except ModuleNotFoundError as e:
        raise StorageError(f"{shown(url)} needs {e.name}: pip install 'ceopt[postgres]'") from e
    if made.dialect.name == "sqlite":
        event.listen(made, "connect", _prepare)
        event.listen(made, "begin", _begin)
    elif made.dialect.name != "postgresql":
        raise StorageError(f"storage= is SQLite or PostgreSQL, but got {shown(url)}")
    return made


def _prepare(connection: Any, _: object) -> None:
    connection.isolation_level = None  # the driver does not begin by itself
    for pragma in (
        f"busy_timeout={BUSY}",
        "journal_mode=DELETE",
        "synchronous=EXTRA",
        "foreign_keys=ON",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    reads = connection.get_execution_options().get("ceopt_reads")
    connection.exec_driver_sql("BEGIN DEFERRED" if reads else "BEGIN IMMEDIATE")


def _check_file(file: str, create: bool) -> None:
    """A file that is, or can become, a database of ceopt; reading makes none."""
    path = Path(file)
    if not file or file == ":memory:":
        raise StorageError("sqlite:// names no file; write sqlite:///studies.db")
    if not path.parent.is_dir():
        raise StorageError(f"there is no folder {str(path.parent)!r} for the database {path.name!r}; make it")
    if not path.exists() and not create:
        raise StorageError(f"there is no database {file!r} yet; create a study first")
    if path.is_dir():
        raise StorageError(f"{file!r} is a folder; name a file in it")
    if path.exists() and path.stat().st_size:
        with path.open("rb") as opened:
            head = opened.read(16)
        if head != b"SQLite format 3\0":
            raise StorageError(f"{file!r} is no SQLite database; take another file")


def _first_line(error: DBAPIError) -> str:
    return str(error.orig).strip().splitlines()[0] if str(error.orig).strip() else type(error.orig).__name__
