"""`ceopt check` lists every problem of the spec and the data at once, and says where each is."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.cli.clinic import ROOT, SPEC, ceopt, furnish, patients

EXAMPLES = sorted((ROOT / "examples/clinic").glob("*.toml"))


def problems(spec=None, data=None):
    """What check finds, as one text; the spec or the data being other than usual."""
    furnish(Path(), SPEC if spec is None else spec)
    if data is not None:
        Path("psa.csv").write_bytes(data if isinstance(data, bytes) else data.encode())
    found = ceopt("check", "problem.toml", "--json")
    assert found.code == (1 if found.data["problems"] else 0)
    assert found.err == ""
    return [f"{one['where']}: {one['problem']}" for one in found.data["problems"]]


def other(old, new):
    assert old in SPEC
    return SPEC.replace(old, new)


SPECS = {
    "an unknown key": (
        other("target", "taget"),
        r"study\.taget: there is no such key; did you mean 'target'\?",
    ),
    "an unknown table": (
        SPEC + "[mechanism]\n",
        r"mechanism: there is no such key; did you mean 'mechanisms'\?",
    ),
    "an unknown key of a variable": (
        other("cost = 2", "costs = 2"),
        r"variables\.statin\.costs: there is no such key; did you mean 'cost'\?",
    ),
    "a kernel": (SPEC + 'kernel = "rbf"\n', r"mechanisms\.kernel: there is no such key"),
    "a missing target": (other('target = "psa"\n', ""), r"study\.target: is missing: the variable"),
    "a missing direction": (other('direction = "minimize"\n', ""), r"study\.direction: is missing"),
    "a misspelt direction": (other('"minimize"', '"minimise"'), r'wants "minimize" or "maximize", but got'),
    "a wrong type": (
        other('"psa.csv"', "3"),
        r"study\.observations: wants a text in quotation marks, but got 3",
    ),
    "a truth value": (
        other("cost = 2", "cost = true"),
        r"variables\.statin\.cost: wants a number, but got true",
    ),
    "a text for a list": (
        other('["age -> psa"]', '"age -> psa"'),
        r"graph\.required: wants a list, as in \[\.\.\.\], but got 'age -> psa' \(a text\)",
    ),
    "one bound": (other("[0, 1]", "[0]"), r"variables\.aspirin\.domain: wants \[low, high\] or \{low"),
    "three bounds": (other("[0, 1]", "[0, 1, 0.5]"), r"variables\.aspirin\.domain: wants \[low, high\]"),
    "a text in a domain": (other("[0, 1]", '[0, "1"]'), r"variables\.aspirin\.domain\[1\]: wants a number"),
    "a domain of a text": (other("[0, 1]", '"0-1"'), r"variables\.aspirin\.domain: wants"),
    "no end": (other("[0, 1]", "[0, inf]"), r"variables\.aspirin\.domain\[1\]: wants a finite number"),
    "a low that is high": (other("[0, 1]", "[1, 0]"), r"variables\.aspirin: .*low < high"),
    "a step too long": (other("0.25", "25"), r"variables\.statin: the step"),
    "a domain and levels": (other("[0, 1]", "[0, 1]\nlevels = [0]"), r"variables\.aspirin: has a domain and"),
    "a cost of nothing": (other("cost = 2", "cost = 0"), r"variables\.statin\.cost: wants a number above 0"),
    "a cost without a domain": (
        other("[variables.age]", "[variables.age]\ncost = 1"),
        r"variables\.age: has a cost and no domain",
    ),
    "a target that is set": (
        other("[variables.psa]", "[variables.psa]\ndomain = [0, 1]"),
        r"variables\.psa: is the target",
    ),
    "an unknown target": (
        other('target = "psa"', 'target = "pas"'),
        r"study\.target: .*did you mean 'psa'\?",
    ),
    "a set of what cannot be set": (
        other('name = "clinic"', 'name = "clinic"\nsets = [["statn"]]'),
        r"study\.sets\[0\]: 'statn' cannot be set; did you mean 'statin'\?",
    ),
    "an empty set": (other('name = "clinic"', 'name = "clinic"\nsets = [[]]'), r"study\.sets\[0\]"),
    "an unknown node": (other('"age -> psa"', '"agee -> psa"'), r"graph\.required: .*did you mean 'age'\?"),
    "no edge": (other('"age -> psa"', '"age, psa"'), r"graph\.required: .*wants 'a -> b'"),
    "a cycle": (
        other('["age -> psa"]', '["age -> psa", "psa -> statin", "statin -> age"]').replace(
            '"statin ?> psa", ', ""
        ),
        r"graph: .*no cycle.*age",
    ),
    "a contradiction": (other("[method]", 'forbidden = ["age -> psa"]\n[method]'), r"graph: .*contradicts"),
    "tiers": (other("[method]", 'tiers = [["age"], ["agee"]]\n[method]'), r"graph: .*'agee'"),
    "a chance": (
        other("[method]", 'edge_probabilities = { "statin -> psa" = 2 }\n[method]'),
        r"graph: .*a probability from 0 to 1",
    ),
    "weights without hypotheses": (other("[method]", "weights = [1]\n[method]"), r"graph\.weights: belong"),
    "hypotheses and statements": (
        other("[method]", 'hypotheses = ["age -> psa"]\n[method]'),
        r"graph: has hypotheses and statements",
    ),
    "no path": (other('undecided = ["statin ?> psa", "aspirin ?> psa"]', "undecided = []"), r"no path leads"),
    "too many graphs": (other("[method]", "limit = 2\n[method]"), r"graph: .*4 graphs"),
    "an unknown method": (other('"ceo"', '"coe"'), r"method: .*did you mean 'ceo'\?"),
    "an unknown option": (other("points = 5", "pionts = 5"), r"method: .*did you mean 'points'\?"),
    "an option out of range": (other("points = 5", "points = 0"), r"method: points= is a whole number"),
    "odd draws": (other("draws = 4", "draws = 3"), r"mechanisms: draws= is even"),
    "nothing to set": (
        SPEC.replace("domain = [0, 1]\n", "").replace(
            "domain = { low = 0, high = 1, step = 0.25 }\ncost = 2\n", ""
        ),
        r"variables: none has a domain",
    ),
    "no data": (other("psa.csv", "pas.csv"), r"pas\.csv: there is no file .*did you mean 'psa\.csv'\?"),
    "no TOML": ("[study\n", r"problem\.toml: is no TOML: .*line 1"),
    "a key twice": (other('"clinic"', '"clinic"\nname = "b"'), r"line 3, .*only once"),
    "a table twice": (SPEC + "[study]\n", r"is no TOML: .*line \d+.*only once"),
    "an empty file": ("", r"study: is missing"),
}


@pytest.mark.parametrize("name", SPECS)
def test_a_spec_that_is_wrong_is_refused_with_the_place(name):
    spec, wanted = SPECS[name]
    found = problems(spec)
    assert any(re.search(wanted, one) for one in found), found


def test_a_spec_that_is_not_utf8_is_refused_with_the_line(clinic):
    Path("problem.toml").write_bytes(b'[study]\nname = "\xe9"\n')
    assert "is not UTF-8 (byte 0xe9 in line 2)" in ceopt("check", "problem.toml").err


def csv(**changes):
    """The usual table with some columns changed."""
    return patients().assign(**changes).to_csv(index=False)


def cell(column, row, value):
    frame = patients().astype(object)
    frame.loc[row, column] = value
    return frame.to_csv(index=False)


TABLE = patients().to_csv(index=False)
DATA = {
    "1 a column is missing": (patients().drop(columns="age").to_csv(index=False), r"no column 'age'"),
    "2 a name is misspelt": (
        TABLE.replace("statin", "statine", 1),
        r"no column 'statin'; rename 'statine', if that is it",
    ),
    "3 a name is there twice": (TABLE.replace("aspirin", "statin", 1), r"2 columns 'statin'"),
    "4 names differ by case": (TABLE.replace("statin", "Statin", 1), r"'Statin'.*differ only by case"),
    "4 names differ by a space": (TABLE.replace("age", "age ", 1), r"'age '.*differ only by case, spaces"),
    "5 cells are empty": (cell("age", 3, ""), r"cells are empty: 'age' in row 5;"),
    "5 a cell is NaN": (cell("age", 3, "NaN"), r"cells are empty: 'age' in row 5;"),
    "6 a number is infinite": (cell("age", 3, "inf"), r"'age' is infinite in row 5"),
    "7 a text": (cell("psa", 0, "<LOD"), r"column 'psa' wants numbers, but holds '<LOD' \(str\) in row 2"),
    "7 a unit": (cell("statin", 0, "12 mg"), r"'12 mg'.*in row 2"),
    "7 a mark of nothing": (cell("statin", 0, "n/a"), r"'n/a'.*in row 2"),
    "8 semicolons": (TABLE.replace(",", ";"), r"semicolons between its cells"),
    "8 tabs": (TABLE.replace(",", "\t"), r"tabs between its cells"),
    "8 a decimal comma in quotes": (cell("statin", 0, "0,5"), r"'0,5'.*decimal comma"),
    "8 a decimal comma": (TABLE.replace(".", ",", 1), r"row 2: 5 cells under 4 names"),
    "8 Latin-1": (
        TABLE.replace("age", "\u00e2ge", 1).encode("latin-1"),
        r"not UTF-8 \(byte 0xe2 in line 1\)",
    ),
    "8 UTF-16": (TABLE.encode("utf-16"), r"is no text in UTF-8"),
    "8 a workbook": (b"PK\x03\x04\0\0\0", r"is no text in UTF-8"),
    "9 no rows": ("age,statin,aspirin,psa\n", r"names and no rows"),
    "9 nothing": ("", r"is empty"),
    "10 one row": ("\n".join(TABLE.splitlines()[:2]) + "\n", r"two observational rows are wanted, but got 1"),
    "16 truth values": (cell("statin", 0, "True"), r"'True'.*in row 2"),
    "16 dates": (cell("age", 0, "2026-01-01"), r"'2026-01-01'.*in row 2"),
    "17 the target was not measured": (
        cell("psa", 0, "").replace("psa\n", "psa,intervention_targets\n").replace(",\n", ",,statin\n", 1),
        r"'psa' was not measured",
    ),
    "an intervention on what has no domain": (
        csv(intervention_targets="")[:-1] + "age\n",
        r"column 'intervention_targets' names 'age' in row 31, which has no domain",
    ),
    "a row too short": (TABLE + "60,0.5\n", r"row 32: 2 cells under 4 names"),
}


@pytest.mark.parametrize("name", DATA)
def test_data_that_are_wrong_are_refused_with_row_and_column(name):
    data, wanted = DATA[name]
    if name.startswith("17"):
        lines = [line + ("," if line.count(",") < 4 else "") for line in data.splitlines()]
        data = "\n".join(lines) + "\n"
    found = problems(data=data)
    assert any(re.search(wanted, one) for one in found), found


@pytest.mark.parametrize(
    "data", [b"\xef\xbb\xbf" + TABLE.encode(), TABLE.replace("\n", "\r\n"), TABLE + "\n,,,\n"]
)
def test_a_mark_of_byte_order_line_ends_and_blank_rows_do_no_harm(data):
    assert problems(data=data) == []


def test_all_problems_of_spec_and_data_are_listed_at_once(clinic):
    spec = SPEC.replace("target", "taget").replace("[0, 1]", "[1, 0]").replace("points = 5", "pionts = 5")
    spec = spec.replace("age -> psa", "agee -> psa")
    frame = patients().astype(object)
    frame.loc[3, "age"], frame.loc[4, "psa"] = "old", "n/a"
    found = "\n".join(problems(spec, frame.to_csv(index=False)))
    for part in (
        "study.taget",
        "study.target: is missing",
        "low < high",
        "'agee'",
        "pionts",
        "'old'",
        "'n/a'",
    ):
        assert part in found
    assert len(found.splitlines()) == 7
    said = ceopt("check", "problem.toml")
    assert said.code == 1 and said.err.startswith(
        "Error: problem.toml has 7 problems:\n  study.target: is missing"
    )


def test_one_mistake_is_listed_once():
    for name, (spec, _) in SPECS.items():
        if name not in ("an unknown key", "an empty file", "a cycle"):
            assert len(problems(spec)) == 1, (name, problems(spec))


def test_warnings_alone_are_no_problem(clinic):
    frame = patients().assign(note="x", age=60.0)
    frame.loc[1] = frame.loc[0]
    frame.to_csv("psa.csv", index=False)
    wide = SPEC.replace("[0, 1]", "[0, 50]")
    Path("problem.toml").write_text(wide, "utf-8")
    said = ceopt("check", "problem.toml")
    assert said.code == 0 and "problem.toml is sound, 4 to look at" in said.out
    for part in ("'note'", "never vary", "repeat an earlier one: in row 3", "goes far beyond"):
        assert part in said.err
    assert len(ceopt("check", "problem.toml", "--json").data["warnings"]) == 4
    made = ceopt("create", "problem.toml")
    assert made.code == 0 and made.err.count("'note'") == 1


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_are_sound_and_make_studies(example):
    said = ceopt("check", str(example), "--json")
    assert said.code == 0 and said.data == {"problems": [], "warnings": []}
    made = ceopt("create", str(example), "--json").data
    assert made["name"] == tomllib.loads(example.read_text("utf-8"))["study"]["name"]
    assert ceopt("history", made["name"]).code == 0


def test_there_are_two_examples():
    assert [path.stem for path in EXAMPLES] == ["hypotheses", "problem"]


def test_the_options_of_a_spec_reach_the_study():
    from ceopt import load_study

    ceopt("create", str(ROOT / "examples/clinic/hypotheses.toml"))
    study = load_study("clinic-hypotheses", storage="sqlite:///ceopt.db")
    assert (study.method.name, study.method.found, study.method.discovery.points) == ("cd-cbo", 0.95, 20)
    assert (study.mechanisms.max_rows, study.mechanisms.seed, study.mechanisms.restarts) == (500, 1, 2)
    assert study.problem.sets == (("aspirin",), ("aspirin", "statin"))
    assert study.problem.domain("aspirin").levels == (0, 0.5, 1)
    assert dict(study.problem.cost) == {"aspirin": 1, "statin": 2}
    assert study.problem.graphs.probabilities.tolist() == pytest.approx([0.5, 0.25, 0.25])


def test_the_schema_names_every_table_and_key():
    schema = ceopt("check", "--schema").data
    assert set(schema["properties"]) == {"study", "variables", "graph", "method", "mechanisms"}
    assert schema["additionalProperties"] is False
    assert set(schema["required"]) == {"study", "variables"}
    described = schema["$defs"]["StudyTable"]["properties"]
    assert all("description" in one for one in described.values())
