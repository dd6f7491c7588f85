"""An outcome is read whole or refused, and says nothing that was not measured."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from ceopt.domain.graph import Graph
from ceopt.domain.intervention import Intervention
from ceopt.domain.outcomes import outcome_rows
from ceopt.domain.problem import Problem
from ceopt.domain.weighted_graphs import WeightedGraphs
from ceopt.errors import CeoptWarning, OutcomeError
from tests.strategies import frames, interventions, law, problems

PROBLEM = Problem(
    target="psa",
    direction="minimize",
    domains={"statin": (0, 1), "aspirin": (0, 1)},
    graphs=WeightedGraphs.of([Graph.from_edges([("statin", "psa"), ("aspirin", "psa")])]),
)
DO = Intervention.of({"statin": 0.3})
WHOLE = {"psa": 5.1, "aspirin": 0, "statin": 0.3}


def refused(outcome, do=DO):
    with pytest.raises(OutcomeError) as caught:
        outcome_rows(outcome, do, PROBLEM)
    return str(caught.value)


@law
@given(problems(), st.data())
def test_rows_hold_what_was_measured_and_what_was_set(problem, data):
    do = data.draw(interventions(problem))
    frame = data.draw(frames(problem.variables)).assign(**do.do)
    rows = outcome_rows(frame, do, problem)
    assert_array_equal(rows, frame[list(problem.variables)].to_numpy())
    assert_array_equal(outcome_rows(frame.drop(columns=list(do.targets)), do, problem), rows)


@pytest.mark.parametrize(
    "outcome",
    [
        WHOLE,
        pd.Series(WHOLE),
        pd.DataFrame([WHOLE]),
        {**WHOLE, "psa": np.array(5.1)},
        {**WHOLE, "psa": "5.1"},
    ],
)
def test_a_mapping_a_series_and_a_frame_say_the_same(outcome):
    assert outcome_rows(outcome, DO, PROBLEM).tolist() == [[0, 5.1, 0.3]]


def test_the_target_alone_is_enough_and_what_is_missing_is_said_once():
    with pytest.warns(CeoptWarning, match="'aspirin'") as said:
        rows = outcome_rows({"psa": 5.1}, DO, PROBLEM)
    assert len(said) == 1
    assert_array_equal(rows, [[np.nan, 5.1, 0.3]])


def test_a_set_column_left_empty_takes_the_level_that_was_set():
    assert outcome_rows({**WHOLE, "statin": None}, DO, PROBLEM)[0, 2] == 0.3


def test_r17_a_missing_target_is_named():
    assert "no column 'psa'; rename 'psaa', if that is it" in refused({"psaa": 5.1, "aspirin": 0})
    assert "no column 'psa'" in refused({})


@pytest.mark.parametrize("off", [0.31, 0.3 + 1e-8])
def test_r18_a_level_that_differs_from_the_planned_one_is_named(off):
    said = refused(pd.DataFrame([WHOLE, {**WHOLE, "statin": off}]))
    assert "'statin' was to be set to 0.3" in said
    assert "in row 1" in said
    assert "do=" in said


def test_r18_rounding_is_no_difference():
    rows = outcome_rows({**WHOLE, "statin": 0.3 + 1e-11}, DO, PROBLEM)
    assert rows[0, 2] == 0.3
    assert outcome_rows({**WHOLE, "statin": 1e-12}, Intervention.of({"statin": 0}), PROBLEM)[0, 2] == 0


@pytest.mark.parametrize("value", [np.nan, None, ""])
def test_r38_an_empty_target_is_refused(value):
    assert "target 'psa' was not measured in row 0" in refused({**WHOLE, "psa": value})


@pytest.mark.parametrize("value", ["abc", "1,5", True, np.inf, pd.Timestamp("2020-01-01")])
@pytest.mark.parametrize("name", ["psa", "aspirin"])
def test_r38_a_value_that_is_no_finite_number_is_named(name, value):
    assert repr(name) in refused({**WHOLE, name: value})


def test_r38_an_unknown_column_is_named():
    said = refused({**WHOLE, "asprin": 5})
    assert "'asprin'" in said
    assert "did you mean 'aspirin'" in said


def test_r38_no_rows_and_duplicated_columns_are_refused():
    assert "no rows" in refused(pd.DataFrame([WHOLE]).iloc[:0])
    assert "2 columns 'psa'" in refused(pd.DataFrame([[1, 2]], columns=["psa", "psa"]))
    assert "2 columns 'psa'" in refused(pd.Series([1, 2], index=["psa", "psa"]))


@pytest.mark.parametrize("outcome", [5.1, None, "psa=5.1", [5.1], np.array([5.1])])
def test_r38_what_is_no_outcome_is_shown(outcome):
    assert "a mapping such as {'psa': 1.5}" in refused(outcome)


def test_r38_several_values_want_a_frame():
    assert "'psa' is [5.1, 5.2]; give a DataFrame" in refused({"psa": [5.1, 5.2]})


def test_r04_a_look_alike_of_a_variable_is_named():
    assert "'PSA'" in refused({"PSA": 5.1})


def test_an_intervention_on_what_cannot_be_set_is_refused():
    assert "'age'" in refused(WHOLE, Intervention.of({"age": 3}))
