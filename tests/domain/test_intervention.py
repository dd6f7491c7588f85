"""An intervention is a value: names with finite levels."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ceopt.domain.intervention import Intervention
from ceopt.errors import CeoptError, OutcomeError
from tests.strategies import LEVELS, NAMES, law


@law
@given(st.dictionaries(st.sampled_from(NAMES), LEVELS, min_size=1))
def test_the_order_in_which_it_is_written_does_not_matter(do):
    one, other = Intervention.of(do), Intervention.of(dict(reversed(do.items())))
    assert one == other and hash(one) == hash(other)
    assert one.do == do and list(one.do) == sorted(do)
    assert all(type(level) is float for level in one.levels)


def test_it_reads_as_names_and_levels():
    assert str(Intervention.of({"statin": 0.9, "aspirin": 1})) == "aspirin=1, statin=0.9"
    assert str(Intervention.of({"x": -0.0})) == "x=0"


def test_setting_nothing_is_refused():
    with pytest.raises(OutcomeError, match="sets a variable or more"):
        Intervention.of({})


@pytest.mark.parametrize("level", [math.nan, math.inf, -math.inf, "0.9", None, True, [1.0]])
def test_a_level_that_is_no_finite_number_is_named(level):
    with pytest.raises(OutcomeError, match="'statin'"):
        Intervention.of({"statin": level})


@pytest.mark.parametrize("do", [None, 3, "statin=0.9", [("statin", 0.9)]])
def test_what_is_no_mapping_is_shown(do):
    with pytest.raises(OutcomeError, match="is a mapping"):
        Intervention.of(do)


@pytest.mark.parametrize(("targets", "levels"), [(("a", "a"), (1.0, 2.0)), (("a", "b"), (1.0,))])
def test_each_target_has_one_level(targets, levels):
    with pytest.raises(OutcomeError, match="one level"):
        Intervention(targets, levels)


def test_a_name_is_text():
    with pytest.raises(CeoptError, match="3"):
        Intervention.of({3: 0.5})
