"""Knowledge means what it says: the graphs it leaves are those that agree with every statement."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from ceopt.errors import GraphError
from ceopt.graphs.knowledge import Knowledge
from ceopt.graphs.prior import GraphPrior
from tests.graphs.worlds import agrees, all_graphs
from tests.strategies import knowledge, law

NAMES = ("a", "b", "c", "d")


def states_of(*names, **known):
    return Knowledge(variables=names or NAMES, **known).pair_states()


def listing(*names, **known):
    return sorted(str(g) for g in GraphPrior.from_knowledge(names or NAMES, **known).graphs)


@law
@given(knowledge(NAMES))
def test_the_graphs_left_are_those_that_agree_and_it_is_refused_exactly_when_none_is(known):
    expected = {g for g in all_graphs(NAMES) if agrees(g, known)}
    try:
        received = GraphPrior.from_knowledge(NAMES, **known)
    except GraphError:
        assert not expected
    else:
        assert set(received.graphs) == expected
        assert_allclose(received.probabilities, 1 / len(expected))


@pytest.mark.parametrize(
    ("undecided", "texts"),
    [
        ("a - b", ["a -> b", "a; b", "b -> a"]),
        ("a -- b", ["a -> b", "b -> a"]),
        ("a ?> b", ["a -> b", "a; b"]),
        ("b ?> a", ["a; b", "b -> a"]),
    ],
)
def test_each_sign_leaves_its_states(undecided, texts):
    assert listing("a", "b", undecided=[undecided]) == texts


def test_pairs_named_nowhere_have_no_edge_only_if_undecided_is_given():
    assert listing("a", "b", "c", required=["a -> b"], undecided=[]) == ["a -> b; c"]
    assert len(listing("a", "b", "c", required=["a -> b"])) == 8


def test_a_star_is_every_other_variable():
    assert listing("a", "b", "c", required=["* -> c"], undecided=[]) == ["a -> c; b -> c"]
    assert listing("a", "b", "c", undecided=["a ?> *"]) == [
        "a -> b; a -> c",
        "a -> b; c",
        "a -> c; b",
        "a; b; c",
    ]
    assert len(listing("a", "b", "c", undecided=["* - *"])) == 25


def test_where_two_statements_meet_the_one_with_fewer_stars_counts():
    states = states_of("a", "b", "c", required=["* -> c"], undecided=["a ?> c", "* - *"])
    assert {pair: set(options) for pair, options in states.items()} == {
        ("a", "c"): {None, ("a", "c")},
        ("b", "c"): {("b", "c")},
        ("a", "b"): {None, ("a", "b"), ("b", "a")},
    }


def test_one_statement_needs_no_list():
    assert listing("a", "b", "c", required="a -> b", undecided="b ?> c") == ["a -> b; b -> c", "a -> b; c"]


def test_a_target_is_a_sink_as_if_it_were_forbidden_to_cause():
    assert listing(target="d") == listing(forbidden=["d -> *"])


def test_tiers_let_causes_run_forward_only_and_leave_others_alone():
    assert listing("a", "b", "c", tiers=[["c"], ["a"]], undecided=["a - c", "a - b"]) == [
        "a -> b; c",
        "a -> b; c -> a",
        "a; b; c",
        "b -> a; c",
        "b -> a; c -> a",
        "c -> a; b",
    ]


@law
@given(
    st.dictionaries(
        st.sampled_from(["a -> b", "c -> a", "c -> b"]), st.sampled_from([0, 0.01, 0.3, 0.5, 0.9, 1])
    )
)
def test_the_prior_is_the_product_of_the_pairs_probabilities(given_p):
    names = ("a", "b", "c")

    def weight(g):
        product = 1.0
        for a, b in (("a", "b"), ("c", "a"), ("c", "b")):
            p = given_p.get(f"{a} -> {b}", 1 / 3)
            product *= p if (a, b) in g.edges else (1 - p) / 2
        return product

    expected = {g: weight(g) for g in all_graphs(names) if weight(g) > 0}
    received = GraphPrior.from_knowledge(names, edge_probabilities=given_p)
    assert set(received.graphs) == set(expected)
    total = math.fsum(expected.values())
    assert_allclose(received.probabilities, [expected[g] / total for g in received.graphs], atol=1e-12)


def test_where_no_cycle_is_possible_the_edges_have_the_probabilities_they_were_given():
    P = GraphPrior.from_knowledge(
        ["a", "b", "c"], tiers=[["a"], ["b"], ["c"]], edge_probabilities={"a -> b": 0.8, "b -> c": 0.3}
    )
    assert_allclose(P.edge_probabilities(), [[0, 0.8, 0.5], [0, 0, 0.3], [0, 0, 0]])


def test_both_directions_may_be_given_and_the_rest_goes_to_no_edge():
    states = states_of("a", "b", edge_probabilities={"a -> b": 0.7, "b -> a": 0.2})
    assert_allclose(list(states["a", "b"].values()), [0.1, 0.7, 0.2])
    states = states_of("a", "b", edge_probabilities={"a -> b": 0.9, "b -> a": 0.1})
    assert states == {("a", "b"): {("a", "b"): 0.9, ("b", "a"): 0.1}}


def test_a_star_in_a_probability_speaks_of_what_is_still_open():
    states = states_of(
        "a",
        "b",
        "c",
        required=["a -> b"],
        forbidden=["c -> *"],
        edge_probabilities={"* -> *": 0.1, "b -> c": 0.6},
    )
    assert states["a", "b"] == {("a", "b"): 1}
    assert_allclose(list(states["a", "c"].values()), [0.9, 0.1])
    assert_allclose(list(states["b", "c"].values()), [0.4, 0.6])
