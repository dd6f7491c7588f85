"""Effects: closed forms, the laws of total mean and variance, and which graphs share one."""

import itertools

import numpy as np
import pytest

from ceopt.domain.graph import Graph
from ceopt.domain.problem import Problem
from ceopt.domain.weighted_graphs import WeightedGraphs
from ceopt.inference.effects import Effects
from ceopt.inference.keys import effect_keys
from ceopt.inference.learnt import learn
from ceopt.inference.settings import Mechanisms
from tests.inference import linear

EDGES = {
    ("A", "B"): 0.8,
    ("A", "C"): -0.5,
    ("B", "C"): 0.7,
    ("B", "D"): 0.4,
    ("C", "D"): 0.9,
    ("C", "Y"): 0.6,
}
EDGES |= {("D", "Y"): -0.7, ("A", "Y"): 0.3}
GRAPH = Graph.from_edges(EDGES)
SETS = [one for size in (1, 2) for one in itertools.combinations("ABCD", size)]
LEVELS = (1.0, -0.7, 0.0)
SEEDS = 16


def problem_of(graphs, manipulable="ABCD", sets=SETS):
    domains = dict.fromkeys(manipulable, (-2, 2))
    return Problem(target="Y", direction="minimize", domains=domains, graphs=graphs, sets=sets)


@pytest.fixture(scope="module")
def simulated():
    """E, F and N of every set at every level, for several seeds, (SEEDS, sets, 3, levels)."""
    rows = linear.sample(GRAPH, EDGES, 60, np.random.default_rng(0))
    problem, data = problem_of(WeightedGraphs.of([GRAPH])), linear.observed(GRAPH, rows)
    runs = []
    for seed in range(SEEDS):
        learnt = learn(problem, data, Mechanisms(kernel=linear.KERNEL, restarts=1, points=128, seed=seed))
        levels = [np.outer(LEVELS, np.ones(len(one))) for one in SETS]
        effects = [learnt.effects(one, x) for one, x in zip(SETS, levels, strict=True)]
        runs.append([np.concatenate(effect[1:]) for effect in effects])
    return learnt, learnt.scale.rows(rows[np.lexsort(rows.T[::-1])]), np.array(runs)


def closed_form(learnt, rows, targets, level):
    """E, F and N of Y, exactly."""
    column = {v: j for j, v in enumerate(GRAPH.variables)}
    fitted = {v: learnt.mechanisms[v, GRAPH.parents(v)] for v in GRAPH.variables if GRAPH.parents(v)}
    coefficients = {v: linear.posterior(f, rows[:, column[v]]) for v, f in fitted.items()}
    roots = {"A": (rows[:, 0].mean(), rows[:, 0].var())}
    standard = learnt.scale.levels(targets, np.full((1, len(targets)), level))[0]
    levels = dict(zip(targets, standard, strict=True))
    mean, F = linear.moments(GRAPH, coefficients, roots, levels, noise=False)
    _, total = linear.moments(GRAPH, coefficients, roots, levels, noise=True)
    return mean, F, total - F


@pytest.mark.parametrize("targets", SETS, ids="".join)
def test_a_linear_gaussian_effect_is_within_three_standard_errors(targets, simulated):
    learnt, rows, runs = simulated
    of_set = runs[:, SETS.index(targets)]
    received, error = of_set.mean(axis=0), of_set.std(axis=0, ddof=1) / np.sqrt(SEEDS)
    expected = np.transpose([closed_form(learnt, rows, targets, level) for level in LEVELS])
    assert (np.abs(received - expected) <= 3 * error + 1e-3 * np.abs(expected)).all()


def test_doing_zero_is_an_intervention(simulated):
    learnt, rows, runs = simulated
    zero = LEVELS.index(0.0)
    mean, _, noise = closed_form(learnt, rows, ("C",), 0.0)
    observed = linear.moments(GRAPH, *_all_coefficients(learnt, rows), {}, noise=True)
    received = runs[:, SETS.index(("C",)), :, zero].mean(axis=0)
    assert received[0] == pytest.approx(mean, abs=0.01)
    assert observed[1] > noise + 0.02  # left alone, C would vary and pass that on
    assert received[2] == pytest.approx(noise, rel=0.01)


def _all_coefficients(learnt, rows):
    column = {v: j for j, v in enumerate(GRAPH.variables)}
    fitted = {v: learnt.mechanisms[v, GRAPH.parents(v)] for v in GRAPH.variables if GRAPH.parents(v)}
    coefficients = {v: linear.posterior(f, rows[:, column[v]]) for v, f in fitted.items()}
    return coefficients, {"A": (rows[:, 0].mean(), rows[:, 0].var())}


def test_levels_do_not_depend_on_their_company(simulated):
    learnt, *_ = simulated
    x = np.linspace(-2, 2, 600)[:, None]
    together = np.array(learnt.effects(("B",), x)[1:])[:, 0]
    alone = np.array([learnt.effects(("B",), x[[i]])[1:] for i in (0, 255, 256, 599)])[:, :, 0, 0]
    np.testing.assert_allclose(together[:, [0, 255, 256, 599]].T, alone, rtol=1e-9)


def test_the_moments_of_a_mixture_are_those_of_its_pooled_draws(rng):
    w, E, F, N = (
        np.array([0.5, 0.3, 0.2]),
        np.array([1.0, -1.0, 2.0]),
        np.array([0.1, 0.4, 0.2]),
        np.full(3, 0.3),
    )
    received = Effects(np.arange(3), E[:, None], F[:, None], N[:, None]).moments(w)
    g = rng.choice(3, size=400_000, p=w)
    pooled = E[g] + np.sqrt(F + N)[g] * rng.standard_normal(len(g))
    assert received.mean[0] == pytest.approx(pooled.mean(), abs=0.01)
    total = received.functions + received.graphs + received.noise
    assert total[0] == pytest.approx(pooled.var(), rel=0.01)


def test_a_point_mass_leaves_no_variance_between_graphs(rng):
    effects = Effects(np.arange(4), *rng.uniform(size=(3, 4, 6)))
    received = effects.moments(np.array([0.0, 1.0, 0.0, 0.0]))
    assert received.graphs.max() < 1e-15
    np.testing.assert_allclose(received.mean, effects.E[1])


@pytest.mark.parametrize("targets", [("A",), ("B",), ("A", "B")])
def test_graphs_share_an_effect_exactly_when_they_agree_on_the_mutilated_ancestors(targets):
    pairs = [(a, b) for a in "ABC" for b in "ABCY" if a < b]
    subsets = itertools.chain.from_iterable(itertools.combinations(pairs, k) for k in range(len(pairs) + 1))
    graphs = WeightedGraphs.of([Graph.from_edges(edges, isolated="ABCY") for edges in subsets])
    keys = effect_keys(graphs, "Y", targets)

    def ancestry(graph):
        cut = graph.do(targets)
        relevant = (cut.ancestors("Y") | {"Y"}) - set(targets)
        return frozenset((v, graph.parents(v)) for v in relevant)

    expected = [ancestry(graph) for graph in graphs.graphs]
    for i, j in itertools.combinations(range(len(graphs)), 2):
        assert (keys.of[i] == keys.of[j]) == (expected[i] == expected[j])
    assert len(keys.example) < len(graphs)
    assert keys.weights(graphs.probabilities).sum() == pytest.approx(1.0)


def test_an_effect_that_no_graph_transmits_is_flat(rng):
    graphs = WeightedGraphs.of(
        [Graph.from_edges(edges) for edges in ([("A", "Y"), ("B", "Y")], [("Y", "A"), ("B", "Y")])]
    )
    rows, x = rng.normal(size=(30, 3)), np.linspace(-2, 2, 5)[:, None]
    learnt = learn(problem_of(graphs, "AB", [("A",)]), linear.observed(graphs.graphs[0], rows))
    causes, symptom = learnt.keys["A",].of
    E = learnt.effects(("A",), x).E
    assert np.ptp(E[causes]) > 0
    assert np.ptp(E[symptom]) == 0
