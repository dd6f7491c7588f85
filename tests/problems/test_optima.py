"""The optimum of every benchmark, against quadrature over the noises and a global search over the levels."""

from functools import cache

import pytest

from tests.problems.catalogue import BENCHMARKS
from tests.problems.quadrature import Do, best
from tests.problems.truths import TRUTHS

# As published, or as computed for the package where nothing was: set -> levels, E[Y | do].
EPIDEMIOLOGY = {
    "T": ({"T": "2.373"}, "-1.4098"),
    "R": ({"R": "2.662"}, "-.366"),
    "TR": ({"T": "3.927", "R": "2.788"}, "-1.4979"),
}
EXTENDED = {
    "T": ({"T": "3.921"}, "-.4725"),
    "R": ({"R": "2.658"}, "-.3498"),
    "TR": ({"T": "3.927", "R": "2.782"}, "-1.3374"),
}
STATED = {
    "synthetic": {"Z": ({"Z": "-3.2003"}, "-2.17181"), "X": ({"X": "-1.68"}, "-1.2323")},
    "synthetic-cbo": {"Z": ({"Z": "-3.2003"}, "-2.17181"), "X": ({"X": "-1.122"}, "-1.4638")},
    "health": {
        "S": ({"S": "1"}, "13.249"),
        "R": ({"R": "0"}, "13.521"),
        "SR": ({"S": "1", "R": "0"}, "13.060"),
    },
    "health-cbo": {"SR": ({"S": "1", "R": "0"}, "5.155")},
    "epidemiology": EPIDEMIOLOGY,
    "epidemiology-authors": EPIDEMIOLOGY,
    "epidemiology-paper-text": {**EPIDEMIOLOGY, "R": ({"R": "2.825"}, "-.4464")},
    "epidemiology-extended": EXTENDED,
    "epidemiology-extended-authors": EXTENDED,
    "symptoms": {
        "C": ({"C": "-1.806"}, "-2.091"),
        "D": ({"D": "-2"}, "-1"),
        "CD": ({"C": "-1.5708", "D": "-2"}, "-2.5"),
    },
    "complete-graph": {"BD": ({"B": "-5", "D": "3.343"}, "-3.483")},
}
CASES = [(name, tuple(sorted(targets))) for name, sets in STATED.items() for targets in sets]


@cache
def found(name: str, targets: tuple[str, ...]) -> tuple[Do, float]:
    """The best levels of a set within its domain, and their E[Y | do], by quadrature."""
    problem = BENCHMARKS[name].problem
    box = {v: (problem.domain(v).low, problem.domain(v).high) for v in targets}
    return best(TRUTHS[name].effect, box)


def rounded(text: str) -> object:
    """Equal to whatever rounds to the text."""
    return pytest.approx(float(text), rel=0, abs=0.5001 * 10.0 ** -len(text.partition(".")[2]))


@pytest.mark.parametrize(("name", "targets"), CASES)
def test_a_set_is_best_at_the_stated_levels_with_the_stated_value(
    name: str, targets: tuple[str, ...]
) -> None:
    levels, value = next(known for key, known in STATED[name].items() if sorted(key) == list(targets))
    found_levels, found_value = found(name, targets)
    assert found_value == rounded(value)
    assert {v: found_levels[v] == rounded(level) for v, level in levels.items()} == dict.fromkeys(
        levels, True
    )


@pytest.mark.parametrize("name", BENCHMARKS)
def test_the_optimum_is_what_quadrature_finds_for_its_set(name: str) -> None:
    optimum = BENCHMARKS[name].optimum
    levels, value = found(name, optimum.set)
    assert optimum.value == pytest.approx(value, abs=1e-6)
    assert optimum.do == pytest.approx(levels, abs=1e-5)
    assert TRUTHS[name].effect(optimum.do) == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("name", BENCHMARKS)
def test_no_set_beats_the_optimum_and_no_smaller_one_equals_it(name: str) -> None:
    benchmark = BENCHMARKS[name]
    for targets in benchmark.problem.sets:
        _, value = found(name, targets)
        if targets != benchmark.optimum.set and len(targets) <= len(benchmark.optimum.set):
            assert value > benchmark.optimum.value + 0.01
        assert value >= benchmark.optimum.value - 1e-6


@pytest.mark.parametrize(("level", "value"), [("3.099", "-1.8556"), ("9.394", "-1.6247")])
def test_the_synthetic_system_has_the_stated_local_minima_under_do_z(level: str, value: str) -> None:
    z = float(level)
    around, lowest = best(TRUTHS["synthetic"].effect, {"Z": (z - 2, z + 2)})
    assert around["Z"] == rounded(level)
    assert lowest == rounded(value)
