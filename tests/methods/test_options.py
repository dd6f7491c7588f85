"""Options of methods are refused when they are made, by name."""

import math

import pytest

from ceopt.errors import MethodError
from ceopt.methods import CBO, CDCBO, CEO, MES, MI

WHOLE = {
    CEO: ("points", "fantasies", "draws"),
    CBO: ("points",),
    MI: ("points", "fantasies"),
    MES: ("points", "fantasies", "draws"),
}
COUNTS = [(method, option) for method, options in WHOLE.items() for option in options]


@pytest.mark.parametrize("value", [1, 0, -3, True, 2.5, 60.0, "60", None, math.nan])
@pytest.mark.parametrize(("method", "option"), COUNTS)
def test_a_count_is_a_whole_number_from_2(method, option, value):
    with pytest.raises(MethodError) as refusal:
        method(**{option: value})
    assert str(refusal.value) == f"{option}= is a whole number from 2 up, but got {value!r}"


@pytest.mark.parametrize(("method", "option"), COUNTS)
def test_2_is_enough(method, option):
    assert getattr(method(**{option: 2}), option) == 2


@pytest.mark.parametrize("value", [-1, True, 2.5, "10", None])
def test_least_is_a_whole_number_from_0(value):
    with pytest.raises(MethodError, match=r"^least= is a whole number from 0 up, but got "):
        CEO(least=value)
    assert CEO(least=0).least == 0


@pytest.mark.parametrize("value", [-1, -1e-9, math.nan, math.inf, -math.inf, True, "x", None])
@pytest.mark.parametrize(("method", "option"), [(CEO, "beta"), (CEO, "known"), (CDCBO, "found")])
def test_a_share_is_finite_and_not_negative(method, option, value):
    with pytest.raises(MethodError, match=f"^{option}= is a finite number from 0 up, but got "):
        method(**{option: value})
    assert getattr(method(**{option: 0}), option) == 0


@pytest.mark.parametrize("value", ["x", "Softmax", "", None, 1, ["draws"]])
def test_weights_are_one_of_two(value):
    with pytest.raises(MethodError, match=r"^weights= is one of softmax, draws, but got "):
        CEO(weights=value)


@pytest.mark.parametrize("value", ["softmax", "draws"])
def test_both_weights_are_taken(value):
    assert CEO(weights=value).weights == value


@pytest.mark.parametrize("method", [CEO, CBO, CDCBO, MI, MES])
def test_a_method_is_a_value(method):
    assert method() == method() and hash(method()) == hash(method())
    with pytest.raises(AttributeError):
        method().name = "mine"
