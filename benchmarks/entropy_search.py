"""Is Causal Entropy Search worked out rightly, and how many draws and fantasies does it want?

    python benchmarks/entropy_search.py            both parts (about a quarter of an hour on two cores)
    python benchmarks/entropy_search.py --write    and renew docs/entropy_search.md and its figure
    python benchmarks/entropy_search.py --table    print the tables from the stored result

The reference is a nested Monte Carlo of the same definition, written the long way: for each of 30 experiments
3,334 fantasy rows, 1e5 in all; each is *told* to the belief (`ceopt.inference.belief`, no rank-one shortcut),
every surrogate is then drawn anew (no Matheron), y* is smoothed by a plain sum over a histogram, and
P(G | y*) comes from hypothetical rows simulated one by one from that new belief (no look-up).  Plain random
numbers everywhere.  The problem has two graphs over three variables, 40 observations and six told rows.
"""

from __future__ import annotations

import argparse
import json
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from scipy.special import entr, softmax
from scipy.stats import spearmanr

import ceopt
from ceopt import problems
from ceopt.acquisition.entropy_search import EntropySearch
from ceopt.acquisition.noise import Noise
from ceopt.acquisition.scene import Choices
from ceopt.domain.dataset import Dataset
from ceopt.domain.graph import Graph, Pair
from ceopt.domain.intervention import Intervention
from ceopt.inference.belief import Belief, imagine, infer
from ceopt.inference.mechanisms import Root
from ceopt.inference.scaling import unit_box
from ceopt.inference.threads import one_blas_thread

HERE = Path(__file__).parent
STORED = HERE / "results" / "entropy_search.json"
PAGE = HERE.parent / "docs" / "entropy_search.md"
PICTURE = HERE.parent / "docs" / "figures" / "entropy_search.png"
BEGIN, END = "<!-- table: benchmarks/entropy_search.py -->", "<!-- end of table -->"
LEVELS = 15  # of each of two variables
ROWS, CHUNK = 3334, 834  # fantasy rows of an experiment, and of a piece of work
J, K = (
    2000,
    24,
)  # draws of each surrogate after a fantasy row, and those of them that P(G | y*) is averaged over
SIZES = tuple(product((50, 200, 500, 2000), (4, 16, 32, 128)))  # draws x fantasies
DEFAULT, LARGE = (200, 16), (2000, 128)
SEEDS = 8


def question() -> Belief:
    """Does B drive Y, or does A drive both?  Two graphs, sets (A) and (B), 15 levels each."""
    rng = np.random.default_rng(5)
    step = (-2.0, 2.0, 4.0 / (LEVELS - 1))
    problem = ceopt.Problem(
        target="Y",
        direction="minimize",
        domains={"A": step, "B": step},
        graphs=ceopt.GraphPrior.from_graphs(["A -> B; B -> Y", "A -> B; A -> Y"]),
        sets=[("A",), ("B",)],
    )

    def system(n: int, do: dict[str, float]) -> np.ndarray:
        A = np.full(n, do["A"]) if "A" in do else rng.normal(size=n)
        B = np.full(n, do["B"]) if "B" in do else np.tanh(2 * A) + 0.1 * rng.normal(size=n)
        return np.column_stack([A, B, np.sin(2 * B) + 0.3 * B**2 + 0.4 * rng.normal(size=n)])

    dos = [{"A": -1.0}, {"A": 1.0}, {"A": 0.0}, {"A": 2.0}, {"A": -2.0}, {"A": 0.5}]
    rows = np.vstack([system(1, do) for do in dos])
    return infer(problem, Dataset(tuple("ABY"), system(40, {}), rows, tuple(map(Intervention.of, dos))))


def experiments(belief: Belief) -> list[Intervention]:
    """Every allowed experiment, set by set."""
    problem = belief.problem
    grids = {t: problem.domain(t[0]).grid(LEVELS) for t in problem.sets}
    return [Intervention(t, (float(x),)) for t, grid in grids.items() for x in grid]


def points(belief: Belief) -> list[np.ndarray]:
    """The same, an array (S, 1) a set."""
    return [belief.problem.domain(t[0]).grid(LEVELS)[:, None] for t in belief.problem.sets]


# The long way.


def predicted(belief: Belief, pair: Pair, parents: np.ndarray) -> tuple[float, float]:
    """Mean and variance of a node's next value, by the textbook's formula."""
    score, f = belief.evidence.scores[pair], belief.learnt.mechanisms[pair]
    v = score.given.L @ score.given.a  # the node's values seen so far
    k = f.kernel.matrix(f.theta, parents[None], score.X)[0]
    C = score.given.L @ score.given.L.T
    both = np.linalg.solve(C, np.column_stack([v, k]))
    return float(k @ both[:, 0]), float(f.kernel.diagonal(f.theta, parents[None])[0] - k @ both[:, 1] + f.s2)


def row_of(
    belief: Belief, graph: Graph, fixed: dict[str, float], rng: np.random.Generator
) -> dict[str, float]:
    """A row of one graph, causes first, given what is fixed."""
    values = dict(fixed)
    for v in graph.order:
        if v not in values:
            f = belief.learnt.mechanisms[v, graph.parents(v)]
            if isinstance(f, Root):
                values[v] = float(rng.choice(belief.evidence.scores[v, ()].values))
            else:
                mean, variance = predicted(belief, (v, graph.parents(v)), parents_of(graph, v, values))
                values[v] = mean + np.sqrt(variance) * rng.normal()
    return values


def parents_of(graph: Graph, v: str, values: dict[str, float]) -> np.ndarray:
    """The values of v's parents."""
    return np.array([values[u] for u in graph.parents(v)])


def log_likelihood(belief: Belief, graph: Graph, values: dict[str, float], was_set: tuple[str, ...]) -> float:
    """log p(row | graph, D), but for the nodes whose parents no two graphs dispute."""
    total = 0.0
    for v in {"B", "Y"} - set(was_set):
        mean, variance = predicted(belief, (v, graph.parents(v)), parents_of(graph, v, values))
        total -= 0.5 * ((values[v] - mean) ** 2 / variance + np.log(2 * np.pi * variance))
    return total


def draws(belief: Belief, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Least values of J draws of each f_I, and their places, (2, J) each."""
    Y, place = [], []
    for targets, levels in zip(belief.problem.sets, points(belief), strict=True):
        f = belief.surrogates[targets]
        mean, C = f.joint(unit_box(belief.problem, targets, levels), belief.effects(targets, levels))
        F = rng.multivariate_normal(mean, C, size=J, method="eigh")
        Y.append(F.min(axis=1))
        place.append(F.argmin(axis=1))
    return np.array(Y), np.array(place)


def joint_entropy(belief: Belief, rng: np.random.Generator) -> np.ndarray:
    """[eq:jointeentr], as its two terms: H[p(y*)] and E H[P(G | y*)]; y* is the best over the sets."""
    Y, place = draws(belief, rng)
    graphs, log_w, H = belief.problem.graphs.graphs, belief.graphs.log_weights, []
    for j in rng.integers(J, size=K):
        i = int(Y[:, j].argmin())
        targets = belief.problem.sets[i]
        level = belief.learnt.scale.levels(targets, points(belief)[i])[place[i, j], 0]
        fixed = {targets[0]: float(level), "Y": float(Y[i, j])}
        values = row_of(belief, graphs[rng.choice(2, p=belief.graphs.probabilities)], fixed, rng)
        ell = np.array([log_likelihood(belief, g, values, targets) for g in graphs])
        H.append(entr(softmax(log_w + ell)).sum())
    return np.array([smoothed_entropy(Y.min(axis=0), np.full(J, 1 / J)), np.mean(H)])


def smoothed_entropy(y: np.ndarray, w: np.ndarray) -> float:
    """H of a weighted sum of normals with Silverman's bandwidth, over a fine histogram."""
    sd = np.sqrt(w @ (y - w @ y) ** 2)
    h = sd * (4 / 3 * (w**2).sum()) ** 0.2
    step = h / 8
    edges = np.arange(y.min() - 6 * h, y.max() + 6 * h + step, step)
    mass = np.histogram(y, edges, weights=w)[0]
    bump = np.exp(-0.5 * (np.arange(-48, 49) * step / h) ** 2)
    p = np.convolve(mass, bump / bump.sum(), mode="same") / step
    return float(entr(p).sum() * step)


def nested(job: tuple[int, int]) -> np.ndarray:
    """The two terms after each of CHUNK fantasy rows of an experiment, averaged, (2,)."""
    belief, rng = question(), np.random.default_rng([17, *job])
    do, graphs = experiments(belief)[job[0]], belief.problem.graphs.graphs
    f = belief.marginals(do.targets, np.array([do.levels]))
    sd = np.sqrt(f.sd[0] ** 2 + belief.surrogates[do.targets].s2)
    level = float(belief.learnt.scale.levels(do.targets, np.array([do.levels]))[0, 0])
    total = np.zeros(2)
    with one_blas_thread():
        for _ in range(CHUNK if job[1] < ROWS // CHUNK else ROWS % CHUNK):
            graph = graphs[rng.choice(2, p=belief.graphs.probabilities)]
            y = float(f.mean[0] + sd * rng.normal())
            values = row_of(belief, graph, {do.targets[0]: level, "Y": y}, rng)
            told = imagine(belief, [do], np.array([[values[v] for v in belief.data.variables]]))
            total += joint_entropy(told, rng)
    return total


def reference(workers: int) -> list[list[float]]:
    """CES of every experiment the long way, its two parts, (30, 2)."""
    belief = question()
    jobs = list(product(range(len(experiments(belief))), range(-(-ROWS // CHUNK))))
    with ProcessPoolExecutor(workers) as pool:
        parts = []
        for job, total in zip(jobs, pool.map(nested, jobs), strict=True):
            parts.append(total)
            print(f"{len(parts)} of {len(jobs)}: {job}", flush=True)
    before = np.mean([joint_entropy(belief, np.random.default_rng([18, r])) for r in range(2000)], axis=0)
    after = np.array(parts).reshape(len(experiments(belief)), -1, 2).sum(axis=1) / ROWS
    return (before - after).tolist()


# The quick way.


def quick(size: tuple[int, int], seed: int) -> list[float]:
    """CES of every experiment by the package."""
    belief, (J_, L) = question(), size
    search = EntropySearch("y* and G", Noise((seed,), J_, L), Choices())
    gains = search(belief, points(belief), [np.arange(LEVELS)] * 2)
    return np.concatenate([gain.total for gain in gains]).tolist()


def synthetic(size: tuple[int, int], seed: int) -> list[float]:
    """The same on Synthetic, at 20 levels a set, after six random interventions."""
    belief, (J_, L) = synthetic_belief(), size
    search = EntropySearch("y* and G", Noise((seed,), J_, L), Choices())
    levels = [
        np.column_stack([np.linspace(*belief.problem.domains[v], 20) for v in t]) for t in belief.problem.sets
    ]
    gains = search(belief, levels, [np.arange(20)] * len(levels))
    return np.concatenate([gain.total for gain in gains]).tolist()


def synthetic_belief() -> Belief:
    """Synthetic, 200 observations, six random interventions."""
    benchmark, rng = problems.synthetic(), np.random.default_rng(2)
    problem, names = benchmark.problem, list(benchmark.problem.variables)
    dos = [problem.sets[i % 3] for i in range(6)]
    dos = [{v: float(rng.uniform(*problem.domains[v])) for v in targets} for targets in dos]
    rows = np.vstack([benchmark.system.sample(1, do=do, rng=rng)[names].to_numpy() for do in dos])
    observed = benchmark.system.sample(200, rng=rng)[names].to_numpy()
    return infer(problem, Dataset(problem.variables, observed, rows, tuple(map(Intervention.of, dos))))


def run(workers: int) -> dict[str, object]:
    """Reference and estimates."""
    found: dict[str, object] = {"reference": reference(workers)}
    with one_blas_thread(), ProcessPoolExecutor(workers) as pool:
        for name, estimate in (("two graphs", quick), ("synthetic", synthetic)):
            jobs = list(product(SIZES, range(SEEDS)))
            values = np.array(list(pool.map(estimate, *zip(*jobs, strict=True)))).round(6)
            found[name] = values.reshape(len(SIZES), SEEDS, -1).tolist()
    return found


def between_seeds(values: np.ndarray) -> float:
    """Mean rank correlation of two seeds, from (seeds, experiments)."""
    table = spearmanr(values, axis=1).statistic
    return float(table[np.triu_indices(len(values), 1)].mean())


def table(found: dict[str, object]) -> str:
    """Markdown: agreement with the reference, bias, spread, and agreement of two seeds, by size."""
    truth = np.array(found["reference"]).sum(axis=1)
    titles = ["draws x fantasies", "Spearman with the reference", "bias, nats", "spread, nats"]
    titles += ["Spearman of two seeds", "of two seeds on Synthetic"]
    lines = ["| " + " | ".join(titles) + " |", "|" + "---|" * len(titles)]
    for (draws_, fantasies), here, there in zip(SIZES, found["two graphs"], found["synthetic"], strict=True):
        values = np.array(here)
        with_truth = np.mean([spearmanr(one, truth).statistic for one in values])
        cells = [with_truth, (values.mean(axis=0) - truth).mean(), values.std(axis=0, ddof=1).mean()]
        cells += [between_seeds(values), between_seeds(np.array(there))]
        each = " | ".join(f"{cell:.3f}" for cell in cells)
        lines.append(f"| {draws_} x {fantasies} | {each} |")
    there = np.array(found["synthetic"])[SIZES.index(LARGE)].mean(axis=0)
    return "\n".join([*lines, "", f"The gains lie {between(truth)}; on Synthetic {between(there)}."])


def between(values: np.ndarray) -> str:
    """The least and the largest, in words."""
    below = f"{(values < 0).sum()} of {len(values)} below 0"
    return f"between {values.min():.3f} and {values.max():.3f} nats, {below}"


def draw(found: dict[str, object], picture: Path) -> None:
    """The curve at two sizes beside the reference; bias and spread by size."""
    figure = Figure(figsize=(11, 3.8), layout="constrained")
    curves, bias, spread = figure.subplots(1, 3, width_ratios=[1.5, 1, 1])
    truth, estimates = np.array(found["reference"]).sum(axis=1), np.array(found["two graphs"])
    x = np.arange(len(truth))
    for size, colour, name in ((DEFAULT, "#D55E00", "default"), (LARGE, "#0072B2", "large")):
        values = estimates[SIZES.index(size)]
        mean, sd = values.mean(axis=0), values.std(axis=0, ddof=1)
        for half in np.split(x, 2):
            label = f"{size[0]} x {size[1]} ({name}), one sd of a seed" if not half[0] else None
            curves.plot(half, mean[half], color=colour, label=label)
            curves.fill_between(half, (mean - sd)[half], (mean + sd)[half], color=colour, alpha=0.2, lw=0)
    curves.plot(x, truth, "k.", ms=5, label="nested Monte Carlo, 1e5 rows")
    curves.set(xlabel="experiment: do(A), then do(B)", ylabel="CES, nats", title="Two graphs")
    curves.legend(frameon=False, fontsize=8)
    draws_ = sorted({size[0] for size in SIZES})
    for fantasies, dash in zip(sorted({size[1] for size in SIZES}), (":", "-", "--", "-."), strict=True):
        at = [estimates[SIZES.index((one, fantasies))] for one in draws_]
        bias.plot(draws_, [(v.mean(axis=0) - truth).mean() for v in at], "k", ls=dash, marker=".")
        label = f"{fantasies} fantasies"
        spread.plot(draws_, [v.std(axis=0, ddof=1).mean() for v in at], "k", ls=dash, marker=".", label=label)
    bias.axhline(0, color="grey", lw=0.8)
    bias.set(xscale="log", xlabel="draws", title="bias, nats")
    spread.set(xscale="log", xlabel="draws", title="spread between seeds, nats")
    spread.legend(frameon=False, fontsize=8)
    for panel in figure.axes:
        panel.spines[["top", "right"]].set_visible(False)
    figure.savefig(picture, dpi=160)


def main() -> None:
    """Run, or show what is stored."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--write", action="store_true", help="store the result, renew the page and its figure"
    )
    parser.add_argument("--table", action="store_true", help="print the stored result")
    parser.add_argument("--workers", type=int, default=2)
    chosen = parser.parse_args()
    found = json.loads(STORED.read_text()) if chosen.table else run(chosen.workers)
    print(table(found))
    if chosen.write:
        STORED.write_text(json.dumps(found) + "\n")
        draw(found, PICTURE)
        text = PAGE.read_text(encoding="utf-8")
        before, after = text.split(BEGIN)[0], text.split(END)[1]
        PAGE.write_text(f"{before}{BEGIN}\n{table(found)}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
