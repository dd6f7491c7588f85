"""E[target | do(set = level)] as a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ceopt.answers.units import INTERVAL, Target
from ceopt.domain.problem import Problem
from ceopt.errors import StudyError, did_you_mean
from ceopt.inference.belief import Belief

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

LEVELS = {1: 51, 2: 21, 3: 9, 4: 5, 5: 3, 6: 3}  # a variable, shown by default; else 2


def effect_table(
    belief: Belief, variables: str | Sequence[str], levels: pd.DataFrame | ArrayLike | None
) -> pd.DataFrame:
    """A row a level, with a 90 % interval for the mean; without levels they are spread over the domain."""
    problem, named = belief.problem, _names(variables)
    targets = set_of(problem, named)
    chosen = _grid(problem, targets) if levels is None else _given(levels, named, targets)
    found, target = belief.marginals(targets, chosen), Target(belief)
    mean, half = target.mean(found.mean), INTERVAL * target.sd(found.sd)
    ends = {"mean": mean, "lower": mean - half, "upper": mean + half}
    columns = {f"do.{v}" if v in ends else v: x for v, x in zip(targets, chosen.T, strict=True)}
    return pd.DataFrame({**columns, **ends})


def set_of(problem: Problem, named: tuple[str, ...]) -> tuple[str, ...]:
    """The set of the problem that is meant, whatever the order of its names."""
    known = {", ".join(one): one for one in problem.sets}
    meant = ", ".join(sorted(named))
    if meant not in known:
        each = "; ".join(known)
        hint = did_you_mean(meant, known)
        raise StudyError(f"{', '.join(named)!r} is not a set of this study; its sets are {each}{hint}")
    return known[meant]


def _names(variables: object) -> tuple[str, ...]:
    """A name or several as a tuple."""
    if isinstance(variables, str):
        return (variables,)
    if isinstance(variables, Mapping) or not isinstance(variables, Iterable):
        wanted = "effect wants a name or a list of names; levels go into levels=[...]"
        raise StudyError(f"{wanted}, but got {variables!r}")
    return tuple(map(str, variables))


def _grid(problem: Problem, targets: tuple[str, ...]) -> np.ndarray:
    """Levels spread over the domain of a set, (L, d)."""
    each = [problem.domain(v).grid(LEVELS.get(len(targets), 2)) for v in targets]
    return np.stack(np.meshgrid(*each, indexing="ij"), axis=-1).reshape(-1, len(targets))


def _given(levels: pd.DataFrame | ArrayLike, named: tuple[str, ...], targets: tuple[str, ...]) -> np.ndarray:
    """The user's levels as (L, d) finite numbers, in the order of `targets`."""
    wanted = (
        f"levels= is a DataFrame with columns {', '.join(targets)}, or an array with {len(targets)} column(s)"
    )
    if isinstance(levels, pd.DataFrame):
        absent = [v for v in targets if v not in levels.columns]
        if absent:
            raise StudyError(
                f"{wanted}; the frame has no column {absent[0]!r}{did_you_mean(absent[0], map(str, levels))}"
            )
        levels, named = levels[list(targets)], targets
    try:
        values = np.asarray(levels, dtype=np.float64)
    except (TypeError, ValueError):
        raise StudyError(f"{wanted}, all numbers, but got {levels!r}") from None
    if values.ndim < 2:
        values = values.reshape(-1, 1) if len(named) == 1 else values.reshape(1, -1)
    if values.ndim != 2 or values.shape[1] != len(named) or not np.isfinite(values).all():
        raise StudyError(f"{wanted}, all finite, but got shape {np.shape(levels)}")
    return values[:, [named.index(v) for v in targets]]
