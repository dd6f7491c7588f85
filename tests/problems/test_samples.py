"""What the systems send back, against quadrature and against their equations written down a second time."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from ceopt.problems import Benchmark
from tests.problems.catalogue import BENCHMARKS
from tests.problems.quadrature import Floats
from tests.problems.truths import TRUTHS

N = 200_000


def standard_error(x: Floats) -> float:
    return float(x.std() / len(x) ** 0.5)


def levels_to_try(benchmark: Benchmark) -> list[dict[str, float]]:
    """For each set the same share of every domain, the optimum, and zero where that is a level."""
    domains = benchmark.problem.domains
    inside = [
        {v: domains[v][0] + share * (domains[v][1] - domains[v][0]) for v in targets}
        for targets, share in zip(benchmark.problem.sets, (0.7, 0.4, 0.6, 0.3, 0.55, 0.45), strict=False)
    ]
    return [*inside, benchmark.optimum.do, dict.fromkeys(benchmark.problem.sets[0], 0.0)]


DOINGS = [
    pytest.param(name, do, id=f"{name}-{do}") for name, b in BENCHMARKS.items() for do in levels_to_try(b)
]


def noises_left(name: str, do: dict[str, float], n: int, seed: int) -> dict[str, Floats]:
    """A sample with nothing hidden, each variable less the mechanism written down in `truths`."""
    rows = replace(BENCHMARKS[name].system, hidden=()).sample(n, do, rng=seed)
    columns = {str(v): rows[v].to_numpy() for v in rows}
    return {v: columns[v] - part.mechanism(columns) for v, part in TRUTHS[name].parts.items()}


@pytest.mark.parametrize("name", BENCHMARKS)
def test_an_observational_sample_has_the_moments_of_the_law(name: str) -> None:
    rows = BENCHMARKS[name].system.sample(N, rng=1)
    expected = TRUTHS[name].moments()
    assert set(rows) == set(expected)
    for v, (mean, variance) in expected.items():
        x = rows[v].to_numpy()
        assert x.mean() == pytest.approx(mean, abs=4 * standard_error(x) + 1e-9), v
        if variance is not None:
            assert x.var() == pytest.approx(variance, abs=4 * standard_error((x - mean) ** 2) + 1e-9), v


@pytest.mark.parametrize(("name", "do"), DOINGS)
def test_the_interventional_mean_is_that_of_the_law(name: str, do: dict[str, float]) -> None:
    system = BENCHMARKS[name].system
    y = system.sample(N, do, rng=2)["Y"].to_numpy()
    assert system.mean(do, n=N, rng=2) == y.mean()
    assert y.mean() == pytest.approx(TRUTHS[name].effect(do), abs=4 * standard_error(y))


@pytest.mark.parametrize("name", BENCHMARKS)
def test_each_noise_has_the_mean_and_variance_of_its_law_and_none_is_none(name: str) -> None:
    noises = noises_left(name, {}, N, seed=3)
    for v, part in TRUTHS[name].parts.items():
        x = noises[v]
        if part.noise is None:
            assert abs(x).max() < 1e-12, v
            continue
        nodes, weights = part.noise
        mean = (nodes * weights).sum()
        variance = ((nodes - mean) ** 2 * weights).sum()
        assert x.mean() == pytest.approx(mean, abs=4 * standard_error(x)), v
        assert x.var() == pytest.approx(variance, abs=4 * standard_error((x - mean) ** 2)), v


@pytest.mark.parametrize(("name", "do"), DOINGS)
def test_every_variable_that_is_not_set_is_its_mechanism_plus_the_noise_it_has_when_nothing_is_done(
    name: str, do: dict[str, float]
) -> None:
    system = BENCHMARKS[name].system
    rng = np.random.default_rng(4)
    drawn = {v: equation.noise(rng, 500) for v, equation in system.equations.items()}
    left = noises_left(name, do, 500, seed=4)
    for v in system.equations:
        if v not in do:
            assert left[v] == pytest.approx(drawn[v], abs=1e-9), v
    rows = system.sample(500, do, rng=4)
    assert {v: set(rows[v]) for v in do} == {v: {level} for v, level in do.items()}


@pytest.mark.parametrize("name", BENCHMARKS)
def test_an_intervention_reaches_the_descendants_only(name: str) -> None:
    system = BENCHMARKS[name].system
    before = system.sample(50, rng=5)
    parents = {v: equation.parents for v, equation in system.equations.items()}
    for v in system.variables:
        reached = {v}
        for w in parents:  # in causal order
            if reached.intersection(parents[w]):
                reached.add(w)
        after = system.sample(50, {v: 0.25}, rng=5)
        changed = {w for w in before if not after[w].equals(before[w])}
        assert changed == reached, v


@pytest.mark.parametrize(
    ("name", "v", "low", "high"),
    [
        ("health", "A", 55, 75),
        ("epidemiology", "U", -1, 1),
        ("epidemiology", "T", 0, 2),
        ("epidemiology-paper-text", "T", 4, 8),
        *(("epidemiology-extended", v, -1, 1) for v in "PMEZX"),
    ],
)
def test_a_uniform_root_fills_its_range_and_no_more(name: str, v: str, low: float, high: float) -> None:
    x = BENCHMARKS[name].system.sample(10_000, rng=8)[v]
    assert low <= x.min() < low + 0.01 * (high - low)
    assert high >= x.max() > high - 0.01 * (high - low)


@pytest.mark.parametrize("name", BENCHMARKS)
def test_the_same_seed_draws_the_same_rows(name: str) -> None:
    system = BENCHMARKS[name].system
    first = system.sample(20, rng=6)
    pd.testing.assert_frame_equal(first, system.sample(20, rng=6))
    pd.testing.assert_frame_equal(first, system.sample(20, rng=np.random.default_rng(6)))
    assert not first.equals(system.sample(20, rng=7))
