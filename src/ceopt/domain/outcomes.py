"""The gate for outcomes: what was measured under one intervention, as rows over the sorted variables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ceopt.domain.cells import check_columns, check_frame, in_rows, numbers, say
from ceopt.domain.dataset import Dataset
from ceopt.domain.frames import check_measured
from ceopt.domain.intervention import Intervention
from ceopt.domain.problem import Problem
from ceopt.domain.variable import TOLERANCE
from ceopt.errors import OutcomeError, did_you_mean

Floats = NDArray[np.float64]
FAR = 2.0  # ranges of what was seen: how far beyond them an outcome is odd
Outcome: TypeAlias = "Mapping[str, Any] | pd.Series[Any] | pd.DataFrame"
"""What was measured: one value a name, or a DataFrame with one row a sample."""


def outcome_rows(outcome: Outcome, intervention: Intervention, problem: Problem) -> Floats:
    """(n, V) rows measured under an intervention, its levels filled in; NaN where nothing was measured."""
    problem.check(intervention)
    frame, names = _as_frame(outcome, problem.target), problem.variables
    check_frame(frame, OutcomeError)
    check_columns(frame, names, [problem.target], OutcomeError)
    for column in frame.columns:
        if column not in names:
            hint = did_you_mean(column, names)
            raise OutcomeError(f"the outcome has {column!r}, which is no variable of the problem{hint}")
    values = numbers(frame, names, OutcomeError)
    set_to = np.array([intervention.do.get(name, np.nan) for name in names])
    _check_levels(values, set_to, frame.index, problem)
    values = np.where(np.isnan(set_to), values, set_to)
    check_measured(values, frame.index, problem, OutcomeError)
    return values


def say_what_is_odd(problem: Problem, data: Dataset, intervention: Intervention, rows: Floats) -> None:
    """Levels outside the domain, and targets far from all that was seen, are kept; they may be slips."""
    for name, level in intervention.do.items():
        if not problem.domain(name).contains(level):
            say(f"{name!r} was set to {level:.10g}, which is outside its domain; it is kept as told")
    j = data.column(problem.target)
    seen = np.concatenate([data.observations[:, j], data.outcomes[:, j]])
    low, high, slack = seen.min(), seen.max(), FAR * float(np.ptp(seen))
    far = rows[(rows[:, j] < low - slack) | (rows[:, j] > high + slack), j]
    if len(far) and slack > 0:
        lies = f"far from all that was seen of {problem.target!r} ({low:.4g} to {high:.4g})"
        say(f"an outcome of {far[0]:.10g} lies {lies}; it is kept as told: look whether it is a slip")


def _check_levels(values: Floats, set_to: Floats, labels: pd.Index[Any], problem: Problem) -> None:
    """A set column that is told again agrees with the level that was set."""
    for j in np.flatnonzero(~np.isnan(set_to)):
        name = problem.variables[j]
        slack = max(problem.domain(name).slack, TOLERANCE * abs(set_to[j]))
        off = np.abs(values[:, j] - set_to[j]) > slack
        if off.any():
            told, where = values[off, j][0], in_rows(labels[off])
            raise OutcomeError(
                f"{name!r} was to be set to {set_to[j]:.10g}, but the outcome says {told:.10g} {where};"
                " correct it, or tell the levels that were applied with do="
            )


def _as_frame(outcome: object, target: str) -> pd.DataFrame:
    """One row a sample."""
    if isinstance(outcome, pd.DataFrame):
        return outcome
    if isinstance(outcome, pd.Series):
        return pd.DataFrame([outcome.tolist()], columns=outcome.index)
    if not isinstance(outcome, Mapping):
        wanted = f"a mapping such as {{{target!r}: 1.5}}, a Series or a DataFrame"
        raise OutcomeError(f"an outcome is {wanted}, but got {outcome!r}")
    row = {name: _scalar(name, cell) for name, cell in outcome.items()}
    return pd.DataFrame(row, index=[0])


def _scalar(name: object, cell: object) -> object:
    """One value of a mapping."""
    value = cell.item() if isinstance(cell, np.ndarray) and cell.ndim == 0 else cell
    if not pd.api.types.is_scalar(value):
        raise OutcomeError(
            f"a mapping holds one number a name, but {name!r} is {value!r};"
            " give a DataFrame with one row a sample"
        )
    return value
