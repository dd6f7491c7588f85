"""A PostgreSQL of our own, for the length of a test run: on loopback, in a folder that goes away."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import sqlalchemy

INSTALL = "apt-get install --no-install-recommends postgresql, then pip install 'ceopt[postgres]'"
NUMBERS = count()


def missing() -> str | None:
    """Why no server can be started; None when one can."""
    if find_spec("psycopg") is None:
        return f"psycopg is not installed: {INSTALL}"
    if _tool("initdb") is None or _tool("pg_ctl") is None:
        return f"neither on PATH nor in /usr/lib/postgresql are initdb and pg_ctl: {INSTALL}"
    if os.geteuid() == 0 and shutil.which("runuser") is None:
        return "it does not run as root, and there is no runuser: run the tests as another user"
    return None


def _tool(name: str) -> str | None:
    known = Path("/usr/lib/postgresql").glob(f"*/bin/{name}")
    newest = sorted(known, key=lambda path: [int(part) for part in re.findall(r"\d+", str(path))])
    return shutil.which(name) or (str(newest[-1]) if newest else None)


@contextmanager
def server() -> Iterator[str]:
    """The start of the URLs of its databases."""
    folder = tempfile.mkdtemp(prefix="pg", dir="/tmp")  # a short name: it holds a socket
    as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    if as_user:
        shutil.chown(folder, "postgres")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    def run(tool: str, *arguments: str) -> None:
        command = [*as_user, str(_tool(tool)), "-D", f"{folder}/data", *arguments]
        # into a file: a server keeps its output open, and a pipe would never end
        with Path(folder, f"{tool}.log").open("a") as log:
            done = subprocess.run(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd="/")
        assert done.returncode == 0, Path(folder, f"{tool}.log").read_text()

    settings = (
        f"-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories={folder} -c fsync=off"
    )
    try:
        run("initdb", "-A", "trust", "-N", "-U", "ceopt", "-E", "UTF8", "--locale=C")
        run("pg_ctl", "-w", "-l", f"{folder}/server.log", "-o", settings, "start")
        try:
            yield f"postgresql+psycopg://ceopt@127.0.0.1:{port}/"
        finally:
            run("pg_ctl", "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def databases() -> Iterator[Callable[[], str]]:
    """A function that makes an empty database and gives its URL."""
    with server() as start:
        engine = sqlalchemy.create_engine(f"{start}postgres", isolation_level="AUTOCOMMIT")

        def make() -> str:
            name = f"lab{next(NUMBERS)}"
            with engine.connect() as connection:
                connection.exec_driver_sql(f"CREATE DATABASE {name}")
            return f"{start}{name}"

        try:
            yield make
        finally:
            engine.dispose()
