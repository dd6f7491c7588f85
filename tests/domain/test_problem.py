"""A problem is checked whole at birth, and every refusal names the culprit."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ceopt.domain.graph import Graph
from ceopt.domain.intervention import Intervention
from ceopt.domain.problem import Problem
from ceopt.domain.weighted_graphs import WeightedGraphs
from ceopt.errors import CeoptWarning, OutcomeError, ProblemError
from tests.strategies import interventions, law, problems

CHAIN = Graph.from_edges([("aspirin", "psa"), ("statin", "psa"), ("age", "psa")])
GRAPHS = WeightedGraphs.of([CHAIN])


def posed(**changed):
    asked = {
        "target": "psa",
        "direction": "minimize",
        "domains": {"statin": (0, 1), "aspirin": [0, 1, 2]},
        "graphs": GRAPHS,
    }
    return Problem(**asked | changed)


def refused(**changed):
    with pytest.raises(ProblemError) as caught:
        posed(**changed)
    return str(caught.value)


def over(count):
    """A problem's graphs and domains with so many causes of the target."""
    names = [f"x{i}" for i in range(count)]
    return {
        "graphs": WeightedGraphs.of([Graph.from_edges([(name, "psa") for name in names])]),
        "domains": dict.fromkeys(names, (0, 1)),
    }


def test_all_subsets_are_explored_small_ones_first():
    assert posed().sets == (("aspirin",), ("statin",), ("aspirin", "statin"))
    assert len(posed(**over(12)).sets) == 4095


def test_given_sets_keep_their_order_and_are_sorted_within():
    problem = posed(sets=[("statin", "aspirin"), ["statin"]])
    assert problem.sets == (("aspirin", "statin"), ("statin",))


def test_domains_are_ranges_or_levels_and_cannot_be_changed():
    problem = posed()
    assert dict(problem.domains) == {"aspirin": (0, 1, 2), "statin": (0, 1)}
    assert problem.domain("aspirin").levels == (0, 1, 2)
    assert problem.domain("statin").levels is None
    assert problem.manipulable == ("aspirin", "statin")
    assert problem.variables == ("age", "aspirin", "psa", "statin")
    with pytest.raises(TypeError):
        problem.domains["age"] = (0, 1)
    with pytest.raises(AttributeError):
        problem.target = "age"


def test_two_levels_are_not_taken_for_a_range_when_a_problem_is_posed_again():
    problem = posed(domains={"statin": [0, 1]})
    assert posed(domains=problem.domains).domain("statin").levels == (0, 1)


@pytest.mark.parametrize(
    ("cost", "price"),
    [(2, 4), ({"statin": 1, "aspirin": 2.5}, 3.5), (lambda do: 1 + do["statin"], 1.9)],
)
def test_a_price_is_summed_over_variables_or_computed(cost, price):
    problem = posed(cost=cost, sets=[("aspirin", "statin")])
    assert problem.price(Intervention.of({"statin": 0.9, "aspirin": 1})) == price


@law
@given(problems(), st.data())
def test_what_the_grid_proposes_is_inside_and_passes(problem, data):
    intervention = data.draw(interventions(problem))
    problem.check(intervention)
    assert problem.inside(intervention)
    assert problem.price(intervention) == 1


def test_r37_a_level_outside_the_domain_is_told_apart_but_is_no_error():
    far = Intervention.of({"statin": 1.5})
    posed().check(far)
    assert not posed().inside(far)
    assert not posed().inside(Intervention.of({"aspirin": 0.5}))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("age", "'age': it has no domain"),
        ("statn", "did you mean 'statin'"),
        ("psa", "'psa': it has no domain"),
    ],
)
def test_setting_what_cannot_be_set_is_refused_by_name(name, said):
    with pytest.raises(OutcomeError, match=said):
        posed().check(Intervention.of({name: 0.5}))


def test_an_unknown_target_is_named():
    assert "'PSA'" in refused(target="PSA")
    assert "did you mean 'psa'" in refused(target="PSA")


def test_r20_a_domain_for_an_unknown_variable_is_named():
    assert "'statn'" in (said := refused(domains={"statn": (0, 1)}))
    assert "did you mean 'statin'" in said


@pytest.mark.parametrize("domains", [{}, None, ["statin"]])
def test_something_can_be_set(domains):
    assert "domains=" in refused(domains=domains)


def test_graphs_come_as_a_prior():
    assert "GraphPrior.from_graphs" in refused(graphs=[CHAIN])


def test_r21_no_path_from_any_manipulable_variable_to_the_target():
    against = WeightedGraphs.of([Graph.from_edges([("psa", "statin")], isolated=["aspirin"])])
    said = refused(graphs=against)
    assert all(name in said for name in ("'statin'", "'aspirin'", "'psa'"))


def test_r21_a_path_in_a_graph_of_probability_zero_does_not_count():
    against = Graph.from_edges([("psa", "statin")], isolated=["aspirin", "age"])
    assert "no path" in refused(graphs=WeightedGraphs.of([CHAIN, against], [0, 1]))


def test_r22_the_target_cannot_be_manipulable():
    assert "the target 'psa' cannot be set" in refused(domains={"psa": (0, 1), "statin": (0, 1)})


def test_r23_a_variable_that_never_moves_the_target_is_said():
    with pytest.warns(CeoptWarning, match="'age' cannot change 'psa'"):
        posed(
            graphs=WeightedGraphs.of([Graph.from_edges([("statin", "psa")], isolated=["age"])]),
            domains={"statin": (0, 1), "age": (0, 1)},
        )


def test_r23_a_variable_that_moves_the_target_in_one_graph_only_is_fine():
    one = Graph.from_edges([("statin", "psa")], isolated=["aspirin", "age"])
    assert posed(graphs=WeightedGraphs.of([CHAIN, one])).manipulable == ("aspirin", "statin")


def test_r27_too_many_sets_are_counted_with_advice():
    said = refused(**over(13))
    assert "8,191" in said
    assert "sets=" in said


def test_r27_a_list_of_too_many_sets_is_counted():
    pairs = [(f"x{i}", f"x{j}") for i in range(100) for j in range(i)]
    assert "4,950" in refused(**over(100), sets=pairs)


def test_r28_an_unknown_name_in_a_set_is_named():
    assert "did you mean 'statin'" in (said := refused(sets=[("aspirin", "statn")]))
    assert "'statn'" in said


def test_r28_a_set_given_twice_is_named():
    assert "('aspirin', 'statin') more than once" in refused(
        sets=[("statin", "aspirin"), ("aspirin", "statin")]
    )


def test_r28_a_name_given_twice_in_a_set_is_named():
    assert "'statin' more than once" in refused(sets=[("statin", "statin")])


@pytest.mark.parametrize("sets", [[()], [("statin",), ()], []])
def test_r28_an_empty_set_or_list_is_refused(sets):
    assert "sets=" in refused(sets=sets)


def test_r28_a_bare_name_is_no_set():
    assert "write ('statin',)" in refused(sets=["statin"])


def test_r29_a_bad_domain_is_named():
    assert "'statin'" in refused(domains={"statin": (1, 0)})


@pytest.mark.parametrize("cost", [0, -1, math.nan, math.inf, "2", None, True])
def test_r30_a_cost_is_a_finite_number_above_zero(cost):
    assert repr(cost) in refused(cost=cost)
    assert "'statin'" in refused(cost={"statin": cost, "aspirin": 1})
    assert repr(cost) in refused(cost=lambda do: cost)


def test_r30_a_cost_for_an_unknown_name_is_named():
    assert "'statn'" in refused(cost={"statin": 1, "aspirin": 1, "statn": 1})


def test_r30_a_missing_cost_is_named():
    assert "no price for 'aspirin'" in refused(cost={"statin": 1})


def test_r30_a_cost_function_that_raises_is_caught_at_birth():
    said = refused(cost=lambda do: {"statin": 1}[next(iter(do))])
    assert "KeyError at aspirin=1" in said


def test_r30_a_cost_function_that_fails_later_is_refused_then():
    problem = posed(cost=lambda do: 1 - do.get("statin", 0))
    with pytest.raises(ProblemError, match="the cost of statin=1 is"):
        problem.price(Intervention.of({"statin": 1}))


@pytest.mark.parametrize("direction", ["", "minimise", "max", None])
def test_r31_a_direction_is_wanted(direction):
    assert re.search("direction= is 'minimize' or 'maximize'", refused(direction=direction))


def test_r31_no_direction_is_said():
    assert refused(direction="").endswith("but got none")


def test_r31_a_near_miss_of_a_direction_is_understood():
    assert "did you mean 'minimize'" in refused(direction="minimise")


def test_a_problem_and_its_prior_are_shown_in_a_line():
    problem = posed()
    assert repr(problem) == "<Problem: minimize psa by aspirin, statin; 1 graphs>"
    assert repr(problem.graphs).startswith("<WeightedGraphs: 1 over ")
