"""How fast does what a method recommends get good?  Regret by cost, and P(true graph), for every method.

    python benchmarks/convergence.py            run it (half an hour on two cores), print the tables
    python benchmarks/convergence.py --write    and store them, with two figures, in docs/convergence.md
    python benchmarks/convergence.py --table    print the tables from the stored result
    python benchmarks/convergence.py --quick    two replicates of three interventions: does it run?

Each replicate has its own observations; no intervention is given beforehand.  After each of 20 interventions,
one noisy sample each, the method recommends.  Its regret is E[Y | do(recommended)] less the optimum, in the
true system.  Replicates are paired by seed within a table.  A finished replicate is stored at once, so a run
that was stopped goes on; results of other code are not mixed in.  The table "choices" tries other settings
than the defaults, on seeds that the table "methods" does not use.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from hashlib import sha256
from pathlib import Path
from time import process_time
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure

import ceopt
from ceopt import problems
from ceopt.inference.threads import one_blas_thread

HERE = Path(__file__).parent
STORED = HERE / "results" / "convergence.jsonl"
DOCS = HERE.parent / "docs"
PAGE = DOCS / "convergence.md"
BEGIN, END = "<!-- {}: benchmarks/convergence.py -->", "<!-- end of {} -->"
ROWS = {"synthetic": 200, "symptoms": 100}  # observations
SEEDS = {"methods": 1000, "choices": 5000}  # the first seed of each table
REPLICATES, TRIALS = 24, 20
COSTS = (0, 5, 10, 15, 20)  # every replicate has spent 20 after 20 interventions
LINES = {  # told apart by colour and by dash
    "ceo": ("#D55E00", "-"),
    "cbo-true": ("#0072B2", "--"),
    "cd-cbo": ("#009E73", "-."),
    "mes": ("#CC79A7", ":"),
    "random": ("#000000", (0, (1, 1))),
    "cbo-wrong": ("#999999", "-"),
}


class Job(NamedTuple):
    """One replicate of one contender of a table on a problem."""

    problem: str
    table: str
    method: str
    replicate: int
    trials: int = TRIALS


class Contender(NamedTuple):
    """What is compared: a method, and how mechanisms are learnt."""

    method: object
    mechanisms: ceopt.Mechanisms = ceopt.Mechanisms()


class Course(NamedTuple):
    """Replicates of one contender on one problem, (R, T + 1) each: after each number of interventions."""

    spent: np.ndarray
    regret: np.ndarray
    truth: np.ndarray  # P(true graph)
    covered: np.ndarray  # whether the 90 % interval holds the true value
    seconds: np.ndarray  # CPU seconds a suggestion, (R,)


def contenders(problem: str, table: str) -> dict[str, Contender]:
    """What is compared, by name; CEO, as it is, comes first."""
    own, graphs = ceopt.methods, getattr(problems, problem)().problem.graphs.graphs
    product, known = ceopt.Mechanisms(coupling="product"), own.CBO(graph=graphs[0].text)
    if table == "choices":
        return {
            "ceo": Contender(own.CEO()),
            "ceo, weights='softmax'": Contender(own.CEO(weights="softmax")),
            "ceo, graph_aware=False": Contender(own.CEO(graph_aware=False)),
            "ceo, coupling='product'": Contender(own.CEO(), product),
            "cbo-true": Contender(known),
            "cbo-true, coupling='product'": Contender(known, product),
            "cbo-true, noisy=False": Contender(own.CBO(graph=graphs[0].text, noisy=False)),
        }
    wrong = {f"cbo-wrong-{i}": Contender(own.CBO(graph=g.text)) for i, g in enumerate(graphs) if i}
    last = {"cd-cbo": own.CDCBO(), "mes": own.MES(), "random": own.Random()}
    first = {"ceo": Contender(own.CEO()), "cbo-true": Contender(known)}
    return first | wrong | {name: Contender(method) for name, method in last.items()}


def run(job: Job) -> dict[str, object]:
    """The course of one replicate."""
    benchmark, course, seconds = getattr(problems, job.problem)(), [], 0.0
    system, seed = benchmark.system, SEEDS[job.table] + job.replicate
    contender = contenders(job.problem, job.table)[job.method]
    study = ceopt.create_study(
        benchmark.problem,
        observations=system.sample(ROWS[job.problem], rng=seed),
        method=contender.method,
        mechanisms=contender.mechanisms,
        seed=job.replicate,
    )
    best = system.mean(benchmark.optimum.do)
    with one_blas_thread():
        for trial in range(job.trials + 1):
            if trial:
                started = process_time()
                one = study.ask()
                seconds += process_time() - started
                study.tell(one, system.sample(1, do=one.do, rng=[seed, trial]))
            answer = study.best()
            value = system.mean(answer.do)
            truth = study.belief.graphs.probabilities[benchmark.true_index]
            covered = answer.interval.lower <= value <= answer.interval.upper
            course.append([study.spent, round(value - best, 4), round(float(truth), 4), int(covered)])
    return {**job._asdict(), "seconds": round(seconds / job.trials, 4), "course": course}


def digest() -> str:
    """Of the code of the package: what a result depends on."""
    files = sorted((HERE.parent / "src" / "ceopt").rglob("*.py"))
    return sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()[:16]


def run_all(jobs: list[Job], store: Path, workers: int) -> list[dict[str, object]]:
    """Every job that the store does not have yet."""
    code = digest()
    done = [result for result in load(store) if result["code"] == code] if store.exists() else []
    known = {tuple(r[field] for field in Job._fields) for r in done}
    store.write_text("".join(json.dumps(result) + "\n" for result in done))
    with ProcessPoolExecutor(workers) as pool, store.open("a") as out:
        running = [pool.submit(run, job) for job in jobs if tuple(job) not in known]
        for i, future in enumerate(as_completed(running), start=1):
            done.append({"code": code, **future.result()})
            print(json.dumps(done[-1]), file=out, flush=True)
            print(f"{i} of {len(running)}: {done[-1]['problem']}, {done[-1]['method']}", flush=True)
    return done


def load(store: Path) -> list[dict[str, object]]:
    """What is stored."""
    return [json.loads(line) for line in store.read_text().splitlines()]


def courses(results: Iterable[dict[str, object]], problem: str, table: str) -> dict[str, Course]:
    """By contender, replicates in order."""
    mine = [r for r in results if (r["problem"], r["table"]) == (problem, table)]
    found = {}
    for name in contenders(problem, table):
        some = sorted((r for r in mine if r["method"] == name), key=lambda r: r["replicate"])
        parts = np.array([r["course"] for r in some], dtype=float).transpose(2, 0, 1)
        found[name] = Course(*parts, np.array([r["seconds"] for r in some]))
    return found


def at_cost(course: Course, cost: float) -> np.ndarray:
    """Regret of the last recommendation made before more than `cost` was spent, (R,)."""
    last = (course.spent <= cost).sum(axis=1) - 1
    return course.regret[np.arange(len(last)), last]


def of_mean(values: np.ndarray) -> str:
    """Mean and standard error."""
    return f"{values.mean():.3f} ± {values.std(ddof=1) / np.sqrt(len(values)):.3f}"


def table(results: list[dict[str, object]], problem: str, which: str) -> str:
    """Markdown: regret by cost, its mean over all costs, paired with CEO, and the rest."""
    costs = [f"cost {c}" for c in COSTS]
    last = ["after 20", "less CEO's", "area", "less CEO's", "P(truth)", "covers", "seconds"]
    titles = [problem, *costs, *last]
    lines = ["| " + " | ".join(titles) + " |", "|" + "---|" * len(titles)]
    by_name = courses(results, problem, which)
    ceo = by_name["ceo"]
    for name, course in by_name.items():
        cells = [of_mean(at_cost(course, c)) for c in COSTS]
        for values, own in ((course.regret[:, -1], ceo.regret[:, -1]), (area(course), area(ceo))):
            cells += [of_mean(values), "" if name == "ceo" else of_mean(values - own)]
        cells += [f"{course.truth[:, -1].mean():.2f}", f"{100 * course.covered.mean():.0f} %"]
        lines.append("| " + " | ".join([name, *cells, f"{course.seconds.mean():.2f}"]) + " |")
    return "\n".join(lines)


def area(course: Course) -> np.ndarray:
    """Mean regret over costs from 0 to the last of COSTS, (R,)."""
    return np.mean([at_cost(course, c) for c in range(COSTS[-1] + 1)], axis=0)


def tables(results: list[dict[str, object]], which: str) -> str:
    """One for each problem."""
    return "\n\n".join(table(results, problem, which) for problem in ROWS)


def draw(results: list[dict[str, object]], folder: Path) -> None:
    """Regret by cost, and P(true graph) by intervention."""
    convergence, posterior = (Figure(figsize=(10, 4), layout="constrained") for _ in range(2))
    costs = np.arange(COSTS[-1] + 1)
    for problem, left, right in zip(ROWS, convergence.subplots(1, 2), posterior.subplots(1, 2), strict=True):
        for method, course in courses(results, problem, "methods").items():
            regret = np.stack([at_cost(course, c) for c in costs], axis=1)
            _band(left, costs, regret, method)
            if method in ("ceo", "cd-cbo"):
                _band(right, np.arange(course.truth.shape[1]), course.truth, method)
        left.set(title=problem.capitalize(), xlabel="cost", ylabel="regret of the recommendation")
        right.set(
            title=problem.capitalize(), xlabel="interventions", ylabel="P(true graph | D)", ylim=(0, 1.02)
        )
        left.set_ylim(bottom=0)
    for name, figure in (("convergence", convergence), ("posterior", posterior)):
        for panel in figure.axes:
            panel.spines[["top", "right"]].set_visible(False)
        handles = {line.get_label(): line for panel in figure.axes for line in panel.get_lines()}
        figure.legend(handles.values(), handles, loc="outside lower center", ncols=6, frameon=False)
        figure.savefig(folder / f"{name}.png", dpi=160)


def _band(panel, x: np.ndarray, values: np.ndarray, method: str) -> None:
    """Mean and one standard error either side, over replicates (R, len(x))."""
    kind = "cbo-wrong" if method.startswith("cbo-wrong") else method
    colour, dash = LINES[kind]
    mean, error = values.mean(axis=0), values.std(axis=0, ddof=1) / np.sqrt(len(values))
    panel.plot(x, mean, color=colour, ls=dash, lw=2 if kind != "cbo-wrong" else 1, label=kind)
    if kind != "cbo-wrong":
        panel.fill_between(x, mean - error, mean + error, color=colour, alpha=0.15, lw=0)


def main() -> None:
    """Run, or show what is stored."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="renew the page in docs/ and its figures")
    parser.add_argument("--table", action="store_true", help="print the stored result")
    parser.add_argument("--quick", action="store_true", help="two replicates of three interventions")
    parser.add_argument("--workers", type=int, default=2)
    chosen = parser.parse_args()
    replicates, trials = (2, 3) if chosen.quick else (REPLICATES, TRIALS)
    jobs = [
        Job(p, t, m, r, trials)
        for r in range(replicates)
        for t in SEEDS
        for p in ROWS
        for m in contenders(p, t)
    ]
    store = HERE.parent / "build" / "convergence.jsonl" if chosen.quick else STORED
    store.parent.mkdir(exist_ok=True)
    results = load(STORED) if chosen.table else run_all(jobs, store, chosen.workers)
    for which in SEEDS:
        print(f"\n{which}\n\n{tables(results, which)}")
    if chosen.write:
        draw(results, DOCS / "figures")
        text = PAGE.read_text(encoding="utf-8")
        for which in SEEDS:
            begin, end = BEGIN.format(which), END.format(which)
            text = f"{text.split(begin)[0]}{begin}\n{tables(results, which)}\n{end}{text.split(end)[1]}"
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
