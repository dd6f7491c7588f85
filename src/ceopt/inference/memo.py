"""Effects that have been worked out once: for each key and each level of a set."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ceopt.inference.effects import Effects
from ceopt.maths.gp import Floats

Simulation: TypeAlias = Callable[[NDArray[np.intp], Floats], Effects]
"""Keys and levels (L, d) -> their effects; a pure function."""


class Memo:
    """What a pure function gave before; only its speed depends on what was asked."""

    def __init__(self, keys: int) -> None:
        self._column: dict[tuple[float, ...], int] = {}
        self._parts = np.full((3, keys, 0), np.nan)  # E, F and N

    def effects(self, keys: NDArray[np.intp], levels: Floats, simulate: Simulation) -> Effects:
        """The effects of these keys at levels (L, d); only what is not known yet is simulated."""
        columns = np.array([self._column_of(x) for x in map(tuple, levels.tolist())], dtype=np.intp)
        self._widen()
        unknown = np.isnan(self._parts[0][np.ix_(keys, columns)])
        if unknown.any():
            rows, (fresh, first) = keys[unknown.any(axis=1)], np.unique(columns, return_index=True)
            wanted = unknown.any(axis=0)[first]
            found = simulate(rows, levels[first[wanted]])
            self._parts[:, rows[:, None], fresh[wanted]] = np.stack(found[1:])
        return Effects(keys, *self._parts[:, keys[:, None], columns])

    def _column_of(self, level: tuple[float, ...]) -> int:
        return self._column.setdefault(level, len(self._column))

    def _widen(self) -> None:
        """Room for every level named so far, twice as much as is needed."""
        _, keys, room = self._parts.shape
        if len(self._column) > room:
            more = np.full((3, keys, 2 * len(self._column) - room), np.nan)
            self._parts = np.concatenate([self._parts, more], axis=2)
