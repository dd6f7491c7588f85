"""Which doses of two drugs lower a tumour marker?  A whole search, from watching to a recommendation.

    python examples/demo.py     tells the story, and draws build/demo/effects.png

The patients come from the Health system of the paper, whose true answer is known, so that what ceopt says can
be held against it.  ceopt is not told that answer.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table

import ceopt

OBSERVED, ROUNDS, PATIENTS = 200, 8, 20  # patients only watched, experiments, and patients in each
PICTURE = Path("build/demo/effects.png")

SURE = "age -> bmi; age -> aspirin; age -> statin; bmi -> aspirin; bmi -> statin; cancer -> psa; "
BODY = "age -> cancer; age -> psa; bmi -> cancer; bmi -> psa; "
ASPIRIN, STATIN = "aspirin -> cancer; aspirin -> psa; ", "statin -> cancer; statin -> psa; "
TRUTH = "both drugs act"
HYPOTHESES = {  # all equally likely before any patient is seen
    TRUTH: SURE + BODY + ASPIRIN + STATIN,
    "only aspirin acts": SURE + BODY + ASPIRIN,
    "only statin acts": SURE + BODY + STATIN,
    "neither drug acts": SURE + BODY,
    "age and bmi act through the drugs only": SURE + ASPIRIN + STATIN,
}
DRUGS = ("aspirin", "statin")
PROBLEM = ceopt.Problem(
    target="psa",
    direction="minimize",
    domains={"aspirin": (0, 1), "statin": (0, 1)},  # what can be set: none to the most
    graphs=ceopt.GraphPrior.from_graphs(HYPOTHESES.values()),
    cost=1.0,  # for each drug that is set
)
LEVELS = np.linspace(0, 1, 21)
CURVES = {  # the title of a panel, and the doses to set
    "aspirin is set": pd.DataFrame({"aspirin": LEVELS}),
    "statin is set": pd.DataFrame({"statin": LEVELS}),
    "statin is set, aspirin kept at 0": pd.DataFrame({"statin": LEVELS, "aspirin": 0.0}),
}
BLUE, VERMILION = "#0072B2", "#D55E00"  # told apart by every kind of eyesight, and in grey

health, rng = ceopt.problems.health(), np.random.default_rng(0)
WORDS = {"A": "age", "B": "bmi", "R": "aspirin", "S": "statin", "C": "cancer", "Y": "psa"}
LETTERS = {word: letter for letter, word in WORDS.items()}
console = Console(highlight=False)


def main() -> None:
    """The whole story."""
    console.print("[bold]Which doses of aspirin and statin lower the tumour marker psa?[/bold]")
    console.print(
        "A dose is 0 (none) to 1 (the most). Patients are simulated: the truth is known, but not to ceopt."
    )
    study = ceopt.create_study(PROBLEM, observations=patients(OBSERVED), seed=0)
    before = known(study)
    show_watched(before, study)
    search(study)
    after = known(study)
    show_learnt(before, after)
    show_recommended(study)
    draw(before, after, study.history())
    console.print(f"The effect of every dose, before and after: {PICTURE}")


def patients(n: int, do: dict[str, float] | None = None) -> pd.DataFrame:
    """The world: n new patients; doses that are not set are those that their doctors give."""
    return health.system.sample(n, do=in_letters(do or {}), rng=rng).rename(columns=WORDS)


def true_psa(do: dict[str, float]) -> float:
    """E[psa | do], which ceopt never sees."""
    return health.system.mean(in_letters(do))


def in_letters(do: dict[str, float]) -> dict[str, float]:
    """Doses by the letters of the paper."""
    return {LETTERS[drug]: dose for drug, dose in do.items()}


class Known(NamedTuple):
    """What a study believes at one time."""

    hypotheses: pd.Series  # how probable each is, the most probable first
    arrows: pd.DataFrame
    curves: dict[str, pd.DataFrame]


def known(study: ceopt.Study) -> Known:
    """What the study believes now."""
    curves = {title: study.effect(list(levels), levels) for title, levels in CURVES.items()}
    return Known(hypotheses(study), study.edge_probabilities(), curves)


def hypotheses(study: ceopt.Study) -> pd.Series:
    """The graph posterior, by the names of the hypotheses."""
    names = {graph.text: name for graph, name in zip(PROBLEM.graphs.graphs, HYPOTHESES, strict=True)}
    return study.graph_posterior().rename(names)


def show_watched(before: Known, study: ceopt.Study) -> None:
    """What watching alone says, and why that misleads."""
    console.print(f"\n[bold]1. {OBSERVED} patients are watched; nobody sets a dose.[/bold]")
    first, p = before.hypotheses.index[0], before.hypotheses.iloc[0]
    arrows = ", ".join(f"{drug} -> psa {before.arrows.loc[drug, 'psa']:.2f}" for drug in DRUGS)
    console.print(f"Most probable: {first}, {p:.2f} ({arrows}). Advice:")
    quote(study.best())
    console.print(
        "[bold]Observations alone mislead here, and so does this advice.[/bold] The doctors' doses follow"
        " age and bmi without scatter, so age and bmi predict psa as well as the doses do, and the hypothesis"
        " with the fewest causes wins, wrongly. More such patients would not help. Setting a dose does."
    )


def search(study: ceopt.Study) -> None:
    """Ask, try it on new patients, tell: a row a round."""
    console.print(
        f"\n[bold]2. {ROUNDS} experiments, chosen by ceopt, on {PATIENTS} new patients each.[/bold]"
        " The first, and why:"
    )
    headings = ["", "set\naspirin", "\nstatin", "\ncost", "mean\npsa", "P(both\ndrugs act)"]
    table = tidy(*headings, "advice\naspirin", "\nstatin", "its true\npsa")
    with console.status("ask, try, tell"):
        for number in range(1, ROUNDS + 1):
            suggestion = study.ask(samples=PATIENTS)
            if number == 1:
                quote(suggestion)
            outcome = patients(PATIENTS, suggestion.do)
            study.tell(suggestion, outcome)
            p, best = hypotheses(study)[TRUTH], study.best().do
            result = (f"{suggestion.cost:g}", f"{outcome['psa'].mean():.2f}", f"{p:.4f}")
            table.add_row(str(number), *doses(suggestion.do), *result, *doses(best), f"{true_psa(best):.2f}")
    console.print(table)


def show_learnt(before: Known, after: Known) -> None:
    """How probable each hypothesis and arrow was, and is."""
    console.print("\n[bold]3. What causes what?[/bold] Probabilities:")
    table = tidy("hypothesis or arrow", "watched", "experiments")
    for name in before.hypotheses.index:
        chances = (f"{now.hypotheses[name]:.4f}" for now in (before, after))
        style = "bold" if name == TRUTH else None
        table.add_row(name + (" (the truth)" if name == TRUTH else ""), *chances, style=style)
    for drug in DRUGS:
        table.add_row(f"{drug} -> psa", *(f"{now.arrows.loc[drug, 'psa']:.4f}" for now in (before, after)))
    console.print(table)


def show_recommended(study: ceopt.Study) -> None:
    """The recommendation, held against the truth."""
    console.print("\n[bold]4. What ceopt recommends now[/bold]")
    best, optimum = study.best(), health.optimum
    quote(best)
    nothing, found = true_psa({}), true_psa(best.do)
    both = (study.history().groupby("id")["set"].first() == ", ".join(DRUGS)).sum()
    share = 100 * (nothing - found) / (nothing - optimum.value)
    inside = "inside" if best.interval.lower <= found <= best.interval.upper else "outside"
    console.print(
        f"[bold]Was it right?[/bold] There the true mean psa is {found:.3f}, {inside} the interval. It is"
        f" {nothing:.3f} when nothing is set, {true_psa({'aspirin': 0.0}):.3f} at aspirin 0,"
        f" {true_psa({'statin': 1.0}):.3f} at statin 1, and at best {optimum.value:.3f}, at aspirin 0 with"
        f" statin 1. So ceopt found {share:.0f} % of what there is to gain, for a cost of"
        f" {study.spent:g}. It set both drugs in {both} of {ROUNDS} experiments."
        f" psa differs by about 1 between patients, so a mean of {PATIENTS} is only good to about"
        f" {PATIENTS**-0.5:.1f}."
    )


def tidy(*headings: str) -> Table:
    """A table whose first column is text, and the others numbers."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for i, heading in enumerate(headings):
        table.add_column(heading, justify="right" if i else "left")
    return table


def doses(do: dict[str, float]) -> tuple[str, str]:
    """Of aspirin and statin; a dash where none is set."""
    aspirin, statin = (f"{do[drug]:.2f}" if drug in do else "-" for drug in DRUGS)
    return aspirin, statin


def quote(answer: object) -> None:
    """What ceopt says, in its own words."""
    console.print(Padding(str(answer), (0, 0, 0, 4), expand=False), markup=False)


def draw(before: Known, after: Known, history: pd.DataFrame) -> None:
    """The effect of each dose: above from observations alone, below with the experiments."""
    figure = Figure(figsize=(10, 6.4), layout="constrained")
    axes = figure.subplots(2, 3, sharex=True, sharey=True)
    for row, now in zip(axes, (before, after), strict=True):
        for panel, (title, levels) in zip(row, CURVES.items(), strict=True):
            curve, truth = now.curves[title], [true_psa(do) for do in levels.to_dict("records")]
            low, high = curve["lower"], curve["upper"]
            panel.fill_between(LEVELS, low, high, color=BLUE, alpha=0.2, lw=0, label="90 % interval")
            panel.plot(LEVELS, curve["mean"], color=BLUE, lw=2, label="estimate")
            panel.plot(LEVELS, truth, color=VERMILION, lw=2, ls="--", label="truth")
            panel.spines[["top", "right"]].set_visible(False)
            if now is before:
                panel.set_title(title)
            else:
                panel.set_xlabel(f"dose of {levels.columns[0]}")
                mark(panel, history, levels)
    axes[0, 0].set_ylabel(f"{OBSERVED} patients watched\nexpected psa")
    axes[1, 0].set_ylabel(f"and {ROUNDS} experiments\nexpected psa")
    legends = [panel.get_legend_handles_labels() for panel in axes[1]]
    shown = {label: line for legend in legends for line, label in zip(*legend, strict=True)}
    figure.legend(shown.values(), shown.keys(), loc="outside lower center", ncols=len(shown), frameon=False)
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(PICTURE, dpi=160)


def mark(panel: Axes, history: pd.DataFrame, levels: pd.DataFrame) -> None:
    """The mean psa of each experiment on the drugs of this curve, with its standard error."""
    drug = levels.columns[0]
    for _, told in history[history["set"] == ", ".join(sorted(levels))].groupby("id"):
        place, psa = told[f"do.{drug}"].iloc[0], told["psa"]
        look = {"fmt": "o", "color": "black", "ms": 5, "capsize": 3, "clip_on": False}
        label = "an experiment: mean, standard error"
        if len(levels.columns) > 1:  # its aspirin was not 0, so it need not lie on the curve
            look, label = look | {"mfc": "white", "color": "grey"}, "one with some aspirin"
        panel.errorbar(place, psa.mean(), psa.sem(), label=label, **look)
        if len(levels.columns) > 1:
            note, side = f"  aspirin {told['do.aspirin'].iloc[0]:.2f}  ", "right" if place > 0.5 else "left"
            panel.annotate(note, (place, psa.mean()), ha=side, va="center", fontsize=8)


if __name__ == "__main__":
    main()
