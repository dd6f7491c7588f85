"""ceopt best, status, history, effect and graph: what is believed so far."""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import click

from ceopt.cli.asking import record
from ceopt.cli.options import as_json_too, in_storage, levels_of, opened, the_study
from ceopt.cli.show import emit, rows_of, table, working

if TYPE_CHECKING:
    import pandas as pd

    from ceopt.answers.recommendation import Recommendation
    from ceopt.study import Study


@click.command()
@the_study
@in_storage
@as_json_too
def best(name: str, storage: str, as_json: bool) -> None:
    """What to do for good, and how sure that is."""
    with working("Looking for the best"):
        found = opened(name, storage).best()
    if as_json:
        emit(recommended(found))
    else:
        click.echo(str(found))


def recommended(found: Recommendation) -> dict[str, Any]:
    """A recommendation for programs."""
    base, seen = found.baseline, found.observed
    return {
        "do": found.do,
        "target": found.target,
        "mean": found.mean,
        "interval": found.interval,
        "probability": dict(found.probability),
        "baseline": {
            "mean": base.mean,
            "interval": base.interval,
            "gain": base.gain,
            "probability": base.probability,
        },
        "observed": seen and {"do": seen.do, "mean": seen.mean, "samples": seen.samples},
        "warnings": found.warnings,
    }


@click.command()
@the_study
@in_storage
@as_json_too
def status(name: str, storage: str, as_json: bool) -> None:
    """What is open, what was told, and what to beware of."""
    with working("Looking at the study"):
        study = opened(name, storage)
        found = study.status()
    if as_json:
        waiting = [{**record(one), "samples": one.samples} for one in found.open]
        told = {"trials": found.trials, "spent": found.spent, "open": waiting}
        emit({"name": name, **told, "warnings": found.warnings})
    else:
        click.echo(f"{study.problem.direction.capitalize()} {study.problem.target} in study {name!r}.")
        click.echo(str(found))


@click.command()
@the_study
@in_storage
@as_json_too
def history(name: str, storage: str, as_json: bool) -> None:
    """Everything that was told, a row a sample."""
    frame = opened(name, storage).history()
    if as_json:
        emit(rows_of(frame))
    elif frame.empty:
        click.echo("Nothing was told yet.")
    else:
        table(list(frame.columns), frame.itertuples(index=False))


@click.command()
@the_study
@in_storage
@as_json_too
def audit(name: str, storage: str, as_json: bool) -> None:
    """Everything that happened, a row an event, corrections and remarks included."""
    frame = opened(name, storage).audit()
    if as_json:
        emit(rows_of(frame))
    else:
        shown = frame.iloc[:, :-1].astype({"id": "object"}).fillna("")
        table(list(shown.columns), shown.itertuples(index=False))


@click.command()
@the_study
@click.argument("variables", nargs=-1, required=True)
@click.option("--at", "at", multiple=True, metavar="NAME=LEVEL", help="Only there; a=1,b=2; again for more.")
@in_storage
@as_json_too
def effect(name: str, variables: tuple[str, ...], at: tuple[str, ...], storage: str, as_json: bool) -> None:
    """What setting some variables would do on average.

    \b
    ceopt effect clinic statin                    over the whole domain
    ceopt effect clinic statin --at statin=0.5    at one level
    ceopt effect clinic aspirin statin            two set together
    """
    with working("Averaging over graphs"):
        study = opened(name, storage)
        found = study.effect(list(variables), _levels(at) if at else None)
    if as_json:
        emit(rows_of(found))
    else:
        click.echo(f"Expected {study.problem.target}, and where it lies with probability 0.9:")
        table(list(found.columns), found.itertuples(index=False))


def _levels(at: tuple[str, ...]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame([levels_of([one]) for one in at])


@click.command()
@the_study
@click.option("--top", type=click.IntRange(min=1), default=10, show_default=True, help="So many graphs.")
@in_storage
@as_json_too
def graph(name: str, top: int, storage: str, as_json: bool) -> None:
    """How probable each causal graph is, and each edge."""
    with working("Weighing graphs"):
        found = graphs_of(opened(name, storage))
    if as_json:
        emit(found)
    else:
        show_graphs(found, top)


def graphs_of(study: Study) -> dict[str, Any]:
    """Every graph and every possible edge with its probability, the most probable first."""
    posterior, edges = study.graph_posterior(), study.edge_probabilities()
    chances = [(a, b, float(p)) for a, row in edges.iterrows() for b, p in row.items()]
    arrows = [{"cause": str(a), "effect": str(b), "probability": p} for a, b, p in chances if p > 0]
    return {
        "graphs": [{"graph": text, "probability": p} for text, p in posterior.items()],
        "edges": sorted(arrows, key=itemgetter("probability"), reverse=True),
    }


def show_graphs(found: dict[str, Any], top: int) -> None:
    """The most probable graphs, and the edges in doubt; what all graphs share is said once."""
    from ceopt.graphs.text import parse_graph

    graphs = found["graphs"]
    edges = [parse_graph(one["graph"]).edges for one in graphs[:top]]
    sure = frozenset.intersection(*(parse_graph(one["graph"]).edges for one in graphs))
    if sure:
        click.echo(f"Every graph has {_arrows(sure)}\n")
    rest = [_arrows(these - sure) or "nothing else" for these in edges]
    chances = [f"{one['probability']:.3f}" for one in graphs[:top]]
    table(["probability", "and has" if sure else "graph"], zip(chances, rest, strict=True))
    if len(graphs) > top:
        left = sum(one["probability"] for one in graphs[top:])
        click.echo(f"{left:.3f}        {len(graphs) - top} more together")
    doubtful = [one for one in found["edges"] if (one["cause"], one["effect"]) not in sure]
    if doubtful:
        click.echo()
        arrows = [(f"{one['probability']:.3f}", f"{one['cause']} -> {one['effect']}") for one in doubtful]
        table(["probability", "edge"], arrows)


def _arrows(edges: Iterable[tuple[str, str]]) -> str:
    return "; ".join(f"{cause} -> {effect}" for cause, effect in sorted(edges))
