"""Reading what was written gives back the graph."""

import networkx as nx
import pytest
from hypothesis import given

from ceopt.domain.graph import Graph
from ceopt.errors import GraphError
from ceopt.graphs.text import parse_graph, parse_link, to_networkx
from tests.strategies import graphs, law


@law
@given(graphs())
def test_reading_a_graphs_text_gives_the_graph(g):
    assert parse_graph(g.text) == g


@law
@given(graphs())
def test_a_networkx_graph_goes_out_and_comes_back(g):
    assert parse_graph(to_networkx(g)) == g


@law
@given(graphs())
def test_an_edge_list_gives_the_graph_without_its_isolated_variables(g):
    linked = {v for edge in g.edges for v in edge}
    assert parse_graph(sorted(g.edges)) == Graph(tuple(linked), g.edges)
    assert parse_graph(g) is g


@pytest.mark.parametrize(
    "text", ["a->b;b->c;d", " a -> b -> c ; d ; ", "d\na -> b\nb -> c", "a -> b; a -> b; b -> c; d"]
)
def test_spaces_line_breaks_chains_and_repetition_do_not_matter(text):
    assert str(parse_graph(text)) == "a -> b; b -> c; d"


@pytest.mark.parametrize("text", ["a ->", "-> b", "a -> -> b", "a - b", "a -- b", "a ?> b", "a -> b; c -- d"])
def test_what_is_no_part_of_a_graph_is_shown(text):
    with pytest.raises(GraphError, match="is no part of a graph") as caught:
        parse_graph(text)
    assert repr(text.split(";")[-1].strip()) in str(caught.value)


@pytest.mark.parametrize("text", ["", " ; \n"])
def test_a_text_without_names_is_refused(text):
    with pytest.raises(GraphError, match="names no variable"):
        parse_graph(text)


def test_an_arrow_backwards_is_refused():
    with pytest.raises(GraphError, match="'a <- b'"):
        parse_graph("a <- b")


@pytest.mark.parametrize("source", [None, 3])
def test_what_is_no_graph_is_shown(source):
    with pytest.raises(GraphError, match=f"but got {source}"):
        parse_graph(source)


@pytest.mark.parametrize("item", ["ab", ("a",), ("a", "b", "c"), 3])
def test_what_is_no_edge_is_shown(item):
    with pytest.raises(GraphError, match="an edge is a pair") as caught:
        parse_graph([("a", "b"), item])
    assert repr(item) in str(caught.value)


def test_an_undirected_graph_is_refused():
    with pytest.raises(GraphError, match="undirected"):
        parse_graph(nx.Graph([("a", "b")]))


@pytest.mark.parametrize(
    "source", ["a -> b -> a", [("a", "b"), ("b", "a")], nx.DiGraph([("a", "b"), ("b", "a")])]
)
def test_r19_a_cycle_is_printed_wherever_it_comes_from(source):
    with pytest.raises(GraphError, match=r"a -> b -> a|b -> a -> b"):
        parse_graph(source)


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("a -> b", ("a", "->", "b")),
        ("a->b", ("a", "->", "b")),
        ("a - b", ("a", "-", "b")),
        ("beta-blocker -- b", ("beta-blocker", "--", "b")),
        (" a?>* ", ("a", "?>", "*")),
        ("a-b", None),
        ("a => b", None),
        ("a -> b -> c", None),
        ("a ->", None),
    ],
)
def test_a_link_is_two_names_and_a_sign(text, link):
    assert parse_link(text) == link
