"""Belief: folding equals inferring, orientation, and data at the edge of sense."""

import numpy as np
import pytest

from ceopt.domain.dataset import Dataset
from ceopt.domain.graph import Graph
from ceopt.domain.intervention import Intervention
from ceopt.domain.problem import Problem
from ceopt.domain.weighted_graphs import WeightedGraphs
from ceopt.errors import CeoptWarning
from ceopt.inference.belief import infer, refit, update
from ceopt.inference.learnt import learn
from ceopt.inference.settings import Mechanisms
from tests.inference import linear

TRUE = Graph.from_edges([("A", "B"), ("B", "Y")])
GRAPHS = WeightedGraphs.of(
    [TRUE, Graph.from_edges([("A", "B"), ("A", "Y")]), Graph.from_edges([("B", "A"), ("A", "Y")])]
)
COEFFICIENTS = {("A", "B"): 0.9, ("B", "Y"): -0.8}
LEVELS = np.linspace(-2, 2, 5)[:, None]


def question(graphs=GRAPHS, direction="minimize"):
    return Problem(target="Y", direction=direction, domains={"A": (-2, 2), "B": (-2, 2)}, graphs=graphs)


def told(rng, n=7):
    """Interventions on A, B and both, some levels repeated, and their outcomes."""
    dos = [{"A": 1.0}, {"B": -1.0}, {"A": 0.5, "B": 0.0}, {"A": 1.0}, {"B": 2.0}, {"B": -1.0}, {"A": 0.0}][:n]
    rows = linear.sample(TRUE, COEFFICIENTS, len(dos), rng)
    for row, do in zip(rows, dos, strict=True):
        for v, level in do.items():
            row[TRUE.variables.index(v)] = level
    return tuple(Intervention.of(do) for do in dos), rows


@pytest.fixture(scope="module")
def case():
    rng = np.random.default_rng(11)
    data = linear.observed(TRUE, linear.sample(TRUE, COEFFICIENTS, 40, rng))
    return data, *told(rng)


def same(received, expected, atol=1e-9):
    np.testing.assert_allclose(received.graphs.log_weights, expected.graphs.log_weights, atol=atol)
    for targets in received.problem.sets:
        x = np.repeat(LEVELS, len(targets), axis=1)
        for part, whole in zip(received.marginals(targets, x), expected.marginals(targets, x), strict=True):
            np.testing.assert_allclose(part, whole, atol=atol)


@pytest.mark.parametrize("cuts", [[1, 2, 3, 4, 5, 6], [3], [2, 5]])
def test_folding_updates_equals_inferring_with_hyperparameters_held(case, cuts):
    data, dos, rows = case
    belief = infer(question(), data)
    expected = infer(question(), data.with_rows(dos, rows), belief.learnt, belief.held)
    for some in np.split(np.arange(len(rows)), cuts):
        belief = update(belief, [dos[i] for i in some], rows[some])
    same(belief, expected)


def test_refitting_after_updates_equals_inferring_from_nothing(case):
    data, dos, rows = case
    received = refit(update(infer(question(), data), dos, rows))
    same(received, infer(question(), data.with_rows(dos, rows)), atol=1e-6)


def test_an_update_leaves_the_belief_before_it_alone(case):
    data, dos, rows = case
    before = infer(question(), data)
    weights, mean = before.graphs.log_weights.copy(), before.marginals(("A",), LEVELS).mean
    update(before, dos, rows)
    assert (before.graphs.log_weights == weights).all()
    assert (before.marginals(("A",), LEVELS).mean == mean).all()
    assert len(before.data.outcomes) == 0


def test_maximising_is_minimising_the_negated_target(case):
    data, dos, rows = case
    turned = Dataset(data.variables, data.observations * [1, 1, -1], rows * [1, 1, -1], dos)
    up = infer(question(direction="maximize"), data.with_rows(dos, rows))
    down = infer(question(), turned)
    same(up, down, atol=0)
    more = ([Intervention.of({"A": 0.3})], np.array([[0.3, 0.1, 5.0]]))
    less = ([Intervention.of({"A": 0.3})], np.array([[0.3, 0.1, -5.0]]))
    same(update(up, *more), update(down, *less), atol=0)


def test_the_same_data_give_the_same_belief_to_the_last_bit(case):
    data, dos, rows = case
    one, other = (infer(question(), data.with_rows(dos, rows)) for _ in range(2))
    same(one, other, atol=0)


def test_a_point_mass_gives_the_surrogate_of_that_graph_alone(case):
    data, dos, rows = case
    sure = WeightedGraphs.of(GRAPHS.graphs, [1, 0, 0])
    alone = WeightedGraphs.of(GRAPHS.graphs[:1])
    one, other = (infer(question(graphs), data.with_rows(dos, rows)) for graphs in (sure, alone))
    for targets in one.problem.sets:
        x = np.repeat(LEVELS, len(targets), axis=1)
        for part, whole in zip(one.marginals(targets, x), other.marginals(targets, x), strict=True):
            np.testing.assert_allclose(part, whole, atol=1e-9)


EDGES_OF_SENSE = {
    "no noise": lambda rows: rows @ np.array([[1, 2, -1], [0, 0, 0], [0, 0, 0]]),
    "a constant cause": lambda rows: rows * [0, 1, 1] + [3, 0, 0],
    "a constant target": lambda rows: rows * [1, 1, 0] + [0, 0, 1e9],
    "all constant": lambda rows: rows * 0.0,
    "duplicated rows": lambda rows: np.repeat(rows[:3], 5, axis=0),
    "collinear": lambda rows: rows[:, [0, 0, 2]],
    "two rows": lambda rows: rows[:2],
    "a column scaled by 1e6": lambda rows: rows * [1, 1e6, 1e-6],
}


@pytest.mark.parametrize("name", EDGES_OF_SENSE)
def test_odd_data_give_finite_numbers(name, case):
    data, dos, rows = case
    odd = linear.observed(TRUE, EDGES_OF_SENSE[name](data.observations)).with_rows(dos, rows)
    belief = infer(question(), odd)
    assert np.isfinite(belief.graphs.probabilities).all()
    assert belief.graphs.probabilities.sum() == pytest.approx(1.0)
    for targets in belief.problem.sets:
        found = belief.marginals(targets, np.repeat(LEVELS, len(targets), axis=1))
        assert np.isfinite(found.mean).all()
        assert np.isfinite(found.sd).all()
        assert (found.sd >= 0).all()


def test_more_rows_than_are_used_are_announced_and_their_order_does_not_matter(rng):
    rows = linear.sample(TRUE, COEFFICIENTS, 300, rng)
    settings = Mechanisms(max_rows=50)
    found = []
    for order in (np.arange(300), rng.permutation(300)):
        with pytest.warns(CeoptWarning, match=r"300 observational rows.* from 50 .*max_rows"):
            learnt = learn(question(), linear.observed(TRUE, rows[order]), settings)
        found.append(learnt.mechanisms["Y", ("B",)].evidence)
        assert len(learnt.mechanisms["Y", ("B",)].X) == 50
    assert found[0] == found[1]
