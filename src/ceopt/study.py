"""A study: observations, what was told, and what follows from them.  The one object that changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
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
    """A page of the diary: rows that were told together, when, and what one of them cost."""

    time: datetime | None  # None: came with the observations
    intervention: Intervention
    rows: int
    cost: float


class Study:
    """Tell it outcomes; ask it what is believed.

    Made by `ceopt.create_study`.  A refused outcome changes nothing.
    """

    def __init__(
        self, problem: Problem, observations: pd.DataFrame, name: str, mechanisms: Mechanisms
    ) -> None:
        self.problem, self.name, self.mechanisms = problem, name, mechanisms
        self._data = dataset_from(observations, problem)
        self._diary = [Told(None, do, 1, problem.price(do)) for do in self._data.interventions]
        self._learnt: Learnt | None = None
        self._belief: Belief | None = None

    def tell(
        self, *, do: Mapping[str, float], outcome: Mapping[str, float] | pd.Series | pd.DataFrame
    ) -> int:
        """Record what happened when the variables of `do` were set, one row a sample; gives their id."""
        intervention = Intervention.of(do)
        self.problem.check(intervention)
        rows = outcome_rows(outcome, intervention, self.problem)
        told = Told(datetime.now(UTC), intervention, len(rows), self.problem.price(intervention))
        self._data = self._data.with_rows([intervention] * len(rows), rows)
        self._belief = None
        self._diary.append(told)
        return len(self._diary) - 1

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
        named = _names(variables)
        targets = self._set(named)
        chosen = _grid(self.problem, targets) if levels is None else _given(levels, named, targets)
        belief, scale = self.belief, self.belief.learnt.scale
        found = belief.marginals(targets, chosen)
        mean = sign(self.problem) * scale.mean_back(self.problem.target, found.mean)
        half = INTERVAL * scale.sd_back(self.problem.target, found.sd)
        ends = {"mean": mean, "lower": mean - half, "upper": mean + half}
        columns = {f"do.{v}" if v in ends else v: x for v, x in zip(targets, chosen.T, strict=True)}
        return pd.DataFrame({**columns, **ends})

    def history(self) -> pd.DataFrame:
        """What was told, a row a sample, in the order it came; rows told together share an id.

        A measured variable whose name is taken by another column appears as "measured.NAME".
        """
        told = [(i, page) for i, page in enumerate(self._diary) for _ in range(page.rows)]
        pages = [page for _, page in told]
        columns: dict[str, object] = {
            "id": np.array([i for i, _ in told], dtype=np.int64),
            "time": pd.Series([page.time for page in pages], dtype="datetime64[us, UTC]"),
            "set": pd.Series([", ".join(page.intervention.targets) for page in pages], dtype="str"),
        }
        for v in self.problem.manipulable:
            columns[f"do.{v}"] = [page.intervention.do.get(v, np.nan) for page in pages]
        last = {
            "cost": np.array([page.cost for page in pages], dtype=np.float64),
            "status": pd.Series(["told" if page.time else "imported" for page in pages], dtype="str"),
        }
        taken = {*columns, *last}
        for v, x in zip(self.problem.variables, self._data.outcomes.T, strict=True):
            columns[f"measured.{v}" if v in taken else v] = x
        return pd.DataFrame({**columns, **last})

    def __repr__(self) -> str:
        aim = f"{self.problem.direction} {self.problem.target}"
        observed, told = len(self._data.observations), len(self._diary)
        return f"<Study {self.name!r}: {aim}, {observed} observations, {told} told>"

    def _set(self, named: tuple[str, ...]) -> tuple[str, ...]:
        """The set of the problem that is meant, whatever the order of its names."""
        known = {", ".join(one): one for one in self.problem.sets}
        meant = ", ".join(sorted(named))
        if meant not in known:
            each = "; ".join(known)
            hint = did_you_mean(meant, known)
            raise StudyError(f"{', '.join(named)!r} is not a set of this study; its sets are {each}{hint}")
        return known[meant]


def create_study(
    problem: Problem,
    *,
    observations: pd.DataFrame,
    name: str = "study",
    mechanisms: Mechanisms | None = None,
    seed: int | None = None,
) -> Study:
    """A new study in memory.

    `observations` has a column for each variable of the graphs; rows whose column `intervention_targets`
    names variables ("statin;aspirin") are past interventions. `seed` is that of all Monte Carlo in the study;
    None leaves the one of `mechanisms`.
    """
    if not isinstance(problem, Problem):
        raise ProblemError(f"create_study wants a ceopt.Problem, but got {type(problem).__name__}")
    chosen = Mechanisms() if mechanisms is None else mechanisms
    if not isinstance(chosen, Mechanisms):
        raise StudyError(f"mechanisms= is a ceopt.Mechanisms(...), but got {chosen!r}")
    if name != str(name).strip() or not name:
        raise StudyError(f"name= is a text, not empty and without spaces at its ends, but got {name!r}")
    return Study(problem, observations, name, chosen if seed is None else replace(chosen, seed=seed))


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
