"""ceopt ask: what to do next."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from ceopt.cli.options import as_json_too, call_of, in_storage, opened, the_study
from ceopt.errors import StudyError

if TYPE_CHECKING:
    from ceopt.answers.suggestion import Suggestion, Why

AT_LEAST_1 = click.IntRange(min=1)


@click.command()
@the_study
@click.option(
    "--n", metavar="N", type=AT_LEAST_1, help="So many suggestions, to be done side by side; a list."
)
@click.option(
    "--samples",
    metavar="N",
    type=AT_LEAST_1,
    default=1,
    show_default=True,
    help="Rows that you will measure.",
)
@click.option(
    "--seconds", metavar="LIMIT", type=click.FloatRange(min=0, min_open=True), help="Give up after so many."
)
@in_storage
@as_json_too
def ask(  # noqa: PLR0913  (click gives each option by its name)
    name: str, n: int | None, samples: int, seconds: float | None, storage: str, as_json: bool
) -> None:
    """What to do next, and why.

    A suggestion stays open until it is told or abandoned, and later ones take it into account.
    With --json: {id, do, cost, gain, why}; with --n a list of them.
    """
    from ceopt.cli.show import emit, working

    with working("Weighing experiments"), within(seconds):
        study = opened(name, storage)
        made = [study.ask(samples=samples)] if n is None else study.ask(n, samples=samples)
    if as_json:
        emit(record(made[0]) if n is None else [record(one) for one in made])
        return
    for one in made:
        click.echo(str(one))
    outcome = f"{made[0].id} {quote(study.problem.target)}=..."
    click.echo(f"Once it is done: {call_of('tell', name, storage)} {outcome}")


@contextmanager
def within(seconds: float | None) -> Iterator[None]:
    """A refusal once the time is over; None for as long as it takes."""
    if seconds is None:
        yield
        return
    if not hasattr(signal, "setitimer"):
        raise StudyError("--seconds needs an alarm clock, which this system does not have")

    def ring(*_: object) -> None:
        raise StudyError(f"no suggestion within {seconds:g} seconds; allow more, or fewer points in [method]")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


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
