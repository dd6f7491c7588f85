"""The page on convergence shows the stored result, and the result is what the page claims."""

import runpy
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
BENCHMARK = runpy.run_path(str(ROOT / "benchmarks/convergence.py"))
RESULTS = BENCHMARK["load"](BENCHMARK["STORED"])
PAGE = (ROOT / "docs/convergence.md").read_text(encoding="utf-8")
COURSES = {problem: BENCHMARK["courses"](RESULTS, problem, "methods") for problem in BENCHMARK["ROWS"]}


def last(problem, method):
    """Regret after the last intervention, (R,)."""
    return COURSES[problem][method].regret[:, -1]


def standard_error(values):
    return values.std(ddof=1) / np.sqrt(len(values))


@pytest.mark.parametrize("table", BENCHMARK["SEEDS"])
def test_the_page_shows_the_stored_tables(table):
    assert BENCHMARK["tables"](RESULTS, table) in PAGE


def test_every_replicate_of_every_contender_was_run_by_the_same_code():
    jobs = [tuple(r[field] for field in BENCHMARK["Job"]._fields) for r in RESULTS]
    expected = [
        (p, t, m, r, BENCHMARK["TRIALS"])
        for t in BENCHMARK["SEEDS"]
        for p in BENCHMARK["ROWS"]
        for m in BENCHMARK["contenders"](p, t)
        for r in range(BENCHMARK["REPLICATES"])
    ]
    assert sorted(jobs) == sorted(expected)
    assert len({r["code"] for r in RESULTS}) == 1


def test_on_symptoms_the_observations_leave_the_true_graph_below_one_half():
    assert COURSES["symptoms"]["ceo"].truth[:, 0].mean() < 0.5


def test_on_symptoms_a_wrong_graph_hurts():
    for i in (1, 2):
        wrong = last("symptoms", f"cbo-wrong-{i}")
        assert wrong.mean() > 3 * last("symptoms", "cbo-true").mean()


@pytest.mark.parametrize("problem", BENCHMARK["ROWS"])
def test_ceo_is_within_one_standard_error_of_cbo_with_the_true_graph_or_better(problem):
    difference = last(problem, "ceo") - last(problem, "cbo-true")
    assert difference.mean() < standard_error(difference)


@pytest.mark.parametrize("rival", ["random", "cbo-wrong-1", "cbo-wrong-2"])
def test_on_symptoms_ceo_is_clearly_ahead_of_random_and_of_the_wrong_graphs(rival):
    difference = last("symptoms", rival) - last("symptoms", "ceo")
    assert difference.mean() > 2 * standard_error(difference)


def test_regret_at_a_cost_is_that_of_the_last_recommendation_it_paid_for():
    course = BENCHMARK["Course"](
        np.array([[0.0, 2.0, 3.0], [0.0, 1.0, 3.0]]),
        np.array([[9.0, 5.0, 4.0], [8.0, 7.0, 2.0]]),
        *[None] * 3,
    )
    for cost, expected in {0: [9, 8], 1: [9, 7], 2: [5, 7], 3: [4, 2], 9: [4, 2]}.items():
        assert BENCHMARK["at_cost"](course, cost).tolist() == expected
