"""A kill storm: writers that tell and are killed at any moment, again and again, and what is left after."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path
from typing import NamedTuple

import ceopt
from ceopt.errors import StorageError
from tests.storage.processes import ended, forked, killed
from tests.storage.worlds import create, tell

WRITERS = 4
NAME = "storm"


class Toll(NamedTuple):
    """What a storm did."""

    kills: int
    acknowledged: int  # tells that returned
    kept: int  # and those that are in the log: a few more, as some were killed in between
    lost: int  # acknowledged, and not in the log: must be 0
    doubled: int  # in the log more than once: must be 0
    refused: int  # said to be busy
    longest: float  # seconds until a new tell was acknowledged, afterwards


def storm(url: str, folder: Path, seconds: float, seed: int = 0) -> Toll:
    """Tell from several processes, kill one at random every now and then, start it again; then look."""
    create(url, NAME)
    dice = random.Random(seed)
    books = [folder / f"acknowledged {me}" for me in range(WRITERS)]
    crew = [_writer(url, me, book) for me, book in enumerate(books)]
    until, kills = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        time.sleep(dice.uniform(0.0, 0.25))
        me = dice.randrange(WRITERS)
        killed(crew[me])
        kills += 1
        crew[me] = _writer(url, me, books[me])
    for child in crew:
        killed(child)
    return _toll(url, books, kills)


def _writer(url: str, me: int, book: Path) -> int:
    """A process that tells until it is killed, and writes down what was acknowledged, in its own file."""

    def write() -> None:
        study = ceopt.load_study(NAME, storage=url)
        mine = [page.key for page in study._now.diary if str(page.key).startswith(f"{me} ")]
        out = os.open(book, os.O_CREAT | os.O_APPEND | os.O_WRONLY)
        for k in range(len(mine), 1_000_000):
            key = f"{me} {k}"
            try:
                tell(study, float(k), key=key)
                tell(study, float(k), key=key)  # as after an answer that never came
            except StorageError as e:
                os.write(out, f"refused: {e}\n".encode())
            else:
                os.write(out, f"{key}\n".encode())

    return forked(write)


def _toll(url: str, books: list[Path], kills: int) -> Toll:
    lines = [line for book in books if book.exists() for line in book.read_text().splitlines()]
    refused = [line for line in lines if line.startswith("refused: ")]
    acknowledged = set(lines) - set(refused)
    began = time.monotonic()
    assert ended(forked(lambda: tell(ceopt.load_study(NAME, storage=url), -1.0, key="after"))) == 0
    longest = time.monotonic() - began
    study = ceopt.load_study(NAME, storage=url)  # every seal is checked
    keys = [page.key for page in study._now.diary if page.key != "after"]
    assert len(study.audit()) == len(keys) + 2
    strange = [line for line in refused if "try again" not in line]
    assert not strange, strange[0]
    lost, doubled = acknowledged - set(keys), len(keys) - len(set(keys))
    return Toll(kills, len(acknowledged), len(keys), len(lost), doubled, len(refused), longest)
