"""To begin a study, to open it again, and to see which there are."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from ceopt.domain.frames import dataset_from
from ceopt.domain.problem import Cost, Problem
from ceopt.errors import ProblemError, StorageError, StudyError
from ceopt.inference.settings import Mechanisms
from ceopt.methods.method import Method
from ceopt.methods.registry import method_of
from ceopt.storage import files, records
from ceopt.storage.events import Draft, Tip, sealed
from ceopt.storage.log import Log, MemoryLog
from ceopt.storage.state import State, after
from ceopt.study import Study

STORAGE = "CEOPT_STORAGE"
DEFAULT = "sqlite:///ceopt.db"


def create_study(  # noqa: PLR0913  (these names are promised)
    problem: Problem,
    *,
    observations: pd.DataFrame,
    storage: str | None = None,
    name: str = "study",
    method: str | Method = "ceo",
    mechanisms: Mechanisms | None = None,
    seed: int | None = None,
) -> Study:
    """A new study, in memory or in a database.

    `observations` has a column for each variable of the graphs; rows whose column `intervention_targets`
    names variables ("statin;aspirin") are past interventions. `storage` is a URL such as "sqlite:///psa.db";
    None keeps the study in memory. `method` is one of `ceopt.methods`, or its name. `seed` is that of all
    Monte Carlo in the study; None leaves the one of `mechanisms`.
    """
    if not isinstance(problem, Problem):
        raise ProblemError(f"create_study wants a ceopt.Problem, but got {type(problem).__name__}")
    chosen = Mechanisms() if mechanisms is None else mechanisms
    if not isinstance(chosen, Mechanisms):
        raise StudyError(f"mechanisms= is a ceopt.Mechanisms(...), but got {chosen!r}")
    _check_name(name)
    chosen = chosen if seed is None else replace(chosen, seed=seed)
    how, data = method_of(method), dataset_from(observations, problem)
    body: records.Record = {
        "name": name,
        "problem": records.of_problem(problem),
        "data": records.of_data(data),
        "method": records.of_method(how),
        "mechanisms": records.of_mechanisms(chosen),
    }
    if storage is None:
        log: Log = MemoryLog()
        log.append(Tip(), lambda _: [Draft("created", body)])
    else:
        from ceopt.storage.sql import Database

        log = Database(storage, create=True).add(name, sealed(Tip(), [Draft("created", body)]))
    return _opened(State.start(problem, data), log, name, how, chosen)


def load_study(
    name: str,
    *,
    storage: str | None = None,
    cost: Cost | None = None,
    kernel: Any = None,
    method: str | Method | None = None,
) -> Study:
    """A study from a database; a cost function, a kernel or a method of one's own is given again.

    Without `storage` it is looked for in $CEOPT_STORAGE, or in sqlite:///ceopt.db.
    """
    from ceopt.storage.sql import Database

    log = Database(_storage(storage), create=False).log(name)
    first = log.read(Tip())[0]
    body = first.body
    if body["problem"]["cost"] is None and cost is None:
        raise StudyError(f"the cost of {name!r} is a function, which is not stored: give it again, cost=...")
    if body["problem"]["cost"] is not None and cost is not None:
        raise StudyError(f"the cost of {name!r} is stored; leave cost= out")
    settings = records.to_mechanisms(body["mechanisms"], kernel)
    how = records.to_method(body["method"], method)
    problem = records.to_problem(body["problem"], cost)
    return _opened(State.start(problem, records.to_data(body["data"])), log, name, how, settings)


def list_studies(storage: str | None = None) -> list[str]:
    """The names of the studies in a database."""
    from ceopt.storage.sql import Database

    return Database(_storage(storage), create=False).names


def delete_study(name: str, *, storage: str | None = None, sure: bool = False) -> None:
    """Take a study away for good; only with sure=True."""
    from ceopt.storage.sql import Database

    if sure is not True:
        raise StudyError(f"{name!r} and all that was told would be gone; say delete_study(..., sure=True)")
    Database(_storage(storage), create=False).remove(name)


def export_study(name: str, path: str | Path, *, storage: str | None = None) -> int:
    """Write a study into a new file, a line an event; gives their number."""
    from ceopt.storage.sql import Database

    events = Database(_storage(storage), create=False).log(name).read(Tip())
    files.written(path, events)
    return len(events)


def import_study(path: str | Path, *, name: str | None = None, storage: str | None = None) -> str:
    """Bring a study from such a file into a database, under its own name or another one."""
    from ceopt.storage.sql import Database

    events = files.read(path)
    chosen = events[0].body["name"] if name is None else name
    _check_name(chosen)
    Database(_storage(storage), create=True).add(chosen, events)
    return str(chosen)


def recover_study(name: str, path: str | Path, *, storage: str | None = None) -> files.Salvage:
    """Write what is sound of a damaged study into a new file, and say what is not.

    `import_study` makes a study of that file; the damaged one stays as it is.
    """
    from ceopt.storage.torn import whatever_is_left

    left = files.salvaged(*whatever_is_left(_storage(storage), name))
    if not left.sound:
        raise StorageError(f"nothing of {name!r} can be saved: its first event is damaged; restore a copy")
    files.written(path, left.sound)
    return left


def _opened(state: State, log: Log, name: str, method: Method, mechanisms: Mechanisms) -> Study:
    return Study(after(state, log.read(Tip())), log, name, method, mechanisms)


def _storage(storage: str | None) -> str:
    return storage or os.environ.get(STORAGE) or DEFAULT


def _check_name(name: object) -> None:
    if (
        not isinstance(name, str)
        or name != name.strip()
        or not 0 < len(name) <= 200
        or not name.isprintable()
    ):
        wanted = "a text of 1 to 200 letters on one line, without spaces at its ends"
        raise StudyError(f"name= is {wanted}, but got {name!r}")
