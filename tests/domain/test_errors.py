"""Every refusal can be caught as a CeoptError."""

import inspect

import pytest

from ceopt import errors

KINDS = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, Exception)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_error_is_drawn_in_the_tree_and_is_a_ceopt_error_or_a_warning(kind):
    assert kind.__name__ in errors.__doc__
    assert issubclass(kind, errors.CeoptError) != issubclass(kind, errors.CeoptWarning)


def test_a_near_miss_is_offered_as_it_is_written():
    assert errors.did_you_mean("statn ", ["Statin", "age"]) == "; did you mean 'Statin'?"
    assert errors.did_you_mean(3, ["Statin", "age"]) == ""
