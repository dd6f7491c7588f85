"""The page on Causal Entropy Search shows the stored result, and the result is what the page claims."""

import json
import runpy
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm, spearmanr

ROOT = Path(__file__).parents[2]
BENCHMARK = runpy.run_path(str(ROOT / "benchmarks/entropy_search.py"))
FOUND = json.loads(BENCHMARK["STORED"].read_text())
REFERENCE = np.array(FOUND["reference"]).sum(axis=1)


def estimates(size):
    """CES of every experiment at each seed, (seeds, experiments)."""
    return np.array(FOUND["two graphs"])[BENCHMARK["SIZES"].index(size)]


def test_the_page_shows_the_stored_table():
    assert BENCHMARK["table"](FOUND) in (ROOT / "docs/entropy_search.md").read_text(encoding="utf-8")


def test_it_agrees_with_the_nested_monte_carlo():
    for one in estimates(BENCHMARK["LARGE"]):
        assert spearmanr(one, REFERENCE).statistic > 0.95


def test_at_the_default_size_two_seeds_agree():
    assert BENCHMARK["between_seeds"](estimates(BENCHMARK["DEFAULT"])) > 0.8


def test_a_stored_estimate_comes_again():
    received = BENCHMARK["quick"](BENCHMARK["DEFAULT"], 3)
    np.testing.assert_allclose(received, estimates(BENCHMARK["DEFAULT"])[3], atol=1e-4)


def test_the_reference_smooths_as_silverman_does():
    y = norm.ppf((np.arange(20_000) + 0.5) / 20_000)
    h = (4 / 3 / 20_000) ** 0.2
    expected = norm(scale=np.sqrt(1 + h**2)).entropy()
    assert BENCHMARK["smoothed_entropy"](y, np.full(20_000, 1 / 20_000)) == pytest.approx(expected, abs=1e-3)


def test_the_reference_predicts_by_the_formula_of_the_engine(rng):
    belief = BENCHMARK["question"]()
    pair, at = ("Y", ("B",)), rng.normal(size=(4, 1))
    from ceopt.inference.predictive import expected

    law = expected(belief.evidence.scores[pair], at[:, None, None])
    for i, parents in enumerate(at):
        mean, variance = BENCHMARK["predicted"](belief, pair, parents)
        assert mean == pytest.approx(law.m[i, 0, 0])
        assert variance == pytest.approx(law.C[i, 0, 0, 0] + law.s2)
