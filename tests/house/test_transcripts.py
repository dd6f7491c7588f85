"""What a page shows of a terminal is what the commands print, to the letter.

Each page has a folder of its own with a copy of examples/.  Its ```console blocks are run there, one after
the other, each command in a process; only times and the folder's name are taken for equal.

After a change that is meant, `python tests/house/test_transcripts.py PAGE...` writes what is printed now.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```console\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
PAGES = [
    page
    for page in [ROOT / "README.md", ROOT / "docs/tutorial.md", *sorted((ROOT / "docs/howto").glob("*.md"))]
    if BLOCK.search(page.read_text("utf-8"))
]
HOME = "/home/you"  # what pages show instead of the folder
TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(\+00:00)?")
LASTS = ("cd ", "export ")  # what a command leaves behind for the next


class Terminal:
    """Somebody who types one command after the other in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.before, self.code = folder, "", 0
        shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "bin").mkdir()
        for name, words in (("python", ""), ("ceopt", " -m ceopt.cli")):
            script = folder / "bin" / name
            script.write_text(f'#!/bin/sh\nexec "{sys.executable}"{words} "$@"\n', encoding="utf-8")
            script.chmod(0o755)
        kept = {name: value for name, value in os.environ.items() if not name.startswith("CEOPT_")}
        self.environment = kept | {
            "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT / "src"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "HOME": str(folder),
            "COLUMNS": "80",
            "LC_ALL": "C.UTF-8",
            "OMP_NUM_THREADS": "1",
        }

    def type(self, command: str) -> str:
        """What it prints on either stream."""
        script = f"{self.before}(exit {self.code})\n{command}\n"
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=300,
            check=False,
        )
        self.code = done.returncode
        if command.startswith(LASTS):
            self.before += command + "\n"
        return done.stdout.replace(str(self.folder), HOME)


def exchanges(block: str) -> Iterator[tuple[str, str]]:
    """Each command of a block, over several lines where they begin with "> ", with what is shown under it."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        while shown.startswith("> "):
            line, _, shown = shown.partition("\n")
            command = f"{command}\n{line.removeprefix('> ')}"
        yield command, shown


def timeless(text: str) -> str:
    return TIME.sub("TIME", text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_transcript_shows_what_the_commands_print(page, tmp_path):
    terminal = Terminal(tmp_path)
    for block in BLOCK.findall(page.read_text("utf-8")):
        assert block.startswith("$ ")
        for command, shown in exchanges(block):
            printed = terminal.type(command)
            assert timeless(printed) == timeless(shown), f"$ {command}\n{printed}"


def test_the_pages_have_transcripts():
    assert {page.stem for page in PAGES} >= {"README", "tutorial", "command_line", "storage"}


@pytest.mark.parametrize("shown", ["two\n", "one \n", "one\n\n", ""])
def test_an_output_that_differs_by_a_letter_is_noticed(shown, tmp_path):
    ((command, read),) = exchanges(f"$ echo \\\n>   one\n{shown}")
    assert Terminal(tmp_path).type(command) == "one\n" != timeless(read) == shown


def test_folders_exit_codes_and_times_are_followed(tmp_path):
    terminal = Terminal(tmp_path)
    assert terminal.type("cd examples/clinic") == ""
    assert terminal.type("pwd; exit 3") == f"{HOME}/examples/clinic\n"
    assert terminal.type("echo $?") == "3\n"
    assert timeless("at 2026-11-19 22:03, x") == "at TIME, x"
    assert timeless("2026-11-19T22:03:04.123456+00:00") == "TIME"


def rewrite(page: Path) -> None:
    """Put into a page what its commands print."""
    with TemporaryDirectory() as folder:
        terminal = Terminal(Path(folder).resolve())

        def again(match: re.Match[str]) -> str:
            block = match[1]
            said = re.split(r"^(?=\$ )", block, flags=re.MULTILINE)[1:]
            parts = []
            for part, (command, shown) in zip(said, exchanges(block), strict=True):
                printed = terminal.type(command)
                same = timeless(printed) == timeless(shown)
                parts.append(part.removesuffix(shown) + (shown if same else printed))
            return f"```console\n{''.join(parts)}```"

        page.write_text(BLOCK.sub(again, page.read_text("utf-8")), encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        rewrite(Path(name))
