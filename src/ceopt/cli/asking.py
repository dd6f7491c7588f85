"""ceopt ask: what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ceopt.cli.options import as_json_too, in_storage, opened, the_study

if TYPE_CHECKING:
    from ceopt.answers.suggestion import Suggestion, Why

AT_LEAST_1 = click.IntRange(min=1)


@click.command()
@the_study
@click.option("--n", type=AT_LEAST_1, help="So many suggestions, to be done side by side; a list.")
@click.option("--samples", type=AT_LEAST_1, default=1, show_default=True, help="Rows that you will measure.")
@in_storage
@as_json_too
def ask(name: str, n: int | None, samples: int, storage: str, as_json: bool) -> None:
    """What to do next, and why.

    A suggestion stays open until it is told or abandoned, and later ones take it into account.
    With --json: {id, do, cost, gain, why}; with --n a list of them.
    """
    from ceopt.cli.show import emit, working

    with working("Weighing experiments"):
        study = opened(name, storage)
        made = [study.ask(samples=samples)] if n is None else study.ask(n, samples=samples)
    if as_json:
        emit(record(made[0]) if n is None else [record(one) for one in made])
        return
    for one in made:
        click.echo(str(one))
    first = made[0].id
    click.echo(f"Once it is done: ceopt tell {name} {first} {study.problem.target}=...")


def record(one: Suggestion) -> dict[str, Any]:
    """A suggestion for programs."""
    return {"id": one.id, "do": one.do, "cost": one.cost, "gain": one.gain, "why": _reasons(one.why)}


def _reasons(why: Why) -> dict[str, Any]:
    predicted = None
    if why.predicted is not None:
        mean, (lower, upper) = why.predicted
        predicted = {"mean": mean, "lower": lower, "upper": upper}
    return {
        "text": str(why),
        "optimum": why.optimum,
        "graph": why.graph,
        "unit": why.unit,
        "runners_up": [{"do": other.do, "gain": other.gain} for other in why.runners_up],
        "edges": [edge._asdict() for edge in why.edges],
        "predicted": predicted,
        "improvement": why.improvement,
        "warnings": why.warnings,
        "reason": why.reason,
    }
