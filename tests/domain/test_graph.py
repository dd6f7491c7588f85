"""A graph is a value: acyclic, hashable, and cut by interventions."""

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ceopt.domain.graph import Graph
from ceopt.errors import GraphError
from tests.strategies import graphs, law


def drawn(g):
    other = nx.DiGraph(g.edges)
    other.add_nodes_from(g.variables)
    return other


@law
@given(graphs())
def test_the_order_puts_every_cause_before_its_effects(g):
    place = {v: i for i, v in enumerate(g.order)}
    assert sorted(place) == list(g.variables)
    assert all(place[cause] < place[effect] for cause, effect in g.edges)


@law
@given(graphs())
def test_parents_and_ancestors_are_those_of_networkx(g):
    for v in g.variables:
        assert g.parents(v) == tuple(sorted(drawn(g).predecessors(v)))
        assert g.ancestors(v) == nx.ancestors(drawn(g), v)


@law
@given(graphs())
def test_pairs_are_each_variable_with_its_parents(g):
    assert g.pairs == tuple((v, g.parents(v)) for v in g.variables)


@law
@given(graphs(), st.data())
def test_an_intervention_cuts_exactly_the_arrows_into_its_targets(g, data):
    targets = data.draw(st.sets(st.sampled_from(g.variables)))
    cut = g.do(targets)
    assert cut == Graph(g.variables, frozenset((a, b) for a, b in g.edges if b not in targets))
    assert cut.order and all(cut.parents(v) == (() if v in targets else g.parents(v)) for v in g.variables)
    assert cut.do(targets) == cut


@law
@given(graphs())
def test_equal_graphs_have_equal_hashes_whatever_the_order_they_were_given_in(g):
    again = Graph(g.variables[::-1], frozenset(sorted(g.edges, reverse=True)))
    assert again == g and hash(again) == hash(g) and {g: 1}[again] == 1


def test_a_graph_cannot_be_changed():
    g = Graph.from_edges([("X", "Y")])
    with pytest.raises(AttributeError):
        g.edges = frozenset()


def test_text_lists_edges_sorted_and_isolated_variables_bare():
    assert str(Graph.from_edges([("b", "c"), ("a", "b")], isolated=["d", "a0"])) == "a -> b; b -> c; a0; d"


def test_r19_a_cycle_is_printed():
    with pytest.raises(GraphError, match=r"(a -> b -> c -> a|b -> c -> a -> b|c -> a -> b -> c);"):
        Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a")])


def test_r19_a_variable_that_causes_itself_is_a_cycle():
    with pytest.raises(GraphError, match="a -> a"):
        Graph.from_edges([("a", "a")])


def test_r20_an_unknown_variable_in_an_edge_is_named():
    with pytest.raises(GraphError, match="'psb'"):
        Graph(("psa", "age"), frozenset({("age", "psb")}))


@pytest.mark.parametrize(
    "name", ["", " a", "a\t", "*", "a -> b", "a->b", "a;b", "a\nb", "a - b", "a -- b", "a ?> b"]
)
def test_a_name_that_the_text_of_a_graph_could_not_hold_is_refused(name):
    with pytest.raises(GraphError, match="cannot name a variable"):
        Graph.from_edges([], isolated=[name])


def test_a_name_that_is_no_text_is_refused():
    with pytest.raises(GraphError, match="3"):
        Graph.from_edges([("a", 3)])
