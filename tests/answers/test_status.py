"""How a study stands."""

import pytest

from ceopt.answers.status import Status
from tests.methods.worlds import outcome, question, seen, study_of


def test_a_new_study_has_nothing_open_and_nothing_told():
    status = study_of().status()
    assert (status.open, status.trials, status.spent, status.warnings) == ((), 0, 0.0, ())


def test_it_counts_what_was_told_and_what_it_cost():
    study = study_of("random", question(cost={"X": 1.5, "Z": 10.0}))
    study.tell(do={"X": 0.0}, outcome=outcome({"X": 0.0}))
    study.tell(do={"X": 0.0, "Z": 1.0}, outcome=outcome({"X": 0.0, "Z": 1.0}))
    status = study.status()
    assert (status.trials, status.spent) == (2, 13.0)


def test_open_suggestions_stay_until_they_are_told():
    study = study_of("random")
    first, second, third = study.ask(3)
    assert study.status().open == (first, second, third)
    study.tell(second, outcome(second.do))
    assert study.status().open == (first, third)


def test_past_interventions_that_came_with_the_data_are_no_trials():
    past = {**outcome({"Z": 1.0}), "intervention_targets": "Z"}
    rows = seen().assign(intervention_targets="")
    rows.loc[len(rows)] = past
    imported = study_of("random", observations=rows)
    assert (len(imported.history()), imported.trials, imported.spent) == (1, 0, 0.0)


@pytest.mark.parametrize("warnings", [(), ("beware", "mind the step")])
def test_it_reads_as_what_is_open_and_what_was_spent(warnings):
    study = study_of("random")
    one, two = study.ask(2)
    text = str(Status((one, two), 7, 12.5, warnings)).splitlines()
    assert text[0] == "7 experiments told, at a cost of 12.5; 2 open."
    assert text[1].startswith("Suggestion 0 is open: ")
    assert text[2].startswith("Suggestion 1 is open: ")
    assert text[3:] == [f"Warning: {one}." for one in warnings]
    assert all(f"{name} = " in text[2] for name in two.do)
