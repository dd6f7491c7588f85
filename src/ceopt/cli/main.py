"""`ceopt`: the commands, in the order in which one needs them."""

from __future__ import annotations

import sys
from typing import Any

import click

from ceopt.cli.answers import audit, best, effect, graph, history, status
from ceopt.cli.asking import ask
from ceopt.cli.checking import check
from ceopt.cli.corrections import abandon, add, amend, note
from ceopt.cli.creating import create
from ceopt.cli.demo import demo
from ceopt.cli.faults import CODES, guarded
from ceopt.cli.init import init
from ceopt.cli.keeping import delete, export, import_, list_, recover
from ceopt.cli.telling import tell

SECTIONS = {
    "Begin": (demo, init, check, create),
    "Experiment": (ask, tell, add, amend, abandon, note),
    "Answers": (best, status, history, effect, graph, audit),
    "Keep": (list_, export, import_, recover, delete),
}

MANUAL = """Which variables to set, and to what, for the best expected outcome, while the causal graph is
still in doubt.

A study is a problem, past observations, and what was told since. Describe the problem in a file
(init, check), make a study of it (create), and then go round: ask what to do next, do it, tell what
came of it. At any time, best says what to do for good.

\b
Examples:
  ceopt demo                                     watch a whole study
  ceopt init data.csv --target psa               write problem.toml, to be looked through
  ceopt check problem.toml                       list every problem of the file and the data
  ceopt create problem.toml                      make the study that the file names
  ceopt ask clinic                               what to do next
  ceopt tell clinic 0 psa=5.1 age=61             what came of suggestion 0
  ceopt tell clinic 0 --file outcomes.csv        the same, one row a sample
  ceopt tell clinic --do statin=0.9 psa=5.1      an experiment that was not asked for
  ceopt best clinic                              what to do for good
  ceopt ask clinic --n 4 --json                  for programs

Studies are kept in a database: --storage URL, else $CEOPT_STORAGE, else sqlite:///ceopt.db, a file in
this folder. Only create and import make one. NO_COLOR=1 turns colours off.
"""

COMPLETION = """
Completion of commands and names by the shell, for good in its start-up file:
  bash   eval "$(_CEOPT_COMPLETE=bash_source ceopt)"
  zsh    eval "$(_CEOPT_COMPLETE=zsh_source ceopt)"
  fish   _CEOPT_COMPLETE=fish_source ceopt | source
"""


class Manual(click.Group):
    """The group of all commands; its help has sections, and errors end in an exit code."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands by section, a line each."""
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{one.name:8}", one.get_short_help_str(limit=66)) for one in commands])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Exit codes and completion, as they are written."""
        formatter.write(
            f"\nExit codes:{CODES}{COMPLETION}\nceopt COMMAND --help says more about a command.\n"
        )

    def main(self, *args: Any, **settings: Any) -> Any:
        """Run, and exit with one of the codes."""
        given = settings.get("args") if "args" in settings else (args[0] if args else None)
        words = sys.argv[1:] if given is None else list(given)
        settings["standalone_mode"] = False
        run = super().main
        sys.exit(guarded(lambda: run(*args, **settings), as_json="--json" in words))


@click.group(
    cls=Manual,
    help=MANUAL,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="ceopt", message="ceopt %(version)s")
def main() -> None:
    """The command line of ceopt."""


for _commands in SECTIONS.values():
    for _command in _commands:
        main.add_command(_command)
