"""ceopt amend, abandon and note: what else goes into the log."""

from __future__ import annotations

import click

from ceopt.cli.options import a_file, as_json_too, in_storage, opened, the_study
from ceopt.cli.telling import FROM_FILE, outcome_of


@click.command()
@the_study
@click.argument("number", metavar="ID", type=int)
@click.argument("words", nargs=-1, metavar="[NAME=NUMBER]...")
@FROM_FILE
@click.option("--reason", required=True, help="Why; it is kept in the log, and so are the old rows.")
@in_storage
@as_json_too
def amend(  # noqa: PLR0913  (click gives each option by its name)
    name: str,
    number: int,
    words: tuple[str, ...],
    file: str | None,
    reason: str,
    storage: str,
    as_json: bool,
) -> None:
    """Correct what was told under an ID.

    All rows are replaced, so give everything that was measured.

    \b
    ceopt amend clinic 0 psa=5.3 age=61 --reason "a slip of the pen"
    """
    outcome, _ = outcome_of(words, file)
    opened(name, storage).amend(number, outcome, reason)
    _done({"id": number}, f"What was told under {number} is corrected.", as_json)


@click.command()
@the_study
@click.argument("number", metavar="ID", type=int)
@click.option("--reason", default="", help="Why; it is kept in the log.")
@in_storage
@as_json_too
def abandon(name: str, number: int, reason: str, storage: str, as_json: bool) -> None:
    """Withdraw a suggestion that will not be carried out."""
    opened(name, storage).abandon(number, reason)
    _done({"id": number}, f"Suggestion {number} is withdrawn.", as_json)


@click.command()
@the_study
@click.argument("file", type=a_file)
@in_storage
@as_json_too
def add(name: str, file: str, storage: str, as_json: bool) -> None:
    """More observations and past interventions, from a CSV file.

    A column `intervention_targets` says what was set in a row: "statin;aspirin", or nothing. Rows that are
    in already are left out, so a table that has grown may be given whole.
    """
    from ceopt.cli.csv_file import read_table

    frame = read_table(file)
    new = opened(name, storage).add(frame)
    already = f"; {len(frame) - new} were in already" if new < len(frame) else ""
    _done({"rows": new}, f"{new} row{'' if new == 1 else 's'} of {file} added{already}.", as_json)


@click.command()
@the_study
@click.argument("text")
@in_storage
@as_json_too
def note(name: str, text: str, storage: str, as_json: bool) -> None:
    """Write a remark into the log of a study."""
    opened(name, storage).note(text)
    _done({"text": text}, "Noted.", as_json)


def _done(data: dict[str, object], text: str, as_json: bool) -> None:
    from ceopt.cli.show import emit

    if as_json:
        emit(data)
    else:
        click.echo(text)
