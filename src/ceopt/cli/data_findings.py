"""What is wrong with the observations of a spec, column by column."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ceopt.cli.complaints import Complaint, refusals
from ceopt.cli.csv_file import read_table
from ceopt.domain.cells import check_columns, in_rows, numbers
from ceopt.domain.frames import TARGETS, observations_from
from ceopt.errors import CeoptError, DataError, did_you_mean

if TYPE_CHECKING:
    import pandas as pd

    from ceopt.cli.spec import Spec


def observations_of(path: Path) -> pd.DataFrame:
    """The table of observations."""
    if not path.is_file():
        near = did_you_mean(path.name, [one.name for one in path.parent.glob("*.csv")])
        raise DataError(f"there is no file {str(path)!r}; name it relative to the spec{near}")
    return read_table(path)


def data_complaints(frame: pd.DataFrame, spec: Spec, file: str) -> Iterator[Complaint]:
    """Every column that cannot be used, and why."""
    yield from refusals(file, lambda: check_columns(frame, [TARGETS], [], DataError))
    sound: list[str] = []
    for name in sorted(spec.variables):
        try:
            check_columns(frame, [name], [name], DataError)
            numbers(frame, [name], DataError)
        except CeoptError as e:
            yield Complaint(file, str(e))
        else:
            sound.append(name)
    if list(frame.columns).count(TARGETS) > 1:
        return
    was_set = _was_set(frame)
    if sound:
        yield from refusals(file, lambda: observations_from(frame.loc[~was_set, sound], sound))
    yield from _about_targets(frame.loc[was_set], spec, file)


def _was_set(frame: pd.DataFrame) -> np.ndarray:
    """The rows in which something was set, (n,)."""
    if TARGETS not in frame.columns:
        return np.zeros(len(frame), dtype=np.bool_)
    return np.array([bool(cell.replace(";", "").strip()) for cell in frame[TARGETS]], dtype=np.bool_)


def _about_targets(rows: pd.DataFrame, spec: Spec, file: str) -> Iterator[Complaint]:
    can_be_set = sorted(name for name, one in spec.variables.items() if one.is_set)
    wrong: dict[str, list[object]] = {}
    for label, cell in zip(rows.index, rows[TARGETS].tolist() if len(rows) else (), strict=True):
        for name in filter(None, map(str.strip, cell.split(";"))):
            if name not in can_be_set:
                wrong.setdefault(name, []).append(label)
    for name, labels in wrong.items():
        hint = did_you_mean(name, can_be_set)
        what = f"column {TARGETS!r} names {name!r} {in_rows(labels)}, which has no domain{hint}"
        yield Complaint(file, what)


def data_warnings(frame: pd.DataFrame, spec: Spec) -> Iterator[str]:
    """What is worth a look though nothing is wrong with it."""
    from ceopt.cli.posing import domain_of

    names = sorted(spec.variables)
    again = frame.index[frame.duplicated(subset=names)]
    if len(again):
        yield f"rows that repeat an earlier one: {in_rows(again)}"
    for name, one in spec.variables.items():
        if one.is_set:
            seen = numbers(frame, [name], DataError)
            low, high = float(np.nanmin(seen)), float(np.nanmax(seen))
            domain, far = domain_of(name, one), (high - low) / 2
            if domain.low < low - far or domain.high > high + far:
                asked = f"{domain.low:g} to {domain.high:g}"
                yield (
                    f"the domain of {name!r}, {asked}, goes far beyond what is in the data,"
                    f" {low:g} to {high:g}: predictions there are guesses until experiments come"
                )
