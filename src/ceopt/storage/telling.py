"""The gate for whatever is added to a study: from what was said to events, or a refusal.

Each function looks at the state at the moment of writing, and gives the events that follow.  What is refused
adds none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from numbers import Integral
from typing import NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from ceopt.answers.history_table import Told
from ceopt.answers.limits import seed_of
from ceopt.answers.suggestion import Suggestion, still_open
from ceopt.domain.dataset import Dataset
from ceopt.domain.frames import dataset_from
from ceopt.domain.intervention import Intervention
from ceopt.domain.orientation import oriented
from ceopt.domain.outcomes import Outcome, outcome_rows, say_what_is_odd
from ceopt.errors import StudyError
from ceopt.storage.events import Draft
from ceopt.storage.records import of_data, of_rows, of_suggestion
from ceopt.storage.state import State

Row: TypeAlias = tuple[Intervention | None, bytes]


class Overtaken(Exception):
    """Something was told, asked or withdrawn while a suggestion was worked out."""


class Said(NamedTuple):
    """What `Study.tell` was given."""

    suggestion: Suggestion | int | None
    outcome: Outcome | None
    do: Mapping[str, float] | None
    partial: bool = False
    key: str | None = None


def told(state: State, said: Said) -> tuple[int, Sequence[Draft]]:
    """The number under which it is kept, and the event; none if the same was told before."""
    if (said.suggestion is None and said.do is None) or said.outcome is None:
        raise StudyError("tell wants a suggestion and its outcome, or do={...} and outcome=")
    if said.key is not None:
        _check_text("key=", said.key)
    if before := _before(state, said):
        return _again(state, said, before), ()
    number, planned = state.next_id, None
    applied = None if said.do is None else Intervention.of(said.do)
    if said.suggestion is not None:
        one = _open(state, said.suggestion)
        number, planned, applied = one.id, one.intervention, _instead(one, applied)
    assert applied is not None  # noqa: S101  (one of the two was given)
    rows = outcome_rows(said.outcome, applied, state.problem)
    body = {
        "id": number,
        "do": applied.do,
        "rows": of_rows(rows),
        "cost": state.problem.price(applied),
        "closes": not said.partial,
        "planned": None if planned is None or planned == applied else planned.do,
        "key": said.key,
    }
    say_what_is_odd(state.problem, state.data, applied, rows)
    return number, [Draft("told", body)]


def numbered(
    make: Callable[[State], tuple[int, Sequence[Draft]]], found: list[int]
) -> Callable[[State], Sequence[Draft]]:
    """What gives events and a number, as what gives events; the number goes into a list."""

    def drafts(state: State) -> Sequence[Draft]:
        number, some = make(state)
        found.append(number)
        return some

    return drafts


def _instead(one: Suggestion, applied: Intervention | None) -> Intervention:
    """What was done: as planned, or at the levels that are said, of the same variables."""
    if applied is None or applied.targets == one.intervention.targets:
        return applied or one.intervention
    both = f"sets {', '.join(one.intervention.targets)}, but do= sets {', '.join(applied.targets)}"
    raise StudyError(f"suggestion {one.id} {both}; give a level for each, or tell do= without the suggestion")


def _number(which: object) -> int | None:
    number = which.id if isinstance(which, Suggestion) else which
    return int(number) if isinstance(number, Integral) and not isinstance(number, bool) else None


def _before(state: State, said: Said) -> tuple[Told, ...]:
    """What was told before by the same key, or for the same suggestion; nothing while that is open."""
    if mine := tuple(page for page in state.diary if said.key is not None and page.key == said.key):
        return mine
    number = _number(said.suggestion)
    if number in state.open:
        return ()
    pages = state.pages(number)
    if isinstance(said.suggestion, Suggestion):
        return tuple(page for page in pages if page.planned == said.suggestion.intervention)
    return pages


def _again(state: State, said: Said, before: Sequence[Told]) -> int:
    """The number under which the same is kept already; refused when it is not the same."""
    number = before[-1].id
    if said.suggestion is not None and _number(said.suggestion) != number:
        raise StudyError(
            f"the key {said.key!r} is that of {number}; take another one for {said.suggestion!r}"
        )
    if any(_same(state, said, page) for page in before):
        return number
    what = f"{number}" if said.key is None else f"{number} ({said.key})"
    raise StudyError(f"{what} has been told already, with another outcome; amend({number}, ...) corrects it")


def _same(state: State, said: Said, page: Told) -> bool:
    """Whether the outcome says what is on that page."""
    do = page.intervention if said.do is None else Intervention.of(said.do)
    if do != page.intervention or said.outcome is None:
        return False
    return np.array_equal(outcome_rows(said.outcome, do, state.problem), page.outcomes, equal_nan=True)


def _open(state: State, which: object) -> Suggestion:
    """The open suggestion that is meant; refused when there is none."""
    number, done = _number(which), {page.id for page in state.diary}
    if number is not None and 0 <= number < state.next_id and number not in {*state.open, *done}:
        advice = "if it was carried out after all, tell do={...} with its outcome"
        raise StudyError(f"suggestion {number} has been abandoned; {advice}")
    return still_open(which, state.open, done)


def amended(state: State, number: int, outcome: Outcome, reason: str) -> Sequence[Draft]:
    """Other rows for what was told under a number."""
    if not (pages := state.pages(_number(number))):
        known = ", ".join(dict.fromkeys(str(one.id) for one in state.diary if one.time is not None))
        raise StudyError(f"there is nothing told under {number!r} to amend; told: {known or 'nothing'}")
    _check_text("reason=", reason)
    rows = outcome_rows(outcome, pages[-1].intervention, state.problem)
    return [Draft("amended", {"id": pages[-1].id, "rows": of_rows(rows), "reason": reason.strip()})]


def abandoned(state: State, suggestion: Suggestion | int, reason: str) -> Sequence[Draft]:
    """A suggestion that is open no longer."""
    one = _open(state, suggestion)
    return [Draft("abandoned", {"id": one.id, "reason": str(reason).strip()})]


def added(state: State, frame: pd.DataFrame) -> tuple[int, Sequence[Draft]]:
    """How many rows are new, and the event that adds them; rows that are in already count once.

    So a table that has grown may be given whole.
    """
    data = dataset_from(frame, state.problem, least=0)
    known = Counter(_rows_of(state.observed) + [row for page in state.diary for row in _rows_on(page)])
    fresh = []
    for row in _rows_of(data):
        fresh.append(not known[row])
        known[row] -= known[row] > 0
    new, n = np.array(fresh, dtype=np.bool_), len(data.observations)
    dos = [do for do, on in zip(data.interventions, new[n:], strict=True) if on]
    rest = Dataset(data.variables, data.observations[new[:n]], data.outcomes[new[n:]], tuple(dos))
    return int(new.sum()), [Draft("added", of_data(rest))] if new.any() else []


def _rows_of(data: Dataset) -> list[Row]:
    """Each row, and what was set in it."""
    plain = [(None, row.tobytes()) for row in data.observations + 0.0]
    return [
        *plain,
        *((do, row.tobytes()) for do, row in zip(data.interventions, data.outcomes + 0.0, strict=True)),
    ]


def _rows_on(page: Told) -> list[Row]:
    return [(page.intervention, row.tobytes()) for row in page.outcomes + 0.0]


def noted(text: str) -> Sequence[Draft]:
    """A remark."""
    _check_text("a note", text)
    return [Draft("noted", {"text": text.strip()})]


def suggested(state: State, one: Suggestion, seen: State, late: bool) -> Sequence[Draft]:
    """A suggestion, unless something was told, asked or withdrawn since it was worked out.

    Late, only unless somebody asked the same since: among many who tell, one would never get to ask.
    """
    news = [other.intervention for number, other in state.open.items() if number not in seen.open]
    if (state.diary is seen.diary and state.open is seen.open) or (late and one.intervention not in news):
        return [Draft("suggested", of_suggestion(replace(one, id=state.next_id)))]
    raise Overtaken


def dice(state: State, seed: int) -> tuple[int, int]:
    """A seed that is a function of another one, the told rows and what is open."""
    done = [(do.targets, do.levels) for do in state.data.interventions]
    outcomes = oriented(state.problem, state.data).outcomes + 0.0  # so that there is no -0.0
    waiting = [
        (one.intervention.targets, one.intervention.levels, one.samples) for one in state.open.values()
    ]
    return seed_of(seed, done, outcomes.tobytes(), waiting)


def _check_text(what: str, text: object) -> None:
    if not isinstance(text, str) or not text.strip():
        raise StudyError(f"{what} is a text, not empty, but got {text!r}")
