"""Whatever goes wrong ends in a documented exit code and a sentence, or in JSON; never in a traceback."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ceopt.cli.faults import fault_of, guarded
from tests.cli.clinic import CEOPT, ceopt, environment

REFUSED, USAGE, FAULT = 1, 2, 3

MISTAKES = {
    "a study of that name": (["create", "problem.toml"], REFUSED, "a study 'clinic' already"),
    "an unknown study": (["best", "clinc"], REFUSED, "did you mean 'clinic'?"),
    "an unknown study to tell": (["tell", "clinc", "0", "psa=5"], REFUSED, "no study 'clinc'"),
    "an unknown study to export": (["export", "clinc", "x.jsonl"], REFUSED, "no study 'clinc'"),
    "an unknown suggestion": (["tell", "clinic", "7", "psa=5"], REFUSED, "suggestion 7"),
    "an unknown suggestion to abandon": (["abandon", "clinic", "7"], REFUSED, "suggestion 7"),
    "nothing to amend": (["amend", "clinic", "7", "psa=5", "--reason", "x"], REFUSED, "7"),
    "no target": (["tell", "clinic", "--do", "statin=1", "age=5"], REFUSED, "'psa'"),
    "a decimal comma": (["tell", "clinic", "--do", "statin=1", "psa=5,1"], REFUSED, "decimal comma"),
    "a text": (["tell", "clinic", "--do", "statin=1", "psa=<LOD"], REFUSED, "finite number"),
    "not a number": (["tell", "clinic", "--do", "statin=1", "psa=nan"], REFUSED, "leave out"),
    "an underscore": (["tell", "clinic", "--do", "statin=1", "psa=1_0"], REFUSED, "finite number"),
    "twice": (["tell", "clinic", "--do", "statin=1", "psa=5", "psa=6"], REFUSED, "more than once"),
    "no variable to set": (["tell", "clinic", "--do", "statn=1", "psa=5"], REFUSED, "did you mean 'statin'?"),
    "observed only": (["tell", "clinic", "--do", "age=61", "psa=5"], REFUSED, "only observed"),
    "an outcome that contradicts": (
        ["tell", "clinic", "--do", "statin=1", "psa=5", "statin=0"],
        REFUSED,
        "0",
    ),
    "a set that is none": (["effect", "clinic", "age"], REFUSED, "'age' is not a set"),
    "an empty note": (["note", "clinic", " "], REFUSED, "not empty"),
    "a file that is there": (["export", "clinic", "psa.csv"], REFUSED, "exists already"),
    "a file that is there to recover": (["recover", "clinic", "psa.csv"], REFUSED, "exists already"),
    "a file that is there to init": (
        ["init", "psa.csv", "--target", "psa", "--direction", "minimize", "--set", "statin"],
        REFUSED,
        "--force",
    ),
    "an unknown target": (
        ["init", "psa.csv", "-o", "x.toml", "--target", "pas", "--direction", "minimize", "--set", "age"],
        REFUSED,
        "did you mean 'psa'?",
    ),
    "no such command": (["aks", "clinic"], USAGE, "No such command"),
    "no such option": (["ask", "clinic", "--samples", "many"], USAGE, "--samples"),
    "no samples": (["ask", "clinic", "--samples", "0"], USAGE, "--samples"),
    "no name": (["ask"], USAGE, "NAME"),
    "no such file": (["check", "nothing.toml"], USAGE, "nothing.toml"),
    "nothing to check": (["check"], USAGE, "FILE"),
    "no such outcomes": (["tell", "clinic", "0", "--file", "nothing.csv"], USAGE, "nothing.csv"),
    "neither ID nor --do": (["tell", "clinic", "psa=5"], USAGE, "--do"),
    "neither ID nor NAME=NUMBER": (["tell", "clinic", "one", "psa=5"], USAGE, "'one'"),
    "no outcome": (["tell", "clinic", "0"], USAGE, "--file"),
    "two outcomes": (["tell", "clinic", "0", "psa=5", "--file", "psa.csv"], USAGE, "one of the two"),
    "a level without a name": (["tell", "clinic", "--do", "0.5", "psa=5"], USAGE, "NAME=NUMBER"),
    "no reason": (["amend", "clinic", "0", "psa=5"], USAGE, "--reason"),
    "no database": (["list", "--storage", "sqlite:///other.db"], FAULT, "other.db"),
    "no database to ask": (["ask", "clinic", "--storage", "sqlite:///other.db"], FAULT, "other.db"),
    "no folder": (["create", "problem.toml", "--storage", "sqlite:///no/x.db"], FAULT, "no folder"),
    "no URL": (["list", "--storage", "file.db"], FAULT, "sqlite:///file.db"),
    "no database of ours": (["list", "--storage", "sqlite:///psa.csv"], FAULT, "psa.csv"),
    "another system": (["list", "--storage", "mysql://u@h/n"], FAULT, "mysql"),
    "no study in a file": (["import", "problem.toml"], FAULT, "problem.toml"),
}


@pytest.fixture(scope="module")
def furnished(tmp_path_factory):
    """A folder with a study; each test has a copy."""
    from tests.cli.clinic import furnish

    folder, here = tmp_path_factory.mktemp("clinic"), Path.cwd()
    furnish(folder)
    os.chdir(folder)
    assert ceopt("create", "problem.toml").code == 0
    os.chdir(here)
    return folder


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_ends_in_its_code_and_a_sentence(mistake, furnished, folder):
    shutil.copytree(furnished, folder, dirs_exist_ok=True)
    words, code, said = MISTAKES[mistake]
    before = (folder / "ceopt.db").read_bytes()
    told = ceopt(*words)
    assert (told.code, told.out) == (code, "")
    assert said in told.err and "Traceback" not in told.err
    asked = ceopt(*words, "--json")
    assert asked.code == asked.data["code"] == code and said in asked.data["error"]
    assert (folder / "ceopt.db").read_bytes() == before


def test_reading_never_makes_a_database(clinic):
    before = sorted(clinic.iterdir())
    names = [
        "ask",
        "best",
        "status",
        "history",
        "graph",
        "delete",
        "note",
        "tell",
        "effect",
        "export",
        "recover",
    ]
    more = {"note": ["x"], "tell": ["0", "psa=1"], "effect": ["statin"], "export": ["a"], "recover": ["a"]}
    for name in names:
        done = ceopt(name, "clinic", *more.get(name, []))
        assert done.code == FAULT and "ceopt.db" in done.err, name
    assert ceopt("list").code == FAULT
    assert sorted(clinic.iterdir()) == before


def test_a_spec_that_is_refused_makes_no_database(clinic):
    clinic.joinpath("problem.toml").write_text("[study]\n", "utf-8")
    assert ceopt("create", "problem.toml").code == REFUSED
    assert not clinic.joinpath("ceopt.db").exists()


def test_a_damaged_study_is_named_and_what_is_sound_of_it_is_saved(study, folder):
    for psa in ("5", "6", "7"):
        assert ceopt("tell", study, "--do", "statin=0.5", f"psa={psa}").code == 0
    with sqlite3.connect("ceopt.db") as database:
        database.execute("UPDATE ceopt_events SET body = replace(body, '6.0', '9.0') WHERE seq = 3")
    database.close()
    damaged = ceopt("history", study)
    assert damaged.code == FAULT and "event 3" in damaged.err and "ceopt recover" in damaged.err
    saved = ceopt("recover", study, "saved.jsonl", "--json").data
    assert (saved["events"], saved["broken"], saved["lost"]) == (2, 3, 2)
    assert "Event 3 is damaged" in ceopt("recover", study, "again.jsonl").out
    assert ceopt("import", "saved.jsonl", "--name", "sound").code == 0
    assert [row["psa"] for row in ceopt("history", "sound", "--json").data] == [5]


def test_a_file_that_cannot_be_written_is_a_fault(study):
    refused = ceopt("export", study, "no/such/folder.jsonl")
    assert refused.code == FAULT and "no/such" in refused.err


def test_a_fault_of_ours_is_told_apart_and_shows_its_traceback(capsys):
    def broken():
        raise ZeroDivisionError("oops")

    assert guarded(broken, as_json=True) == FAULT
    said = capsys.readouterr()
    assert '"code": 3' in said.out and "please report it: ZeroDivisionError: oops" in said.out
    assert "Traceback" in said.err


def test_a_system_error_names_its_file():
    fault = fault_of(PermissionError(13, "Permission denied", "data.csv"))
    assert (fault.code, fault.text) == (FAULT, "'data.csv': Permission denied")


def test_a_key_interrupt_is_130():
    def interrupted():
        raise KeyboardInterrupt

    assert guarded(interrupted, as_json=False) == 130


def run(*words, **settings):
    return subprocess.run(
        [*CEOPT, *words],
        capture_output=True,
        text=True,
        env=environment(**settings),
        stdin=subprocess.DEVNULL,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("json", [[], ["--json"]], ids=["text", "json"])
def test_control_c_ends_cleanly_with_130(json, folder):
    command = [*CEOPT, "demo", "--folder", "kept", "--trials", "1000", *json]
    going = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
    )
    until = time.monotonic() + 60
    while not (folder / "kept/demo.db").exists() and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(0.5)
    going.send_signal(signal.SIGINT)
    out, err = going.communicate(timeout=60)
    assert going.returncode == 130 and "Traceback" not in err
    assert '"code": 130' in out if json else err.endswith("Error: interrupted\n")
    assert ceopt("history", "health", "--storage", "sqlite:///kept/demo.db").code == 0


def test_a_real_process_exits_with_the_code_and_prints_only_json(study):
    done = run("tell", study, "--do", "statin=0.5", "psa=5", "--json")
    assert done.returncode == 0 and done.stdout.startswith("{") and done.stdout.count("{") == 1
    assert done.stderr.count("Warning: not measured") == 1
    refused = run("tell", study, "9", "psa=5")
    assert (refused.returncode, refused.stdout) == (1, "") and refused.stderr.count("\n") <= 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("json", [[], ["--json"]], ids=["text", "json"])
def test_output_that_cannot_be_written_is_a_fault_that_is_said(json, study):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*CEOPT, "list", *json], stdout=full, stderr=subprocess.PIPE, text=True, env=environment()
        )
    assert (done.returncode, done.stderr) == (3, "Error: No space left on device\n")


def test_closed_streams_are_no_fault(study):
    piped = " ".join([f"'{word}'" for word in CEOPT])
    done = subprocess.run(["bash", "-c", f"{piped} list <&- >&- 2>&-"], env=environment())
    assert done.returncode == 0


def test_a_reader_who_leaves_early_is_no_fault(study):
    piped = " ".join([f"'{word}'" for word in CEOPT])
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {piped} graph {study} --json | head -1 > /dev/null"],
        capture_output=True,
        text=True,
        env=environment(),
    )
    assert (done.returncode, done.stderr) == (0, "")
