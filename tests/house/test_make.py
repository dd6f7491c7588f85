"""`make` installs when it must and only then."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FAKE_PYTHON = """#!/bin/sh
echo "$*" >> "$CALLS"
case "$*" in
    "-c "*) exit "${TOO_OLD:-0}" ;;
    "-m venv "*)
        mkdir -p "$3/bin" && cp "$0" "$3/bin/python"
        echo "command = $0 -m venv $PWD/$3" > "$3/pyvenv.cfg"
        ;;
    *" install "*editable*) exit "${OFFLINE:-0}" ;;
esac
"""


class House:
    """A folder with the Makefile and a Python that only writes down what it is asked."""

    def __init__(self, folder):
        self.folder, self.python, self.calls = folder / "a house", folder / "python3", folder / "calls"
        self.folder.mkdir()
        for name in ("Makefile", "pyproject.toml"):
            shutil.copy(ROOT / name, self.folder)
        self.python.write_text(FAKE_PYTHON)
        self.python.chmod(0o755)

    def make(self, target, **settings):
        """The exit code, what was printed, and what Python was asked to do."""
        self.calls.write_text("")
        env = {k: v for k, v in os.environ.items() if k not in {"MAKEFLAGS", "MAKELEVEL", "MFLAGS"}}
        env |= {"CALLS": str(self.calls), **settings}
        command = ["make", target, f"PYTHON={self.python}"]
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=env,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr, self.calls.read_text()

    def installs(self, target, **settings):
        """How often a target called pip for the package."""
        code, printed, calls = self.make(target, **settings)
        assert code == 0, printed
        return len(re.findall(r"-m pip install .*--editable", calls))


@pytest.fixture
def house(tmp_path):
    return House(tmp_path)


def test_each_tier_installs_once(house):
    assert [house.installs(t) for t in ("test", "test", "demo", "bench", "docs", "docs")] == [
        1,
        0,
        1,
        0,
        1,
        0,
    ]


def test_a_mere_touch_installs_nothing(house):
    house.installs("test")
    later = house.folder.joinpath("pyproject.toml").stat().st_mtime + 60
    os.utime(house.folder / "pyproject.toml", (later, later))
    assert house.installs("test") == 0


def test_a_changed_pyproject_installs(house):
    house.installs("test")
    with (house.folder / "pyproject.toml").open("a") as file:
        file.write("# changed\n")
    later = house.folder.joinpath("Makefile").stat().st_mtime + 60
    os.utime(house.folder / "pyproject.toml", (later, later))
    assert house.installs("test") == 1


def test_a_moved_folder_is_set_up_again(house):
    house.installs("test")
    house.folder = house.folder.rename(house.folder.with_name("moved"))
    assert [house.installs("test"), house.installs("test")] == [1, 0]


def test_an_install_that_failed_is_tried_again(house):
    assert house.make("test", OFFLINE="1")[0] != 0
    assert house.installs("test") == 1


def test_an_old_python_is_refused_in_one_sentence(house):
    code, printed, calls = house.make("test", TOO_OLD="1")
    assert code != 0
    assert "ceopt needs Python 3.11 or later" in printed
    assert "venv" not in calls


def test_clean_leaves_only_what_came(house):
    house.installs("test")
    house.make("clean")
    assert sorted(p.name for p in house.folder.iterdir()) == ["Makefile", "pyproject.toml"]
