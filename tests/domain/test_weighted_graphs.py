"""P(G) sums to one over distinct graphs."""

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose

from ceopt.domain.graph import Graph
from ceopt.domain.weighted_graphs import WeightedGraphs
from ceopt.errors import GraphError
from tests.strategies import law, weighted_graphs

G, H = Graph.from_edges([("X", "Y")]), Graph.from_edges([("Y", "X")])


@law
@given(weighted_graphs())
def test_probabilities_sum_to_one(P):
    assert_allclose(P.probabilities.sum(), 1, rtol=1e-12)
    assert P.probabilities.shape == P.log_weights.shape == (len(P),)


@law
@given(weighted_graphs())
def test_entropy_lies_between_certainty_and_even_odds(P):
    assert -1e-12 <= P.entropy() <= np.log(len(P)) + 1e-12


@law
@given(weighted_graphs())
def test_the_pair_index_leads_to_each_graphs_parents(P):
    assert P.pair_index.shape == (len(P), len(P.variables))
    assert list(P.pairs) == sorted(set(P.pairs))
    for g, row in zip(P.graphs, P.pair_index, strict=True):
        assert tuple(P.pairs[i] for i in row) == g.pairs
    assert set(P.pair_index.ravel()) == set(range(len(P.pairs)))


@law
@given(weighted_graphs())
def test_an_edges_probability_is_the_share_of_the_graphs_that_have_it(P):
    expected = [
        [
            sum(p for g, p in zip(P.graphs, P.probabilities, strict=True) if (a, b) in g.edges)
            for b in P.variables
        ]
        for a in P.variables
    ]
    assert_allclose(P.edge_probabilities(), expected, atol=1e-12)
    assert P.edge_probabilities().max(initial=0) <= 1


def test_without_weights_all_graphs_are_equally_likely_and_entropy_is_log_n():
    P = WeightedGraphs.of([G, H])
    assert P.probabilities.tolist() == [0.5, 0.5]
    assert_allclose(P.entropy(), np.log(2))


def test_a_certain_graph_has_no_entropy():
    P = WeightedGraphs.of([G, H], weights=[0, 3])
    assert P.probabilities.tolist() == [0, 1]
    assert P.entropy() == 0 and str(P.entropy()) == "0.0"


def test_reweighting_keeps_the_graphs_and_shares_what_was_worked_out():
    P = WeightedGraphs.of([G, H])
    index = P.pair_index
    Q = P.reweighted([5000.0, 5000.0 + np.log(3)])
    assert_allclose(Q.probabilities, [0.25, 0.75])
    assert Q.graphs is P.graphs and Q.pair_index is index
    assert P.probabilities.tolist() == [0.5, 0.5]


def test_graphs_are_taken_over_the_union_of_their_variables():
    P = WeightedGraphs.of([G, Graph.from_edges([("Z", "Y")])])
    assert P.variables == ("X", "Y", "Z")
    assert [str(g) for g in P.graphs] == ["X -> Y; Z", "Z -> Y; X"]


def test_the_arrays_cannot_be_written_to():
    P = WeightedGraphs.of([G, H])
    for array in (P.log_weights, P.pair_index):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


@pytest.mark.parametrize("weights", [[-1, 2], [np.nan, 1], [np.inf, 1]])
def test_r24_a_weight_that_is_negative_or_not_finite_is_named_with_its_graph(weights):
    with pytest.raises(GraphError, match=f"'X -> Y' has {float(weights[0])}"):
        WeightedGraphs.of([G, H], weights)


def test_r24_weights_that_are_all_zero_are_refused():
    with pytest.raises(GraphError, match="all 2 weights are zero"):
        WeightedGraphs.of([G, H], [0, 0])


@pytest.mark.parametrize("weights", [[1], [1, 2, 3], 1, [[1, 2]]])
def test_r24_weights_are_one_for_each_graph(weights):
    with pytest.raises(GraphError, match="2 graphs want one weight each"):
        WeightedGraphs.of([G, H], weights)


def test_r24_weights_that_are_no_numbers_are_shown():
    with pytest.raises(GraphError, match="'much'"):
        WeightedGraphs.of([G, H], ["much", 1])


@pytest.mark.parametrize("log_weights", [[-np.inf, -np.inf], [np.nan, 0], [np.inf, 0]])
def test_r24_log_weights_leave_some_graph_possible(log_weights):
    with pytest.raises(GraphError, match="log weights"):
        WeightedGraphs.of([G, H]).reweighted(log_weights)


def test_r25_a_graph_given_twice_is_named():
    with pytest.raises(GraphError, match="'X -> Y' came several times"):
        WeightedGraphs.of([G, H, G])


def test_r25_graphs_that_become_equal_over_the_union_are_given_twice():
    with pytest.raises(GraphError, match="'X -> Y; Z'"):
        WeightedGraphs.of([G, Graph.from_edges([("X", "Y")], isolated=["Z"])])


def test_r26_no_graph_is_refused():
    with pytest.raises(GraphError, match="no graph"):
        WeightedGraphs.of([])


def test_r26_graphs_without_variables_are_refused():
    with pytest.raises(GraphError, match="no variable"):
        WeightedGraphs.of([Graph((), frozenset())])
