"""Events in an SQL database: SQLite for one laboratory, PostgreSQL for a team.

Whoever writes begins with BEGIN IMMEDIATE, or locks the study's row, so that writers come one after the other
and readers never see half a step.  The study's row holds the seal of its last event: a lost end is noticed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from sqlalchemy import (
    Column,
    Connection,
    ForeignKey,
    Integer,
    MetaData,
    Select,
    String,
    Table,
    Text,
    delete,
    func,
    insert,
    inspect,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from ceopt.errors import StorageError
from ceopt.storage.engines import engine_of, meaning
from ceopt.storage.engines import shown as shown
from ceopt.storage.events import Event, Tip, broken_at, sealed
from ceopt.storage.log import Making

SCHEMA = 1
MAKING = 0x6365_6F70_7400  # "ceopt": the advisory lock of whoever makes the tables

tables = MetaData()
about = Table("ceopt_schema", tables, Column("version", Integer, primary_key=True, autoincrement=False))
studies = Table(
    "ceopt_studies",
    tables,
    Column("name", String(200), primary_key=True),
    Column("seq", Integer, nullable=False),  # of the last event
    Column("digest", String(64), nullable=False),
)
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


class Left(NamedTuple):
    """What can still be read of a study, and where its log is said to end."""

    events: list[Event]
    end: Tip


class Database:
    """The studies of one database."""

    def __init__(self, url: str, create: bool) -> None:
        self.url = shown(url)
        self._engine = engine_of(url, create)
        self._check_schema(create)

    @property
    def names(self) -> list[str]:
        """The names of the studies, sorted."""
        with self.reading() as connection:
            return list(connection.scalars(select(studies.c.name).order_by(studies.c.name)))

    def add(self, name: str, first: Sequence[Event]) -> SqlLog:
        """A new study with its first events, sealed already."""
        with self.writing() as connection:
            try:
                connection.execute(insert(studies).values(name=name, seq=0, digest=""))
            except IntegrityError:
                said = f"{self.url} has a study {name!r} already; load it, or take another name"
                raise StorageError(said) from None
            _write(connection, name, first)
        return SqlLog(self, name)

    def log(self, name: str) -> SqlLog:
        """The events of a study."""
        if name not in (known := self.names):
            there = f"it has {', '.join(map(repr, known))}" if known else "it has none"
            raise StorageError(f"{self.url} has no study {name!r}; {there}")
        return SqlLog(self, name)

    def whatever_is_left(self, name: str) -> Left:
        """The events of a study as they are, sound or not, up to where the database itself is damaged."""
        self.log(name)
        found: list[Event] = []
        end = Tip()
        mine = select(*COLUMNS).where(events.c.study == name).order_by(events.c.seq)
        with self.reading() as connection:
            try:
                seq, digest = connection.execute(_end(name)).one()
                end = Tip(seq, digest)
                found.extend(Event(*row) for row in connection.execute(mine))
            except SQLAlchemyError:
                pass  # nothing can be read from here on
        return Left(found, end)

    def remove(self, name: str) -> None:
        """Take a study away with all its events."""
        self.log(name)
        with self.writing() as connection:
            connection.execute(_end(name).with_for_update())
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
        except SQLAlchemyError as e:
            raise StorageError(f"{self.url} cannot be used: {meaning(e)}") from e

    def _check_schema(self, create: bool) -> None:
        with self.reading() as connection:
            known = set(inspect(connection).get_table_names())
            version = connection.scalar(select(func.max(about.c.version))) if about.name in known else None
        if about.name not in known:
            if known and self._engine.dialect.name == "sqlite":
                raise StorageError(f"{self.url} is a database of something else; take another file")
            if not create:
                raise StorageError(f"{self.url} has no studies yet; create one first")
            self._make_tables()
        elif not isinstance(version, int) or version < 1:
            raise StorageError(f"{self.url} does not say which schema it has; restore it from a copy")
        elif version > SCHEMA:
            newer = f"(schema {version}, this one knows {SCHEMA})"
            raise StorageError(f"{self.url} was written by a newer ceopt {newer}; upgrade ceopt")

    def _make_tables(self) -> None:
        """Nobody does it twice."""
        with self.writing() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(select(func.pg_advisory_xact_lock(MAKING)))
            tables.create_all(connection)
            if connection.scalar(select(about.c.version)) is None:
                connection.execute(insert(about).values(version=SCHEMA))


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
            connection.execute(_end(self._name).with_for_update())
            news = self._after(connection, tip)
            last = Tip(news[-1].seq, news[-1].digest) if news else tip
            more = sealed(last, make(news))
            _write(connection, self._name, more)
        return [*news, *more]

    def _after(self, connection: Connection, tip: Tip) -> list[Event]:
        """In one statement, so that the end fits the events whoever writes meanwhile."""
        wanted = (events.c.study == studies.c.name) & (events.c.seq > tip.seq)
        mine = select(studies.c.seq, studies.c.digest, *COLUMNS).where(studies.c.name == self._name)
        rows = connection.execute(
            mine.select_from(studies.outerjoin(events, wanted)).order_by(events.c.seq)
        ).all()
        what = f"the study {self._name!r} in {self._database.url}"
        if not rows:
            raise StorageError(f"{what} is gone; somebody has deleted it")
        found = [Event(*row[2:]) for row in rows if row[2] is not None]
        end = Tip(*rows[0][:2])
        last = Tip(found[-1].seq, found[-1].digest) if found else tip
        if not found and end != last and tip.seq:
            raise StorageError(f"{what} is no longer the one that was opened; load it again")
        place = broken_at(found, tip)
        if place is not None or end != last:
            said = f"event {last.seq + 1 if place is None else place} of {what} is damaged or missing"
            raise StorageError(f"{said}; what comes before it can be saved with ceopt recover")
        return found


def _end(name: str) -> Select[int, str]:
    return select(studies.c.seq, studies.c.digest).where(studies.c.name == name)


def _write(connection: Connection, name: str, more: Sequence[Event]) -> None:
    for one in more:
        row = {"study": name, "body": one.text, **one._asdict()}
        del row["text"]
        connection.execute(insert(events).values(**row))
    if more:
        end = {"seq": more[-1].seq, "digest": more[-1].digest}
        connection.execute(update(studies).where(studies.c.name == name).values(**end))
