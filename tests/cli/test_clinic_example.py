"""The files of examples/clinic: made by the script beside them, and of use one after the other."""

import shutil
import subprocess
import sys

import pandas as pd

from tests.cli.clinic import ROOT, ceopt, environment

HOME = ROOT / "examples/clinic"


def test_the_data_come_from_the_script(folder):
    shutil.copy(HOME / "make_data.py", folder)
    subprocess.run([sys.executable, "make_data.py"], env=environment(), check=True)
    for name in ("psa.csv", "outcomes.csv"):
        pd.testing.assert_frame_equal(pd.read_csv(name), pd.read_csv(HOME / name), atol=0.002)


def test_the_files_lead_through_a_study(folder):
    for path in HOME.iterdir():
        if path.is_file():
            shutil.copy(path, folder)
    assert ceopt("create", "problem.toml").out.startswith("Study 'clinic': minimize psa, 16 graphs, 120 obs")
    before = edge(ceopt("graph", "clinic", "--json").data, "statin", "cancer")
    assert ceopt("ask", "clinic", "--samples", "10", "--json").data["do"].keys() <= {"aspirin", "statin"}
    assert (
        ceopt("tell", "clinic", "0", "--do", "aspirin=0", "--file", "outcomes.csv", "--json").data["rows"]
        == 10
    )
    after = edge(ceopt("graph", "clinic", "--json").data, "statin", "cancer")
    assert 0 < before < 1 and 0 < after <= 1
    best = ceopt("best", "clinic", "--json").data
    assert best["do"]["aspirin"] == 0 and best["mean"] < best["baseline"]["mean"]


def edge(found, cause, effect):
    """The probability of one edge."""
    chances = [
        one["probability"] for one in found["edges"] if (one["cause"], one["effect"]) == (cause, effect)
    ]
    return chances[0] if chances else 0.0


def test_a_study_elsewhere_is_named_with_its_place(folder):
    storage = ("--storage", "sqlite:///my studies.db")
    made = ceopt("create", str(HOME / "problem.toml"), "--name", "my clinic", *storage).out
    assert "ceopt ask 'my clinic' --storage 'sqlite:///my studies.db'" in made
