"""What puts the answers in question."""

import numpy as np
import pytest

from ceopt.errors import CeoptWarning
from ceopt.inference.checks import plausibility, reaching
from tests.methods.worlds import CHAIN, METHODS, TURNED, outcome, prior, question, seen, setting, study_of

REFUTED, IDLE, GUESS = "surprising under every graph stated", "of X, Z move", "is a guess"


def about(warnings, words):
    return [one for one in warnings if words in one]


def test_nothing_is_said_while_all_is_well():
    study = study_of(setting(Z=0.5))
    study.tell(do={"Z": 1.0}, outcome=outcome({"Z": 1.0}, 0.1))
    assert study.ask().why.warnings == study.best().warnings == study.status().warnings == ()


@pytest.mark.parametrize("method", METHODS)
def test_outcomes_that_refute_every_graph_are_a_warning_everywhere(method):
    study = study_of(method)
    assert not about(study.best().warnings, REFUTED)
    study.tell(do={"Z": 1.0}, outcome=outcome({"Z": 1.0}, 60.0))
    for warnings in (study.ask().why.warnings, study.best().warnings, study.status().warnings):
        assert len(about(warnings, REFUTED)) == 1
    for answer in (study.ask(), study.best(), study.status()):
        assert "Warning: what was told would be very surprising" in str(answer)


def test_outcomes_that_refute_one_graph_only_are_none():
    study = study_of(problem=question(graphs=prior(CHAIN, TURNED)))
    for k in range(4):
        study.tell(do={"Z": 2.0}, outcome={"X": -1.5, "Y": 2.0 + 0.1 * k})
    assert plausibility(study.belief).min() < 1e-6
    assert study.status().warnings == ()


def unrelated():
    return seen().assign(Y=np.random.default_rng(0).normal(size=30))


@pytest.mark.parametrize("method", METHODS)
def test_a_target_that_nothing_reaches_is_a_warning_that_names_what_can_be_set(method):
    graphs = prior("X -> Z; Z -> Y", "X -> Z; Y", weights=[0.001, 0.999])
    study = study_of(method, question(graphs=graphs), unrelated())
    for warnings in (study.ask().why.warnings, study.best().warnings, study.status().warnings):
        assert len(about(warnings, IDLE)) == 1


def test_that_nothing_reaches_the_target_is_surer_after_an_experiment():
    graphs = prior("X -> Z; Z -> Y", "X -> Z; Y", weights=[0.001, 0.999])
    study = study_of("random", question(graphs=graphs), unrelated())
    (before,) = about(study.status().warnings, IDLE)
    study.tell(do={"Z": 1.0}, outcome=outcome({"Z": 1.0}, 0.0))
    (after,) = about(study.status().warnings, IDLE)
    assert "observations can mislead" in before and "look for another variable" in after


def test_one_variable_that_reaches_the_target_is_enough():
    study = study_of(problem=question(graphs=prior(TURNED, CHAIN, weights=[0.9999, 0.0001])))
    assert reaching(study.belief)["X"] < 0.01
    assert not about(study.status().warnings, IDLE)


WIDE = question(domains={"X": (-50.0, 50.0), "Z": (-50.0, 50.0)})
LOW, HIGH = seen()["X"].min(), seen()["X"].max()


def guessed(study):
    return about(study.ask().why.warnings, GUESS)


@pytest.mark.parametrize(
    ("do", "said"),
    [
        ({"X": 40.0}, "X lies far outside what was observed"),
        ({"X": -40.0}, "X lies far outside what was observed"),
        ({"X": 0.0, "Z": 40.0}, "Z lies far outside what was observed"),
        ({"X": 40.0, "Z": 40.0}, "X, Z lie far outside what was observed"),
        ({"X": HIGH + 0.11 * (HIGH - LOW)}, "X lies far outside what was observed"),
        ({"X": LOW - 0.11 * (HIGH - LOW)}, "X lies far outside what was observed"),
    ],
)
def test_a_prediction_far_outside_what_was_observed_is_called_a_guess(do, said):
    (one,) = guessed(study_of(setting(**do), WIDE))
    assert one.startswith(said)


@pytest.mark.parametrize("x", [0.0, LOW, HIGH, HIGH + 0.09 * (HIGH - LOW), LOW - 0.09 * (HIGH - LOW)])
def test_one_within_or_next_to_it_is_none(x):
    assert guessed(study_of(setting(X=x), WIDE)) == []


def test_once_it_was_tried_it_is_no_guess_any_more_for_that_set():
    alone, both = setting(X=40.0), setting(X=40.0, Z=0.0)
    for method, left in ((alone, 0), (both, 1)):
        study = study_of(method, WIDE)
        with pytest.warns(CeoptWarning, match="lies far from all that was seen of 'Y'"):
            study.tell(do={"X": 40.0}, outcome=outcome({"X": 40.0}, 1000.0))
        assert len(guessed(study)) == left


def test_a_recommendation_that_is_a_guess_says_so():
    graphs = prior("Z -> Y; X", "Z -> Y; X -> Z")
    inside = seen()[seen()["Z"] < 0]
    study = study_of("ceo", question(graphs=graphs, domains={"Z": (5.0, 6.0)}), inside)
    assert len(about(study.best().warnings, GUESS)) == 1
    assert not about(study.status().warnings, GUESS)
