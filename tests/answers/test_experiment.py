"""Study.optimize: ask, run the system, tell, within totals."""

import re

import numpy as np
import pandas as pd
import pytest

from ceopt.answers.experiment import progress_bar, run
from ceopt.errors import CeoptError, StudyError
from tests.methods.worlds import METHODS, SYSTEM, outcome, question, setting, study_of


def quiet(study, system=SYSTEM, **limits):
    return study.optimize(system, progress=False, **limits)


def row(do):
    return outcome(do, 1.0)


def test_trials_are_a_total_so_the_same_call_again_does_nothing():
    study = study_of("random")
    quiet(study, trials=3)
    after = study.history()
    quiet(study, trials=3)
    quiet(study, trials=2)
    pd.testing.assert_frame_equal(study.history(), after)
    quiet(study, trials=4)
    assert study.trials == 4
    assert study.status().open == ()


def test_what_was_told_before_counts():
    study = study_of("random")
    study.tell(do={"Z": 1.0}, outcome=row({"Z": 1.0}))
    quiet(study, trials=3)
    assert study.history()["id"].tolist() == [0, 1, 2]


def test_a_budget_is_a_total_that_is_never_exceeded():
    study = study_of("random", question(cost={"X": 1.0, "Z": 1.7}))
    for budget in (0.9, 5.0, 5.0, 9.3):
        quiet(study, budget=budget)
        assert study.spent <= budget
        assert study.status().open == ()
    assert study.spent > 9.3 - 2.7


def test_a_budget_may_be_spent_to_the_last():
    study = study_of(setting(Z=1.0))
    quiet(study, budget=3.0)
    assert (study.trials, study.spent) == (3, 3.0)
    quiet(study, budget=3.999)
    assert study.trials == 3


def test_a_suggestion_that_the_budget_cannot_pay_stays_open_if_it_was_asked_for():
    study = study_of(setting(X=0.0, Z=1.0))
    asked = study.ask()
    quiet(study, budget=1.5)
    assert study.status().open == (asked,)
    study.tell(asked, row(asked.do))
    assert study.spent == 2.0


def test_of_two_limits_the_first_that_is_reached_counts():
    study = study_of(setting(X=0.0, Z=1.0))
    quiet(study, trials=2, budget=100.0)
    assert study.trials == 2
    quiet(study, trials=100, budget=6.0)
    assert study.trials == 3


def test_it_gives_the_recommendation():
    study = study_of("random")
    received, expected = quiet(study, trials=2), study.best()
    assert str(received) == str(expected)


def test_it_is_the_loop_that_one_would_write():
    by_hand, by_itself = study_of("ceo"), study_of("ceo")
    quiet(by_itself, row, trials=3)
    for _ in range(3):
        one = by_hand.ask()
        by_hand.tell(one, row(one.do))
    columns = ["id", "set", "do.X", "do.Z", "X", "Y", "Z", "cost"]
    pd.testing.assert_frame_equal(by_hand.history()[columns], by_itself.history()[columns])


@pytest.mark.parametrize("method", METHODS)
def test_every_method_runs_and_stopping_half_way_changes_nothing(method):
    whole, halves = study_of(method), study_of(method)
    quiet(whole, trials=3)
    quiet(halves, trials=1)
    quiet(halves, trials=3)
    pd.testing.assert_frame_equal(whole.history().drop(columns="time"), halves.history().drop(columns="time"))


SYSTEMS = {
    "a mapping": row,
    "a series": lambda do: pd.Series(row(do)),
    "a frame": lambda do: pd.DataFrame([row(do)]),
}


@pytest.mark.parametrize("kind", SYSTEMS)
def test_a_function_gives_rows_as_it_likes(kind):
    expected, received = study_of("random"), study_of("random")
    quiet(expected, row, trials=2)
    quiet(received, SYSTEMS[kind], trials=2)
    pd.testing.assert_frame_equal(
        received.history().drop(columns="time"), expected.history().drop(columns="time")
    )


@pytest.mark.parametrize("system", [SYSTEM, *SYSTEMS.values()], ids=["a system", *SYSTEMS])
def test_ten_samples_are_ten_rows_an_intervention_and_one_trial(system):
    study = study_of("random")
    quiet(study, system, trials=2, samples=10)
    history = study.history()
    assert history["id"].tolist() == [0] * 10 + [1] * 10
    assert study.trials == 2
    for _, rows in history.groupby("id"):
        assert (rows["set"] == rows["set"].iloc[0]).all()
        assert study.spent == sum(page["cost"].iloc[0] for _, page in history.groupby("id"))


def test_samples_of_a_system_differ_within_and_between_experiments():
    study = study_of(setting(Z=1.0))
    quiet(study, trials=2, samples=5)
    assert study.history()["Y"].is_unique


def test_a_function_is_called_with_a_mapping_of_its_own():
    def meddling(do):
        given = dict(do)
        do.clear()
        return row(given)

    study = study_of(setting(Z=1.0))
    quiet(study, meddling, trials=1, samples=2)
    assert study.history()["do.Z"].tolist() == [1.0, 1.0]


def test_a_function_that_gives_several_rows_is_called_until_there_are_enough():
    calls = []

    def three(do):
        calls.append(do)
        return pd.DataFrame([row(do)] * 3)

    assert len(run(three, {"Z": 1.0}, 7, 0)) == 9
    assert len(calls) == 3


def refuses(do):
    raise ZeroDivisionError("the pump is off")


BROKEN = {
    "it raises": (refuses, StudyError, "the system raised ZeroDivisionError at {.*}: the pump is off"),
    "a number": (lambda do: 5.0, StudyError, "the system gave 5.0, but it is to give a mapping"),
    "nothing": (lambda do: None, StudyError, "the system gave None"),
    "a list": (lambda do: [1, 2], StudyError, "the system gave"),
    "no rows": (
        lambda do: pd.DataFrame({"Y": []}),
        StudyError,
        "no rows, but it is to give a row or more",
    ),
    "no target": (lambda do: {"X": 1.0}, CeoptError, "Y"),
    "a target that is NaN": (lambda do: {**row(do), "Y": np.nan}, CeoptError, "Y"),
    "text": (lambda do: {**row(do), "Y": "low"}, CeoptError, "low"),
    "another level": (lambda do: {**row(do), **{v: x + 1 for v, x in do.items()}}, CeoptError, "set to"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_system_leaves_the_suggestion_open_and_the_next_call_goes_on_from_it(case):
    system, error, said = BROKEN[case]
    study, calls = study_of("random"), []
    quiet(study, trials=1)
    before = study.history()
    with pytest.raises(error, match=said):
        quiet(study, system, trials=3)
    pd.testing.assert_frame_equal(study.history(), before)
    (waiting,) = study.status().open
    quiet(study, lambda do: calls.append(do) or row(do), trials=3)
    assert calls[0] == waiting.do
    assert study.history()["id"].tolist() == [0, 1, 2]
    assert study.status().open == ()


def test_what_raised_is_kept_as_the_cause():
    with pytest.raises(
        StudyError, match="the suggestion is still open, so optimize goes on from it"
    ) as caught:
        quiet(study_of("random"), refuses, trials=1)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_to_interrupt_is_no_fault_of_the_system():
    def interrupted(do):
        raise KeyboardInterrupt

    study = study_of("random")
    with pytest.raises(KeyboardInterrupt):
        quiet(study, interrupted, trials=1)
    assert len(study.status().open) == 1


@pytest.mark.parametrize("system", [5, None, "health", {"Y": 1.0}])
def test_what_is_no_system_is_refused(system):
    with pytest.raises(StudyError, match=r"optimize wants a function of .* or a ceopt system"):
        quiet(study_of("random"), system, trials=1)


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({}, "optimize wants trials= or budget="),
        ({"trials": 0}, "trials= is a whole number from 1"),
        ({"budget": 0.0}, "budget= is a finite number above 0"),
    ],
)
def test_limits_are_checked_before_anything_is_done(limits, said):
    study = study_of("random")
    with pytest.raises(StudyError, match=said):
        quiet(study, **limits)
    assert study.status().open == ()


def test_suggestions_that_are_open_are_done_first():
    study = study_of("random")
    asked = study.ask(2)
    quiet(study, trials=3)
    sets = [", ".join(one.do) for one in asked]
    assert study.history()["set"].tolist()[:2] == sets
    assert study.history()["id"].tolist() == [0, 1, 2]


def test_without_progress_nothing_is_written(capfd):
    quiet(study_of("random"), trials=2)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("limits", "end"), [({"trials": 3}, "3 of 3"), ({"budget": 2.5}, "2 of 2.5"), ({"trials": 1}, "1 of 1")]
)
def test_progress_goes_to_standard_error_with_totals(capfd, limits, end):
    study_of(setting(Z=1.0)).optimize(SYSTEM, **limits)
    out, err = capfd.readouterr()
    assert out == ""
    assert re.search(rf"study .*{end}", err)


def test_a_bar_begins_where_the_study_stands(capfd):
    with progress_bar("heart [/x] {y}", 8.0, 5.0, True):
        pass
    assert "5 of 8" in capfd.readouterr().err


def test_a_bar_shows_what_it_is_told(capfd):
    with progress_bar("heart [/x] {y}", 8.0, 0.0, True) as show:
        show(6.0)
    err = capfd.readouterr().err
    assert "heart [/x] {y}" in err and "6 of 8" in err
