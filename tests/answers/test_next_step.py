"""A loop goes on whatever the numbers do."""

import math
from dataclasses import dataclass, replace
from importlib import import_module

import numpy as np
import pytest

from ceopt.answers import next_step
from ceopt.errors import MethodError
from ceopt.methods import CEO, Random
from tests.methods.worlds import METHODS, Fixed, Says, outcome, question, study_of

FAILURES = [
    np.linalg.LinAlgError("not positive definite"),
    FloatingPointError("overflow"),
    ZeroDivisionError("by zero"),
    OverflowError("too large"),
]
MISTAKES = [TypeError("a list"), ValueError("shapes"), KeyError("Z"), AttributeError("x"), RuntimeError("no")]
failing = pytest.mark.parametrize("error", FAILURES, ids=lambda e: type(e).__name__)
mistaken = pytest.mark.parametrize("error", MISTAKES, ids=lambda e: type(e).__name__)


def raises(error):
    def raising(*_, **__):
        raise error

    return raising


@failing
def test_numbers_that_fail_bring_a_suggestion_far_from_others_with_its_reason(error, monkeypatch):
    monkeypatch.setattr(CEO, "propose", raises(error))
    study = study_of("ceo")
    one = study.ask()
    named = f"({type(error).__name__}: {error})"
    assert one.why.reason.startswith(f"the numbers failed {named}")
    assert "far from those done" in one.why.reason and "\n" not in one.why.reason
    assert f"he numbers failed {named}" in str(one)
    assert study.problem.inside(one.intervention)
    assert (one.gain, one.why.unit, one.cost, one.why.price) == (0, "", 1.0, 1.0)
    assert study.status().open == (one,)


@failing
def test_a_belief_that_fails_does_as_well(error, monkeypatch):
    study = study_of("ceo")
    monkeypatch.setattr(import_module("ceopt.inference.belief"), "infer", raises(error))
    assert study.ask(samples=4).why.reason.startswith("the numbers failed")


@failing
def test_what_a_method_believes_may_fail_as_well(error, monkeypatch):
    monkeypatch.setattr(CEO, "believe", raises(error))
    assert study_of("ceo").ask().why.reason.startswith("the numbers failed")


def test_far_is_far_from_what_was_told_and_what_is_open():
    study = study_of(Says(FloatingPointError("x")), question(sets=[("X",)]))
    study.tell(do={"X": -2.0}, outcome=outcome({"X": -2.0}))
    levels = [one.do["X"] for one in study.ask(3)]
    assert levels[0] == 2.0
    assert levels[1] == pytest.approx(0.0, abs=0.1)
    assert abs(levels[2]) == pytest.approx(1.0, abs=0.15)


def test_sets_take_turns_the_cheapest_first():
    study = study_of(Says(FloatingPointError("x")), question(cost={"X": 2.0, "Z": 1.0}))
    assert [tuple(one.do) for one in study.ask(4)] == [("Z",), ("X",), ("X", "Z"), ("Z",)]


def test_far_is_allowed_where_levels_are_listed():
    problem = question(domains={"X": [0.1, 0.7], "Z": (0.0, 1.0, 0.5)})
    study = study_of(Says(FloatingPointError("x")), problem)
    each = study.ask(7)
    assert all(problem.inside(one.intervention) for one in each)
    assert len({one.intervention for one in each[:6]}) == 6


@failing
def test_reasons_that_fail_leave_the_suggestion_and_say_so(error, monkeypatch):
    expected = study_of("ceo").ask()
    monkeypatch.setattr(next_step, "explained", raises(error))
    received = study_of("ceo").ask()
    assert (received.do, received.gain, received.cost) == (expected.do, expected.gain, expected.cost)
    name = type(error).__name__
    assert received.why.reason == f"the reasons could not be worked out ({name}: {error})"
    assert received.why.price == expected.cost


@mistaken
@pytest.mark.parametrize("part", ["propose", "believe"])
def test_a_mistake_in_a_program_is_not_hidden(error, part, monkeypatch):
    monkeypatch.setattr(Random, part, raises(error))
    study = study_of("random")
    with pytest.raises(type(error), match=str(error)):
        study.ask()
    assert study.status().open == ()


@mistaken
def test_a_mistake_in_the_reasons_is_not_hidden_either(error, monkeypatch):
    monkeypatch.setattr(next_step, "explained", raises(error))
    with pytest.raises(type(error)):
        study_of("random").ask()


def test_a_loop_goes_on_after_a_failure(monkeypatch):
    study = study_of("ceo")
    with monkeypatch.context() as patched:
        patched.setattr(CEO, "propose", raises(FloatingPointError("x")))
        one = study.ask()
    study.tell(one, outcome(one.do))
    assert study.ask().why.reason == ""
    assert study.trials == 1


def test_what_is_open_changes_what_is_proposed():
    method = replace(METHODS["ceo"])
    study = study_of(method)
    first, second = study.ask(2)
    assert first.do != second.do


def test_a_proposal_that_is_no_intervention_is_refused_by_the_methods_name():
    with pytest.raises(MethodError, match=r"'fixed' proposed .* but an Intervention is wanted"):
        study_of(Fixed({"Z": 0.5})).ask()


def test_a_gain_that_is_no_number_counts_as_failed_numbers():
    @dataclass(frozen=True)
    class Lost(Fixed):
        def propose(self, beliefs, asking):
            return super().propose(beliefs, asking)._replace(worth=math.nan)

    one = study_of(Lost()).ask()
    assert "nan" in one.why.reason and one.gain == 0


def test_a_second_measurement_of_what_is_open_says_so():
    study = study_of(Fixed())
    first, second = study.ask(2)
    assert second.do == first.do
    assert f"the same as suggestion {first.id}, which is open" in second.why.reason
    assert first.why.reason == ""
