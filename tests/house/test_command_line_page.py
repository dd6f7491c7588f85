"""The page about the command line names every command, option, key of a spec file and exit code."""

import re
from pathlib import Path

import click
import pytest

from ceopt.cli import spec
from ceopt.cli.faults import CODES
from ceopt.cli.main import main

PAGE = (Path(__file__).parents[2] / "docs/howto/command_line.md").read_text("utf-8")
HEADS = re.findall(r"^### `ceopt ((\w+).*)`$", PAGE, flags=re.MULTILINE)
FORMS = {name: form for form, name in HEADS}
TABLES = {
    "study": spec.StudyTable,
    "variables.NAME": spec.VariableTable,
    "graph": spec.GraphTable,
    "method": spec.MethodTable,
    "mechanisms": spec.MechanismsTable,
}


def part(head):
    """What stands under a heading, up to the next one."""
    return re.split(r"^#+ ", PAGE.split(f"{head}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]


def test_the_page_has_every_command_once_and_no_other():
    assert sorted(name for _, name in HEADS) == sorted(main.commands)


def longest(option):
    return max(option.opts, key=len)


@pytest.mark.parametrize("name", sorted(main.commands))
def test_a_form_has_every_option_and_no_other(name):
    options = {longest(one) for one in main.commands[name].params if isinstance(one, click.Option)}
    assert {"--json"} <= options
    assert set(re.findall(r"--\w+", FORMS[name])) == options - {"--json"}


@pytest.mark.parametrize("name", sorted(main.commands))
def test_a_form_says_what_must_be_given(name):
    given = [one for one in main.commands[name].params if isinstance(one, click.Option) and one.required]
    assert all(re.search(rf"(?<!\[){longest(one)} ", FORMS[name]) for one in given)
    optional = {longest(one) for one in main.commands[name].params if isinstance(one, click.Option)}
    optional -= {longest(one) for one in given} | {"--json"}
    assert all(f"[{one}" in FORMS[name] for one in optional)


@pytest.mark.parametrize("name", sorted(main.commands))
def test_the_page_says_what_json_a_command_prints(name):
    assert f"`{name}`" in part("## For programs: `--json`")


@pytest.mark.parametrize("table", TABLES)
def test_the_page_has_every_key_of_a_table(table):
    text = part(f"### `[{table}]`")
    assert [key for key in TABLES[table].model_fields if f"`{key}`" not in text] == []


def test_the_page_has_every_table():
    assert set(spec.Spec.model_fields) == {table.partition(".")[0] for table in TABLES}


def test_the_page_has_every_exit_code_and_no_other():
    listed = re.findall(r"^\| (\d+) \|", part("## Exit codes"), flags=re.MULTILINE)
    assert listed == re.findall(r"^ +(\d+) ", CODES, flags=re.MULTILINE)


@pytest.mark.parametrize("text", ["CEOPT_STORAGE", "NO_COLOR", "_CEOPT_COMPLETE=zsh_source"])
def test_what_the_help_says_of_the_shell_is_on_the_page(text):
    assert text in PAGE
