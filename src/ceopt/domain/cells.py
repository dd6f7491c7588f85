"""Checks of a data frame: names that are columns, cells that are numbers."""

from __future__ import annotations

import inspect
import unicodedata
import warnings
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ceopt.domain.variable import as_number
from ceopt.errors import CeoptError, CeoptWarning, did_you_mean

Floats = NDArray[np.float64]
Refusal: TypeAlias = type[CeoptError]
"""The kind of error that a check raises."""

SHOWN = 5
"""How many rows a message lists before it only counts the others."""


def check_frame(frame: object, refusal: Refusal) -> None:
    """A DataFrame with at least one row."""
    if not isinstance(frame, pd.DataFrame):
        raise refusal(f"a pandas DataFrame was wanted, but got {type(frame).__name__}")
    if len(frame) == 0:
        raise refusal(f"there are no rows under the columns {listed(frame.columns)}; give at least one")


def check_columns(frame: pd.DataFrame, known: Sequence[str], wanted: Sequence[str], refusal: Refusal) -> None:
    """Every wanted name is a column; no known name is one twice, or nearly one."""
    columns = list(frame.columns)
    folded = [_folded(column) for column in columns]
    for name in known:
        if columns.count(name) > 1:
            raise refusal(f"there are {columns.count(name)} columns {name!r}; rename or drop all but one")
        like = [c for c, f in zip(columns, folded, strict=True) if f == _folded(name) and c != name]
        if like:
            both = f"column {like[0]!r} and {'column' if name in columns else 'variable'} {name!r}"
            raise refusal(f"{both} differ only by case, spaces or Unicode form; rename one of them")
    missing = [name for name in wanted if name not in columns]
    if missing:
        hints = [f"{name!r}{_rename(name, columns)}" for name in missing]
        raise refusal(f"there is no column {' and no column '.join(hints)}{_misread(columns)}")


def numbers(frame: pd.DataFrame, names: Sequence[str], refusal: Refusal) -> Floats:
    """(n, V) finite numbers, NaN where a cell is empty or a column is missing."""
    values = np.full((len(frame), len(names)), np.nan)
    for j, name in enumerate(names):
        if name in frame.columns:
            values[:, j] = _column(frame[name], refusal)
            endless = np.isinf(values[:, j])
            if endless.any():
                where = in_rows(frame.index[endless])
                raise refusal(f"column {name!r} is infinite {where}; correct or drop those rows")
    return values


def is_empty(value: Any) -> bool:
    """Whether a cell holds None, NaN or another mark of nothing."""
    return bool(pd.api.types.is_scalar(value) and pd.isna(value))


def in_rows(labels: Iterable[object]) -> str:
    """Where something was found: "in row 3", or "in rows 3, 7 and 12 more"."""
    found = list(labels)
    shown = ", ".join(str(label) for label in found[:SHOWN])
    more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    return f"in row {shown}" if len(found) == 1 else f"in rows {shown}{more}"


def listed(names: Iterable[object]) -> str:
    """'a', 'b', 'c'."""
    return ", ".join(repr(name) for name in names)


def say(text: str) -> None:
    """Something worth saying once, while the work goes on."""
    warnings.warn(text, CeoptWarning, stacklevel=_outside())


def _outside() -> int:
    """How many calls up the first line is that is not of ceopt: where a warning belongs."""
    frame, level = inspect.currentframe(), 0
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "ceopt":
        frame, level = frame.f_back, level + 1
    return max(level, 1)


def _rename(name: str, columns: Sequence[object]) -> str:
    """The tail of an error message where a column may be the one that is missed."""
    hint = did_you_mean(name, map(str, columns))
    return f"; rename {hint.removeprefix('; did you mean ').rstrip('?')}, if that is it" if hint else ""


def _misread(columns: Sequence[object]) -> str:
    """The tail of an error message where a whole line seems to have become one name."""
    whole_line = len(columns) == 1 and any(mark in str(columns[0]) for mark in ";,|\t")
    return f"; the only column is {columns[0]!r}: was it read with a wrong delimiter?" if whole_line else ""


def _folded(name: object) -> str:
    """The name without case, spaces, byte order mark or choice of Unicode form."""
    plain = unicodedata.normalize("NFKC", str(name)).casefold()
    return "".join(c for c in plain if not c.isspace() and unicodedata.category(c) != "Cf")


def _column(column: pd.Series[Any], refusal: Refusal) -> Floats:
    """(n,) numbers, NaN for an empty cell; refuses anything else by row and value."""
    if column.dtype.kind in "iuf":
        return column.to_numpy(dtype=np.float64, na_value=np.nan)
    cells = [_cell(value) for value in column.tolist()]
    bad = [i for i, cell in enumerate(cells) if cell is None]
    if bad:
        first, where = column.iloc[bad[0]], in_rows(column.index[bad])
        holds = f"{first!r} ({type(first).__name__})" + ("" if len(bad) == 1 else " and more like it")
        raise refusal(f"column {column.name!r} wants numbers, but holds {holds} {where}; {_advice(first)}")
    return np.array(cells, dtype=np.float64)


def _cell(value: Any) -> float | None:
    """The number in a cell, NaN when it is empty, None when it holds something else."""
    if isinstance(value, str):
        text = value.strip()
        if not text:
            return np.nan
        try:
            return float(text) if "_" not in text else None
        except ValueError:
            return None
    if is_empty(value):
        return np.nan
    return float(value) if isinstance(value, Decimal) else as_number(value)


def _advice(value: object) -> str:
    if isinstance(value, str):
        return "write a bare number such as 1.5, without unit, sign or decimal comma"
    if isinstance(value, (bool, np.bool_)):
        return "write 0 and 1"
    return "write it as a number, a date for example as days since a start"
