"""What to do next, and why."""

import numpy as np
import pytest

from ceopt.acquisition.consequences import Settled
from ceopt.answers.suggestion import RunnerUp, Suggestion, Why, unexplained
from ceopt.answers.units import Interval
from ceopt.answers.words import said
from ceopt.domain.intervention import Intervention
from tests.methods.worlds import CHAIN, TURNED, mirrored, outcome, prior, question, seen, setting, study_of


@pytest.fixture(scope="module")
def one():
    return study_of("ceo").ask()


def test_it_has_a_number_a_cost_and_levels_by_name(one):
    assert one.id == 0
    assert one.do == one.intervention.do
    assert one.cost == len(one.do)


def test_it_reads_as_what_to_do_and_why(one):
    text, (mean, interval) = str(one), one.why.predicted
    assert text.startswith(f"suggestion 0: set {said(one.intervention)}\n")
    assert " nats" in text
    assert f"{one.why.graph:.3g} about the graph" in text
    assert f"{mean:.4g} ({interval}" in text
    assert f"{one.why.improvement:.3g}" in text
    assert f"cost of {one.cost:g}" in text


def test_every_part_of_why_is_said():
    why = Why(
        optimum=0.5,
        graph=0.25,
        unit="nats",
        runners_up=(RunnerUp({"X": 1.0}, 0.125),),
        edges=(Settled("X", "Z", 0.384, 0.51),),
        predicted=(1.5, Interval(1.0, 2.0)),
        improvement=0.0625,
        price=3.0,
        warnings=("beware", "mind the step"),
        reason="the dice decided",
    )
    text = str(Suggestion(4, Intervention.of({"Z": 2, "X": 1}), 3.0, 0.25, why))
    told = [
        ["suggestion 4", "X = 1, Z = 2"],
        ["he dice decided."],
        ["nats", "0.5 about", "0.25 about the graph"],
        ["X = 1", "0.125"],
        ["X -> Z", "38 % likely", "51 %"],
        ["1.5 (1 to 2"],
        ["0.0625", "cost of 3"],
        ["Warning: beware."],
        ["Warning: mind the step."],
    ]
    for line, facts in zip(text.splitlines(), told, strict=True):
        assert all(fact in line for fact in facts)


def test_what_was_not_worked_out_is_not_said():
    assert str(unexplained("Something failed", 2.0)) == "Something failed."
    assert unexplained("Something failed", 2.0).price == 2.0


def test_runners_up_are_of_other_sets_the_best_first(one):
    others = [tuple(each.do) for each in one.why.runners_up]
    assert len(set(others)) == len(others) >= 1
    assert tuple(one.do) not in others
    gains = [each.gain for each in one.why.runners_up]
    assert gains == sorted(gains, reverse=True)


def test_edges_are_named_that_it_would_settle():
    """Setting X alone tells X -> Z from Z -> X; setting both tells nothing of it."""
    study = study_of(setting(X=-2.0))
    named = {(edge.cause, edge.effect): edge for edge in study.ask().why.edges}
    edges = study.edge_probabilities()
    assert {("X", "Z"), ("Z", "X")} <= named.keys()
    for (cause, effect), edge in named.items():
        assert edge.probability == pytest.approx(edges.loc[cause, effect], abs=0.01)
        assert 0.05 <= edge.share <= 1
    both = study_of(setting(X=-2.0, Z=2.0), question(graphs=prior(CHAIN, TURNED)))
    assert both.ask().why.edges == ()


def test_the_edge_that_is_settled_most_comes_first():
    shares = [edge.share for edge in study_of(setting(X=-2.0)).ask().why.edges]
    assert 1 <= len(shares) <= 3
    assert shares[0] > 0.1


def test_the_predicted_outcome_is_that_of_the_mean_of_the_samples():
    one, many = (study_of(setting(Z=1.0)).ask(samples=n).why.predicted for n in (1, 100))
    assert one[0] == pytest.approx(many[0])
    assert np.ptp(many[1]) < np.ptp(one[1])
    assert one[1].lower < one[0] < one[1].upper
    effect = study_of().effect("Z", levels=[1.0])
    assert one[0] == pytest.approx(effect["mean"][0])


def test_more_samples_better_the_recommendation_more():
    one, many = (study_of(setting(X=1.0)).ask(samples=n).why.improvement for n in (1, 100))
    assert 0 <= one < many


def test_the_expected_improvement_is_in_units_of_the_target():
    one = study_of(setting(X=1.0)).ask().why
    large = study_of(setting(X=1.0), observations=seen().assign(Y=lambda d: 1000 * d["Y"])).ask().why
    assert large.improvement == pytest.approx(1000 * one.improvement, rel=0.05)
    assert large.predicted[0] == pytest.approx(1000 * one.predicted[0], rel=0.05)


def test_the_predicted_outcome_is_in_the_users_direction():
    down, up = (study.ask().why for study in mirrored(setting(Z=-2.0)))
    assert down.predicted[0] > 5 and up.predicted[0] < -5


def test_what_was_told_is_predicted_better():
    study = study_of(setting(X=-1.0))
    before = study.ask().why.predicted
    for k in range(6):
        study.tell(do={"X": -1.0}, outcome=outcome({"X": -1.0}, 20.0 + 0.1 * k, rng=k))
    after = study.ask().why.predicted
    assert abs(after[0] - 20) < abs(before[0] - 20)


def test_the_price_is_said_even_for_a_function():
    problem = question(cost=lambda do: 7.0 + do.get("Z", 0.0))
    why = study_of(setting(Z=1.5), problem).ask().why
    assert why.price == 8.5
    assert "cost of 8.5" in str(why)
