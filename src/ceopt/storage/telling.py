"""The gate for whatever is added to a study: from what was said to events, or a refusal.

Each function looks at the state at the moment of writing, and gives the events that follow.  What is refused
adds none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ceopt.answers.limits import seed_of
from ceopt.answers.suggestion import Suggestion, still_open
from ceopt.domain.intervention import Intervention
from ceopt.domain.orientation import oriented
from ceopt.domain.outcomes import Outcome, outcome_rows
from ceopt.errors import StudyError
from ceopt.storage.events import Draft, Tip
from ceopt.storage.records import of_rows, of_suggestion
from ceopt.storage.state import State


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
    before = _before(state, said)
    number = state.next_id if said.suggestion is None else _number(said.suggestion)
    applied = None if said.do is None else Intervention.of(said.do)
    if before is not None:
        number, applied = before
        page = state.page(number)
        if page is not None and _same(state, said, page.intervention, page.outcomes):
            return number, ()
        what = f"{number}" if said.key is None else f"{number} ({said.key})"
        raise StudyError(
            f"{what} has been told already, with another outcome; amend({number}, ...) corrects it"
        )
    planned = None
    if said.suggestion is not None:
        one = still_open(said.suggestion, state.open, {page.id for page in state.diary})
        number, planned, applied = one.id, one.intervention, applied or one.intervention
    assert applied is not None  # noqa: S101  (one of the two was given)
    state.problem.check(applied)
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
    return number, [Draft("told", body)]


def _number(which: Suggestion | int) -> int:
    return which.id if isinstance(which, Suggestion) else which


def _before(state: State, said: Said) -> tuple[int, Intervention | None] | None:
    """The number under which this was told before, if it was: by its key, or by its suggestion."""
    if said.key is not None and (mine := [page for page in state.diary if page.key == said.key]):
        return mine[-1].id, None
    if said.suggestion is None:
        return None
    number = _number(said.suggestion)
    page = state.page(number)
    if page is None or page.time is None or number in state.open:
        return None
    if isinstance(said.suggestion, Suggestion) and page.planned != said.suggestion.intervention:
        return None
    return number, None


def _same(state: State, said: Said, do: Intervention, rows: np.ndarray) -> bool:
    """Whether the outcome says what was told before."""
    applied = do if said.do is None else Intervention.of(said.do)
    if applied != do or said.outcome is None:
        return False
    return np.array_equal(outcome_rows(said.outcome, do, state.problem), rows, equal_nan=True)


def amended(state: State, number: int, outcome: Outcome, reason: str) -> Sequence[Draft]:
    """Other rows for what was told under a number."""
    page = state.page(number)
    if page is None or page.time is None:
        known = ", ".join(str(one.id) for one in state.diary if one.time is not None) or "nothing"
        raise StudyError(f"there is nothing told under {number!r} to amend; told: {known}")
    _check_text("reason=", reason)
    rows = outcome_rows(outcome, page.intervention, state.problem)
    return [Draft("amended", {"id": number, "rows": of_rows(rows), "reason": reason.strip()})]


def abandoned(state: State, suggestion: Suggestion | int, reason: str) -> Sequence[Draft]:
    """A suggestion that is open no longer."""
    one = still_open(suggestion, state.open, {page.id for page in state.diary})
    return [Draft("abandoned", {"id": one.id, "reason": str(reason).strip()})]


def noted(text: str) -> Sequence[Draft]:
    """A remark."""
    _check_text("a note", text)
    return [Draft("noted", {"text": text.strip()})]


def suggested(state: State, one: Suggestion, tip: Tip) -> Sequence[Draft]:
    """A suggestion, unless something was told, asked or withdrawn since it was worked out."""
    return [Draft("suggested", of_suggestion(one))] if state.tip == tip else []


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
