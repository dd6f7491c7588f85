"""ceopt tell: what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ceopt.cli.options import a_file, as_json_too, in_storage, levels_of, numbers_of, opened, the_study

if TYPE_CHECKING:
    from ceopt.domain.outcomes import Outcome

FROM_FILE = click.option(
    "--file",
    "file",
    type=a_file,
    help="A CSV file with the outcome, one row a sample, instead of NAME=NUMBER.",
)


@click.command()
@the_study
@click.argument("words", nargs=-1, metavar="[ID] [NAME=NUMBER]...")
@FROM_FILE
@click.option("--do", "do", multiple=True, metavar="NAME=LEVEL", help="What was set; a=1,b=2 or again --do.")
@click.option("--partial", is_flag=True, help="More rows will follow: the suggestion stays open.")
@click.option("--key", help="A name of your own for this; told twice under it, it counts once.")
@in_storage
@as_json_too
def tell(  # noqa: PLR0913  (click gives each option by its name)
    name: str,
    words: tuple[str, ...],
    file: str | None,
    do: tuple[str, ...],
    partial: bool,
    key: str | None,
    storage: str,
    as_json: bool,
) -> None:
    """What came of an experiment.

    \b
    ceopt tell clinic 0 psa=5.1 age=61            suggestion 0, one sample
    ceopt tell clinic 0 --file outcomes.csv       suggestion 0, one row a sample
    ceopt tell clinic --do statin=0.9 psa=5.1     without having asked
    ceopt tell clinic 0 --do statin=0.8 psa=5.1   other levels than suggested

    The target must have been measured; leave out what else was not. The same told again changes
    nothing; something else told for the same suggestion is refused, see ceopt amend.
    """
    from ceopt.cli.show import emit

    number, rest = split(words)
    if number is None and not do:
        raise click.UsageError("Say which suggestion, by its ID, or what was set, with --do NAME=LEVEL.")
    outcome, rows = outcome_of(rest, file)
    levels = levels_of(do) if do else None
    told = opened(name, storage).tell(number, outcome, do=levels, partial=partial, key=key)
    if as_json:
        emit({"id": told, "rows": rows})
        return
    click.echo(f"Told: {rows} row{'' if rows == 1 else 's'} under {told}.")


def split(words: tuple[str, ...]) -> tuple[int | None, tuple[str, ...]]:
    """The ID, if the first word is one, and the others."""
    if not words or "=" in words[0]:
        return None, words
    try:
        return int(words[0]), words[1:]
    except ValueError:
        raise click.UsageError(f"{words[0]!r} is neither the ID of a suggestion nor NAME=NUMBER.") from None


def outcome_of(words: tuple[str, ...], file: str | None) -> tuple[Outcome, int]:
    """An outcome from NAME=NUMBER or from a file, and its number of rows."""
    if bool(words) == bool(file):
        raise click.UsageError("Give the outcome as NAME=NUMBER, or as --file FILE; one of the two.")
    if file is None:
        return numbers_of(words), 1
    from ceopt.cli.csv_file import read_table

    frame = read_table(file)
    return frame, len(frame)
