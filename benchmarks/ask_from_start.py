"""How long does `ceopt ask` take from process start, on a stored study of 200 interventions?

    python benchmarks/ask_from_start.py

Synthetic, 200 observations, 200 told interventions, SQLite, one thread; the median of three processes.  The
same study is then replayed in another database, and asked: the two suggestions must be the same to the byte.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import ceopt
from ceopt import problems

TOLD, ROWS, REPEATS = 200, 200, 3


def stored(storage: str) -> None:
    """A study with random interventions, one noisy outcome each."""
    benchmark, rng = problems.synthetic(), np.random.default_rng(0)
    study = ceopt.create_study(
        benchmark.problem,
        observations=benchmark.system.sample(ROWS, rng=rng),
        storage=storage,
        name="synthetic",
        seed=0,
    )
    for i in range(TOLD):
        targets = benchmark.problem.sets[i % len(benchmark.problem.sets)]
        do = {v: float(rng.uniform(*benchmark.problem.domains[v])) for v in targets}
        study.tell(do=do, outcome=benchmark.system.sample(1, do=do, rng=rng))


def asked(storage: str, name: str) -> tuple[float, dict[str, object]]:
    """Seconds from process start to the answer, and the answer; what was asked is withdrawn."""
    command = [sys.executable, "-m", "ceopt.cli", "ask", name, "--storage", storage, "--json"]
    env = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    start = time.perf_counter()
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    return time.perf_counter() - start, json.loads(done.stdout)


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        storage = f"sqlite:///{Path(folder) / 'one.db'}"
        stored(storage)
        ceopt.export_study("synthetic", Path(folder) / "study.jsonl", storage=storage)
        taken, answers = [], []
        for i in range(REPEATS):
            copy = f"sqlite:///{Path(folder) / f'copy{i}.db'}"
            ceopt.import_study(Path(folder) / "study.jsonl", storage=copy)
            seconds, answer = asked(copy, "synthetic")
            taken.append(seconds)
            answers.append(json.dumps(answer, sort_keys=True))
    print(f"ceopt ask from process start, {TOLD} interventions: {statistics.median(taken):.2f} s")
    print(f"replayed {REPEATS} times: {len(set(answers))} distinct suggestion(s)")


if __name__ == "__main__":
    main()
