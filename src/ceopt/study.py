"""A study: observations, what was told, and what follows from them.  The one object that changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from ceopt.domain.frames import dataset_from
from ceopt.domain.intervention import Intervention
from ceopt.domain.orientation import sign
from ceopt.domain.outcomes import outcome_rows
from ceopt.domain.problem import Problem
from ceopt.errors import ProblemError, StudyError, did_you_mean
from ceopt.inference.settings import Mechanisms

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ceopt.inference.belief import Belief
    from ceopt.inference.learnt import Learnt

LEVELS = {1: 51, 2: 21, 3: 9, 4: 5, 5: 3, 6: 3}  # a variable, shown by `effect` by default; else 2
INTERVAL = 1.6448536269514722  # standard deviations either side of a mean that hold 90 %


class Told(NamedTuple):
    """One row of the diary: which told rows belong together, when they came, and what they cost."""

    id: int
    time: datetime | None  # None: came with the observations
    intervention: Intervention
    rows: slice


class Study:
    """Tell it outcomes; ask it what is believed.

    Made by `ceopt.create_study`.  A refused outcome changes nothing.
    """

    def __init__(
        self, problem: Problem, observations: pd.DataFrame, name: str, mechanisms: Mechanisms, seed: int
    ) -> None:
        self.problem, self.name, self.mechanisms, self.seed = problem, name, mechanisms, seed
        self._data = dataset_from(observations, problem)
        self._diary = [Told(i, None, do, slice(i, i + 1)) for i, do in enumerate(self._data.interventions)]
        self._learnt: Learnt | None = None
        self._belief: Belief | None = None

    def tell(
        self, *, do: Mapping[str, float], outcome: Mapping[str, float] | pd.Series | pd.DataFrame
    ) -> int:
        """Record what happened when the variables of `do` were set: one row a sample; gives the row's id."""
        intervention = Intervention.of(do)
        self.problem.check(intervention)
        rows = outcome_rows(outcome, intervention, self.problem)
        start, count = len(self._data.outcomes), len(rows)
        data = self._data.with_rows([intervention] * count, rows)
        told = Told(len(self._diary), datetime.now(UTC), intervention, slice(start, start + count))
        self._data, self._belief = data, None
        self._diary.append(told)
        return told.id

    @property
    def belief(self) -> Belief:
        """Everything that is believed given what was told; worked out when it is first needed."""
        from ceopt.inference.belief import infer  # heavy, and not needed to tell
        from ceopt.inference.learnt import learn

        if self._learnt is None:
            self._learnt = learn(self.problem, self._data, self.mechanisms)
        if self._belief is None:
            self._belief = infer(self.problem, self._data, self._learnt)
        return self._belief

    def graph_posterior(self) -> pd.Series[float]:
        """P(G | D), largest first, by the text of the graph."""
        graphs = self.belief.graphs
        names = pd.Index([graph.text for graph in graphs.graphs], name="graph")
        posterior = pd.Series(graphs.probabilities, index=names, name="probability")
        return posterior.sort_values(ascending=False, kind="stable")

    def edge_probabilities(self) -> pd.DataFrame:
        """P(cause -> effect | D): a row a cause, a column an effect."""
        graphs = self.belief.graphs
        index = pd.Index(graphs.variables, name="cause")
        columns = pd.Index(graphs.variables, name="effect")
        return pd.DataFrame(graphs.edge_probabilities(), index=index, columns=columns)

    def effect(
        self, variables: str | Sequence[str], levels: pd.DataFrame | ArrayLike | None = None
    ) -> pd.DataFrame:
        """E[target | do(variables = level)]: a row a level, with a 90 % interval for the mean.

        Without `levels` they are spread over the domain; an array has a column for each variable as named.
        """
        targets = self._set(variables)
        named = (variables,) if isinstance(variables, str) else tuple(variables)
        chosen = _grid(self.problem, targets) if levels is None else _given(levels, named, targets)
        belief, scale = self.belief, self.belief.learnt.scale
        found = belief.marginals(targets, chosen)
        mean = sign(self.problem) * scale.mean_back(self.problem.target, found.mean)
        half = INTERVAL * scale.sd_back(self.problem.target, found.sd)
        columns = dict(zip(targets, chosen.T, strict=True))
        return pd.DataFrame({**columns, "mean": mean, "lower": mean - half, "upper": mean + half})

    def history(self) -> pd.DataFrame:
        """What was told, a row a sample, in the order it came."""
        problem, data = self.problem, self._data
        told = [entry for entry in self._diary for _ in range(entry.rows.stop - entry.rows.start)]
        frame = pd.DataFrame(
            {
                "id": np.array([entry.id for entry in told], dtype=np.int64),
                "time": pd.Series([entry.time for entry in told], dtype="datetime64[us, UTC]"),
                "set": pd.Series([", ".join(entry.intervention.targets) for entry in told], dtype="str"),
            }
        )
        for name in problem.manipulable:
            frame[f"do.{name}"] = [entry.intervention.do.get(name, np.nan) for entry in told]
        for name in problem.variables:
            frame[name] = data.outcomes[:, data.column(name)]
        frame["cost"] = [problem.price(entry.intervention) for entry in told]
        frame["status"] = pd.Series(["imported" if e.time is None else "told" for e in told], dtype="str")
        return frame

    def __repr__(self) -> str:
        aim = f"{self.problem.direction} {self.problem.target}"
        observed, told = len(self._data.observations), len(self._diary)
        return f"<Study {self.name!r}: {aim}, {observed} observations, {told} told>"

    def _set(self, variables: str | Sequence[str]) -> tuple[str, ...]:
        """The set of the problem that is meant, whatever the order of its names."""
        named = (variables,) if isinstance(variables, str) else tuple(variables)
        targets = tuple(sorted(named))
        if targets not in self.problem.sets:
            known = ", ".join("(" + ", ".join(one) + ")" for one in self.problem.sets)
            raise StudyError(
                f"({', '.join(map(str, named))}) is not a set of this study; its sets are {known}"
            )
        return targets


def create_study(
    problem: Problem,
    *,
    observations: pd.DataFrame,
    name: str = "study",
    mechanisms: Mechanisms | None = None,
    seed: int = 0,
) -> Study:
    """A new study in memory.

    `observations` has a column for each variable of the graphs; rows whose column `intervention_targets`
    names variables ("statin;aspirin") are past interventions.
    """
    if not isinstance(problem, Problem):
        raise ProblemError(f"create_study wants a ceopt.Problem, but got {type(problem).__name__}")
    return Study(problem, observations, name, mechanisms or Mechanisms(), seed)


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
