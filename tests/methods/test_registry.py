"""Methods by name, and those that other packages bring."""

from importlib.metadata import EntryPoint

import pytest

import ceopt
from ceopt.errors import MethodError
from ceopt.methods import CBO, CDCBO, CEO, MES, MI, Method, Random, method_of, names, registry
from tests.methods.worlds import FIXED, METHODS, Fixed, question, seen, study_of

OWN = {"ceo": CEO, "cbo": CBO, "cd-cbo": CDCBO, "mi": MI, "mes": MES, "random": Random}


@pytest.fixture
def bring(monkeypatch):
    """Entry points as if other packages were installed."""

    def brought(**values):
        points = [EntryPoint(name, value, registry.GROUP) for name, value in values.items()]

        def found(*, group):
            assert group == "ceopt.methods"
            return points

        monkeypatch.setattr(registry, "entry_points", found)

    return brought


def test_every_method_has_its_name():
    assert names() == ("cbo", "cd-cbo", "ceo", "mes", "mi", "random")


@pytest.mark.parametrize("name", OWN)
def test_a_name_gives_the_method_with_its_usual_options(name):
    made = method_of(name)
    assert made == OWN[name]()
    assert made.name == name
    assert isinstance(made, Method)


@pytest.mark.parametrize("name", METHODS)
def test_a_value_is_passed_through(name):
    assert method_of(METHODS[name]) is METHODS[name]
    assert study_of(name).method is METHODS[name]


def test_by_default_a_study_asks_ceo():
    assert ceopt.create_study(question(), observations=seen()).method == CEO()


@pytest.mark.parametrize(
    ("typo", "meant"),
    [("CEO", "ceo"), ("coe", "ceo"), ("cdcbo", "cd-cbo"), ("randm", "random"), ("me", "mes")],
)
def test_a_typo_gets_a_hint(typo, meant):
    with pytest.raises(MethodError, match=f"but got '{typo}'; did you mean '{meant}'"):
        method_of(typo)


def test_an_unknown_name_is_refused_with_those_there_are():
    with pytest.raises(MethodError, match=r"one of cbo, cd-cbo, ceo, mes, mi, random, or a value.*'zzz'$"):
        method_of("zzz")


@pytest.mark.parametrize("value", [CEO, Fixed, 5, None, object(), ("ceo",), lambda belief: belief])
def test_what_is_no_method_is_refused(value):
    with pytest.raises(
        MethodError, match=r"is no method: it wants a name, and the functions|is a class: give a value of it"
    ):
        method_of(value)


@pytest.mark.parametrize(("value", "name"), [("Fixed", "fixed"), ("make_fixed", "made"), ("FIXED", "ready")])
def test_an_entry_point_names_a_class_a_function_or_a_method(bring, value, name):
    bring(greedy=f"tests.methods.worlds:{value}")
    made = method_of("greedy")
    assert made == Fixed(name=name)
    assert (made == FIXED) == (value == "FIXED")


def test_what_is_brought_is_listed_and_hinted_at(bring):
    bring(greedy="tests.methods.worlds:Fixed", aardvark="tests.methods.worlds:Fixed")
    assert names() == ("aardvark", "cbo", "cd-cbo", "ceo", "greedy", "mes", "mi", "random")
    with pytest.raises(MethodError, match="did you mean 'greedy'"):
        method_of("greddy")


def test_nobody_else_takes_the_name_of_an_own_method(bring):
    bring(ceo="tests.methods.worlds:Fixed")
    assert method_of("ceo") == CEO()
    assert names().count("ceo") == 1


def test_an_entry_point_that_gives_no_method_is_named(bring):
    bring(greedy="builtins:dict")
    with pytest.raises(MethodError, match="the entry point 'builtins:dict' is no method"):
        method_of("greedy")


def test_a_study_takes_what_is_brought_by_name(bring):
    bring(greedy="tests.methods.worlds:Fixed")
    study = ceopt.create_study(question(), observations=seen(), method="greedy")
    assert study.ask().do == {"X": 0.0}
