"""Rows with missing values: exact integrals where there is a closed form, and no reward for not measuring."""

import numpy as np
import pytest
from scipy.stats import norm

from ceopt.domain.dataset import Dataset
from ceopt.domain.graph import Graph
from ceopt.domain.intervention import Intervention
from ceopt.domain.problem import Problem
from ceopt.domain.weighted_graphs import WeightedGraphs
from ceopt.inference import incomplete
from ceopt.inference.belief import infer, update
from ceopt.inference.keys import among, missing_keys
from ceopt.inference.learnt import learn
from ceopt.inference.local_scores import Rows
from ceopt.inference.settings import Mechanisms
from tests.inference import linear

CHAIN = Graph.from_edges([("A", "B"), ("B", "C"), ("C", "Y")])
DIRECT = Graph.from_edges([("A", "B"), ("B", "C"), ("A", "Y")])
COEFFICIENTS = {("A", "B"): 0.9, ("B", "C"): 0.8, ("C", "Y"): 0.9}
COLUMNS = {v: j for j, v in enumerate("ABCY")}
SETTINGS = Mechanisms(kernel=linear.KERNEL, restarts=1, draws=32, points=256)


def question(*graphs):
    return Problem(
        target="Y",
        direction="minimize",
        domains={"A": (-2, 2)},
        graphs=WeightedGraphs.of(graphs),
        sets=[("A",)],
    )


@pytest.fixture(scope="module")
def observations():
    return linear.sample(CHAIN, COEFFICIENTS, 300, np.random.default_rng(1))


def rows_of(learnt, a, **measured):
    """One outcome of do(A = a), in the user's units."""
    row = np.full((1, 4), np.nan)
    row[0, 0] = a
    for v, value in measured.items():
        row[0, COLUMNS[v]] = value
    return Rows(COLUMNS, learnt.scale.rows(row), np.array([[True, False, False, False]]))


def test_a_missing_chain_of_causes_is_integrated_out(observations):
    learnt = learn(question(CHAIN), linear.observed(CHAIN, observations), SETTINGS)
    rows = rows_of(learnt, 1.5, Y=2.0)
    received = incomplete.log_likelihoods(learnt.mechanisms, learnt.bank, learnt.problem.graphs, rows)
    standard = learnt.scale.rows(observations[np.lexsort(observations.T[::-1])])
    fitted = {v: learnt.mechanisms[v, CHAIN.parents(v)] for v in "BCY"}
    coefficients = {v: linear.posterior(f, standard[:, COLUMNS[v]]) for v, f in fitted.items()}
    mean, variance = linear.moments(CHAIN, coefficients, {}, {"A": rows.values[0, 0]}, noise=True)
    expected = norm.logpdf(
        rows.values[0, 3], mean, np.sqrt(variance)
    )  # normal but for products of coefficients
    assert received[0] == pytest.approx(expected, abs=0.02)


RELEVANT = {  # what is missing -> what matters in the chain A -> B -> C -> Y, and in A -> B -> C, A -> Y
    "BC": ("BCY", ""),  # in the second, B and C have no measured descendant
    "C": ("CY", ""),
    "B": ("BC", "BC"),
    "": ("", ""),
}


@pytest.mark.parametrize("missing", RELEVANT)
def test_only_what_hangs_on_a_missing_cause_is_relevant(missing):
    graphs = WeightedGraphs.of([CHAIN, DIRECT])
    _, relevant = missing_keys(graphs, among(graphs, missing), among(graphs, "A"))
    received = tuple("".join(np.array(list("ABCY"))[on]) for on in relevant)
    assert received == RELEVANT[missing]


def test_graphs_share_a_key_when_their_relevant_pairs_agree():
    graphs = WeightedGraphs.of(
        [CHAIN, DIRECT, Graph.from_edges([("A", "B"), ("B", "C"), ("C", "Y"), ("A", "C")])]
    )
    of_B, _ = missing_keys(graphs, among(graphs, "B"), among(graphs, "A"))
    of_C, _ = missing_keys(graphs, among(graphs, "C"), among(graphs, "AB"))
    assert of_B.of[0] == of_B.of[1] != of_B.of[2]
    assert len({*of_C.of}) == 3


def test_not_measuring_is_not_rewarded(observations):
    """Leaving out the factors of a missing node and of its children would prefer the graph that has them."""
    problem, data = question(CHAIN, DIRECT), linear.observed(CHAIN, observations)
    before = infer(problem, data, learn(problem, data, SETTINGS))
    after = update(before, [Intervention.of({"A": 0.0})], np.array([[0.0, np.nan, np.nan, 0.0]]))
    chain, direct = after.graphs.log_weights - before.graphs.log_weights
    gained = {pair: after.evidence.scores[pair].gained for pair in problem.graphs.pairs}
    left_out = [sum(gained[pair] for pair in graph.pairs) for graph in problem.graphs.graphs]
    assert left_out[0] - left_out[1] > 0.8  # the chain loses its factor of Y, and so seems the better
    assert abs(chain - direct) < 0.3  # but an outcome that both expect says little


def test_with_only_the_target_measured_interventions_still_teach_the_graph(rng):
    truth = {("A", "B"): 0.9, ("B", "Y"): 0.9}
    true, other = Graph.from_edges(truth), Graph.from_edges([("B", "A"), ("B", "Y")])
    rows = linear.sample(true, truth, 200, rng, sd=0.4)
    problem = Problem(
        target="Y",
        direction="minimize",
        domains={"A": (-3, 3)},
        graphs=WeightedGraphs.of([true, other]),
        sets=[("A",)],
    )
    belief = infer(problem, linear.observed(true, rows))
    start = belief.graphs.probabilities[0]
    for a in (-3, 3, -2.5, 2.5):
        y = 0.81 * a + 0.5 * rng.normal()
        belief = update(belief, [Intervention.of({"A": a})], np.array([[a, np.nan, y]]))
    assert start < 0.9
    assert belief.graphs.probabilities[0] > 0.99


def test_rows_are_independent_and_come_in_any_order(observations):
    problem, data = question(CHAIN, DIRECT), linear.observed(CHAIN, observations)
    outcomes = np.array(
        [[1, np.nan, np.nan, 0.3], [-1, 0.2, np.nan, 0.7], [0.5, np.nan, 0.1, 0.2], [2, 1, 1.5, 1.0]]
    )
    told = tuple(Intervention.of({"A": a}) for a in outcomes[:, 0])
    learnt = learn(problem, data, SETTINGS)
    together = infer(problem, Dataset(data.variables, observations, outcomes, told), learnt)
    apart = infer(problem, data, learnt)
    for i in (2, 0, 3, 1):
        apart = update(apart, [told[i]], outcomes[[i]])
    np.testing.assert_allclose(apart.graphs.log_weights, together.graphs.log_weights, atol=1e-9)
