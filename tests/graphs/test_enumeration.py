"""Graphs are counted before they are listed, and the count is right."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ceopt.domain.graph import Graph
from ceopt.errors import GraphError
from ceopt.graphs import enumeration
from ceopt.graphs.enumeration import Count, count_graphs, list_graphs, tangles
from ceopt.graphs.knowledge import Knowledge
from tests.graphs.worlds import all_graphs
from tests.strategies import knowledge, law

MANY = 10**9


def states_of(names, **known):
    return Knowledge(variables=list(names), **known).pair_states()


@st.composite
def pair_states(draw, names):
    """What some knowledge leaves possible; everything, where it contradicts itself."""
    known = draw(knowledge(names))
    try:
        return states_of(names, **known)
    except GraphError:
        return states_of(names, tiers=known["tiers"], target=known["target"])


@pytest.mark.parametrize(
    ("names", "count"), [("a", 1), ("ab", 3), ("abc", 25), ("abcd", 543), ("abcde", 29281)]
)
def test_the_labelled_acyclic_graphs_of_one_to_five_variables(names, count):
    states = states_of(names)
    graphs, log_weights = list_graphs(tuple(names), states, MANY)
    assert count_graphs(states) == (count, True)
    assert len(graphs) == len(set(graphs)) == len(log_weights) == count


def test_larger_counts_are_those_of_robinson():
    known = {6: 3781503, 7: 1138779265, 8: 783702329343}
    assert {n: count_graphs(states_of("abcdefgh"[:n])).number for n in known} == known


def test_every_acyclic_graph_is_listed():
    names = ("a", "b", "c", "d")
    assert set(list_graphs(names, states_of(names), MANY)[0]) == set(all_graphs(names))


@law
@given(st.data())
def test_the_count_is_the_length_of_the_list(data):
    names = tuple("abcde"[: data.draw(st.integers(1, 5))])
    states = data.draw(pair_states(names))
    graphs, _ = list_graphs(names, states, MANY)
    assert count_graphs(states) == (len(graphs), True)
    assert len(graphs) == len(set(graphs)) >= 1


@law
@given(st.data())
def test_a_bound_is_never_above_the_count(data):
    names = tuple("abcd")
    states = data.draw(pair_states(names))
    exact = count_graphs(states)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(enumeration, "LARGEST_COUNTED", 1)
        bound = count_graphs(states)
        graphs, _ = list_graphs(names, states, exact.number)
        if exact.number > 1:
            with pytest.raises(GraphError, match="above the limit"):
                list_graphs(names, states, exact.number - 1)
    assert 1 <= bound.number <= exact.number == len(graphs)
    assert bound.exact == (not tangles(states))


def test_only_variables_that_could_share_a_cycle_are_tangled():
    states = states_of("abcdef", undecided=["a - b", "b - c", "c ?> d", "e ?> f"])
    assert tangles(states) == [("a", "b", "c")]
    assert count_graphs(states) == (3 * 3 * 2 * 2, True)


def test_a_cycle_through_certain_edges_is_avoided():
    states = states_of("abc", required=["a -> b", "b -> c"], undecided=["a - c"])
    graphs, _ = list_graphs(("a", "b", "c"), states, MANY)
    assert sorted(map(str, graphs)) == ["a -> b; a -> c; b -> c", "a -> b; b -> c"]


def test_many_variables_are_quick_when_little_is_open():
    names = tuple(f"v{i:02}" for i in range(40))
    chain = [f"{a} -> {b}" for a, b in itertools.pairwise(names)]
    states = states_of(names, required=chain, undecided=["v00 ?> v39"])
    assert list_graphs(names, states, 2)[0] == [
        Graph.from_edges(itertools.pairwise(names)),
        Graph.from_edges([*itertools.pairwise(names), ("v00", "v39")]),
    ]


def test_r27_too_many_graphs_are_counted_with_advice():
    with pytest.raises(
        GraphError, match="allows 543 graphs, above the limit of 542, as 6 of 6 pairs"
    ) as caught:
        list_graphs(tuple("abcd"), states_of("abcd"), 542)
    assert all(
        word in str(caught.value) for word in ("undecided=", "forbidden=", "tiers=", "target=", "limit=")
    )


@pytest.mark.parametrize(
    ("count", "said"), [(11, "allows about 3.2e+22 graphs"), (60, "allows at least 6.7e+532 graphs")]
)
def test_r27_far_too_many_graphs_are_estimated(count, said):
    names = tuple(f"v{i}" for i in range(count))
    with pytest.raises(GraphError) as caught:
        list_graphs(names, states_of(names), 20_000)
    assert said in str(caught.value)


def test_r27_a_large_ring_whose_count_is_unknown_stops_at_the_limit():
    names = tuple(f"v{i:02}" for i in range(30))
    states = states_of(
        names, undecided=[f"{a} -- {b}" for a, b in zip(names, (*names[1:], names[0]), strict=True)]
    )
    assert count_graphs(states) == Count(1, exact=False)
    with pytest.raises(GraphError, match="allows at least 1,001 graphs"):
        list_graphs(names, states, 1000)
