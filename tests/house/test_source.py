"""The shape of the source tree, and of the tools that keep it."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def test_no_file_of_the_source_is_longer_than_250_lines():
    lengths = {
        str(p.relative_to(ROOT)): len(p.read_text("utf-8").splitlines()) for p in (ROOT / "src").rglob("*.py")
    }
    assert {name: n for name, n in lengths.items() if n > 250} == {}


@pytest.mark.parametrize("requirement", PYPROJECT["dependency-groups"]["lint"])
def test_the_linters_are_pinned(requirement):
    assert re.fullmatch(r"[\w-]+==[\d.]+", requirement)


@pytest.mark.parametrize("requirement", PYPROJECT["project"]["dependencies"])
def test_what_users_install_has_a_lower_bound_only(requirement):
    assert re.fullmatch(r"[\w-]+>=[\d.]+", requirement)


def test_pre_commit_has_no_pins_of_its_own():
    hooks = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")
    assert re.findall(r"repo: (.*)", hooks) == ["local"]
    assert "rev:" not in hooks


def test_the_extra_all_holds_every_extra_but_peers():
    extras = PYPROJECT["project"]["optional-dependencies"]
    (everything,) = extras["all"]
    assert set(re.search(r"\[(.*)\]", everything)[1].split(",")) == extras.keys() - {"all", "peers"}
