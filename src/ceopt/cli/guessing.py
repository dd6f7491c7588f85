"""What a table of observations suggests about its columns."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ceopt.cli.csv_file import read_table
from ceopt.cli.spec_file import text_of
from ceopt.domain.cells import check_columns, numbers
from ceopt.domain.frames import TARGETS
from ceopt.domain.graph import check_name
from ceopt.errors import CeoptError, DataError

FEW = 5  # so many distinct values or fewer look like levels
MOST_GRAPHS = 5_000  # undecided pairs are guessed until there could be so many graphs


class Columns(NamedTuple):
    """Columns of numbers with their finite values, and what was set in the past."""

    names: tuple[str, ...]
    numeric: Mapping[str, NDArray[np.float64]]  # (n,) each, NaN where empty
    was_set: tuple[str, ...]

    @property
    def left_out(self) -> list[str]:
        """Columns that cannot be variables."""
        return [name for name in self.names if name not in self.numeric and name != TARGETS]


class Guess(NamedTuple):
    """What has been asked or given."""

    name: str
    target: str
    direction: str
    can_be_set: tuple[str, ...]


def columns_of(path: Path) -> Columns:
    """The columns of a CSV file."""
    frame = read_table(path)
    numeric = {}
    for name in dict.fromkeys(frame.columns):
        if name != TARGETS:
            try:
                check_name(name)
                check_columns(frame, [name], [name], DataError)
                numeric[name] = numbers(frame, [name], DataError)[:, 0]
            except CeoptError:
                continue
    cells = frame[TARGETS].tolist() if list(frame.columns).count(TARGETS) == 1 else []
    was_set = {one.strip() for cell in cells for one in cell.split(";")} - {""}
    return Columns(tuple(frame.columns), numeric, tuple(sorted(was_set & numeric.keys())))


def domain_line(values: NDArray[np.float64]) -> str:
    """The observed range, as TOML has it; few distinct values as levels."""
    seen = np.unique(values[np.isfinite(values)])
    if len(seen) < 2:
        low = float(seen[0]) if len(seen) else 0.0
        return f"domain = [{low:.4g}, {low + 1:.4g}]  # it never varies in the data: say how far it can go"
    if len(seen) <= FEW:
        return f"levels = [{', '.join(f'{x:.10g}' for x in seen.tolist())}]"
    low, high = _outward(float(seen[0]), float(seen[-1]))
    return f"domain = [{low:.10g}, {high:.10g}]"


def _outward(low: float, high: float) -> tuple[float, float]:
    """The range, rounded outward to a hundredth of its length or so."""
    step = 10.0 ** math.floor(math.log10((high - low) / 20))
    return round(math.floor(low / step) * step, 12), round(math.ceil(high / step) * step, 12)


def undecided_lines(columns: Columns, guess: Guess) -> tuple[list[str], list[str]]:
    """What to leave undecided, and what to leave out lest there be too many graphs."""
    kept: list[str] = []
    dropped: list[str] = []
    graphs = 1
    for text, states in _pairs(columns, guess):
        if graphs * states <= MOST_GRAPHS and not dropped:
            kept.append(text)
            graphs *= states
        else:
            dropped.append(text)
    return kept, dropped


def _pairs(columns: Columns, guess: Guess) -> list[tuple[str, int]]:
    """Each pair as a statement with its number of states: those with the target first, then the tightest."""
    others = [name for name in columns.numeric if name != guess.target]
    first = sorted(others, key=lambda name: name not in guess.can_be_set)
    pairs = sorted(combinations(others, 2), key=lambda pair: -_tie(*(columns.numeric[v] for v in pair)))
    return [
        *((text_of(f"{name} ?> {guess.target}"), 2) for name in first),
        *((text_of(f"{a} - {b}"), 3) for a, b in pairs),
    ]


def _tie(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """How tightly two columns go together: |correlation|, 0 where it cannot be said."""
    both = np.isfinite(a) & np.isfinite(b)
    if both.sum() < 3 or np.ptp(a[both]) == 0 or np.ptp(b[both]) == 0:
        return 0.0
    return abs(float(np.corrcoef(a[both], b[both])[0, 1]))
