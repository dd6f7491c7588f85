"""ceopt list, export, import, recover and delete: studies as things to keep."""

from __future__ import annotations

from pathlib import Path

import click

from ceopt.cli.options import a_file, as_json_too, check_known, check_new, in_storage, new_file, the_study
from ceopt.cli.show import emit
from ceopt.errors import StudyError


@click.command("list")
@in_storage
@as_json_too
def list_(storage: str, as_json: bool) -> None:
    """The names of all studies in a database."""
    from ceopt.studies import list_studies

    names = list_studies(storage)
    if as_json:
        emit(names)
    else:
        click.echo("\n".join(names) or "There is no study yet.")


@click.command()
@the_study
@click.argument("file", type=new_file)
@in_storage
@as_json_too
def export(name: str, file: str, storage: str, as_json: bool) -> None:
    """Write a study into a new file, a line of JSON an event."""
    from ceopt.studies import export_study

    check_known(name, storage)
    _check_free(file)
    events = export_study(name, file, storage=storage)
    _say({"file": file, "events": events}, f"{file}: {events} events.", as_json)


@click.command("import")
@click.argument("file", type=a_file)
@click.option("--name", help="Another name than the one in the file.")
@in_storage
@as_json_too
def import_(file: str, name: str | None, storage: str, as_json: bool) -> None:
    """Bring a study from such a file into a database."""
    from ceopt.storage.files import read
    from ceopt.studies import import_study

    check_new(read(file)[0].body["name"] if name is None else name, storage)
    chosen = import_study(file, name=name, storage=storage)
    _say({"name": chosen}, f"Study {chosen!r} is there.", as_json)


@click.command()
@the_study
@click.argument("file", type=new_file)
@in_storage
@as_json_too
def recover(name: str, file: str, storage: str, as_json: bool) -> None:
    """Save what is sound of a damaged study into a new file.

    ceopt import makes a study of that file, under another name with --name; the damaged study stays
    as it is.
    """
    from ceopt.studies import recover_study

    check_known(name, storage)
    _check_free(file)
    left = recover_study(name, file, storage=storage)
    sound = len(left.sound)
    if left.broken is None:
        text = f"{file}: all {sound} events; none is damaged."
    else:
        text = (
            f"{file}: {sound} sound events. Event {left.broken} is damaged; it and what followed is left out."
        )
    _say({"file": file, "events": sound, "broken": left.broken, "lost": left.lost}, text, as_json)


@click.command()
@the_study
@click.option("--yes", is_flag=True, help="Do not ask.")
@in_storage
@as_json_too
def delete(name: str, yes: bool, storage: str, as_json: bool) -> None:
    """Take a study away for good."""
    from ceopt.studies import delete_study

    check_known(name, storage)
    if as_json and not yes:
        raise click.UsageError("With --json nothing is asked: say --yes.")
    if not yes and not click.confirm(f"Study {name!r} and all that was told will be gone. Sure?", err=True):
        raise StudyError(f"{name!r} stays as it is")
    delete_study(name, storage=storage, sure=True)
    _say({"deleted": name}, f"Study {name!r} is gone.", as_json)


def _check_free(file: str) -> None:
    if Path(file).exists():
        raise StudyError(f"{file!r} exists already; name another file")


def _say(data: dict[str, object], text: str, as_json: bool) -> None:
    if as_json:
        emit(data)
    else:
        click.echo(text)
