"""Which doses of two drugs lower a tumour marker?  What the data say, before and after a few experiments.

    python examples/demo.py     prints tables, and draws build/demo/effects.png

The patients come from the Health system of the paper, whose true answer is known, so that every estimate can
be held against it.  ceopt is not told that answer.
"""

from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from rich import box
from rich.console import Console
from rich.table import Table

import ceopt

OBSERVED, PATIENTS = 200, 20  # patients only watched, and patients in each experiment
EXPERIMENTS = ({"R": 1.0}, {"S": 1.0}, {"R": 0.0, "S": 1.0}, {"R": 0.0}, {"S": 0.0})
PICTURE = Path("build/demo/effects.png")
WORDS = {"A": "age", "B": "bmi", "R": "aspirin", "S": "statin", "C": "cancer", "Y": "psa"}
MEANING = {  # by the arrows that a graph lacks
    (): "both drugs act",
    ("R -> C", "R -> Y"): "aspirin does nothing",
    ("S -> C", "S -> Y"): "statin does nothing",
    ("R -> C", "R -> Y", "S -> C", "S -> Y"): "neither drug does anything",
    ("A -> C", "A -> Y", "B -> C", "B -> Y"): "age and bmi act through the drugs only",
}
LEVELS = np.linspace(0, 1, 21)
CURVES = (  # title, label of the axis, levels to set
    ("aspirin is set", "aspirin (R)", pd.DataFrame({"R": LEVELS})),
    ("statin is set", "statin (S)", pd.DataFrame({"S": LEVELS})),
    ("statin is set, aspirin kept at 0", "statin (S)", pd.DataFrame({"S": LEVELS, "R": 0.0})),
)
BLUE, VERMILION = "#0072B2", "#D55E00"  # told apart by every kind of eyesight, and in grey

console = Console(highlight=False)


def main() -> None:
    """The whole story."""
    health, rng = ceopt.problems.health(), np.random.default_rng(0)
    console.print("[bold]Which doses of aspirin and statin lower the tumour marker psa?[/bold]")
    console.print("Letters: " + ", ".join(f"{letter} {word}" for letter, word in WORDS.items()) + ".")
    console.print(
        f"{OBSERVED} patients were only watched. Then come {len(EXPERIMENTS)} experiments, chosen by hand;"
        f" in each, a dose is set (0 none, 1 the most) for {PATIENTS} new patients.\n"
    )

    study = ceopt.create_study(health.problem, observations=health.system.sample(OBSERVED, rng=rng))
    posteriors = {"watched": study.graph_posterior()}
    edges, before = [study.edge_probabilities()], effects(study)
    for do in EXPERIMENTS:
        study.tell(do=do, outcome=health.system.sample(PATIENTS, do=do, rng=rng))
        posteriors["+ do " + in_letters(do)] = study.graph_posterior()
    edges, after = [*edges, study.edge_probabilities()], effects(study)
    truth = [[health.system.mean(do) for do in levels.to_dict("records")] for _, _, levels in CURVES]

    show_posteriors(posteriors, health.true_graph.text)
    show_edges(edges)
    show_effects(before, after, truth)
    draw(before, after, truth, study.history())
    console.print(f"The curves: {PICTURE}")


def effects(study: ceopt.Study) -> list[pd.DataFrame]:
    """E[psa | do] along each of the curves."""
    return [study.effect(list(levels.columns), levels) for _, _, levels in CURVES]


def in_letters(do: dict[str, float]) -> str:
    """A short name for an intervention: R=0 S=1."""
    return " ".join(f"{letter}={level:g}" for letter, level in do.items())


def meaning(graph: str, true_graph: str) -> str:
    """What a hypothesis says, in plain words."""
    lacks = tuple(sorted(set(true_graph.split("; ")) - set(graph.split("; "))))
    return MEANING[lacks] + (" (the truth)" if not lacks else "")


def show_posteriors(posteriors: dict[str, pd.Series], true_graph: str) -> None:
    """P(graph | data): a row a hypothesis, a column a state of knowledge."""
    table = Table(title="How probable is each hypothesis?", box=box.SIMPLE, title_justify="left")
    table.add_column("hypothesis", max_width=26)
    for column in posteriors:
        table.add_column(column, justify="right", max_width=7)
    for graph in posteriors["watched"].index:
        chances = (f"{posterior[graph]:.4f}" for posterior in posteriors.values())
        table.add_row(meaning(graph, true_graph), *chances, style="bold" if graph == true_graph else None)
    console.print(table)
    console.print(
        "[bold]Observations alone mislead here.[/bold] In the patients who were only watched the doses follow"
        " from age and bmi without any scatter. Age and bmi then predict psa and cancer as well as the doses"
        " do, so the data cannot tell the drugs from what they follow, and the hypothesis with the fewest"
        " causes wins, wrongly. More such patients would not help. Setting a dose breaks the tie. It shows"
        " first in cancer, which has no scatter of its own in this system, so two experiments settle it."
        " Where every variable is noisy it takes more.\n"
    )


def show_edges(edges: list[pd.DataFrame]) -> None:
    """P(cause -> effect | data) of the arrows in doubt."""
    table = Table(title="How probable is each arrow?", box=box.SIMPLE, title_justify="left")
    for column in ("arrow", "watched", "experiments"):
        table.add_column(column, justify="left" if column == "arrow" else "right")
    for cause in ("R", "S", "A", "B"):
        for effect in ("C", "Y"):
            name = f"{WORDS[cause]} -> {WORDS[effect]}"
            table.add_row(name, *(f"{known.loc[cause, effect]:.4f}" for known in edges))
    console.print(table)


def show_effects(before: list[pd.DataFrame], after: list[pd.DataFrame], truth: list[list[float]]) -> None:
    """Expected psa at the ends of each curve, with 90 % intervals."""
    title = "Expected psa when a dose is set, with a 90 % interval"
    table = Table(title=title, box=box.SIMPLE, title_justify="left")
    for column in ("set", "watched", "experiments", "truth"):
        table.add_column(column, justify="left" if column == "set" else "right")
    for (_, _, levels), old, new, true in zip(CURVES, before, after, truth, strict=True):
        for i in (0, len(LEVELS) - 1):
            known = [interval(curve.iloc[i]) for curve in (old, new)]
            table.add_row(in_letters(levels.iloc[i].to_dict()), *known, f"{true[i]:.2f}")
    console.print(table)


def interval(row: pd.Series) -> str:
    """A mean with its interval."""
    return f"{row['mean']:.2f} ({row['lower']:.2f} to {row['upper']:.2f})"


def draw(
    before: list[pd.DataFrame], after: list[pd.DataFrame], truth: list[list[float]], history: pd.DataFrame
) -> None:
    """The curves: above from observations alone, below with the experiments."""
    figure = Figure(figsize=(10, 6.4), layout="constrained")
    axes = figure.subplots(2, 3, sharex=True, sharey=True)
    for (title, label, levels), above, below in zip(CURVES, *axes, strict=True):
        above.set_title(title)
        below.set_xlabel(label)
        mark(below, history, levels)
    for row, curves in zip(axes, (before, after), strict=True):
        for panel, curve, true in zip(row, curves, truth, strict=True):
            panel.fill_between(
                LEVELS, curve["lower"], curve["upper"], color=BLUE, alpha=0.2, lw=0, label="90 % interval"
            )
            panel.plot(LEVELS, curve["mean"], color=BLUE, lw=2, label="estimate")
            panel.plot(LEVELS, true, color=VERMILION, lw=2, ls="--", label="truth")
            panel.spines[["top", "right"]].set_visible(False)
    axes[0, 0].set_ylabel(f"{OBSERVED} patients watched\nexpected psa")
    axes[1, 0].set_ylabel(f"and {len(EXPERIMENTS)} experiments\nexpected psa")
    shown = dict(zip(*reversed(axes[1, 0].get_legend_handles_labels()), strict=True))
    figure.legend(shown.values(), shown.keys(), loc="outside lower center", ncols=len(shown), frameon=False)
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(PICTURE, dpi=160)


def mark(panel: Axes, history: pd.DataFrame, levels: pd.DataFrame) -> None:
    """The mean psa of each experiment on the set of this curve, with its standard error."""
    drug = levels.columns[0]
    for _, told in history[history["set"] == ", ".join(sorted(levels.columns))].groupby("id"):
        place, psa = told[f"do.{drug}"].iloc[0], told["Y"]
        label = "an experiment: mean and standard error"
        panel.errorbar(
            place, psa.mean(), psa.sem(), fmt="o", color="black", ms=5, capsize=3, label=label, clip_on=False
        )


if __name__ == "__main__":
    main()
