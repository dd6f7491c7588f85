"""ceopt demo: a whole study of simulated patients, from watching to a recommendation."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from ceopt.cli.answers import graphs_of, recommended, show_graphs
from ceopt.cli.options import as_json_too, call_of, names_in
from ceopt.cli.show import emit, working

if TYPE_CHECKING:
    from ceopt.problems.benchmark import Benchmark
    from ceopt.study import Study

NAME, WATCHED, PATIENTS = "health", 100, 10
LETTERS = "A age, B bmi, R aspirin, S statin, C cancer, Y the tumour marker PSA"


@click.command()
@click.option(
    "--folder", type=click.Path(file_okay=False), help="Keep the study there; else it is thrown away."
)
@click.option(
    "--trials", type=click.IntRange(min=1), default=5, show_default=True, help="Experiments in all."
)
@as_json_too
def demo(folder: str | None, trials: int, as_json: bool) -> None:
    """Watch a whole study: which doses of two drugs lower PSA?

    The patients are simulated, so the truth is known, but not to ceopt. With --folder the study is
    kept in demo.db there, and the same call goes on where the last one stopped.
    """
    with _place(folder) as place:
        storage = f"sqlite:///{place / 'demo.db'}"
        if not as_json:
            click.echo(f"{LETTERS}. Which doses, 0 to 1, bring the least Y on average?")
            click.echo(f"{WATCHED} patients were watched; then {trials} experiments with {PATIENTS} each.\n")
        with working("Setting up"):
            health, study = _study(storage)
        found = study.optimize(
            health.system, trials=trials, samples=PATIENTS, progress=sys.stderr.isatty() and not as_json
        )
        graphs = graphs_of(study)
        best = health.optimum
        if as_json:
            truth = {"do": best.do, "mean": best.value}
            emit({"storage": storage, "recommendation": recommended(found), **graphs, "truth": truth})
            return
        click.echo(f"{found}\n")
        show_graphs(graphs, 5)
        levels = ", ".join(f"{name} = {level:g}" for name, level in best.do.items())
        click.echo(f"\nThe truth, which ceopt was not told: {levels}, with a mean of {best.value:.4g}.")
        if folder is not None:
            click.echo(f"The study is kept: {call_of('status', NAME, storage)}")


@contextmanager
def _place(folder: str | None) -> Iterator[Path]:
    if folder is None:
        with TemporaryDirectory(prefix="ceopt-") as passing:
            yield Path(passing)
        return
    Path(folder).mkdir(parents=True, exist_ok=True)
    yield Path(folder)


def _study(storage: str) -> tuple[Benchmark, Study]:
    """The study, begun or gone on with."""
    from ceopt.problems import health
    from ceopt.studies import create_study, load_study

    benchmark = health()
    if NAME in names_in(storage):
        return benchmark, load_study(NAME, storage=storage)
    seen = benchmark.system.sample(WATCHED, rng=0)
    return benchmark, create_study(benchmark.problem, observations=seen, storage=storage, name=NAME, seed=0)
