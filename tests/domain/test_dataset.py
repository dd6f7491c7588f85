"""Data are immutable; telling makes new data."""

import numpy as np
import pytest

from ceopt.domain.dataset import Dataset
from ceopt.domain.intervention import Intervention
from ceopt.errors import DataError

DO_X = Intervention.of({"X": 2})
EMPTY = Dataset(("X", "Y"), np.array([[1.0, 2.0], [3.0, 4.0]]), np.empty((0, 2)), ())


def test_told_rows_come_after_the_old_ones_and_leave_them_alone():
    one = EMPTY.with_rows([DO_X], np.array([[2.0, 5.0]]))
    two = one.with_rows([Intervention.of({"Y": 1})] * 2, np.array([[np.nan, 1.0], [0.0, 1.0]]))
    assert EMPTY.outcomes.shape == (0, 2) and one.interventions == (DO_X,)
    assert two.outcomes[0].tolist() == [2.0, 5.0] and two.outcomes.shape == (3, 2)
    assert two.targeted.tolist() == [[True, False], [False, True], [False, True]]
    assert EMPTY.targeted.shape == (0, 2) and EMPTY.column("Y") == 1


def test_nobody_can_write_into_data_not_even_through_the_array_it_was_made_of():
    rows = np.ones((2, 2))
    data = Dataset(("X", "Y"), rows, np.empty((0, 2)), ())
    rows[:] = 7
    assert data.observations.tolist() == [[1, 1], [1, 1]]
    for array in (data.observations, data.outcomes, data.targeted):
        assert not array.flags.writeable


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_observations_are_finite(bad):
    with pytest.raises(DataError, match="finite"):
        Dataset(("X",), np.array([[bad]]), np.empty((0, 1)), ())


def test_variables_are_sorted():
    with pytest.raises(DataError, match="sorted"):
        Dataset(("Y", "X"), np.ones((2, 2)), np.empty((0, 2)), ())


def test_rows_have_a_column_for_each_variable():
    with pytest.raises(DataError, match=r"\(2, 3\)"):
        Dataset(("X", "Y"), np.ones((2, 3)), np.empty((0, 2)), ())


def test_each_outcome_has_its_intervention():
    with pytest.raises(DataError, match="2 rows and 1 interventions"):
        EMPTY.with_rows([DO_X], np.ones((2, 2)))


def test_r20_an_intervention_on_an_unknown_variable_is_named():
    with pytest.raises(DataError, match="'Z'"):
        EMPTY.with_rows([Intervention.of({"Z": 1})], np.ones((1, 2)))
