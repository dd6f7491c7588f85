"""`ceopt init` writes a spec that is sound, and asks only for what it cannot know."""

import tomllib
from pathlib import Path

import pytest

from tests.cli.clinic import ceopt, patients

WORDS = ("--target", "psa", "--direction", "minimize", "--set", "statin")


def spec_of(frame, *words, **settings):
    frame.to_csv("data.csv", index=False)
    done = ceopt("init", "data.csv", *(words or WORDS), **settings)
    assert done.code == 0, done.err
    return tomllib.loads(Path("problem.toml").read_text("utf-8"))


def test_the_guess_is_sound(folder):
    spec = spec_of(patients())
    assert spec["study"] == {
        "name": "data",
        "target": "psa",
        "direction": "minimize",
        "observations": "data.csv",
        "seed": 0,
    }
    assert list(spec["variables"]) == ["age", "statin", "aspirin", "psa"]
    assert [name for name, one in spec["variables"].items() if one] == ["statin"]
    low, high = spec["variables"]["statin"]["domain"]
    seen = patients()["statin"]
    assert low <= seen.min() and seen.max() <= high and high - low < 1.1 * (seen.max() - seen.min())
    assert spec["graph"]["forbidden"] == ["psa -> *"]
    assert set(spec["graph"]["undecided"]) >= {"statin ?> psa", "age ?> psa", "age - statin"}
    assert ceopt("check", "problem.toml").code == 0


def test_few_values_are_levels():
    frame = patients().assign(statin=[0, 0.5, 1] * 10)
    assert spec_of(frame)["variables"]["statin"] == {"levels": [0, 0.5, 1], "cost": 1}


def test_what_it_cannot_know_is_asked():
    spec = spec_of(patients(), "--name", "x", typed="psa\nmaximize\nstatin, aspirin\n")
    assert (spec["study"]["target"], spec["study"]["direction"]) == ("psa", "maximize")
    assert [name for name, one in spec["variables"].items() if one] == ["statin", "aspirin"]


def test_nobody_to_ask_is_wrong_usage():
    patients().to_csv("data.csv", index=False)
    for words in ([], ["--target", "psa"], WORDS[:4]):
        assert ceopt("init", "data.csv", *words).code == 2
        silent = ceopt("init", "data.csv", *words, "--json")
        assert silent.data["code"] == 2 and "Missing option" in silent.data["error"]
    assert not Path("problem.toml").exists()


def test_what_was_set_in_the_past_can_be_set():
    frame = patients().assign(intervention_targets="")
    frame.loc[3, "intervention_targets"] = "aspirin; statin"
    spec = spec_of(frame, *WORDS[:4])
    assert [name for name, one in spec["variables"].items() if one] == ["statin", "aspirin"]
    assert ceopt("check", "problem.toml").code == 0


def test_a_file_that_is_there_is_written_over_only_by_force():
    Path("problem.toml").write_text("mine", "utf-8")
    patients().to_csv("data.csv", index=False)
    assert ceopt("init", "data.csv", *WORDS).code == 1
    assert Path("problem.toml").read_text("utf-8") == "mine"
    assert ceopt("init", "data.csv", *WORDS, "--force").code == 0
    assert "[study]" in Path("problem.toml").read_text("utf-8")


def test_the_data_are_named_relative_to_the_spec():
    Path("specs").mkdir()
    patients().to_csv("data.csv", index=False)
    assert ceopt("init", "data.csv", *WORDS, "-o", "specs/a.toml").code == 0
    assert tomllib.loads(Path("specs/a.toml").read_text("utf-8"))["study"]["observations"] == "../data.csv"
    assert ceopt("check", "specs/a.toml").code == 0


def test_columns_that_are_no_numbers_are_left_out_and_named():
    patients().assign(ward="east").to_csv("data.csv", index=False)
    done = ceopt("init", "data.csv", *WORDS)
    assert done.code == 0 and "'ward' is left out" in done.err
    assert '# Left out, as it does not hold numbers only: "ward"' in Path("problem.toml").read_text("utf-8")
    assert ceopt("check", "problem.toml").code == 0


@pytest.mark.parametrize("name", ["beta blocker", "dose.mg", 'a "quoted" one', "größe", "a\\b"])
def test_names_that_toml_must_quote_are_quoted(name):
    spec = spec_of(patients().rename(columns={"statin": name}), *WORDS[:4], "--set", name, "--set", "aspirin")
    assert name in spec["variables"]
    assert ceopt("check", "problem.toml").code == 0


def test_many_columns_leave_a_number_of_graphs_that_can_be_listed():
    frame = patients().assign(**{f"x{i}": patients(seed=i)["age"] for i in range(8)})
    spec_of(frame)
    assert ceopt("check", "problem.toml").code == 0
    assert "there would be too many graphs" in Path("problem.toml").read_text("utf-8")


def test_a_column_that_never_varies_gets_a_domain_to_be_looked_at():
    spec = spec_of(patients().assign(statin=0.5))
    assert spec["variables"]["statin"]["domain"] == [0.5, 1.5]
    assert "it never varies" in Path("problem.toml").read_text("utf-8")


def test_a_table_without_two_columns_of_numbers_is_refused():
    Path("data.csv").write_text("a,b\nx,1\ny,2\n", "utf-8")
    refused = ceopt("init", "data.csv", *WORDS)
    assert refused.code == 1 and "fewer than two columns" in refused.err
