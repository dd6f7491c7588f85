"""How fast is the engine, beside the bare linear algebra at the same sizes?

    python benchmarks/engine.py            all parts (about a minute)
    python benchmarks/engine.py synthetic update graphs rows
    python benchmarks/engine.py --write    all parts, and renew docs/speed.md

One thread.  Every part prints seconds, and a ratio measured in the same run.
"""

import argparse
import resource
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from unittest.mock import patch

import numpy as np
from scipy.linalg import lapack
from sklearn.gaussian_process.kernels import RBF, ConstantKernel

import ceopt
from ceopt import problems
from ceopt.domain.dataset import Dataset
from ceopt.domain.intervention import Intervention
from ceopt.domain.problem import Problem
from ceopt.errors import CeoptWarning
from ceopt.inference import learnt as learnt_
from ceopt.inference import mechanisms
from ceopt.inference.belief import Belief, infer, refit, update
from ceopt.inference.keys import Keys, effect_keys
from ceopt.inference.learnt import learn
from ceopt.inference.settings import Mechanisms
from ceopt.inference.threads import one_blas_thread
from ceopt.maths import fit

PAGE = Path(__file__).parents[1] / "docs" / "speed.md"
BEGIN, END = "<!-- report: benchmarks/engine.py -->", "<!-- end of report -->"
REPORT: list[str] = []


def seconds(work: Callable[[], object], repeats: int = 5) -> float:
    """The median time of one call."""
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def tell(text: str) -> None:
    """One line of the report."""
    print(text, flush=True)
    REPORT.append(text)


def say(what: str, figure: float, unit: str = "s", note: str = "") -> None:
    """One figure of the report."""
    tell(f"  {what:58} {figure:9.3f} {unit:4} {note}".rstrip())


def observed(benchmark: problems.Benchmark, rows: int) -> Dataset:
    """Observational data of a system."""
    variables = benchmark.problem.variables
    values = benchmark.system.sample(rows, rng=1)[list(variables)].to_numpy()
    return Dataset(variables, values, np.empty((0, len(variables))), ())


def one_thread(pairs, *arguments):
    """learn_all without its threads."""
    return {pair: mechanisms.learn(pair, *arguments) for pair in pairs}


def factorisations(n: int) -> float:
    """Seconds of the bare linear algebra of one objective: a Cholesky factor and an inverse of n rows."""
    x = np.linspace(0, 10, n)
    K = np.exp(-0.5 * (x[:, None] - x) ** 2) + 0.1 * np.eye(n)

    def both() -> None:
        L, _ = lapack.dpotrf(K.T, lower=1)
        lapack.dpotri(L, lower=1, overwrite_c=1)

    return seconds(both, 50)


def counted(work: Callable[[], object]) -> int:
    """How many objectives a piece of work evaluates."""
    calls = 0
    original = fit.log_likelihood

    def counting(*arguments):
        nonlocal calls
        calls += 1
        return original(*arguments)

    with patch.object(fit, "log_likelihood", counting):
        work()
    return calls


def synthetic() -> None:
    """Inference from nothing: 7 graphs, 200 rows, 3 sets."""
    benchmark = problems.synthetic()
    problem, data = benchmark.problem, observed(benchmark, 200)
    tell("Synthetic from nothing: 7 graphs, 200 rows, 3 sets")
    whole = partial(infer, problem, data)
    taken, count = seconds(whole), counted(whole)
    bare = count * factorisations(200)
    say("inference", taken)
    say(f"bare: {count} factorisations and inverses", bare, "s", f"x {taken / bare:.2f}")
    kernel = Mechanisms(kernel=lambda d: ConstantKernel(1.0) * RBF([2.0] * d))
    theirs = seconds(lambda: infer(problem, data, learn(problem, data, kernel)), 3)
    say("the same with scikit-learn's kernel and gradients", theirs, "s", f"x {theirs / taken:.2f}")
    learnt = learn(problem, data)
    for targets in problem.sets:
        levels = np.column_stack([np.linspace(*problem.domains[v], 60) for v in targets])
        curve = seconds(lambda t=targets, x=levels: replace(learnt, _memos={}).effects(t, x), 3)
        say(f"all effects of do({', '.join(targets)}) at 60 levels", 1e3 * curve, "ms")


def told(belief: Belief, benchmark: problems.Benchmark, count: int) -> Belief:
    """The belief after random interventions."""
    problem, rng = benchmark.problem, np.random.default_rng(2)
    for _ in range(count):
        belief = update(belief, *experiment(problem, benchmark, rng))
    return belief


def experiment(problem: Problem, benchmark: problems.Benchmark, rng: np.random.Generator):
    """A random intervention and its outcome."""
    targets = problem.sets[rng.integers(len(problem.sets))]
    do = {v: float(rng.uniform(*problem.domains[v])) for v in targets}
    row = benchmark.system.sample(1, do=do, rng=rng)[list(problem.variables)].to_numpy()
    return [Intervention.of(do)], row


def updates() -> None:
    """One more row, with hyperparameters and V^ held."""
    benchmark = problems.synthetic()
    problem, data, rng = benchmark.problem, observed(benchmark, 200), np.random.default_rng(3)
    tell("One new row at held hyperparameters: Synthetic, 200 + 20 rows")
    belief = told(infer(problem, data), benchmark, 20)
    rows = [experiment(problem, benchmark, rng) for _ in range(15)]
    taken = statistics.median(seconds(partial(update, belief, *row), 1) for row in rows)  # a new level each
    L, r = np.tril(np.ones((220, 220))) + 20 * np.eye(220), np.ones(220)
    solves = len(problem.graphs.pairs)
    bare = solves * seconds(lambda: (lapack.dtrtrs(L, r, lower=1), L.copy()), 50)
    say("update", 1e3 * taken, "ms")
    say(f"bare: {solves} triangular solves and copies", 1e3 * bare, "ms", f"x {taken / bare:.1f}")
    say("refit: hyperparameters and V^ of every surrogate", 1e3 * seconds(lambda: refit(belief), 3), "ms")


def parts(problem: Problem, data: Dataset) -> tuple[float, float]:
    """Seconds of an inference from nothing: in the mechanisms, and in all the rest."""
    inside = 0.0

    def timed(*arguments) -> object:
        nonlocal inside
        start = time.perf_counter()
        found = one_thread(*arguments)
        inside = time.perf_counter() - start
        return found

    with patch.object(learnt_, "learn_all", timed):
        both = []
        for _ in range(3):
            start = time.perf_counter()
            infer(problem, data)
            both.append((inside, time.perf_counter() - start - inside))
    return min(both)


UNDECIDED = ["A ?> C", "B ?> C", "A ?> D", "B ?> D", "C ?> D", "C ?> E", "D ?> E", "D ?> Y", "E ?> Y"]


def six_nodes(count: int) -> tuple[Problem, Dataset]:
    """A system of six nodes with some of the 512 graphs that nine undecided edges allow, and its data."""
    rng = np.random.default_rng(4)
    A, B, e = rng.normal(size=200), rng.normal(size=200), rng.normal(size=(4, 200))
    C = np.sin(A) + 0.5 * e[0]
    D = 0.8 * C + 0.5 * B + 0.5 * e[1]
    E = np.cos(D) + 0.5 * e[2]
    Y = E + 0.3 * D + 0.5 * e[3]
    data = Dataset(tuple("ABCDEY"), np.column_stack([A, B, C, D, E, Y]), np.empty((0, 6)), ())
    everything = ceopt.GraphPrior.from_knowledge(variables=list("ABCDEY"), undecided=UNDECIDED)
    largest = sorted(everything.graphs, key=lambda graph: -len(graph.edges))
    graphs = ceopt.GraphPrior.from_graphs(largest[:count])
    domains = {"A": (-2.0, 2.0), "D": (-2.0, 2.0)}
    return Problem(target="Y", direction="minimize", domains=domains, graphs=graphs), data


def graphs() -> None:
    """512 graphs from 9 undecided edges over 6 nodes, beside fewer."""
    tell("Many graphs: 6 nodes, 200 rows, 3 sets")
    benchmark = problems.synthetic()
    cases = {"7 (of Synthetic's 3 nodes)": (benchmark.problem, observed(benchmark, 200))}
    cases |= {str(n): six_nodes(n) for n in (7, 64, 512)}
    rest: dict[str, float] = {}
    for name, (problem, data) in cases.items():
        inside, rest[name] = parts(problem, data)
        fitted = [pair for pair in problem.graphs.pairs if pair[1]]
        keys = sum(len(of_set.example) for of_set in _keys(problem))
        per_pair = 1e3 * inside / len(fitted)
        say(f"{name} graphs: a (node, parents) pair", per_pair, "ms", f"{len(fitted)} pairs")
        ratio = f"x {rest[name] / rest['7']:.2f} of 7 graphs', " if "7" in rest else ""
        say(f"{name} graphs: all the rest", 1e3 * rest[name], "ms", f"{ratio}{keys} effect keys")
    first, *_, last = rest.values()
    say("the rest: 512 graphs of 6 nodes beside 7 of 3", last / first, "x")


def _keys(problem: Problem) -> list[Keys]:
    return [effect_keys(problem.graphs, problem.target, targets) for targets in problem.sets]


def rows() -> None:
    """1e5 observational rows of 10 nodes."""
    tell("1e5 observational rows of 10 nodes: Epi+")
    benchmark = problems.epidemiology_extended()
    data = observed(benchmark, 100_000)
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always", CeoptWarning)
        taken = seconds(lambda: infer(benchmark.problem, data), 1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**30 if sys.platform == "darwin" else 2**20)
    say("inference", taken)
    say("peak memory of this process", peak, "GB")
    for warning in heard:
        tell(f"  said: {warning.message}")


PARTS = {"synthetic": synthetic, "update": updates, "graphs": graphs, "rows": rows}


def main() -> None:
    """Run the parts asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", help=f"some of {', '.join(PARTS)}; all of them when left out")
    parser.add_argument("--write", action="store_true", help="all parts, and renew docs/speed.md")
    arguments = parser.parse_args()
    chosen = arguments.parts or list(PARTS)
    if unknown := [name for name in chosen if name not in PARTS]:
        parser.error(f"no part is called {', '.join(unknown)}; there are {', '.join(PARTS)}")
    with one_blas_thread(), patch.object(learnt_, "learn_all", one_thread):
        for name in chosen:
            PARTS[name]()
    if arguments.write:
        text = PAGE.read_text(encoding="utf-8")
        block = "\n".join(["```text", *REPORT, "```"])
        PAGE.write_text(
            f"{text.split(BEGIN)[0]}{BEGIN}\n{block}\n{END}{text.split(END)[1]}", encoding="utf-8"
        )


if __name__ == "__main__":
    main()
