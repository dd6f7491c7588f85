"""The gate for data frames: from the columns that people have to rows over the sorted variables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ceopt.domain.cells import Refusal, check_columns, check_frame, in_rows, is_empty, listed, numbers, say
from ceopt.domain.dataset import Dataset
from ceopt.domain.intervention import Intervention
from ceopt.domain.problem import Problem
from ceopt.errors import CeoptError, DataError

Floats = NDArray[np.float64]
LEAST = 2  # observations that a study begins with
TARGETS = "intervention_targets"
"""The optional column that says what was set in a row: empty, or names between semicolons."""


def observations_from(frame: pd.DataFrame, variables: Iterable[str]) -> Floats:
    """(n, V) finite numbers, n >= 2, with columns in the order of the sorted variables.

    >>> observations_from(pd.DataFrame({"Y": [1, 2], "X": [3.5, 4]}), ["X", "Y"]).tolist()
    [[3.5, 1.0], [4.0, 2.0]]
    """
    names = sorted(variables)
    values, targets = _read(frame, names)
    if any(targets):
        raise DataError(
            f"column {TARGETS!r} marks rows under intervention, but only observations are wanted here"
        )
    _check_observations(values, names, frame.index, LEAST)
    return values


def dataset_from(frame: pd.DataFrame, problem: Problem, least: int = LEAST) -> Dataset:
    """Observations, and outcomes where the column `intervention_targets` says that something was set."""
    names = problem.variables
    values, targets = _read(frame, names)
    seen = np.array([not one for one in targets], dtype=np.bool_)
    _check_observations(values[seen], names, frame.index[seen], least)
    rows, labels = values[~seen], frame.index[~seen]
    told = [
        _intervention(label, one, dict(zip(names, row, strict=True)), problem)
        for label, one, row in zip(labels, filter(None, targets), rows.tolist(), strict=True)
    ]
    check_measured(rows, labels, problem, DataError)
    return Dataset(names, values[seen], rows, tuple(told))


def _read(frame: pd.DataFrame, names: Sequence[str]) -> tuple[Floats, list[tuple[str, ...]]]:
    """The numbers in the columns of the variables, and what was set in each row."""
    check_frame(frame, DataError)
    check_columns(frame, [*names, TARGETS], names, DataError)
    ignored = [column for column in frame.columns if column not in names and column != TARGETS]
    if ignored:
        say(f"columns that are in no graph are ignored: {listed(ignored)}")
    return numbers(frame, names, DataError), _targets_of(frame)


def _targets_of(frame: pd.DataFrame) -> list[tuple[str, ...]]:
    """The names in each row's cell of the column `intervention_targets`."""
    if TARGETS not in frame.columns:
        return [()] * len(frame)
    targets = []
    for label, cell in zip(frame.index, frame[TARGETS].tolist(), strict=True):
        if not isinstance(cell, str) and not is_empty(cell):
            where = in_rows([label])
            raise DataError(
                f"column {TARGETS!r} holds names such as 'a;b' or nothing, but has {cell!r} {where}"
            )
        names = cell.split(";") if isinstance(cell, str) else []
        targets.append(tuple(name.strip() for name in names if name.strip()))
    return targets


def _check_observations(values: Floats, names: Sequence[str], labels: pd.Index[Any], least: int) -> None:
    """At least so many rows, without an empty cell; a constant column is only said."""
    empty = [
        f"{name!r} {in_rows(labels[np.isnan(column)])}"
        for name, column in zip(names, values.T, strict=True)
        if np.isnan(column).any()
    ]
    if empty:
        raise DataError(f"cells are empty: {', '.join(empty)}; fill them in or leave those rows out")
    if len(values) < least:
        raise DataError(f"at least two observational rows are wanted, but got {len(values)}; add some")
    constant = [name for name, column in zip(names, values.T, strict=True) if len(set(column)) == 1]
    if constant and least:
        say(f"columns that never vary teach nothing about their causes: {listed(constant)}")


def check_measured(rows: Floats, labels: pd.Index[Any], problem: Problem, refusal: Refusal) -> None:
    """Outcomes, (n, V), all have the target; what else is missing is only said."""
    names = problem.variables
    missing = np.isnan(rows)
    lost = missing[:, names.index(problem.target)]
    if lost.any():
        where = in_rows(labels[lost])
        raise refusal(f"the target {problem.target!r} was not measured {where}; an outcome needs it")
    partly = [name for name, gone in zip(names, missing.T, strict=True) if gone.any()]
    if partly:
        said = "what they might have been is averaged over"
        say(f"not measured in some outcomes: {listed(partly)}; {said}")


def _intervention(
    label: object, targets: Sequence[str], row: Mapping[str, float], problem: Problem
) -> Intervention:
    """What was set in one row of a data frame, and to what."""
    try:
        problem.check(Intervention.of(dict.fromkeys(targets, 0.0)))
        return Intervention.of({name: row[name] for name in targets})
    except CeoptError as e:
        raise DataError(f"{in_rows([label])}, column {TARGETS!r}: {e}") from None
