"""A study: observations, what was told, and what follows from them.  The one object that changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, overload

import pandas as pd

from ceopt.answers.graph_tables import edge_table, posterior_series
from ceopt.answers.history_table import Told, history_table
from ceopt.answers.limits import check_counts, check_limits, numbers, seed_of
from ceopt.domain.frames import dataset_from
from ceopt.domain.intervention import Intervention
from ceopt.domain.orientation import oriented
from ceopt.domain.outcomes import outcome_rows, say_what_is_odd
from ceopt.domain.problem import Problem
from ceopt.errors import ProblemError, StudyError
from ceopt.inference.settings import Mechanisms

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ceopt.answers.experiment import SystemLike
    from ceopt.answers.recommendation import Recommendation
    from ceopt.answers.status import Status
    from ceopt.answers.suggestion import Suggestion
    from ceopt.domain.outcomes import Outcome
    from ceopt.inference.belief import Belief
    from ceopt.inference.learnt import Learnt
    from ceopt.methods.method import Method


class Study:
    """Ask it what to do next; tell it what came of it; ask it what is believed, and what is best.

    Made by `ceopt.create_study`.  A refused outcome changes nothing.
    """

    def __init__(
        self, problem: Problem, observations: pd.DataFrame, name: str, method: Method, mechanisms: Mechanisms
    ) -> None:
        self.problem, self.name, self.method, self.mechanisms = problem, name, method, mechanisms
        self._data = dataset_from(observations, problem)
        self._diary = [
            Told(i, None, do, 1, problem.price(do)) for i, do in enumerate(self._data.interventions)
        ]
        self._open: dict[int, Suggestion] = {}
        self._learnt: Learnt | None = None
        self._belief: Belief | None = None

    @overload
    def ask(self, *, samples: int = 1) -> Suggestion: ...

    @overload
    def ask(self, n: int, *, samples: int = 1) -> list[Suggestion]: ...

    def ask(self, n: int | None = None, *, samples: int = 1) -> Suggestion | list[Suggestion]:
        """What to do next: one suggestion, or with n a list of as many to be done side by side.

        Suggestions that are still open are taken into account. `samples` is the number of rows that you mean
        to measure under the intervention.
        """
        check_counts(n=1 if n is None else n, samples=samples)
        made = [self._suggest(samples) for _ in range(n or 1)]
        return made[0] if n is None else made

    def tell(
        self,
        suggestion: Suggestion | int | None = None,
        outcome: Outcome | None = None,
        *,
        do: Mapping[str, float] | None = None,
    ) -> int:
        """Record what happened, one row a sample; gives the id under which `history` has it.

        Either a suggestion (or its id) and its outcome, or `do=` and `outcome=` without having asked.
        """
        from ceopt.answers.suggestion import still_open

        if (suggestion is None) == (do is None) or outcome is None:
            raise StudyError("tell wants a suggestion and its outcome, or do={...} and outcome=")
        ids = {page.id for page in self._diary}
        asked = None if suggestion is None else still_open(suggestion, self._open, ids)
        intervention = Intervention.of(do or {}) if asked is None else asked.intervention
        number = self._next_id if asked is None else asked.id
        self.problem.check(intervention)
        rows = outcome_rows(outcome, intervention, self.problem)
        told = Told(number, datetime.now(UTC), intervention, len(rows), self.problem.price(intervention))
        say_what_is_odd(self.problem, self._data, intervention, rows)
        self._data = self._data.with_rows([intervention] * len(rows), rows)
        self._belief = None
        self._diary.append(told)
        self._open.pop(number, None)
        return number

    def best(self) -> Recommendation:
        """What to do for good, as far as is known."""
        from ceopt.answers.recommendation import recommended

        with numbers():
            return recommended(self.belief, self.method.believe(self.belief), self._dice())

    def optimize(
        self,
        system: SystemLike,
        *,
        trials: int | None = None,
        budget: float | None = None,
        samples: int = 1,
        progress: bool = True,
    ) -> Recommendation:
        """Ask, run the system, tell, until so many trials were told in all, or so much was spent in all.

        Both are totals over the life of the study, so the same call again goes on where this one stopped.
        A system is a function of {name: level} that gives one row or several, or one of `ceopt.problems`.
        """
        from ceopt.answers.experiment import progress_bar, run

        check_limits(trials, budget)
        check_counts(samples=samples)
        total, done = (trials, self.trials) if trials is not None else (budget, self.spent)
        with progress_bar(self.name, float(total or 0), done, progress) as show:
            while (trials is None or self.trials < trials) and (budget is None or self.spent < budget):
                waiting = next(iter(self._open.values()), None)
                one = waiting or self._suggest(samples)
                if budget is not None and self.spent + one.cost > budget:
                    if waiting is None:
                        del self._open[one.id]
                    break
                seed = seed_of(self.mechanisms.seed, one.id)[-1]
                self.tell(one, run(system, one.do, one.samples, seed))
                show(self.trials if trials is not None else self.spent)
        return self.best()

    @property
    def _next_id(self) -> int:
        return 1 + max([-1, *self._open, *(page.id for page in self._diary)])

    @property
    def trials(self) -> int:
        """Experiments told so far, those not counted that came with the observations."""
        return sum(page.time is not None for page in self._diary)

    @property
    def spent(self) -> float:
        """What they cost."""
        return float(sum(page.cost for page in self._diary if page.time is not None))

    def status(self) -> Status:
        """What is open, what was told, and what puts the answers in question."""
        from ceopt.answers.status import status_of

        return status_of(self.belief, tuple(self._open.values()), self.trials, self.spent)

    @property
    def belief(self) -> Belief:
        """Everything that is believed given what was told; worked out when it is first needed."""
        from ceopt.inference.belief import infer  # heavy, and not needed to tell
        from ceopt.inference.learnt import learn

        with numbers():
            if self._learnt is None:
                self._learnt = learn(self.problem, self._data, self.mechanisms)
            if self._belief is None:
                self._belief = infer(self.problem, self._data, self._learnt)
        return self._belief

    def graph_posterior(self) -> pd.Series[float]:
        """P(G | D), largest first, by the text of the graph."""
        return posterior_series(self.belief.graphs)

    def edge_probabilities(self) -> pd.DataFrame:
        """P(cause -> effect | D): a row a cause, a column an effect."""
        return edge_table(self.belief.graphs)

    def effect(
        self, variables: str | Sequence[str], levels: pd.DataFrame | ArrayLike | None = None
    ) -> pd.DataFrame:
        """E[target | do(variables = level)]: a row a level, with a 90 % interval for the mean.

        Without `levels` they are spread over the domain; an array has a column for each variable as named.
        """
        from ceopt.answers.effect_table import effect_table

        return effect_table(self.belief, variables, levels)

    def history(self) -> pd.DataFrame:
        """What was told, a row a sample, in the order it came; rows told together share an id.

        A measured variable whose name is taken by another column appears as "measured.NAME".
        """
        return history_table(self._diary, self._data, self.problem)

    def __repr__(self) -> str:
        aim = f"{self.problem.direction} {self.problem.target}"
        observed, told = len(self._data.observations), len(self._diary)
        return f"<Study {self.name!r}: {aim}, {observed} observations, {told} told>"

    def _suggest(self, samples: int) -> Suggestion:
        """One iteration of Algorithm 1, lines 8 and 9."""
        from ceopt.answers.next_step import Moment, next_step

        moment = Moment(
            self.problem, lambda: self.belief, self._data.interventions, tuple(self._open.values())
        )
        made = next_step(self.method, moment, self._dice(), samples).suggestion(self._next_id)
        self._open[made.id] = made
        return made

    def _dice(self) -> tuple[int, ...]:
        """The seed of what is asked now: a function of the study's seed, the told rows and what is open."""
        told = [(do.targets, do.levels) for do in self._data.interventions]
        outcomes = oriented(self.problem, self._data).outcomes + 0.0  # so that there is no -0.0
        waiting = [
            (one.intervention.targets, one.intervention.levels, one.samples) for one in self._open.values()
        ]
        return seed_of(self.mechanisms.seed, told, outcomes.tobytes(), waiting)


def create_study(  # noqa: PLR0913  (these names are promised)
    problem: Problem,
    *,
    observations: pd.DataFrame,
    name: str = "study",
    method: str | Method = "ceo",
    mechanisms: Mechanisms | None = None,
    seed: int | None = None,
) -> Study:
    """A new study in memory.

    `observations` has a column for each variable of the graphs; rows whose column `intervention_targets`
    names variables ("statin;aspirin") are past interventions. `method` is one of `ceopt.methods`, or its
    name. `seed` is that of all Monte Carlo in the study; None leaves the one of `mechanisms`.
    """
    if not isinstance(problem, Problem):
        raise ProblemError(f"create_study wants a ceopt.Problem, but got {type(problem).__name__}")
    chosen = Mechanisms() if mechanisms is None else mechanisms
    if not isinstance(chosen, Mechanisms):
        raise StudyError(f"mechanisms= is a ceopt.Mechanisms(...), but got {chosen!r}")
    from ceopt.methods.registry import method_of

    if name != str(name).strip() or not name:
        raise StudyError(f"name= is a text, not empty and without spaces at its ends, but got {name!r}")
    chosen = chosen if seed is None else replace(chosen, seed=seed)
    return Study(problem, observations, name, method_of(method), chosen)
