"""How fast is a suggestion, beside its bare arithmetic measured in the same run?

    python benchmarks/ask.py            one CEO suggestion on Synthetic, with its parts (about half a minute)
    python benchmarks/ask.py --write    and renew docs/speed_of_ask.md

7 graphs, 3 sets, 60 points a set, 16 fantasies at each, 200 draws of each effect; one thread.  The bare
arithmetic is what no rearrangement can leave out: for each fantasy the moved draws of every set and their
least values, and the smoothed density of y* with its entropy.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest.mock import patch

import numpy as np

import ceopt
from ceopt import problems
from ceopt.acquisition import choice, joint_entropy, scene
from ceopt.acquisition import information_gain as gain
from ceopt.answers import next_step
from ceopt.inference.threads import one_blas_thread
from ceopt.maths import kde

PAGE = Path(__file__).parents[1] / "docs" / "speed_of_ask.md"
BEGIN, END = "<!-- report: benchmarks/ask.py -->", "<!-- end of report -->"
SETS, POINTS, FANTASIES, DRAWS = 3, 60, 16, 200
REPEATS = 7
PARTS = {  # what is timed inside a suggestion: where it is called, its name there, and in words
    "what every set says at its points, and its draws": (scene, "outlooks"),
    "what y* would say of the graphs, at every point": (scene.hypothetical, "table"),
    "fantasy rows and what they teach of the graph": (gain, "taught"),
    "moved draws of all sets, and their least values": (gain, "after_fantasies"),
    "entropy of y*: mixture, smoothing": (joint_entropy.Optimum, "entropy"),
    "E H[P(G | y*)]: look-ups": (joint_entropy.Table, "expected_entropy"),
    "refinement near the best points, all in all": (choice, "_near"),
    "the reasons: consequences, runners-up, warnings": (next_step, "explained"),
}


def seconds(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """The median time of one call."""
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def bare_minima() -> float:
    """Draws of all sets moved by each fantasy, and their least values."""
    rng = np.random.default_rng(0)
    F, buffer = rng.normal(size=(POINTS, 1, DRAWS)), np.empty((POINTS, FANTASIES, DRAWS))
    shift, h, off = (
        rng.normal(size=(POINTS, FANTASIES, 1)),
        rng.normal(size=(POINTS, 1, 1)),
        rng.normal(size=(FANTASIES, DRAWS)),
    )

    def work() -> None:
        for _ in range(SETS * POINTS):
            np.multiply(h, off, out=buffer)  # the fantasy's own set: a rank-one update
            np.add(buffer, F, out=buffer)
            np.add(buffer, shift, out=buffer)
            buffer.min(axis=0)
            for _ in range(SETS - 1):  # every other set: a shift
                np.add(F, shift, out=buffer)
                buffer.min(axis=0)

    return seconds(work)


def bare_kde() -> float:
    """Entropies of as many densities as there are fantasies."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=(SETS * POINTS * FANTASIES, SETS * DRAWS))
    w = np.full((1, y.shape[1]), 1 / y.shape[1])
    return seconds(lambda: kde.entropies(y, w))


def told() -> ceopt.Study:
    """A study of Synthetic with 200 observations and nine told interventions."""
    benchmark, rng = problems.synthetic(), np.random.default_rng(0)
    method = ceopt.methods.CEO(points=POINTS, fantasies=FANTASIES, draws=DRAWS)
    study = ceopt.create_study(
        benchmark.problem, observations=benchmark.system.sample(200, rng=rng), method=method, seed=0
    )
    for i in range(9):
        targets = benchmark.problem.sets[i % SETS]
        do = {v: float(rng.uniform(*benchmark.problem.domains[v])) for v in targets}
        study.tell(do=do, outcome=benchmark.system.sample(1, do=do, rng=rng))
    return study


def asked(study: ceopt.Study) -> None:
    """One suggestion, the belief being worked out anew, as after a tell; it is not left open."""
    study._belief = None
    study.abandon(study.ask())


@contextmanager
def clocks(taken: dict[str, float]) -> Iterator[None]:
    """Adds up the time inside each of PARTS."""

    def timed(name: str, work: Callable[..., object]) -> Callable[..., object]:
        def inner(*arguments: object, **named: object) -> object:
            start = time.perf_counter()
            found = work(*arguments, **named)
            taken[name] = taken.get(name, 0.0) + time.perf_counter() - start
            return found

        return inner

    with ExitStack() as stack:
        for name, (where, attribute) in PARTS.items():
            stack.enter_context(patch.object(where, attribute, timed(name, getattr(where, attribute))))
        yield


def report() -> list[str]:
    """The lines of the report."""
    study = told()
    asked(study)  # loads what is loaded on first use
    whole, best = seconds(lambda: asked(study)), seconds(study.best)
    taken: dict[str, float] = {}
    with clocks(taken):
        for _ in range(REPEATS):
            asked(study)
    minima, smoothing = bare_minima(), bare_kde()
    lines = ["One CEO suggestion on Synthetic: 7 graphs, 3 sets, 60 points a set, 16 fantasies, 200 draws"]
    lines += [f"  {'the whole of study.ask()':52} {whole:8.3f} s"]
    lines += [f"    {name:50} {taken.get(name, 0.0) / REPEATS:8.3f} s" for name in PARTS]
    lines += [f"  {'bare: least values of the moved draws':52} {minima:8.3f} s"]
    lines += [f"  {'bare: entropies of the smoothed densities':52} {smoothing:8.3f} s"]
    lines += [f"  {'the whole over the bare':52} {whole / (minima + smoothing):8.2f} x"]
    return [*lines, f"  {'study.best(), for comparison':52} {best:8.3f} s"]


def main() -> None:
    """Print the report, or renew the page too."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="renew docs/speed_of_ask.md")
    write = parser.parse_args().write
    with one_blas_thread():
        lines = report()
    print("\n".join(lines))
    if write:
        text, block = PAGE.read_text(encoding="utf-8"), "\n".join(["```text", *lines, "```"])
        PAGE.write_text(f"{text.split(BEGIN)[0]}{BEGIN}\n{block}\n{END}{text.split(END)[1]}", "utf-8")


if __name__ == "__main__":
    main()
