"""`ceopt --help` reads like a manual, and is there at once."""

import os
import re
import subprocess
import sys
from importlib.metadata import version

import click
import pytest

from ceopt.cli.main import SECTIONS, main
from tests.cli.clinic import CEOPT, ROOT, ceopt, environment

HEAVY = ("numpy", "pandas", "sklearn", "scipy", "sqlalchemy", "pydantic", "rich", "networkx", "joblib")


@pytest.mark.parametrize("name", sorted(main.commands))
def test_every_command_has_help_in_both_forms_and_takes_json(name):
    said = ceopt(name, "--help")
    assert said.code == 0 and said.out.startswith(f"Usage: ceopt {name}") and "--json" in said.out
    assert ceopt(name, "-h").out == said.out
    options = [one for one in main.commands[name].params if isinstance(one, click.Option)]
    assert [one.name for one in options if not one.help] == []


def test_every_command_stands_in_a_section_of_the_manual_with_its_line():
    manual = ceopt("--help").out
    assert {one.name for commands in SECTIONS.values() for one in commands} == set(main.commands)
    for title, commands in SECTIONS.items():
        assert f"\n{title}:\n" in manual
        for one in commands:
            assert re.search(rf"^  {one.name} +[A-Z].*\.|\?$", manual, flags=re.MULTILINE), one.name
    for part in ("Examples:", "Exit codes:", "130", "$CEOPT_STORAGE", "_CEOPT_COMPLETE", "NO_COLOR"):
        assert part in manual


def test_the_examples_of_the_manual_name_real_commands_and_options():
    manual = ceopt("--help").out
    for words in re.findall(r"^    ceopt (.*?)(?:  |$)", manual, flags=re.MULTILINE):
        name, *rest = words.split()
        known = {option for one in main.commands[name].params for option in one.opts}
        assert {word for word in rest if word.startswith("--")} <= known


def test_the_promised_commands_are_there():
    promised = "demo init check create ask tell best status history effect graph export import recover"
    assert set(promised.split()) <= set(main.commands)


def test_the_version_is_that_of_the_distribution():
    assert ceopt("--version").out == f"ceopt {version('ceopt')}\n"


@pytest.mark.parametrize("words", [["--help"], ["ask", "--help"], ["--version"]], ids=" ".join)
def test_help_loads_nothing_heavy(words):
    code = (
        "import sys\nfrom ceopt.cli.main import main\n"
        f"try: main({words!r})\nexcept SystemExit: print(sorted(set(sys.modules) & set({HEAVY})))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_shell_can_complete_commands_and_names(study):
    settings = {"_CEOPT_COMPLETE": "bash_complete", "COMP_CWORD": "1"}
    commands = ceopt(env={**settings, "COMP_WORDS": "ceopt re"}).out
    assert commands.split() == ["plain,recover"]
    names = ceopt(env={**settings, "COMP_WORDS": "ceopt best cl", "COMP_CWORD": "2"}).out
    assert names.split() == ["plain,clinic"]


def on_a_terminal(*words, **settings):
    """What a process shows on a terminal."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    env = environment(TERM="xterm-256color", **settings)
    done = subprocess.Popen([*CEOPT, *words], stdin=theirs, stdout=theirs, stderr=theirs, env=env)
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:
            part = b""
        if not part:
            break
        shown += part
    os.close(ours)
    return done.wait(), shown.decode()


COLOUR = re.compile(r"\x1b\[[\d;]*3[0-7][\d;]*m")


def test_colours_and_signs_of_work_are_for_terminals_and_no_color_turns_colours_off(study):
    code, shown = on_a_terminal("graph", study)
    assert code == 0 and "Weighing graphs" in shown and COLOUR.search(shown)
    code, shown = on_a_terminal("graph", study, NO_COLOR="1")
    assert code == 0 and "probability" in shown and not COLOUR.search(shown)
    done = subprocess.run([*CEOPT, "graph", study], capture_output=True, text=True, env=environment())
    assert (done.returncode, done.stderr) == (0, "") and "\x1b" not in done.stdout


def test_the_command_is_installed_under_its_name():
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    assert 'ceopt = "ceopt.cli.main:main"' in text
