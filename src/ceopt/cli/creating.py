"""ceopt create: from a problem.toml to a study in a database."""

from __future__ import annotations

from pathlib import Path

import click

from ceopt.cli.options import a_file, as_json_too, call_of, check_new, in_storage


@click.command()
@click.argument("file", type=a_file)
@click.option("--name", help="Another name than the one in the file.")
@in_storage
@as_json_too
def create(file: str, name: str | None, storage: str, as_json: bool) -> None:
    """Make a study of a problem.toml.

    The study holds all that the file and the data say; a later change of either does not change it.
    A name that is taken is refused.
    """
    from ceopt.cli.show import emit, working

    with working(f"Reading {file}"):
        from ceopt.cli.findings import SpecError, examine

        found = examine(Path(file))
    if found.problems or found.spec is None or found.problem is None or found.observations is None:
        raise SpecError(found)
    for text in found.warnings:
        click.echo(f"Warning: {text}.", err=True)
    chosen = found.spec.study.name if name is None else name
    check_new(chosen, storage)
    import warnings

    from ceopt.cli.posing import mechanisms_in, method_in
    from ceopt.errors import CeoptWarning
    from ceopt.studies import create_study

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CeoptWarning)  # they have just been said
        study = create_study(
            found.problem,
            observations=found.observations,
            storage=storage,
            name=chosen,
            method=method_in(found.spec),
            mechanisms=mechanisms_in(found.spec),
        )
    problem, told = found.problem, len(study.history())
    if as_json:
        emit(
            {
                "name": chosen,
                "target": problem.target,
                "direction": problem.direction,
                "variables": problem.variables,
                "manipulable": problem.manipulable,
                "graphs": len(problem.graphs),
                "observations": len(found.observations) - told,
                "interventions": told,
            }
        )
        return
    rows = f"{len(found.observations) - told} observations"
    rows += f" and {told} rows under intervention" if told else ""
    click.echo(
        f"Study {chosen!r}: {problem.direction} {problem.target}, {len(problem.graphs)} graphs, {rows}."
    )
    click.echo(f"What to do next: {call_of('ask', chosen, storage)}")
