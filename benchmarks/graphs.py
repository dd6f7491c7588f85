"""How often does each graph lead, before and after ten random interventions?

    python benchmarks/graphs.py            run it (about two minutes), and print the table
    python benchmarks/graphs.py --write    and store it, in benchmarks/results and docs/graph_posterior.md
    python benchmarks/graphs.py --table    print the table from the stored result

Twenty seeds for each system, with the paper's graphs and numbers of rows, and for some with other settings of
Mechanisms.  Intervention sets and levels are uniform, one noisy sample each.
"""

import argparse
import json
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ceopt import problems
from ceopt.domain.dataset import Dataset
from ceopt.domain.intervention import Intervention
from ceopt.inference.belief import infer, update
from ceopt.inference.keys import effect_keys
from ceopt.inference.learnt import learn
from ceopt.inference.settings import Mechanisms

HERE = Path(__file__).parent
STORED = HERE / "results" / "graphs.json"
PAGE = HERE.parent / "docs" / "graph_posterior.md"
BEGIN, END = "<!-- table: benchmarks/graphs.py -->", "<!-- end of table -->"
SEEDS = 20
AFTER = (0, 1, 3, 10)  # interventions


class Case(NamedTuple):
    """A system, its number of observational rows, and the settings that are not the default."""

    system: str
    rows: int
    settings: dict[str, object]


CASES = (
    Case("synthetic", 200, {}),
    Case("epidemiology", 100, {}),
    Case("epidemiology_extended", 200, {}),
    Case("health", 200, {}),
    Case("health", 200, {"tempering": 0.1}),
    Case("health", 200, {"noise_floor": 1e-4}),
    Case("health", 200, {"noise_floor": 1e-2}),
    Case("health", 200, {"score": "maximum"}),
    Case("synthetic", 200, {"score": "maximum"}),
)


def posteriors(case: Case, seed: int) -> list[list[float]]:
    """P(G | D) after each number of interventions of AFTER, (4, G)."""
    benchmark, rng = getattr(problems, case.system)(), np.random.default_rng([seed, 7])
    problem = benchmark.problem
    variables = list(problem.variables)
    observed = benchmark.system.sample(case.rows, rng=rng)[variables].to_numpy()
    data = Dataset(problem.variables, observed, np.empty((0, len(variables))), ())
    belief = infer(problem, data, learn(problem, data, Mechanisms(**case.settings)))
    found = [belief.graphs.probabilities]
    for _ in range(max(AFTER)):
        targets = problem.sets[rng.integers(len(problem.sets))]
        do = {v: float(rng.uniform(problem.domain(v).low, problem.domain(v).high)) for v in targets}
        outcome = benchmark.system.sample(1, do=do, rng=rng)[variables].to_numpy()
        belief = update(belief, [Intervention.of(do)], outcome)
        found.append(belief.graphs.probabilities)
    return [found[i].tolist() for i in AFTER]


def equivalent(case: Case) -> list[bool]:
    """Which graphs are the truth, or have all its effects."""
    benchmark = getattr(problems, case.system)()
    problem, true = benchmark.problem, benchmark.true_index
    keys = [effect_keys(problem.graphs, problem.target, targets).of for targets in problem.sets]
    return [all(of[g] == of[true] for of in keys) for g in range(len(problem.graphs))]


def run(workers: int) -> list[dict[str, object]]:
    """Every case on every seed."""
    results = []
    with ProcessPoolExecutor(workers) as pool:
        for case in CASES:
            P = np.array(list(pool.map(posteriors, [case] * SEEDS, range(SEEDS))))  # (seeds, AFTER, G)
            leads = [
                np.bincount(P[:, i].argmax(axis=1), minlength=P.shape[2]).tolist() for i in range(len(AFTER))
            ]
            mean = P.mean(axis=0).round(4).tolist()
            found = {"leads": leads, "mean": mean, "equivalent": equivalent(case)}
            results.append({**case._asdict(), **found})
            print(line(results[-1]), flush=True)
    return results


def line(result: dict[str, object]) -> str:
    """A row of the table."""
    settings = ", ".join(f"{name}={value!r}" for name, value in result["settings"].items()) or "default"
    good = np.array(result["equivalent"])
    cells = []
    for leads, mean in zip(result["leads"], result["mean"], strict=True):
        cells.append(f"{np.array(leads)[good].sum()} of {sum(leads)}; {leads}; {mean[0]:.2f}")
    return " | ".join(["", f"{result['system']}, {result['rows']} rows", settings, *cells, ""]).strip()


def table(results: list[dict[str, object]]) -> str:
    """Markdown: for each case and number of interventions who leads, and the mean of P(truth)."""
    titles = ["system", "Mechanisms", *(f"after {n}" for n in AFTER)]
    rule = "|" + "---|" * len(titles)
    return "\n".join(["| " + " | ".join(titles) + " |", rule, *(line(result) for result in results)])


def main() -> None:
    """Run, or show what is stored."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="store the result and renew the page in docs/")
    parser.add_argument("--table", action="store_true", help="print the stored result")
    parser.add_argument("--workers", type=int, default=2)
    chosen = parser.parse_args()
    results = json.loads(STORED.read_text()) if chosen.table else run(chosen.workers)
    if chosen.table:
        print(table(results))
    if chosen.write:
        STORED.write_text(json.dumps(results, indent=1) + "\n")
        text = PAGE.read_text(encoding="utf-8")
        before, after = text.split(BEGIN)[0], text.split(END)[1]
        PAGE.write_text(f"{before}{BEGIN}\n{table(results)}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
