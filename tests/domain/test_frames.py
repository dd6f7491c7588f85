"""A data frame becomes rows over the sorted variables, or one clear error that names row and column."""

import datetime as dt
import unicodedata
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from ceopt.domain.frames import dataset_from, observations_from
from ceopt.errors import CeoptWarning, DataError
from tests.domain.clinic import CLEAN, NAMES, PROBLEM
from tests.strategies import frames, law, variables


def refused(frame):
    with pytest.raises(DataError) as caught:
        observations_from(frame, NAMES)
    with pytest.raises(DataError) as again:
        dataset_from(frame, PROBLEM)
    assert str(again.value) == str(caught.value)
    return str(caught.value)


def with_cell(value, row=1, column="age"):
    cells = CLEAN[column].tolist()
    return CLEAN.assign(**{column: pd.Series([*cells[:row], value, *cells[row + 1 :]], dtype=object)})


@law
@given(st.data())
def test_the_order_of_columns_does_not_matter(data):
    names = data.draw(variables())
    frame = data.draw(frames(names))
    rows = observations_from(frame, names[::-1])
    assert_array_equal(rows, frame[list(names)].to_numpy())
    assert rows.dtype == np.float64


def test_numbers_of_any_kind_are_read():
    frame = CLEAN.astype({"age": "Int64", "statin": "float32", "aspirin": "category"})
    frame["psa"] = pd.Series([Decimal("5.5"), " 6.0 ", 7], dtype=object)
    assert observations_from(frame, NAMES)[:, 2].tolist() == [5.5, 6, 7]


def test_the_frame_is_left_as_it_was():
    before = CLEAN.copy()
    rows = observations_from(CLEAN, NAMES)
    rows[:] = 0
    pd.testing.assert_frame_equal(CLEAN, before)


@pytest.mark.parametrize("thing", [None, {"psa": [1, 2]}, np.ones((2, 4)), CLEAN["psa"]])
def test_what_is_no_frame_is_refused(thing):
    assert type(thing).__name__ in refused(thing)


def test_r01_a_missing_column_is_named():
    assert "no column 'age'" in refused(CLEAN.drop(columns="age"))


def test_r02_a_near_miss_of_a_column_is_offered():
    assert "no column 'statin'; rename 'statins', if that is it" in refused(
        CLEAN.rename(columns={"statin": "statins"})
    )


@pytest.mark.parametrize("read", [lambda f: observations_from(f, NAMES), lambda f: dataset_from(f, PROBLEM)])
def test_r02_columns_in_no_graph_are_ignored_and_named_once(read):
    with pytest.warns(CeoptWarning) as said:
        read(CLEAN.assign(id=["a", "b", "c"], clinic="A"))
    assert len(said) == 1
    assert "'id', 'clinic'" in str(said[0].message)


def test_r03_a_duplicated_column_is_named():
    assert "2 columns 'age'" in refused(pd.concat([CLEAN, CLEAN[["age"]]], axis=1))


@pytest.mark.parametrize("other", ["PSA", " psa", "psa ", "p sa", "\ufeffpsa", "p\u200bsa", "ｐｓａ"])
def test_r04_names_that_differ_by_case_space_mark_or_form_are_both_named(other):
    said = refused(CLEAN.rename(columns={"psa": other}))
    assert repr(other) in said
    assert "variable 'psa'" in said
    said = refused(CLEAN.assign(**{other: 1}))
    assert repr(other) in said
    assert "column 'psa'" in said


def test_r04_two_unicode_forms_of_one_name_are_told_apart():
    composed, taken_apart = (unicodedata.normalize(form, "größe") for form in ("NFC", "NFD"))
    frame = pd.DataFrame({taken_apart: [1, 2]})
    with pytest.raises(DataError, match="Unicode form"):
        observations_from(frame, [composed])


def test_r04_a_misspelt_column_of_targets_is_not_ignored():
    assert "'Intervention_targets'" in refused(CLEAN.assign(Intervention_targets=["", "statin", ""]))


def test_r05_empty_cells_are_listed_by_column_and_row():
    frame = pd.concat([CLEAN] * 4, ignore_index=True).astype(float)
    frame.loc[[1, 3], "age"] = np.nan
    frame.loc[:, "statin"] = np.nan
    said = refused(frame)
    assert "'age' in rows 1, 3" in said
    assert "'statin' in rows 0, 1, 2, 3, 4 and 7 more" in said


@pytest.mark.parametrize("nothing", [None, np.nan, pd.NA, pd.NaT, "", "  ", "NaN"])
def test_r05_every_mark_of_nothing_is_an_empty_cell(nothing):
    assert "cells are empty: 'age' in row 1;" in refused(with_cell(nothing))


@pytest.mark.parametrize("endless", [np.inf, -np.inf, "inf", 10**400])
def test_r06_an_infinity_is_named_by_column_and_row(endless):
    assert "column 'age' is infinite in row 2" in refused(with_cell(endless, row=2))


@pytest.mark.parametrize("text", ["1,5", "n/a", "<LOD", "12 mg", "1_000", "0x1F", "high"])
def test_r07_text_in_a_numeric_column_is_named(text):
    said = refused(with_cell(text))
    assert f"column 'age' wants numbers, but holds {text!r} (str) in row 1;" in said


def test_r07_rows_are_named_as_the_frame_names_them():
    frame = with_cell("n/a").set_index(pd.Index(["ann", "bob", "cyd"]))
    assert "in row bob" in refused(frame)


def test_r08_a_wrong_delimiter_is_suspected():
    said = refused(pd.DataFrame({"psa;age;statin;aspirin": ["1;2;3;4", "5;6;7;8"]}))
    assert "no column 'age'" in said
    assert "delimiter" in said


def test_r09_no_rows():
    assert "no rows" in refused(CLEAN.iloc[:0])


def test_r09_a_frame_of_nothing_but_interventions_has_no_observations():
    with pytest.raises(DataError, match="two observational rows are wanted, but got 0"):
        dataset_from(CLEAN.assign(intervention_targets="statin"), PROBLEM)


def test_r10_one_row_is_too_few():
    assert "at least two observational rows are wanted, but got 1" in refused(CLEAN.iloc[:1])


@pytest.mark.parametrize("column", ["age", "psa"])
def test_r11_a_constant_column_is_said(column):
    frame = CLEAN.assign(**{column: 5})
    with pytest.warns(CeoptWarning, match=f"never vary .*'{column}'"):
        assert len(observations_from(frame, NAMES)) == 3


def test_r12_a_hundred_thousand_rows_of_ten_columns_are_read():
    names = [f"v{i}" for i in range(10)]
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(100_000, 10)), columns=names)
    assert observations_from(frame, names).shape == (100_000, 10)


def test_r13_r14_r15_scales_repeated_rows_and_collinear_columns_are_fine():
    frame = pd.concat([CLEAN.assign(age=CLEAN["statin"] * 1e6)] * 2, ignore_index=True)
    assert observations_from(frame, NAMES).shape == (6, 4)


@pytest.mark.parametrize(
    "value",
    [True, np.True_, pd.Timestamp("2020-01-01"), dt.date(2020, 1, 1), pd.Timedelta(1), [1.0], {}, 1j, b"1"],
)
def test_r16_a_cell_that_is_no_number_is_named_with_its_type(value):
    said = refused(with_cell(value))
    assert f"({type(value).__name__}) in row 1" in said
    assert "'age'" in said


@pytest.mark.parametrize(
    "column",
    [
        [True, False, True],
        pd.to_datetime(["2020-01-01"] * 3),
        [1j, 2j, 3j],
        pd.array([True, None, False], dtype="boolean"),
    ],
)
def test_r16_a_column_of_booleans_dates_or_complex_numbers_is_named(column):
    assert "column 'age' wants numbers" in refused(CLEAN.assign(age=column))


def test_a_warning_points_to_the_line_of_the_caller():
    with pytest.warns(CeoptWarning) as said:
        observations_from(CLEAN.assign(page=1), NAMES)
    assert {Path(one.filename).name for one in said} == {"test_frames.py"}
