"""From the text of problem.toml to a Spec, or to every reason why it is none."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from pydantic import ValidationError

from ceopt.cli.complaints import Complaint
from ceopt.cli.spec import Spec, table_at
from ceopt.errors import ProblemError, did_you_mean

Path_: TypeAlias = tuple[str | int, ...]

NOT_SAID = "\0"
"""Stands for a text that must be there and is not."""

WANTED = {
    "string_type": "a text in quotation marks",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "list_type": "a list, as in [...]",
    "dict_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
}


class Reading(NamedTuple):
    """The file as far as it could be read, and all complaints about it."""

    spec: Spec | None
    complaints: tuple[Complaint, ...]


def read_spec(path: Path) -> Reading:
    """What the file says; where some of it is wrong, what the rest says."""
    raw = toml_of(path)
    try:
        return Reading(Spec.model_validate(raw), ())
    except ValidationError as e:
        errors = e.errors(include_url=False)
    complaints = tuple(_complaint(error) for error in errors)
    try:
        rest = Spec.model_validate(_without(raw, (_place(error["loc"]) for error in errors)))
    except ValidationError:
        return Reading(None, complaints)
    return Reading(rest, complaints)


def toml_of(path: Path) -> dict[str, Any]:
    """The tables of a TOML file; what is no TOML is said in one sentence with its line."""
    raw = path.read_bytes()
    try:
        return tomllib.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as e:
        line = raw.count(b"\n", 0, e.start) + 1
        wrong = f"byte 0x{raw[e.start]:02x} in line {line}"
        raise ProblemError(f"is not UTF-8 ({wrong}); save it as UTF-8") from None
    except tomllib.TOMLDecodeError as e:
        twice = "overwrite" in str(e) or "twice" in str(e) or "mutate" in str(e)
        hint = "; a key or table may stand there only once" if twice else ""
        said = str(e)[0].lower() + str(e)[1:]
        raise ProblemError(f"is no TOML: {said}{hint}") from None


def dotted(path: Iterable[str | int]) -> str:
    """A path of keys as TOML writes it.

    >>> dotted(("variables", "beta blocker", "domain", 0))
    'variables."beta blocker".domain[0]'
    """
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{key(part)}" if text else key(part)
    return text


def key(name: str) -> str:
    """A name as a key of TOML, in quotation marks where it needs them."""
    if name and name.isascii() and all(c.isalnum() or c in "-_" for c in name):
        return name
    return text_of(name)


def text_of(value: str) -> str:
    """A text as TOML writes it."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c >= " " and c != "\x7f" else f"\\u{ord(c):04x}" for c in escaped) + '"'


def _place(loc: Path_) -> Path_:
    """Where pydantic saw an error, without the names that it gives to the forms of a domain."""
    if len(loc) > 3 and loc[0] == "variables" and loc[2] == "domain":
        return (*loc[:3], *loc[4:])
    return loc


def _complaint(error: Any) -> Complaint:
    place, kind, got = _place(error["loc"]), error["type"], error["input"]
    where = dotted(place)
    table = table_at(place[:-1])
    if kind == "extra_forbidden":
        known = tuple(table.model_fields) if table else ()
        hint = did_you_mean(place[-1], known) or f"; there are {', '.join(known)}"
        return Complaint(where, f"there is no such key{hint}")
    if kind == "missing":
        field = table.model_fields[str(place[-1])] if table else None
        return Complaint(where, f"is missing: {field.description if field else 'write it'}")
    return Complaint(where, f"wants {_wanted(error, place)}, but got {_brief(got)}{_hint(error, got)}")


def _wanted(error: Mapping[str, Any], place: Path_) -> str:
    kind, more = error["type"], error.get("ctx", {})
    if place[-1:] == ("domain",):
        return "[low, high] or {low = ..., high = ..., step = ...}"
    if kind == "literal_error":
        return str(more["expected"]).replace("'", '"')
    if kind == "greater_than_equal":
        return f"a number from {more['ge']} up"
    if kind == "too_short":
        return "at least one entry"
    return WANTED.get(kind, str(error["msg"]))


def _hint(error: Mapping[str, Any], got: object) -> str:
    if error["type"] != "literal_error" or not isinstance(got, str):
        return ""
    return did_you_mean(got, [one.strip("' ") for one in error["ctx"]["expected"].split(" or ")])


def _brief(value: object) -> str:
    kinds = {bool: "a truth value", dict: "a table", list: "a list", str: "a text"}
    text = repr(value) if not isinstance(value, bool) else str(value).lower()
    shown = text if len(text) <= 60 else text[:57] + "..."
    return f"{shown} ({kinds[type(value)]})" if type(value) in kinds else shown


def _without(raw: dict[str, Any], places: Iterable[Path_]) -> dict[str, Any]:
    """The same tables, less what stands at some places; what must be there is made up."""
    rest = deepcopy(raw)
    for place in places:
        _drop(rest, place)
        if len(place) > 2 and place[0] == "variables" and did_you_mean(place[2], ("domain", "levels")):
            rest["variables"][place[1]].setdefault("domain", [0, 1])
    made_up = {"target": NOT_SAID, "observations": NOT_SAID, "direction": "minimize"}
    return {**rest, "study": {**made_up, **rest.get("study", {})}}


def _drop(table: Any, place: Path_) -> None:
    """Take away the innermost key of a place, and with an entry of a list the whole list."""
    for part, after in zip(place, (*place[1:], None), strict=True):
        if after is None or isinstance(after, int):
            if isinstance(table, dict):
                table.pop(part, None)
            return
        table = table.get(part) if isinstance(table, dict) else None
