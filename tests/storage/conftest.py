"""Where studies are kept: in memory, in SQLite, and in a real PostgreSQL where there is one."""

import os
import tempfile
from pathlib import Path

import pytest

from tests.storage import postgresql
from tests.storage.worlds import NAMES, Place, create


@pytest.fixture
def tmp_path(tmp_path):
    """In memory where there is a place for it: what is tested here does not hang on how fast a disk is."""
    if not os.access("/dev/shm", os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(prefix="ceopt", dir="/dev/shm") as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def new_database():
    """A function that makes an empty PostgreSQL database."""
    if reason := postgresql.missing():
        pytest.skip(f"PostgreSQL: {reason}")
    with postgresql.databases() as make:
        yield make


@pytest.fixture(scope="session")
def team(new_database):
    """A PostgreSQL database that tests share; each has a study of its own name."""
    return new_database()


@pytest.fixture(scope="session")
def swept(new_database):
    """A PostgreSQL database that is emptied after each test."""
    return new_database()


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request, tmp_path):
    """An empty database of each kind."""
    if request.param == "sqlite":
        yield Place("sqlite", f"sqlite:///{tmp_path}/studies.db")
        return
    found = Place("postgresql", request.getfixturevalue("swept"))
    yield found
    found.clear()


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def study(request, tmp_path):
    """A new study, wherever studies can be."""
    if request.param == "memory":
        return create(None)
    if request.param == "sqlite":
        return create(f"sqlite:///{tmp_path}/studies.db")
    return create(request.getfixturevalue("team"), next(NAMES))


@pytest.fixture
def sqlite(tmp_path):
    """An empty SQLite database."""
    return Place("sqlite", f"sqlite:///{tmp_path}/studies.db")


def pytest_terminal_summary(terminalreporter):
    """What was not tested is not passed over."""
    if reason := postgresql.missing():
        terminalreporter.section("PostgreSQL WAS NOT TESTED", red=True, bold=True)
        terminalreporter.line(reason)
