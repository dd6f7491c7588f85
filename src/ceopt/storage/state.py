"""Where a study stands: what the events so far amount to.

A state is a value.  `after` gives the next one, so that a study is what its log says, whoever reads it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ceopt.answers.history_table import Told
from ceopt.answers.suggestion import Suggestion
from ceopt.domain.dataset import Dataset
from ceopt.domain.intervention import Intervention
from ceopt.domain.problem import Problem
from ceopt.errors import StorageError
from ceopt.storage.events import KINDS, Body, Event, Tip
from ceopt.storage.records import to_data, to_rows, to_suggestion


@dataclass(frozen=True, eq=False)
class State:
    """Observations, what was told, what is open, and the last event that this takes into account."""

    problem: Problem
    observed: Dataset  # observations only
    diary: tuple[Told, ...]
    open: Mapping[int, Suggestion] = field(default_factory=dict)
    tip: Tip = field(default_factory=Tip)
    last_id: int = -1

    @classmethod
    def start(cls, problem: Problem, data: Dataset) -> State:
        """Before any event; interventions that came with the observations are the first pages."""
        of_row = enumerate(zip(data.interventions, data.outcomes, strict=True))
        pages = tuple(Told(i, None, do, row[None], problem.price(do), "imported") for i, (do, row) in of_row)
        nothing = replace(data, outcomes=data.outcomes[:0], interventions=())
        return cls(problem, nothing, pages, last_id=len(pages) - 1)

    @cached_property
    def data(self) -> Dataset:
        """Everything measured."""
        if not self.diary:
            return self.observed
        dos = [page.intervention for page in self.diary for _ in page.outcomes]
        return self.observed.with_rows(dos, np.concatenate([page.outcomes for page in self.diary]))

    @property
    def next_id(self) -> int:
        """The number of what is asked or told next."""
        return self.last_id + 1

    @property
    def trials(self) -> int:
        """Experiments told so far, those not counted that came with the observations."""
        return len({page.id for page in self._experiments})

    @property
    def spent(self) -> float:
        """What they cost."""
        prices = {(page.id, page.intervention): page.cost for page in self._experiments}
        return math.fsum(prices.values())

    @property
    def _experiments(self) -> tuple[Told, ...]:
        return tuple(page for page in self.diary if page.time is not None)

    def pages(self, number: object) -> tuple[Told, ...]:
        """What was told under a number: several pages, if it was told in parts."""
        return tuple(page for page in self._experiments if page.id == number)


def after(state: State, events: Iterable[Event]) -> State:
    """The state once more events have come."""
    for event in events:
        body = event.body
        if event.kind == "suggested":
            one = to_suggestion(body)
            state = replace(state, open={**state.open, one.id: one}, last_id=max(state.last_id, one.id))
        elif event.kind == "told":
            state = _told(state, event, body)
        elif event.kind == "amended":
            state = _amended(state, body)
        elif event.kind == "abandoned":
            state = replace(state, open=_without(state.open, body["id"]))
        elif event.kind == "added":
            state = _added(state, body)
        elif event.kind not in KINDS:
            raise StorageError(f"event {event.seq} is of a newer kind, {event.kind!r}; upgrade ceopt")
        state = replace(state, tip=Tip(event.seq, event.digest))
    return state


def _told(state: State, event: Event, body: Body) -> State:
    rows = to_rows(body["rows"], len(state.problem.variables))
    do = Intervention.of(body["do"])
    asked = state.open.get(body["id"])
    planned = None if asked is None else asked.intervention
    page = Told(body["id"], event.at, do, rows, body["cost"], "told", planned, body["key"])
    still = state.open if not body["closes"] else _without(state.open, body["id"])
    return replace(state, diary=(*state.diary, page), open=still, last_id=max(state.last_id, body["id"]))


def _amended(state: State, body: Body) -> State:
    """The rows go to the last page of that number; parts before it, at the same levels, keep none."""
    rows = to_rows(body["rows"], len(state.problem.variables))
    last = max(i for i, page in enumerate(state.diary) if page.id == body["id"])
    do, pages = state.diary[last].intervention, list(state.diary)
    for i, page in enumerate(pages):
        if page.id == body["id"] and page.intervention == do:
            kept = rows if i == last else rows[:0]
            pages[i] = page._replace(outcomes=kept, status="amended")
    return replace(state, diary=tuple(pages))


def _added(state: State, body: Body) -> State:
    data, first = to_data(dict(body)), state.next_id
    more = State.start(state.problem, data)
    pages = tuple(page._replace(id=first + page.id) for page in more.diary)
    rows = np.concatenate([state.observed.observations, data.observations])
    return replace(
        state,
        observed=replace(state.observed, observations=rows),
        diary=(*state.diary, *pages),
        last_id=state.last_id + len(pages),
    )


def _without(waiting: Mapping[int, Suggestion], number: int) -> dict[int, Suggestion]:
    return {i: one for i, one in waiting.items() if i != number}
