"""The page on graph learning shows the stored result, and the result is what the page claims."""

import json
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RESULTS = json.loads((ROOT / "benchmarks/results/graphs.json").read_text())
BENCHMARK = runpy.run_path(str(ROOT / "benchmarks/graphs.py"))


def lead_of_truth(result):
    """In how many seeds the truth, or a graph with its effects, leads: after each number of interventions."""
    return [
        sum(n for n, good in zip(leads, result["equivalent"], strict=True) if good)
        for leads in result["leads"]
    ]


def stored(system, **settings):
    return next(r for r in RESULTS if (r["system"], r["settings"]) == (system, settings))


def test_the_page_shows_the_stored_table():
    page = (ROOT / "docs/graph_posterior.md").read_text(encoding="utf-8")
    assert BENCHMARK["table"](RESULTS) in page


def test_every_case_was_run_on_every_seed():
    assert [(r["system"], r["rows"], r["settings"]) for r in RESULTS] == [
        tuple(c) for c in BENCHMARK["CASES"]
    ]
    assert {sum(leads) for r in RESULTS for leads in r["leads"]} == {BENCHMARK["SEEDS"]}


@pytest.mark.parametrize("system", ["synthetic", "epidemiology", "epidemiology_extended"])
def test_the_truth_leads_in_at_least_sixteen_of_twenty_before_and_after(system):
    found = lead_of_truth(stored(system))
    assert found[0] >= 16
    assert found[-1] >= 16


def test_health_misleads_before_and_is_put_right_after():
    found = lead_of_truth(stored("health"))
    assert found[0] == 0
    assert found[-1] >= 16


def test_the_guards_are_what_the_page_says():
    health = stored("health")
    assert lead_of_truth(stored("health", noise_floor=1e-4))[-1] < lead_of_truth(health)[-1]
    assert lead_of_truth(stored("health", noise_floor=1e-2))[-1] == 0
    tempered = stored("health", tempering=0.1)
    assert tempered["mean"][0][0] > health["mean"][0][0] + 0.1
    assert lead_of_truth(tempered)[-1] == lead_of_truth(health)[-1]
    assert lead_of_truth(stored("synthetic", score="maximum"))[0] < lead_of_truth(stored("synthetic"))[0]


def test_a_graph_is_equivalent_when_it_has_the_effects_of_the_truth():
    case = BENCHMARK["Case"]("synthetic", 200, {})
    assert BENCHMARK["equivalent"](case) == [True] + [False] * 6
