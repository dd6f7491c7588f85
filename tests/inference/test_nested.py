"""Which sets bring nothing over a smaller one."""

import numpy as np
import pytest

from ceopt.domain.dataset import Dataset
from ceopt.domain.intervention import Intervention
from ceopt.domain.problem import Problem
from ceopt.domain.weighted_graphs import WeightedGraphs
from ceopt.graphs.text import parse_graph
from ceopt.inference.belief import infer, update
from ceopt.inference.nested import superfluous, without_superfluous

CHAIN, FORK, BOTH, IDLE = "A -> B; B -> Y", "A -> B; A -> Y", "A -> Y; B -> Y", "A -> B; Y"
ROWS = np.random.default_rng(3).normal(size=(12, 3))


def believed(texts, weights=None, **asked):
    """The prior alone decides: each graph's weight makes up for what the data say."""
    graphs = WeightedGraphs.of([parse_graph(text) for text in texts])
    question = {"target": "Y", "direction": "minimize", "domains": {"A": (-1, 1), "B": (-1, 1)}} | asked
    data = Dataset(("A", "B", "Y"), ROWS, np.empty((0, 3)), ())
    first = infer(Problem(graphs=graphs, **question), data)
    wanted = np.log(np.ones(len(texts)) / len(texts) if weights is None else weights)
    return infer(Problem(graphs=graphs.reweighted(wanted - first.graphs.log_weights), **question), data)


@pytest.mark.parametrize(
    ("texts", "weights", "expected"),
    [
        ([CHAIN], None, 1.0),  # B alone does it
        ([FORK, CHAIN], [1 - 1e-9, 1e-9], 1.0),  # A alone does it
        ([BOTH], None, 0.0),
        ([CHAIN, FORK], [0.7, 0.3], 0.7),  # which of the two does it is open, so setting both is a hedge
        ([CHAIN, BOTH], [0.9, 0.1], 0.9),
        ([CHAIN, IDLE], [0.4, 0.6], 1.0),  # nothing does anything, or B does
    ],
)
def test_a_set_is_superfluous_as_far_as_one_smaller_set_does_the_same(texts, weights, expected):
    assert superfluous(believed(texts, weights), ("A", "B")) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("targets", [("A",), ("B",)])
def test_a_set_of_one_variable_never_is(targets):
    assert superfluous(believed([CHAIN]), targets) == 0.0


def test_nor_is_one_whose_smaller_sets_are_not_explored_or_cost_more():
    assert superfluous(believed([CHAIN], sets=[("A",), ("A", "B")]), ("A", "B")) == 0.0
    dear = believed([CHAIN], cost=lambda do: 3.0 if len(do) == 1 else 2.0)
    assert superfluous(dear, ("A", "B")) == 0.0


def test_the_effects_of_a_superfluous_set_are_those_of_the_smaller_one():
    belief, x = believed([CHAIN]), np.array([[-0.5], [0.7]])
    both = belief.effects(("A", "B"), np.hstack([np.array([[1.0], [-1.0]]), x])).E
    np.testing.assert_allclose(both, belief.effects(("B",), x).E, atol=1e-12)


def test_without_them_all_else_is_as_before_and_stays_so_when_rows_come():
    belief = believed([CHAIN])
    rest = without_superfluous(belief)
    assert rest.problem.sets == (("A",), ("B",))
    assert list(rest.surrogates) == [("A",), ("B",)]
    np.testing.assert_array_equal(rest.graphs.log_weights, belief.graphs.log_weights)
    assert without_superfluous(believed([CHAIN, FORK])).problem.sets == believed([CHAIN, FORK]).problem.sets


def test_a_belief_without_them_can_be_updated():
    rest = without_superfluous(believed([CHAIN]))
    after = update(rest, [Intervention.of({"B": 0.5})], np.array([[0.1, 0.5, 0.9]]))
    assert list(after.surrogates) == [("A",), ("B",)]
    assert after.surrogates["B",].told.N.sum() == 1
