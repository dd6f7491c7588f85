"""P(G | D): brute force over all DAGs, and what must not change it."""

import itertools

import numpy as np
import pytest
from scipy.special import logsumexp

from ceopt.domain.dataset import Dataset
from ceopt.domain.graph import Graph
from ceopt.domain.intervention import Intervention
from ceopt.domain.problem import Problem
from ceopt.domain.weighted_graphs import WeightedGraphs
from ceopt.errors import GraphError
from ceopt.graphs.prior import GraphPrior
from ceopt.inference import local_scores
from ceopt.inference.belief import infer, update
from ceopt.inference.learnt import learn
from ceopt.inference.local_scores import Rows
from ceopt.inference.settings import Mechanisms
from ceopt.maths import fit, gp
from tests.inference import linear

EDGES = {("A", "B"): 0.9, ("B", "Y"): -0.8, ("A", "C"): 0.7, ("C", "Y"): 0.5}


def all_dags(variables):
    """Every labelled DAG, by filtering all sets of edges."""
    arrows = list(itertools.permutations(variables, 2))
    for choice in itertools.product((False, True), repeat=len(arrows)):
        edges = [arrow for arrow, kept in zip(arrows, choice, strict=True) if kept]
        try:
            yield Graph.from_edges(edges, isolated=variables)
        except GraphError:
            continue


def experiment(variables, n=25, seed=5):
    """Observations, and some outcomes under interventions, of a linear system over these variables."""
    rng = np.random.default_rng(seed)
    kept = {edge: c for edge, c in EDGES.items() if set(edge) <= set(variables)}
    truth = Graph.from_edges(kept, isolated=variables)
    rows, outcomes = linear.sample(truth, kept, n, rng), linear.sample(truth, kept, 4, rng)
    interventions = [
        Intervention.of({"A": 1.2}),
        Intervention.of({"B": -1}),
        Intervention.of({"A": 0, "B": 1}),
    ]
    interventions.append(Intervention.of({"B": 0.4}))
    for row, do in zip(outcomes, interventions, strict=True):
        for v, level in do.do.items():
            row[truth.variables.index(v)] = level
    return Dataset(truth.variables, rows, outcomes, tuple(interventions))


def question(graphs, direction="minimize"):
    return Problem(target="Y", direction=direction, domains={"A": (-2, 2), "B": (-2, 2)}, graphs=graphs)


@pytest.mark.parametrize(("variables", "count"), [("ABY", 25), ("ABCY", 543)])
def test_the_posterior_equals_brute_force_over_all_dags(variables, count):
    graphs, data = WeightedGraphs.of(list(all_dags(variables))), experiment(variables)
    assert len(graphs) == count
    settings = Mechanisms(kernel=linear.KERNEL, restarts=1)
    problem = question(graphs)
    learnt = learn(problem, data, settings)
    received = infer(problem, data, learnt).graphs.probabilities
    rows = learnt.scale.rows(data.outcomes)
    column = {v: j for j, v in enumerate(data.variables)}

    def score(node, parents):  # one row at a time, by the predictive density of a conditioned process
        mechanism = learnt.mechanisms[node, parents]
        total, seen = mechanism.evidence, local_scores.start(mechanism)
        for row, do in zip(rows, data.interventions, strict=True):
            if node not in do.targets:
                P, v = row[[[column[u] for u in parents]]], row[[column[node]]]
                after = seen.see(P, v)
                total += after.gained - seen.gained
                seen = after
        return total

    known = {pair: score(*pair) for pair in graphs.pairs}
    log_p = np.array([sum(known[pair] for pair in g.pairs) for g in graphs.graphs])
    expected = np.exp(log_p - logsumexp(log_p))
    np.testing.assert_allclose(received, expected, atol=1e-9)
    assert received.sum() == pytest.approx(1.0, abs=1e-12)


def test_only_rows_in_which_the_node_was_not_set_count_for_it():
    graphs, data = WeightedGraphs.of(list(all_dags("ABY"))), experiment("ABY")
    rows = Rows({"A": 0, "B": 1, "Y": 2}, data.outcomes, data.targeted)
    assert local_scores.countable(("A", ()), rows).tolist() == [False, True, False, True]
    assert local_scores.countable(("B", ("A",)), rows).tolist() == [True, False, False, False]
    assert local_scores.countable(("Y", ("A", "B")), rows).tolist() == [True] * 4
    assert ("Y", ("A", "B")) in graphs.pairs


@pytest.fixture(scope="module")
def baseline():
    graphs, data = GraphPrior.uniform(["A", "B", "Y"]), experiment("ABY", n=40)
    return graphs, data, infer(question(graphs), data).graphs.log_weights


def test_the_order_of_observations_and_outcomes_does_not_matter(baseline, rng):
    graphs, data, expected = baseline
    one, other = rng.permutation(40), rng.permutation(4)
    shuffled = Dataset(
        data.variables,
        data.observations[one],
        data.outcomes[other],
        tuple(data.interventions[i] for i in other),
    )
    np.testing.assert_allclose(infer(question(graphs), shuffled).graphs.log_weights, expected, atol=1e-9)


def test_units_do_not_matter(baseline):
    graphs, data, expected = baseline
    scale, shift = np.array([1e6, -0.02, 7.0]), np.array([3e6, 1.0, -5.0])

    def turned(do):
        return Intervention.of(
            {v: x * scale["ABY".index(v)] + shift["ABY".index(v)] for v, x in do.do.items()}
        )

    other = Dataset(
        data.variables,
        data.observations * scale + shift,
        data.outcomes * scale + shift,
        tuple(turned(do) for do in data.interventions),
    )
    domains = {"A": (1e6, 5e6), "B": (0.96, 1.04)}
    problem = Problem(target="Y", direction="minimize", domains=domains, graphs=graphs)
    np.testing.assert_allclose(infer(problem, other).graphs.log_weights, expected, atol=1e-5)


def test_names_and_so_the_order_of_columns_do_not_matter(baseline):
    _, data, expected = baseline
    rename = {"A": "z", "B": "a", "Y": "m"}
    graphs = GraphPrior.uniform(["z", "a", "m"])
    column = [data.column(v) for v in ("B", "Y", "A")]
    told = tuple(Intervention.of({rename[v]: x for v, x in do.do.items()}) for do in data.interventions)
    other = Dataset(("a", "m", "z"), data.observations[:, column], data.outcomes[:, column], told)
    problem = Problem(target="m", direction="minimize", domains={"z": (-2, 2), "a": (-2, 2)}, graphs=graphs)
    received = infer(problem, other).graphs
    place = {g.edges: i for i, g in enumerate(received.graphs)}
    index = [
        place[frozenset((rename[u], rename[v]) for u, v in g.edges)]
        for g in GraphPrior.uniform(list("ABY")).graphs
    ]
    np.testing.assert_allclose(received.log_weights[index], expected, atol=1e-6)


def test_prior_weights_multiply_the_likelihood(baseline):
    graphs, data, flat = baseline
    weights = np.linspace(1, 3, len(graphs))
    weighted = WeightedGraphs.of(graphs.graphs, weights)
    received = infer(question(weighted), data).graphs.log_weights
    expected = flat + np.log(weights)
    np.testing.assert_allclose(received, expected - logsumexp(expected), atol=1e-9)


def test_one_row_at_a_time_equals_all_rows_at_once(baseline):
    graphs, data, expected = baseline
    nothing = Dataset(data.variables, data.observations, data.outcomes[:0], ())
    belief = infer(question(graphs), nothing)
    for do, row in zip(data.interventions, data.outcomes, strict=True):
        belief = update(belief, [do], row[None])
    np.testing.assert_allclose(belief.graphs.log_weights, expected, atol=1e-9)


def test_tempering_scales_the_observational_evidence_alone(baseline):
    graphs, data, _ = baseline
    problem = question(graphs)
    full, half = (learn(problem, data, Mechanisms(tempering=t)) for t in (1.0, 0.5))
    evidence = np.array([full.mechanisms[pair].evidence for pair in graphs.pairs])[graphs.pair_index].sum(
        axis=1
    )
    difference = infer(problem, data, full).graphs.log_weights - infer(problem, data, half).graphs.log_weights
    np.testing.assert_allclose(np.diff(difference), 0.5 * np.diff(evidence), atol=1e-8)


def test_a_maximised_score_is_the_likelihood_at_the_fitted_hyperparameters():
    graphs, data = GraphPrior.from_graphs(["A -> B; B -> Y"]), experiment("ABY")
    mechanism = learn(question(graphs), data, Mechanisms(score="maximum")).mechanisms["B", ("A",)]
    assert mechanism.evidence == pytest.approx(gp.log_evidence(mechanism.given), abs=1e-9)
    other = learn(question(graphs), data).mechanisms["B", ("A",)]
    assert other.evidence < mechanism.evidence - 0.5
    assert fit.Prior._fields == ("mean", "sd")
