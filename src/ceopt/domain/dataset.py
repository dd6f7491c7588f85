"""What has been measured: observations, and outcomes of interventions (paper: D^O and D^I)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ceopt.domain.intervention import Intervention
from ceopt.errors import DataError

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Dataset:
    """Rows over the sorted variables; immutable, a told sample gives a new one.

    `outcomes` holds one row a sample, with the set levels in the set columns; NaN there means not measured.

    >>> do = Intervention.of({"X": 1})
    >>> data = Dataset(("X", "Y"), np.zeros((3, 2)), np.empty((0, 2)), ())
    >>> data = data.with_rows([do], np.array([[1.0, 5.0]]))
    >>> data.outcomes[:, data.column("Y")].tolist(), data.targeted.tolist()
    ([5.0], [[True, False]])
    """

    variables: tuple[str, ...]
    observations: Floats  # (n_O, V)
    outcomes: Floats  # (n_I, V)
    interventions: tuple[Intervention, ...]  # n_I

    def __post_init__(self) -> None:
        V = len(self.variables)
        if self.variables != tuple(sorted(set(self.variables))):
            raise DataError(f"the variables of a dataset are sorted and distinct, but got {self.variables}")
        object.__setattr__(self, "interventions", tuple(self.interventions))
        object.__setattr__(self, "observations", _frozen(self.observations, V))
        object.__setattr__(self, "outcomes", _frozen(self.outcomes, V))
        if len(self.outcomes) != len(self.interventions):
            n, m = len(self.outcomes), len(self.interventions)
            raise DataError(f"each outcome row has its intervention, but got {n} rows and {m} interventions")
        strangers = {v for do in self.interventions for v in do.targets} - set(self.variables)
        if strangers:
            raise DataError(f"interventions set {sorted(strangers)}, which are not in {self.variables}")
        if not np.isfinite(self.observations).all():
            raise DataError("observations are finite numbers; leave out rows with an empty cell")

    def column(self, name: str) -> int:
        """The column of a variable."""
        return self.variables.index(name)

    @cached_property
    def targeted(self) -> NDArray[np.bool_]:
        """(n_I, V): which entries of `outcomes` were set by intervention."""
        rows = [[v in do.targets for v in self.variables] for do in self.interventions]
        mask = np.array(rows, dtype=np.bool_).reshape(self.outcomes.shape)
        mask.setflags(write=False)
        return mask

    def with_rows(self, interventions: Sequence[Intervention], outcomes: Floats) -> Dataset:
        """These data and some more outcomes, one intervention a row."""
        both = np.concatenate([self.outcomes, _frozen(outcomes, len(self.variables))])
        return replace(self, outcomes=both, interventions=(*self.interventions, *interventions))


def _frozen(rows: Floats, columns: int) -> Floats:
    """A read-only (n, V) copy."""
    copied = np.array(rows, dtype=np.float64)
    if copied.ndim != 2 or copied.shape[1] != columns:
        raise DataError(f"rows over {columns} variables have shape (n, {columns}), but got {copied.shape}")
    copied.setflags(write=False)
    return copied
