"""Every way to a prior gives graphs over the same variables whose probabilities sum to one."""

import networkx as nx
import pytest
from numpy.testing import assert_allclose

from ceopt.domain.graph import Graph
from ceopt.errors import GraphError
from ceopt.graphs.prior import GraphPrior

HEALTH = {
    "variables": ["age", "bmi", "aspirin", "statin", "cancer", "psa"],
    "required": ["age -> bmi", "age -> cancer", "cancer -> psa", "bmi -> psa"],
    "undecided": ["statin - cancer", "statin - psa", "aspirin - psa"],
    "forbidden": ["psa -> *"],
}


def test_the_example_of_the_readme_leaves_twelve_graphs():
    P = GraphPrior.from_knowledge(**HEALTH)
    assert len(P) == 3 * 2 * 2
    assert all("age -> bmi" in str(g) for g in P.graphs)
    assert not any(cause == "psa" for g in P.graphs for cause, _ in g.edges)


def test_a_graph_may_be_given_in_any_form():
    forms = ["X -> Z", [("Z", "X")], nx.DiGraph([("X", "Y")]), Graph.from_edges([("Y", "X")])]
    P = GraphPrior.from_graphs(forms, weights=[4, 3, 2, 1])
    assert [str(g) for g in P.graphs] == ["X -> Z; Y", "Z -> X; Y", "X -> Y; Z", "Y -> X; Z"]
    assert_allclose(P.probabilities, [0.4, 0.3, 0.2, 0.1])


def test_the_listing_comes_in_the_same_order_whatever_order_the_variables_came_in():
    one, other = (GraphPrior.uniform(names).graphs for names in (["a", "b", "c"], ["c", "a", "b"]))
    assert one == other


@pytest.mark.parametrize("graphs", ["a -> b", None, 3])
def test_a_list_of_graphs_is_wanted(graphs):
    with pytest.raises(GraphError, match="wants a list of graphs"):
        GraphPrior.from_graphs(graphs)


def test_r24_weights_are_checked():
    with pytest.raises(GraphError, match="'a -> b' has -1"):
        GraphPrior.from_graphs(["a -> b", "b -> a"], weights=[-1, 2])


def test_r25_a_graph_given_twice_in_different_forms_is_named():
    with pytest.raises(GraphError, match="'a -> b' came several times"):
        GraphPrior.from_graphs(["a -> b", [("a", "b")]])


def test_r26_no_graph():
    with pytest.raises(GraphError, match="no graph"):
        GraphPrior.from_graphs([])


def test_r27_above_the_limit_the_count_is_said_and_the_limit_can_be_raised():
    with pytest.raises(GraphError, match="29,281 graphs, above the limit of 20,000"):
        GraphPrior.uniform(["v", "w", "x", "y", "z"])
    assert len(GraphPrior.uniform(["w", "x", "y", "z"], limit=543)) == 543


def test_twenty_thousand_graphs_are_listed_and_indexed():
    P = GraphPrior.uniform(["a", "b", "c", "d", "e"], limit=30_000)
    assert P.pair_index.shape == (29_281, 5)
    assert len(P.pairs) == 5 * 2**4
    assert_allclose(P.probabilities.sum(), 1)
