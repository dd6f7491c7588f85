"""Knowledge that contradicts itself, or cannot be read, is refused by naming the culprit."""

import math

import pytest

from ceopt.errors import GraphError
from ceopt.graphs.knowledge import Knowledge


def states_of(*names, **known):
    return Knowledge(variables=names or ("a", "b", "c", "d"), **known).pair_states()


def refused(*names, **known):
    with pytest.raises(GraphError) as caught:
        states_of(*names, **known)
    return str(caught.value)


def test_r19_certain_edges_in_a_cycle_are_printed():
    assert "c -> a" in refused(required=["a -> b", "b -> c", "c -> a"])
    assert "c -> a" in refused(required=["a -> b", "b -> c"], undecided=["a -- c"], forbidden=["a -> c"])


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("required", ["a -> statn"]),
        ("undecided", ["a - statn"]),
        ("forbidden", ["statn -> *"]),
        ("tiers", [["a"], ["statn"]]),
        ("edge_probabilities", {"statn -> a": 0.5}),
        ("target", "statn"),
    ],
)
def test_r20_an_unknown_variable_is_named_with_its_statement(argument, value):
    said = refused("a", "statin", **{argument: value})
    assert said.startswith(argument)
    assert "'statn'" in said
    assert "did you mean 'statin'" in said


@pytest.mark.parametrize(
    ("argument", "text", "wanted"),
    [
        ("required", "a - b", "'a -> b'"),
        ("required", "a => b", "'a -> b'"),
        ("required", "a -> b -> c", "'a -> b'"),
        ("required", "", "'a -> b'"),
        ("undecided", "a -> b", "'a - b' or 'a -- b' or 'a ?> b'"),
        ("undecided", "a-b", "spaces"),
        ("undecided", ("a", "b"), "'a - b'"),
        ("forbidden", "a -- b", "'a -> b'"),
    ],
)
def test_bad_syntax_is_shown_with_what_was_wanted(argument, text, wanted):
    said = refused(**{argument: [text]})
    assert said.startswith(f"{argument} has {text!r}")
    assert wanted in said


def test_a_variable_is_not_linked_with_itself():
    assert "required 'a -> a' links 'a' with itself" in refused(required=["a -> a"])


@pytest.mark.parametrize("ban", ["a -> b", "a -> *", "* -> b", "* -> *"])
def test_required_against_forbidden_names_both(ban):
    said = refused(required=["a -> b"], forbidden=[ban])
    assert f"required 'a -> b' contradicts forbidden '{ban}'" in said


def test_required_against_tiers_names_both_variables():
    said = refused(required=["a -> b"], tiers=[["b"], ["a"]])
    assert "required 'a -> b' contradicts tiers, where 'b' comes before 'a'" in said


def test_required_against_the_target_names_it():
    assert "required 'a -> b' contradicts target 'a'" in refused(required=["a -> b"], target="a")


def test_a_link_with_both_directions_ruled_out_names_every_reason():
    said = refused(undecided=["a -- b"], forbidden=["a -> b"], target="b")
    assert "undecided 'a -- b' contradicts forbidden 'a -> b' and target 'b'" in said


@pytest.mark.parametrize(
    ("required", "undecided"),
    [
        (["a -> b", "b -> a"], None),
        (["a -> b"], ["a - b"]),
        ([], ["a - b", "a ?> b"]),
        ([], ["a ?> b", "b ?> a"]),
        ([], ["a -- b", "b - a"]),
        (["* -> b"], ["a - *"]),
    ],
)
def test_a_pair_declared_in_two_ways_names_both_statements(required, undecided):
    said = refused(required=required, undecided=undecided)
    assert "different things about 'a' and 'b'" in said
    assert all(repr(text) in said for text in required + (undecided or []))


def test_a_pair_declared_twice_in_the_same_way_is_fine():
    assert states_of("a", "b", undecided=["a - b", "b - a"]) == states_of("a", "b")


@pytest.mark.parametrize("tiers", [[["a"], ["a", "b"]], [["a", "a"]]])
def test_a_variable_in_two_tiers_is_named(tiers):
    assert "tiers name 'a' more than once" in refused(tiers=tiers)


def test_a_tier_is_a_list():
    assert "write ['a']" in refused(tiers=["a", ["b"]])
    assert "one tier is 3" in refused(tiers=[3])


@pytest.mark.parametrize("p", [-0.1, 1.1, math.nan, "0.5", None, True])
def test_a_probability_lies_between_0_and_1(p):
    said = refused(edge_probabilities={"a -> b": p})
    assert "'a -> b'" in said
    assert repr(p) in said


@pytest.mark.parametrize(
    "known",
    [
        {"forbidden": ["a -> b"]},
        {"target": "a"},
        {"tiers": [["b"], ["a"]]},
        {"undecided": ["b ?> a"]},
        {"undecided": []},
        {"required": ["b -> a"]},
    ],
)
def test_a_probability_for_an_edge_that_cannot_be_is_named(known):
    said = refused(edge_probabilities={"a -> b": 0.2}, **known)
    assert "edge_probabilities 'a -> b' is 0.2" in said
    assert states_of(edge_probabilities={"a -> b": 0}, **known) == states_of(**known)


@pytest.mark.parametrize(
    ("known", "given_p", "total"),
    [
        ({}, {"a -> b": 0.7, "b -> a": 0.4}, "1.1, which is more than 1"),
        ({"required": ["a -> b"]}, {"a -> b": 0.8}, "0.8, which leaves no other state"),
        ({"undecided": ["a -- b"]}, {"a -> b": 0.5, "b -> a": 0.4}, "0.9, which leaves no other state"),
    ],
)
def test_probabilities_of_a_pair_add_up(known, given_p, total):
    assert f"edge_probabilities of 'a' and 'b' sum to {total}" in refused(edge_probabilities=given_p, **known)


def test_two_starred_probabilities_for_one_edge_are_both_named():
    said = refused(edge_probabilities={"a -> *": 0.2, "* -> b": 0.3})
    assert "'a -> *'" in said
    assert "'* -> b'" in said


@pytest.mark.parametrize("given_p", [["a -> b"], 0.5, "a -> b"])
def test_probabilities_are_a_mapping(given_p):
    assert f"is a mapping such as {{'a -> b': 0.8}}, but got {given_p!r}" in refused(
        edge_probabilities=given_p
    )


@pytest.mark.parametrize("variables", [[], "abc"])
def test_variables_are_a_list_of_names(variables):
    with pytest.raises(GraphError, match="variables is a list"):
        Knowledge(variables=variables)


def test_a_variable_named_twice_is_named():
    with pytest.raises(GraphError, match="variables names 'a' more than once"):
        Knowledge(variables=["a", "b", "a"])
