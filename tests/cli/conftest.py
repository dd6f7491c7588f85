"""Every test of the command line runs in a folder of its own."""

import pytest

from tests.cli.clinic import ceopt, furnish


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def clinic(folder):
    """A folder with data and a spec."""
    furnish(folder)
    return folder


@pytest.fixture
def study(clinic):
    """And a study made of them."""
    assert ceopt("create", "problem.toml").code == 0
    return "clinic"
