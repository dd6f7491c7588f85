"""Figure 1 of the paper: what each graph makes of the same three experiments on Synthetic.

    python benchmarks/figure1.py             draws docs/figures/figure1.png
    python benchmarks/figure1.py PICTURE     draws PICTURE instead

The text of the paper names two of its graphs: the truth, X -> Z -> Y, and beside it in panel (a) one with the
same surrogate.  Of the seven hypotheses only X <- Z -> Y has that.  Panel (c) is the graph that is "very hard
to distinguish" from the truth: the truth and X -> Y as well; under do(Z) it is the same as X -> Y <- Z, which
stands beside it here.  For panel (b) we take X -> Z, X -> Y, where Z does nothing.

As in the paper, the surrogates share their hyperparameters: those fitted when all seven graphs are possible.
Each is then inferred with its own graph as the only one.
"""

import argparse
import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from ceopt import GraphPrior, Problem, problems
from ceopt.domain.dataset import Dataset
from ceopt.domain.frames import observations_from
from ceopt.domain.intervention import Intervention
from ceopt.errors import CeoptWarning
from ceopt.inference.belief import Belief, infer
from ceopt.maths.gp import Floats

PICTURE = Path(__file__).parents[1] / "docs" / "figures" / "figure1.png"
PANELS = {  # the causes of Y: the graphs, which have one surrogate
    "Z alone": ("X -> Z; Z -> Y", "Z -> X; Z -> Y"),
    "X alone": ("X -> Z; X -> Y",),
    "X and Z": ("X -> Z; X -> Y; Z -> Y", "X -> Y; Z -> Y"),
}
TRUE = "X -> Z; Z -> Y"
TOLD = (-1.0, 4.0, 9.0)  # the levels of the three do(Z = z)
SEED = 0
BLUE, VERMILION = "#0072B2", "#D55E00"  # told apart by every kind of eyesight, and in grey
PLACES = {"X": (0.0, 0.0), "Z": (1.0, 0.0), "Y": (0.5, -0.8)}


class Curve(NamedTuple):
    """E[Y | do(Z = z)] as one graph has it: mean and 90 % interval, (L,) each."""

    mean: Floats
    lower: Floats
    upper: Floats


def main(picture: Path) -> None:
    """Infer, print one line a graph, draw."""
    truth, data, z = problems.synthetic(), told_data(), np.linspace(-5.5, 13.0, 371)
    true = truth.system.equations["Y"].function(z, 0.0)  # Z is the only cause of Y, and its noise has mean 0
    shared = infer(asked(problems.synthetic().problem.graphs.graphs), data)
    curves = {text: curve(one_graph(text, data, shared), z) for panel in PANELS.values() for text in panel}
    print("largest |mean of the surrogate - truth| over the domain of Z")
    for text, found in curves.items():
        print(f"{text:24} {np.abs(found.mean - true).max():.12f}")
    draw(picture, z, true, curves, data)
    print(picture)


def told_data() -> Dataset:
    """200 observations and three interventions on Z, one noisy sample each."""
    synthetic, rng = problems.synthetic(), np.random.default_rng(SEED)
    variables = synthetic.problem.variables
    observed = observations_from(synthetic.system.sample(200, rng=rng), variables)
    rows = [synthetic.system.sample(1, {"Z": z}, rng)[list(variables)].to_numpy() for z in TOLD]
    return Dataset(variables, observed, np.concatenate(rows), [Intervention.of({"Z": z}) for z in TOLD])


def asked(graphs: list[object]) -> Problem:
    """The problem of Synthetic with the set (Z) alone, for these graphs."""
    benchmark = problems.synthetic().problem
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CeoptWarning)  # in panel (b) Z does nothing: that is the point
        return Problem(
            target="Y",
            direction="minimize",
            domains=dict(benchmark.domains),
            graphs=GraphPrior.from_graphs(graphs),
            sets=[("Z",)],
        )


def one_graph(text: str, data: Dataset, shared: Belief) -> Belief:
    """The belief of someone who takes this graph for certain, at the shared hyperparameters."""
    held = {targets: one._replace(w=np.ones(1)) for targets, one in shared.held.items()}
    return infer(asked([text]), data, held=held)


def curve(belief: Belief, z: Floats) -> Curve:
    """The surrogate of the set (Z) at levels z."""
    found, scale = belief.marginals(("Z",), z[:, None]), belief.learnt.scale
    mean, half = scale.mean_back("Y", found.mean), 1.645 * scale.sd_back("Y", found.sd)
    return Curve(mean, mean - half, mean + half)


def draw(picture: Path, z: Floats, true: Floats, curves: dict[str, Curve], data: Dataset) -> None:
    """Three panels, the graphs above each."""
    figure = Figure(figsize=(10, 4.7), layout="constrained")
    above, below = figure.subplots(2, 3, height_ratios=[1, 3.2], sharey="row")
    best, y = z[true.argmin()], data.outcomes[:, data.column("Y")]
    for letter, causes, top, panel in zip("abc", PANELS, above, below, strict=True):
        graphs = PANELS[causes]
        draw_graphs(top, graphs)
        top.set_title(f"({letter}) Y is caused by {causes}", fontsize=12)
        found = curves[graphs[0]]
        panel.fill_between(z, found.lower, found.upper, color=BLUE, alpha=0.2, lw=0, label="90 % band")
        panel.axvline(best, color="black", ls="--", lw=1, label="true optimum")
        panel.plot(z, true, color=VERMILION, lw=2, label="truth")
        panel.plot(z, found.mean, color=BLUE, lw=2, ls=(0, (5, 1.5)), label="surrogate under the graph")
        panel.plot(TOLD, y, "o", color="black", ms=6, mec="white", label="told outcome", zorder=3)
        panel.set_xlabel("level z of do(Z = z)")
        panel.set_xlim(z[0], z[-1])
        panel.spines[["top", "right"]].set_visible(False)
    below[0].set_ylabel("E[Y | do(Z = z)]")
    handles, labels = below[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
    picture.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(picture, dpi=160)


def draw_graphs(panel: Axes, graphs: tuple[str, ...]) -> None:
    """The graphs side by side; the true one in a dashed box."""
    panel.set(xlim=(-1.2, 4.7), ylim=(-1.3, 0.5), aspect="equal")
    panel.axis("off")
    for k, text in enumerate(graphs):
        shift = (2.6 * k if len(graphs) > 1 else 1.3) - 0.05
        for edge in text.split("; "):
            cause, effect = (np.add(PLACES[v], (shift, 0)) for v in edge.split(" -> "))
            style = {"arrowstyle": "-|>", "shrinkA": 10, "shrinkB": 10, "color": "black", "lw": 1.2}
            panel.annotate("", effect, cause, arrowprops=style)
        for name, place in PLACES.items():
            x, y = np.add(place, (shift, 0))
            panel.text(x, y, name, ha="center", va="center", bbox={"boxstyle": "circle", "fc": "white"})
        if text == TRUE:
            box = Rectangle((-0.4, -1.2), 1.7, 1.6, fill=False, ls="--", ec="grey")
            panel.add_patch(box)


def arguments() -> argparse.Namespace:
    """Where to draw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "picture", nargs="?", type=Path, default=PICTURE, help="a file to draw, if not the page's"
    )
    return parser.parse_args()


if __name__ == "__main__":
    main(arguments().picture)
