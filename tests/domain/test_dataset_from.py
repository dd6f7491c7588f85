"""Rows are split by what was set in them, and an interventional row needs its target."""

import numpy as np
import pandas as pd
import pytest

from ceopt.domain.frames import dataset_from, observations_from
from ceopt.domain.intervention import Intervention
from ceopt.errors import CeoptWarning, DataError
from tests.domain.clinic import CLEAN, NAMES, PROBLEM

MIXED = pd.concat([CLEAN, CLEAN], ignore_index=True).assign(
    intervention_targets=["", None, np.nan, "statin", "statin; aspirin", " ; "]
)


def test_rows_are_split_by_what_was_set():
    data = dataset_from(MIXED, PROBLEM)
    assert data.variables == NAMES
    assert data.observations.tolist() == [[60, 0, 5, 0.1], [70, 1, 6, 0.2], [65, 0, 7, 0.3], [65, 0, 7, 0.3]]
    assert data.outcomes.tolist() == [[60, 0, 5, 0.1], [70, 1, 6, 0.2]]
    assert data.interventions == (
        Intervention.of({"statin": 0.1}),
        Intervention.of({"statin": 0.2, "aspirin": 1}),
    )


def test_observations_alone_may_bring_an_empty_column_of_targets():
    assert len(observations_from(CLEAN.assign(intervention_targets=np.nan), NAMES)) == 3


def test_rows_under_intervention_are_not_taken_for_observations():
    with pytest.raises(DataError, match="intervention_targets"):
        observations_from(MIXED, NAMES)


def test_r17_an_interventional_row_without_the_target_is_named():
    frame = MIXED.astype({"psa": float})
    frame.loc[4, "psa"] = np.nan
    with pytest.raises(DataError, match="target 'psa' was not measured in row 4"):
        dataset_from(frame, PROBLEM)


def test_r17_other_missing_values_are_said_once():
    frame = MIXED.astype({"age": float})
    frame.loc[[3, 4], "age"] = np.nan
    with pytest.warns(CeoptWarning, match="not measured in some outcomes: 'age'") as said:
        data = dataset_from(frame, PROBLEM)
    assert len(said) == 1
    assert np.isnan(data.outcomes[:, 0]).all()


def test_r17_a_set_level_that_is_missing_is_named():
    frame = MIXED.astype({"statin": float})
    frame.loc[3, "statin"] = np.nan
    with pytest.raises(DataError, match=r"in row 3.*'statin'.*nan"):
        dataset_from(frame, PROBLEM)


@pytest.mark.parametrize(
    ("cell", "said"), [("statn", "mean 'statin'"), ("age", "'age'"), ("psa", "'psa'"), (3, "3")]
)
def test_r20_a_target_that_cannot_be_set_is_named_with_its_row(cell, said):
    frame = CLEAN.assign(intervention_targets=pd.Series(["", "", cell], dtype=object))
    frame = pd.concat([CLEAN, frame], ignore_index=True)
    with pytest.raises(DataError, match=f"{said}.*") as caught:
        dataset_from(frame, PROBLEM)
    assert "in row 5" in str(caught.value)
