"""ceopt init: from a table of observations to a problem.toml that is to be looked through."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ceopt.cli.options import a_file, as_json_too, new_file
from ceopt.errors import ProblemError, StudyError, did_you_mean

if TYPE_CHECKING:
    from ceopt.cli.guessing import Guess

SET = click.option(
    "--set", "can_be_set", multiple=True, metavar="NAME", help="A column that can be set; again for more."
)


@click.command()
@click.argument("data", type=a_file)
@click.option("--target", help="The column whose expected value matters.")
@click.option("--direction", type=click.Choice(["minimize", "maximize"]), help="What is wanted of it.")
@SET
@click.option("--name", help="What the study will be called; else as the file.")
@click.option(
    "--output", "-o", type=new_file, default="problem.toml", show_default=True, help="The file to write."
)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@as_json_too
def init(  # noqa: PLR0913  (click gives each option by its name)
    data: str,
    target: str | None,
    direction: str | None,
    can_be_set: tuple[str, ...],
    name: str | None,
    output: str,
    force: bool,
    as_json: bool,
) -> None:
    """Guess a problem.toml from a table of observations.

    Asks for the target, the direction and what can be set, where they are not given as options.
    Domains are the observed ranges; everything about causes is left undecided. The comments in the
    file say what to put in.

    \b
    ceopt init data.csv --target psa --direction minimize --set statin --set aspirin
    """
    from ceopt.cli.guessing import Guess, columns_of
    from ceopt.cli.show import emit
    from ceopt.cli.template import written

    path = Path(output)
    if path.exists() and not force:
        raise StudyError(f"{output!r} exists already; name another file with --output, or say --force")
    columns = columns_of(Path(data))
    names = list(columns.numeric)
    if len(names) < 2:
        raise ProblemError(
            f"{data} has fewer than two columns of numbers; columns: {', '.join(columns.names)}"
        )
    silent = as_json
    target = _one_of(names, target or _asked("Which column matters", names, "--target", silent), "target")
    direction = direction or _asked("Direction", ["minimize", "maximize"], "--direction", silent)
    rest = [one for one in names if one != target]
    chosen = can_be_set or columns.was_set or _several(rest, silent)
    guess = Guess(
        name or _plain(Path(data).stem), target, direction, tuple(_one_of(rest, v, "set") for v in chosen)
    )
    text = written(guess, columns, _relative(Path(data), path))
    path.write_text(text, encoding="utf-8")
    if as_json:
        emit({"file": output, **_said(guess), "variables": names, "left_out": columns.left_out})
        return
    for column in columns.left_out:
        click.echo(f"Warning: column {column!r} is left out, as it does not hold numbers only.", err=True)
    click.echo(f"{output} is written. Look through it, then: ceopt check {output}")


def _said(guess: Guess) -> dict[str, object]:
    return {"target": guess.target, "direction": guess.direction, "set": guess.can_be_set}


def _asked(what: str, choices: list[str], option: str, silent: bool) -> str:
    """The answer of whoever sits there."""
    if silent:
        raise click.UsageError(f"Missing option '{option}'; with --json nothing is asked.")
    return str(
        click.prompt(
            f"{what} ({', '.join(choices)})", type=click.Choice(choices), show_choices=False, err=True
        )
    )


def _several(choices: list[str], silent: bool) -> tuple[str, ...]:
    """Names between commas."""
    if silent:
        raise click.UsageError("Missing option '--set'; with --json nothing is asked.")
    answer = str(click.prompt(f"Which can be set, with commas ({', '.join(choices)})", err=True))
    return tuple(filter(None, (one.strip() for one in answer.split(","))))


def _one_of(names: list[str], name: str, option: str) -> str:
    if name not in names:
        raise ProblemError(
            f"--{option} {name!r} is no other column of numbers; there are {', '.join(names)}"
            f"{did_you_mean(name, names)}"
        )
    return name


def _plain(stem: str) -> str:
    return re.sub(r"[^\w.-]+", "-", stem).strip("-") or "study"


def _relative(data: Path, spec: Path) -> str:
    """The data as seen from the folder of the spec."""
    return Path(os.path.relpath(data.resolve(), spec.resolve().parent)).as_posix()
