"""Telling, amending, abandoning: the same in memory, in SQLite and in PostgreSQL.

Numbers in the names of tests are those of the list of what must never go wrong.
"""

import numpy as np
import pandas as pd
import pytest

from ceopt.errors import CeoptError, CeoptWarning, OutcomeError, StudyError
from ceopt.storage.events import Tip
from tests.storage.worlds import heard, outcome, said, tell


def test_34_the_same_outcome_twice_is_kept_once(study):
    one = study.ask()
    number = study.tell(one, outcome(one.do))
    before = said(study)
    assert study.tell(one, outcome(one.do)) == study.tell(one.id, outcome(one.do)) == number
    assert study.tell(np.int64(one.id), outcome(one.do)) == number
    assert said(study) == before


def test_34_another_outcome_is_a_conflict_unless_amended(study):
    one = study.ask()
    study.tell(one, outcome(one.do, 1.0))
    before = said(study)
    with pytest.raises(StudyError, match=r"^0 has been told already, with another outcome; amend\(0, "):
        study.tell(one, outcome(one.do, 2.0))
    assert said(study) == before
    study.amend(one.id, outcome(one.do, 2.0), "a slip of the pen")
    assert heard(study) == [2.0]
    assert study.history()["status"].tolist() == ["amended"]


def test_34_the_audit_keeps_what_was_amended(study):
    tell(study, 1.0)
    study.amend(0, {"y": 2.0, "z": 0.0}, "a slip of the pen")
    audit = study.audit()
    assert audit["event"].tolist() == ["created", "told", "amended"]
    assert audit["text"].tolist() == ["", "", "a slip of the pen"]
    assert [event.body.get("rows") for event in study._log.read(Tip())[1:]] == [
        [[0.5, 1.0, 0.5]],
        [[0.5, 2.0, 0.0]],
    ]


def test_34_a_key_makes_any_telling_repeatable(study):
    number = tell(study, 1.0, key="run 7")
    before = said(study)
    assert tell(study, 1.0, key="run 7") == number
    assert said(study) == before
    with pytest.raises(StudyError, match=r"0 \(run 7\) has been told already"):
        tell(study, 2.0, key="run 7")
    with pytest.raises(StudyError, match="has been told already"):
        tell(study, 1.0, x=0.75, key="run 7")
    assert tell(study, 1.0, key="run 8") == 1


def test_34_a_key_of_something_else_loses_no_outcome(study):
    """A second suggestion told by the first one's key is no repeat, even where the rows agree."""
    one, other = study.ask(2)
    study.tell(one, {"y": 1.0, "x": one.do.get("x", 0.5), "z": one.do.get("z", 0.5)}, key="a")
    with pytest.raises(StudyError, match="the key 'a' is that of 0; take another one"):
        study.tell(other, outcome(other.do), key="a")
    assert study.status().open == (other,)


def test_34_every_part_can_be_repeated_by_its_key(study):
    one = study.ask(samples=2)
    for _ in range(3):
        study.tell(one, outcome(one.do, 1.0), partial=True, key="a")
        study.tell(one, outcome(one.do, 2.0), partial=True, key="b")
    assert heard(study) == [1.0, 2.0]


def test_34_every_part_can_be_repeated_once_all_are_told(study):
    one = study.ask(samples=2)
    study.tell(one, outcome(one.do, 1.0), partial=True)
    study.tell(one, outcome(one.do, 2.0))
    study.tell(one, outcome(one.do, 1.0))
    study.tell(one, outcome(one.do, 2.0))
    assert heard(study) == [1.0, 2.0]


UNKNOWN = {
    "told": lambda s: s.tell(7, {"y": 1.0}),
    "abandoned": lambda s: s.abandon(7),
    "amended": lambda s: s.amend(7, {"y": 1.0}, "why"),
    "negative": lambda s: s.tell(-1, {"y": 1.0}),
    "text": lambda s: s.tell("0", {"y": 1.0}),
    "true": lambda s: s.tell(True, {"y": 1.0}),
    "a fraction": lambda s: s.amend(0.5, {"y": 1.0}, "why"),
}


@pytest.mark.parametrize("case", UNKNOWN)
def test_35_an_unknown_id_is_refused(study, case):
    one = study.ask()
    tell(study)
    before = said(study)
    with pytest.raises(StudyError) as refusal:
        UNKNOWN[case](study)
    assert "\n" not in str(refusal.value)
    assert said(study) == before
    assert study.status().open == (one,)


def test_36_a_late_outcome_is_accepted(study):
    first, second = study.ask(2)
    study.tell(second, outcome(second.do, 2.0))
    tell(study, 3.0)
    study.ask()
    study.tell(first, outcome(first.do, 1.0))
    assert study.history()[["id", "y"]].to_numpy().tolist() == [[1, 2.0], [2, 3.0], [0, 1.0]]


def test_36_what_was_abandoned_but_done_can_be_told(study):
    one = study.ask()
    study.abandon(one, "the mouse escaped")
    for again in (lambda: study.tell(one, outcome(one.do)), lambda: study.abandon(one)):
        with pytest.raises(StudyError, match=r"suggestion 0 has been abandoned; .* tell do=\{\.\.\.\}"):
            again()
    assert study.tell(do=one.do, outcome=outcome(one.do)) == 1


def test_37_other_levels_than_planned_are_stored_as_applied(study):
    one = study.ask()
    applied = {name: level + 0.01 for name, level in one.do.items()}
    with pytest.raises(OutcomeError, match=r"was to be set to .* do="):
        study.tell(one, outcome(applied))
    assert study.status().open == (one,)
    study.tell(one, outcome(applied), do=applied)
    history = study.history()
    assert {name: history[f"do.{name}"].tolist() for name in applied} == {
        name: [level] for name, level in applied.items()
    }
    (page,) = study._state.diary
    assert page.planned.do == one.do
    assert study.status().open == ()


def test_37_a_level_outside_the_domain_is_stored_but_never_proposed(study):
    one = study.ask()
    far = dict.fromkeys(one.do, 7.0)
    with pytest.warns(CeoptWarning, match="was set to 7, which is outside its domain"):
        study.tell(one, outcome(far), do=far)
    assert study.history()[f"do.{next(iter(far))}"].tolist() == [7.0]
    assert all(study.problem.inside(other.intervention) for other in study.ask(5))


REFUSED = {
    "NaN": {"y": np.nan},
    "infinite": {"y": np.inf},
    "text": {"y": "n/a"},
    "decimal comma": {"y": "1,5"},
    "nothing": {"y": None},
    "without target": {"x": 0.5},
    "empty": {},
    "unknown column": {"y": 1.0, "w": 2.0},
    "a list": [1.0],
    "a list for a number": {"y": [1.0, 2.0]},
    "no row": pd.DataFrame({"y": []}),
    "a NaN among rows": pd.DataFrame({"y": [1.0, np.nan]}),
}


@pytest.mark.parametrize("case", REFUSED)
def test_38_what_cannot_be_an_outcome_is_refused_and_the_suggestion_stays_open(study, case):
    one = study.ask()
    before = said(study)
    with pytest.raises(OutcomeError) as refusal:
        study.tell(one, REFUSED[case])
    assert "\n" not in str(refusal.value)
    assert said(study) == before
    study.tell(one, outcome(one.do))


def test_39_some_replicates_now_and_some_later(study):
    one = study.ask(samples=3)
    rows = pd.DataFrame([outcome(one.do, y) for y in (1.0, 2.0, 3.0)])
    study.tell(one, rows[:2], partial=True)
    assert study.status().open == (one,)
    assert (study.trials, study.spent) == (1, one.cost)
    study.tell(one, rows[2:])
    assert study.status().open == ()
    assert study.history()[["id", "y"]].to_numpy().tolist() == [[0, 1.0], [0, 2.0], [0, 3.0]]
    assert (study.trials, study.spent) == (1, one.cost)  # one experiment, paid once


def test_39_fewer_or_more_replicates_than_planned_are_accepted(study):
    for n in (1, 5):
        one = study.ask(samples=3)
        study.tell(one, pd.DataFrame([outcome(one.do)] * n))
    assert study.history()["id"].tolist() == [0, 1, 1, 1, 1, 1]


def test_39_amending_replaces_all_that_was_told_in_parts(study):
    one = study.ask(samples=2)
    study.tell(one, outcome(one.do, 1.0), partial=True, key="a")
    study.tell(one, outcome(one.do, 2.0), key="b")
    study.amend(one.id, pd.DataFrame([outcome(one.do, 3.0), outcome(one.do, 4.0)]), "swapped tubes")
    assert heard(study) == [3.0, 4.0]
    assert (study.trials, study.spent) == (1, one.cost)
    with pytest.raises(StudyError, match=r"0 \(a\) has been told already, with another"):
        study.tell(one, outcome(one.do, 1.0), key="a")


def test_39_a_part_that_never_comes_is_abandoned_and_the_others_stay(study):
    one = study.ask(samples=2)
    study.tell(one, outcome(one.do, 1.0), partial=True)
    study.abandon(one, "the other tube broke")
    assert (heard(study), study.status().open) == ([1.0], ())
    study.amend(one.id, outcome(one.do, 2.0), "read again")
    assert heard(study) == [2.0]


def test_notes_and_reasons_of_any_letters_are_kept(study):
    text = 'µg, 雨, \u2028 \x85 \x00 \x1f \ud800 🐭 "quoted" \\ \' ; --'
    study.note(text)
    study.abandon(study.ask(), text)
    assert study.audit()["text"].tolist() == ["", text, "", text]


@pytest.mark.parametrize("empty", ["", "  ", None, 5, b"text"])
def test_what_is_no_text_is_refused(study, empty):
    tell(study)
    before = said(study)
    for saying in (
        lambda: study.note(empty),
        lambda: study.amend(0, {"y": 1.0}, empty),
        lambda: tell(study, key=empty) if empty is not None else study.note(None),
    ):
        with pytest.raises(CeoptError, match="is a text, not empty, but got"):
            saying()
    assert said(study) == before


def test_seals_follow_one_another(study):
    tell(study)
    study.note("a note")
    audit = study.audit()
    assert audit["seq"].tolist() == [1, 2, 3]
    assert audit["digest"].str.fullmatch("[0-9a-f]{64}").all()
    assert audit["digest"].is_unique


def test_levels_of_other_variables_than_were_suggested_are_another_experiment(study):
    one = next(other for other in study.ask(8) if len(other.do) > 1)
    part = dict(list(one.do.items())[:1])
    with pytest.raises(StudyError, match=r"but do= sets .*; give a level for each, or tell do= without"):
        study.tell(one, outcome(part), do=part)
    assert one.id in [other.id for other in study.status().open]
