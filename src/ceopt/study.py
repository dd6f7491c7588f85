"""A study: observations, what was told, and what follows from them.  The one object that changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, overload

import pandas as pd

from ceopt.answers.audit_table import audit_table
from ceopt.answers.graph_tables import edge_table, posterior_series
from ceopt.answers.history_table import history_table
from ceopt.answers.limits import check_counts, check_limits, numbers, seed_of
from ceopt.errors import StudyError
from ceopt.storage import telling
from ceopt.storage.events import Draft, Event, Tip
from ceopt.storage.state import State, after

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ceopt.answers.experiment import SystemLike
    from ceopt.answers.recommendation import Recommendation
    from ceopt.answers.status import Status
    from ceopt.answers.suggestion import Suggestion
    from ceopt.domain.outcomes import Outcome
    from ceopt.domain.problem import Problem
    from ceopt.inference.belief import Belief
    from ceopt.inference.learnt import Learnt
    from ceopt.inference.settings import Mechanisms
    from ceopt.methods.method import Method
    from ceopt.storage.log import Log

FRESH, TRIES = 4, 30  # how often a suggestion is made anew when others told, or asked the same, meanwhile


class Study:
    """Ask it what to do next; tell it what came of it; ask it what is believed, and what is best.

    Made by `ceopt.create_study`, or opened by `ceopt.load_study`.  A refused outcome changes nothing; what
    was accepted is in the log.
    """

    def __init__(self, state: State, log: Log, name: str, method: Method, mechanisms: Mechanisms) -> None:
        self.name, self.method, self.mechanisms = name, method, mechanisms
        self._state, self._log = state, log
        self._learnt: Learnt | None = None
        self._belief: Belief | None = None

    @property
    def problem(self) -> Problem:
        """What is asked."""
        return self._state.problem

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
        partial: bool = False,
        key: str | None = None,
    ) -> int:
        """Record what happened, one row a sample; gives the id under which `history` has it.

        Either a suggestion (or its id) and its outcome, or `do=` and `outcome=` without having asked. Both,
        if other levels were applied than planned. `partial=True` leaves the suggestion open for more rows.
        `key` is a name of your own for what is told. The same outcome told again changes nothing.
        """
        said = telling.Said(suggestion, outcome, do, partial, key)
        return self._said(lambda state: telling.told(state, said))

    def amend(self, number: int, outcome: Outcome, reason: str) -> None:
        """Replace the rows that were told under a number; the log keeps the old ones and the reason."""
        self._write(lambda state: telling.amended(state, number, outcome, reason))

    def abandon(self, suggestion: Suggestion | int, reason: str = "") -> None:
        """Withdraw a suggestion that will not be carried out."""
        self._write(lambda state: telling.abandoned(state, suggestion, reason))

    def add(self, frame: pd.DataFrame) -> int:
        """More observations, and past interventions by `intervention_targets`: how many rows were new."""
        return self._said(lambda state: telling.added(state, frame))

    def note(self, text: str) -> None:
        """Write something into the log."""
        self._write(lambda state: telling.noted(text))

    def best(self) -> Recommendation:
        """What to do for good, as far as is known."""
        from ceopt.answers.recommendation import recommended

        with numbers():
            seed = telling.dice(self._now, self.mechanisms.seed)
            return recommended(self.belief, self.method.believe(self.belief), seed)

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
                waiting = next(iter(self._now.open.values()), None)
                one = waiting or self._suggest(samples)
                if budget is not None and self.spent + one.cost > budget:
                    if waiting is None:
                        self.abandon(one, "it costs more than is left of the budget")
                    break
                seed = seed_of(self.mechanisms.seed, one.id)[-1]
                self.tell(one, run(system, one.do, one.samples, seed))
                show(self.trials if trials is not None else self.spent)
        return self.best()

    @property
    def trials(self) -> int:
        """Experiments told so far, those not counted that came with the observations."""
        return self._now.trials

    @property
    def spent(self) -> float:
        """What they cost."""
        return self._now.spent

    def status(self) -> Status:
        """What is open, what was told, and what puts the answers in question."""
        from ceopt.answers.status import status_of

        return status_of(self.belief, tuple(self._now.open.values()), self.trials, self.spent)

    @property
    def belief(self) -> Belief:
        """Everything that is believed given what was told; worked out when it is first needed."""
        from ceopt.inference.belief import infer  # heavy, and not needed to tell
        from ceopt.inference.learnt import learn

        with numbers():
            data = self._now.data
            if self._learnt is None:
                self._learnt = learn(self.problem, data, self.mechanisms)
            if self._belief is None:
                self._belief = infer(self.problem, data, self._learnt)
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
        return history_table(self._now.diary, self.problem)

    def audit(self) -> pd.DataFrame:
        """Everything that happened, a row an event, with the seal that the next one builds on."""
        return audit_table(self._log.read(Tip()))

    def __repr__(self) -> str:
        aim = f"{self.problem.direction} {self.problem.target}"
        observed, told = len(self._state.observed.observations), len(self._state.diary)
        return f"<Study {self.name!r}: {aim}, {observed} observations, {told} told>"

    @property
    def _now(self) -> State:
        """Where the study stands, what others did taken into account."""
        self._take(self._log.read(self._state.tip))
        return self._state

    def _take(self, events: Sequence[Event]) -> None:
        news = [event for event in events if event.seq > self._state.tip.seq]
        kinds = {event.kind for event in news}
        self._learnt = None if "added" in kinds else self._learnt
        self._belief = None if kinds & {"told", "amended", "added"} else self._belief
        self._state = after(self._state, news)

    def _write(self, make: Callable[[State], Sequence[Draft]]) -> None:
        """Add to the log what follows from the state at that moment; a refusal adds nothing."""
        before = self._state
        self._take(self._log.append(before.tip, lambda news: make(after(before, news))))

    def _said(self, make: Callable[[State], tuple[int, Sequence[Draft]]]) -> int:
        """The same, where a number belongs to it."""
        found: list[int] = []
        self._write(telling.numbered(make, found))
        return found[-1]

    def _suggest(self, samples: int) -> Suggestion:
        """One iteration of Algorithm 1, lines 8 and 9; made anew if somebody told or asked meanwhile."""
        from ceopt.answers.next_step import Moment, next_step

        for tried in range(TRIES):
            now, believed = self._now, lambda: self.belief
            moment = Moment(now.problem, believed, now.data.interventions, tuple(now.open.values()))
            seed = telling.dice(now, self.mechanisms.seed)
            one = next_step(self.method, moment, seed, samples).suggestion(now.next_id)
            with suppress(telling.Overtaken):
                self._write(partial(telling.suggested, one=one, seen=now, late=tried >= FRESH))
                return self._state.open[self._state.last_id]
        raise StudyError("somebody else asked for the same at each of our tries; ask again")
