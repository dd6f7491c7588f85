"""From a table to a recommendation, by the command line alone."""

import pandas as pd
import pytest

from tests.cli.clinic import ceopt, patients


def test_the_whole_way_from_a_table_to_a_recommendation(folder):
    patients().to_csv("psa.csv", index=False)
    words = ["--target", "psa", "--direction", "minimize", "--set", "statin", "--set", "aspirin"]
    assert ceopt("init", "psa.csv", *words, "--name", "clinic").code == 0
    spec = folder.joinpath("problem.toml").read_text("utf-8")
    small = 'name = "ceo"\npoints = 5\nfantasies = 4\ndraws = 20\n'
    undecided = spec.replace('    "age - aspirin",\n', "").replace('    "statin - aspirin",\n', "")
    folder.joinpath("problem.toml").write_text(undecided.replace('name = "ceo"\n', small), "utf-8")
    checked = ceopt("check", "problem.toml")
    assert checked.code == 0 and "problem.toml is sound: 24 graphs, 3 sets, 30 rows." in checked.out
    assert ceopt("create", "problem.toml").code == 0

    asked = ceopt("ask", "clinic", "--json", "--samples", "2")
    assert asked.code == 0 and set(asked.data) == {"id", "do", "cost", "gain", "why"}
    assert asked.data["id"] == 0 and asked.data["do"].keys() <= {"statin", "aspirin"}
    assert asked.data["cost"] == len(asked.data["do"]) and asked.data["why"]["text"]
    assert ceopt("status", "clinic", "--json").data["open"][0]["do"] == asked.data["do"]

    outcome = patients(2, seed=1).drop(columns=list(asked.data["do"]))
    outcome.to_csv("outcomes.csv", index=False)
    told = ceopt("tell", "clinic", "0", "--file", "outcomes.csv", "--json")
    assert told.data == {"id": 0, "rows": 2}
    assert (
        ceopt("tell", "clinic", "0", "--file", "outcomes.csv", "--json").data == told.data
    )  # once is enough
    assert ceopt("tell", "clinic", "--do", "statin=0.7", "psa=5.0", "age=61", "--json").data["id"] == 1
    history = ceopt("history", "clinic", "--json").data
    assert [row["id"] for row in history] == [0, 0, 1]
    assert history[2]["do.statin"] == 0.7 and history[2]["aspirin"] is None and history[2]["set"] == "statin"

    best = ceopt("best", "clinic", "--json").data
    assert (
        best["do"].keys() <= {"statin", "aspirin"}
        and best["interval"][0] < best["mean"] < best["interval"][1]
    )
    assert sum(best["probability"].values()) == pytest.approx(1)
    status = ceopt("status", "clinic", "--json").data
    assert status["trials"] == 2 and status["open"] == []
    graphs = ceopt("graph", "clinic", "--json").data
    assert sum(one["probability"] for one in graphs["graphs"]) == pytest.approx(1)
    assert {"cause", "effect", "probability"} == set(graphs["edges"][0])
    effect = ceopt("effect", "clinic", "statin", "--json").data
    assert set(effect[0]) == {"statin", "mean", "lower", "upper"}

    assert ceopt("export", "clinic", "clinic.jsonl", "--json").data == {"file": "clinic.jsonl", "events": 4}
    assert ceopt("import", "clinic.jsonl", "--name", "copy", "--json").data == {"name": "copy"}
    assert ceopt("list", "--json").data == ["clinic", "copy"]
    assert ceopt("history", "copy").out == ceopt("history", "clinic").out
    saved = ceopt("recover", "clinic", "saved.jsonl", "--json").data
    assert saved == {"file": "saved.jsonl", "events": 4, "broken": None, "lost": 0}
    assert folder.joinpath("saved.jsonl").read_bytes() == folder.joinpath("clinic.jsonl").read_bytes()


def test_every_answer_has_a_form_for_people(study):
    assert "What to do next: ceopt ask two" in ceopt("create", "problem.toml", "--name", "two").out
    assert ceopt("history", study).out == "Nothing was told yet.\n"
    asked = ceopt("ask", study).out
    assert asked.startswith("suggestion 0: set ") and asked.endswith(
        "Once it is done: ceopt tell clinic 0 psa=...\n"
    )
    assert "1 open" in ceopt("status", study).out
    assert ceopt("tell", study, "0", "psa=5.1").out == "Told: 1 row under 0.\n"
    assert "Set " in ceopt("best", study).out
    shown = ceopt("graph", study, "--top", "2").out
    assert "Every graph has age -> psa" in shown and "2 more together" in shown
    assert ceopt("effect", study, "statin", "--at", "statin=0.5").out.splitlines()[2].startswith("   0.5  ")
    assert (
        ceopt("amend", study, "0", "psa=5.2", "--reason", "a slip").out
        == "What was told under 0 is corrected.\n"
    )
    history = ceopt("history", study).out.splitlines()
    assert len(history) == 2 and history[0].split()[:3] == ["id", "time", "set"] and "amended" in history[1]
    assert not any(line.endswith(" ") for line in history)
    assert ceopt("note", study, "a remark").out == "Noted.\n"
    assert ceopt("ask", study).code == 0
    assert ceopt("abandon", study, "1", "--reason", "no time").out == "Suggestion 1 is withdrawn.\n"


def test_several_suggestions_come_as_a_list(study):
    two = ceopt("ask", study, "--n", "2", "--json").data
    assert [one["id"] for one in two] == [0, 1]
    assert [one["id"] for one in ceopt("ask", study, "--n", "1", "--json").data] == [2]


@pytest.mark.parametrize(
    "do", [["--do", "statin=0.5,aspirin=1"], ["--do", "statin=0.5", "--do", "aspirin=1"]]
)
def test_several_variables_are_told_in_either_form(study, do):
    assert ceopt("tell", study, *do, "psa=5").code == 0
    (row,) = ceopt("history", study, "--json").data
    assert (row["do.statin"], row["do.aspirin"], row["cost"]) == (0.5, 1, 3)


def test_other_levels_than_planned_are_stored_as_applied(study):
    asked = ceopt("ask", study, "--json").data
    assert ceopt("tell", study, "0", "--do", "statin=0.33", "psa=5").code == 0
    (row,) = ceopt("history", study, "--json").data
    assert asked["id"] == row["id"] == 0 and row["do.statin"] == 0.33


def test_a_part_of_the_rows_leaves_the_suggestion_open(study):
    ceopt("ask", study)
    assert ceopt("tell", study, "0", "psa=5", "--partial").code == 0
    assert [one["id"] for one in ceopt("status", study, "--json").data["open"]] == [0]


def test_a_key_makes_a_told_experiment_count_once(study):
    words = ("tell", study, "--do", "statin=0.5", "psa=5", "--key", "monday", "--json")
    assert ceopt(*words).data == ceopt(*words).data == {"id": 0, "rows": 1}
    assert len(ceopt("history", study, "--json").data) == 1


def test_the_storage_is_the_option_before_the_environment(clinic):
    ceopt("create", "problem.toml", "--storage", "sqlite:///a.db")
    elsewhere = {"CEOPT_STORAGE": "sqlite:///b.db"}
    assert ceopt("create", "problem.toml", "--name", "two", env=elsewhere).code == 0
    assert sorted(p.name for p in clinic.glob("*.db")) == ["a.db", "b.db"]
    assert ceopt("list", "--storage", "sqlite:///a.db", "--json", env=elsewhere).data == ["clinic"]
    assert ceopt("list", "--json", env=elsewhere).data == ["two"]
    assert ceopt("list", "--json", env={"CEOPT_STORAGE": ""}).code == 3  # an empty one is none


def test_interventions_may_come_with_the_observations(clinic):
    frame = patients().assign(intervention_targets="")
    frame.loc[[3, 5], "intervention_targets"] = ["statin", "statin; aspirin"]
    frame.to_csv("psa.csv", index=False)
    made = ceopt("create", "problem.toml", "--json").data
    assert (made["observations"], made["interventions"]) == (28, 2)
    assert [row["set"] for row in ceopt("history", "clinic", "--json").data] == ["statin", "aspirin, statin"]


def test_a_study_is_deleted_only_when_that_is_wanted(study):
    assert ceopt("delete", study, typed="n\n").code == 1
    assert ceopt("delete", study, typed="").code == 2
    assert ceopt("delete", study, "--json").code == 2
    assert ceopt("list", "--json").data == [study]
    assert ceopt("delete", study, typed="y\n").code == 0
    assert ceopt("list", "--json").data == []
    ceopt("create", "problem.toml")
    assert ceopt("delete", study, "--yes", "--json").data == {"deleted": study}


def test_the_demo_finds_the_truth_and_can_be_gone_on_with(folder):
    first = ceopt("demo", "--folder", "kept", "--trials", "1", "--json")
    assert first.code == 0 and first.data["truth"]["do"] == {"R": 0, "S": 1}
    assert ceopt("status", "health", "--storage", "sqlite:///kept/demo.db", "--json").data["trials"] == 1
    again = ceopt("demo", "--folder", "kept", "--trials", "1")
    assert again.code == 0 and "The truth, which ceopt was not told: R = 0, S = 1" in again.out
    assert pd.Series(first.data["recommendation"]["probability"]).sum() == pytest.approx(1)
    assert [p.name for p in folder.iterdir()] == ["kept"]


def test_time_that_is_over_leaves_no_suggestion(study):
    late = ceopt("ask", study, "--seconds", "0.001")
    assert late.code == 1 and "no suggestion within 0.001 seconds" in late.err
    assert ceopt("status", study, "--json").data["open"] == []
    assert ceopt("ask", study, "--seconds", "60", "--json").data["id"] == 0
