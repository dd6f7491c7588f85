"""What many commands share: their options, the words of a call, and the study that is meant."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from shlex import quote
from typing import TYPE_CHECKING

import click

from ceopt.errors import CeoptError, StorageError, StudyError, did_you_mean

if TYPE_CHECKING:
    from ceopt.study import Study

DEFAULT = "sqlite:///ceopt.db"


def _known_names(context: click.Context, _: click.Parameter, begun: str) -> list[str]:
    """The names of studies that begin so, for the completion of a shell."""
    from ceopt.studies import list_studies

    try:
        known = list_studies(context.params.get("storage"))
    except CeoptError:
        return []
    return [name for name in known if name.startswith(begun)]


the_study = click.argument("name", shell_complete=_known_names)
in_storage = click.option(
    "--storage",
    metavar="URL",
    envvar="CEOPT_STORAGE",
    default=DEFAULT,
    show_default=f"$CEOPT_STORAGE, else {DEFAULT}",
    is_eager=True,
    help="The database, such as sqlite:///psa.db or postgresql+psycopg://user@host/name.",
)
as_json_too = click.option("--json", "as_json", is_flag=True, help="Print JSON, errors too.")
a_file = click.Path(exists=True, dir_okay=False)
new_file = click.Path(dir_okay=False)


def opened(name: str, storage: str) -> Study:
    """The study of that name; nothing is made."""
    from ceopt.studies import load_study

    check_known(name, storage)
    return load_study(name, storage=storage)


def call_of(command: str, name: str, storage: str) -> str:
    """How another command is called for the same study."""
    usual = storage in (DEFAULT, os.environ.get("CEOPT_STORAGE"))
    return f"ceopt {command} {quote(name)}" + ("" if usual else f" --storage {quote(_shown(storage))}")


def check_known(name: str, storage: str) -> None:
    """Refuse the name of a study that is not there."""
    from ceopt.studies import list_studies

    known = list_studies(storage)
    if name not in known:
        there = f"there are {', '.join(map(repr, known))}" if known else "there is none"
        hint = did_you_mean(name, known)
        raise StudyError(f"there is no study {name!r} in {_shown(storage)}; {there}{hint}")


def check_new(name: str, storage: str) -> None:
    """Refuse the name of a study that is there already."""
    if name in names_in(storage):
        raise StudyError(f"{_shown(storage)} has a study {name!r} already; take another name, or delete it")


def names_in(storage: str) -> list[str]:
    """The names of the studies there; none where nothing can be read, as whoever writes will say why."""
    from ceopt.studies import list_studies

    try:
        return list_studies(storage)
    except StorageError:
        return []


def levels_of(texts: Iterable[str]) -> dict[str, float]:
    """Levels by name, from "statin=0.9" or "statin=0.9,aspirin=1".

    >>> levels_of(["statin=0.9,aspirin=1", "age=61"])
    {'statin': 0.9, 'aspirin': 1.0, 'age': 61.0}
    """
    return numbers_of(part for text in texts for part in text.split(","))


def numbers_of(texts: Iterable[str]) -> dict[str, float]:
    """Numbers by name, from "psa=5.1"."""
    found: dict[str, float] = {}
    for text in texts:
        name, equals, number = (part.strip() for part in text.partition("="))
        if not equals or not name:
            raise click.UsageError(f"{text!r} is not NAME=NUMBER; numbers have a point, not a comma.")
        if name in found:
            raise StudyError(f"{name!r} is given more than once; give it once")
        found[name] = _number(text, number)
    return found


def _number(text: str, number: str) -> float:
    try:
        value = float(number) if "_" not in number else math.nan
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise StudyError(
            f"{text!r} wants a finite number such as 1.5 after the sign, without unit or decimal comma;"
            " leave out what was not measured"
        )
    return value


def _shown(storage: str) -> str:
    """A URL without its password."""
    from sqlalchemy.engine import make_url

    return make_url(storage).render_as_string(hide_password=True)
