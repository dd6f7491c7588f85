"""ceopt check: what is wrong with a problem.toml and its data."""

from __future__ import annotations

from pathlib import Path

import click

from ceopt.cli.options import a_file, as_json_too


@click.command()
@click.argument("file", type=a_file, required=False)
@click.option("--schema", is_flag=True, help="Print the JSON schema of such a file instead, for editors.")
@as_json_too
def check(file: str | None, schema: bool, as_json: bool) -> None:
    """List every problem of a problem.toml and its data.

    Exits with 0 when there are warnings only, else with 1. Rows of the data are numbered as a
    spreadsheet numbers them: the names are row 1.
    """
    from ceopt.cli.show import emit, working

    if schema:
        emit(_schema())
        return
    if file is None:
        raise click.UsageError("Missing argument 'FILE', such as problem.toml.")
    with working(f"Checking {file}"):
        from ceopt.cli.findings import SpecError, examine

        found = examine(Path(file))
    if as_json and not found.problems:
        emit({"problems": [], "warnings": list(found.warnings)})
        return
    for text in found.warnings if not as_json else ():
        click.echo(f"Warning: {text}.", err=True)
    if found.problems:
        raise SpecError(found)
    assert found.problem is not None and found.observations is not None  # noqa: S101  (there is no problem)
    graphs, rows = len(found.problem.graphs), len(found.observations)
    warned = f", {len(found.warnings)} to look at" if found.warnings else ""
    click.echo(f"{file} is sound{warned}: {graphs} graphs, {len(found.problem.sets)} sets, {rows} rows.")


def _schema() -> dict[str, object]:
    from ceopt.cli.spec import Spec

    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Spec.model_json_schema()}
