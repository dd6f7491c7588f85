"""What was told, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import numpy as np
import pandas as pd

from ceopt.domain.intervention import Intervention
from ceopt.domain.problem import Problem


class Told(NamedTuple):
    """A page of the diary: rows (N, V) that were told together, when, and what the experiment cost."""

    id: int
    time: datetime | None  # None: came with the observations
    intervention: Intervention
    outcomes: np.ndarray
    cost: float
    status: str
    planned: Intervention | None = None  # what had been suggested, if anything
    key: str | None = None  # the user's own name for it


def history_table(diary: Sequence[Told], problem: Problem) -> pd.DataFrame:
    """A row a sample, in the order it came; rows told together share an id."""
    pages = [page for page in diary for _ in page.outcomes]
    columns: dict[str, object] = {
        "id": np.array([page.id for page in pages], dtype=np.int64),
        "time": pd.Series([page.time for page in pages], dtype="datetime64[us, UTC]"),
        "set": pd.Series([", ".join(page.intervention.targets) for page in pages], dtype="str"),
    }
    for v in problem.manipulable:
        columns[f"do.{v}"] = [page.intervention.do.get(v, np.nan) for page in pages]
    last = {
        "cost": np.array([page.cost for page in pages], dtype=np.float64),
        "status": pd.Series([page.status for page in pages], dtype="str"),
    }
    taken = {*columns, *last}
    outcomes = np.vstack([np.empty((0, len(problem.variables))), *(page.outcomes for page in diary)])
    for v, x in zip(problem.variables, outcomes.T, strict=True):
        columns[f"measured.{v}" if v in taken else v] = x
    return pd.DataFrame({**columns, **last})
