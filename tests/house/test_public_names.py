"""What `import ceopt` promises."""

import inspect
import subprocess
import sys
from importlib.metadata import version

import pytest

import ceopt

HEAVY = ("matplotlib", "networkx", "pandas", "scipy", "sklearn")


@pytest.mark.parametrize("name", ceopt.__all__)
def test_every_public_name_exists_and_says_what_it_is(name):
    assert inspect.getdoc(getattr(ceopt, name))


def test_dir_lists_every_public_name():
    assert set(dir(ceopt)) == {*ceopt.__all__, "__version__"}


def test_the_public_names_are_those_promised():
    promised = {
        "GraphPrior",
        "Mechanisms",
        "Problem",
        "Study",
        "create_study",
        "delete_study",
        "export_study",
        "import_study",
        "recover_study",
        "list_studies",
        "load_study",
        "errors",
        "methods",
        "problems",
    }
    assert promised == set(ceopt.__all__)


def test_an_unknown_name_is_an_attribute_error_that_names_it():
    with pytest.raises(AttributeError, match="'Stduy'"):
        _ = ceopt.Stduy


def test_the_version_is_that_of_the_distribution():
    assert ceopt.__version__ == version("ceopt")


def test_importing_ceopt_loads_nothing_heavy():
    code = f"import sys, ceopt; print(sorted(set(sys.modules) & set({HEAVY})))"
    received = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    )
    assert received.stdout.strip() == "[]"
