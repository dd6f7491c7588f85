"""`.ci/run` fails when anything fails, and its last line is the count of the tests."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PASSED = "====== 12 passed, 1 skipped in 65.32s (0:01:05) ======"
FAILED = "====== 1 failed, 11 passed in 3.20s ======"
FAKE_MAKE = """#!/bin/sh
echo "make $1 says something; 7 passed the gate"
[ "$1" = lint ] && exit "$LINT"
[ -z "$CLOSING" ] || echo "$CLOSING"
exit "$TEST"
"""
FAKE_DPKG = """#!/bin/sh
echo "$INSTALLED"
"""
FAKE_APT = """#!/bin/sh
echo "apt-get $*"
"""


@pytest.fixture
def ci(tmp_path):
    """Runs .ci/run where `make` and the package tools are only told what to answer."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci/run", tmp_path / ".ci")
    fakes = tmp_path / "bin"
    fakes.mkdir()
    for name, text in {"make": FAKE_MAKE, "dpkg-query": FAKE_DPKG, "apt-get": FAKE_APT}.items():
        (fakes / name).write_text(text)
        (fakes / name).chmod(0o755)

    def run(lint, test, closing, installed="install ok installed"):
        env = os.environ | {"PATH": f"{fakes}:{os.environ['PATH']}", "INSTALLED": installed}
        env |= {"LINT": str(lint), "TEST": str(test), "CLOSING": closing}
        done = subprocess.run(
            ["bash", ".ci/run"], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
        )
        return done.returncode == 0, done.stdout.splitlines()

    return run


@pytest.mark.parametrize(
    ("lint", "test", "closing", "last"),
    [
        (0, 0, PASSED, PASSED),
        (2, 0, PASSED, PASSED),
        (0, 2, FAILED, FAILED),
        (0, 2, "", "0 passed, 1 failed"),
    ],
)
def test_it_passes_when_all_pass_and_ends_with_the_count(ci, lint, test, closing, last):
    passed, lines = ci(lint, test, closing)
    assert passed == (lint == test == 0)
    assert lines[-1] == last


def test_it_says_that_the_linters_failed(ci):
    _, lines = ci(1, 0, PASSED)
    assert any("make lint failed" in line for line in lines)


@pytest.mark.parametrize("installed", ["", "deinstall ok config-files"])
def test_packages_that_are_missing_are_installed(ci, installed):
    _, lines = ci(0, 0, PASSED, installed)
    assert "apt-get install -qq --no-install-recommends postgresql" in lines


def test_packages_that_are_there_are_not(ci):
    _, lines = ci(0, 0, PASSED)
    assert not any(line.startswith("apt-get") for line in lines)
