"""What each benchmark asks: hypotheses, sets, domains, variants."""

from collections.abc import Callable

import numpy as np
import pytest

from ceopt import problems
from ceopt.domain.graph import Graph
from ceopt.domain.intervention import Intervention
from ceopt.errors import ProblemError
from ceopt.problems import Benchmark
from ceopt.problems.benchmark import changed
from tests.problems.catalogue import BENCHMARKS


def edges(text: str) -> set[tuple[str, str]]:
    """ "A>B,C; B>C" as pairs."""
    rules = (rule.strip().split(">") for rule in text.split(";"))
    return {(cause, effect) for cause, effects in rules for effect in effects.split(",")}


HEALTH = edges("A>B,C,S,R,Y; B>S,C,R,Y; R>Y,C; S>Y,C; C>Y")
EPI = edges("U>L,Y; T>L,Y,R; L>R; R>Y")
DRAWN = EPI | edges("P>U; M>T; E>L; Z>R; X>Y")
EXTENDED = DRAWN | edges("L>Y")  # L has a cause of its own here, so Y needs it beside T, U and R


def epidemiology_rivals(true: set[tuple[str, str]]) -> list[set[tuple[str, str]]]:
    return [
        true - edges("T>Y"),
        true - edges("L>R; T>R"),
        true - edges("L>R; T>Y") | edges("L>Y; R>L"),
    ]


SYNTHETIC = [
    edges(text) for text in ("X>Z; Z>Y", "X>Z,Y", "X>Z,Y; Z>Y", "Z>X,Y", "X>Y; Z>Y", "Z>X,Y; X>Y", "Z>X; X>Y")
]
HEALTH_DOUBTS = [
    HEALTH,
    HEALTH - edges("S>Y,C"),
    HEALTH - edges("R>Y,C"),
    HEALTH - edges("S>Y,C; R>Y,C"),
    HEALTH - edges("A>Y,C; B>Y,C"),
]
SYMPTOMS = [edges(text) for text in ("C>D,Y; D>Y; Y>S,W", "S>Y; Y>C,D,W; C>D", "W>Y; Y>C,D,S; C>D")]
HYPOTHESES = {
    "synthetic": SYNTHETIC,
    "synthetic-cbo": SYNTHETIC,
    "health": HEALTH_DOUBTS,
    "health-cbo": HEALTH_DOUBTS,
    "epidemiology": [EPI, *epidemiology_rivals(EPI)],
    "epidemiology-authors": epidemiology_rivals(EPI),
    "epidemiology-paper-text": [EPI, *epidemiology_rivals(EPI)],
    "epidemiology-extended": [EXTENDED, *epidemiology_rivals(EXTENDED)],
    "epidemiology-extended-authors": epidemiology_rivals(DRAWN),
    "symptoms": SYMPTOMS,
}
ASKED = {
    "synthetic": ({"X": (-5, 5), "Z": (-5.5, 13)}, ["Z", "X", "XZ"]),
    "synthetic-cbo": ({"X": (-5, 5), "Z": (-5, 20)}, ["Z", "X", "XZ"]),
    "health": ({"R": (0, 1), "S": (0, 1)}, ["R", "S", "RS"]),
    "epidemiology": ({"T": (0, 4), "R": (0, 4)}, ["T", "R", "RT"]),
    "epidemiology-extended": ({"T": (0, 4), "R": (0, 4)}, ["T", "R", "RT"]),
    "complete-graph": ({"B": (-5, 4), "D": (-5, 5), "E": (-6, 3)}, ["B", "D", "E", "BD", "BE", "DE"]),
}


@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_benchmark_goes_by_its_name_and_prices_each_variable_at_one(name: str) -> None:
    benchmark = BENCHMARKS[name]
    assert benchmark.name == name
    assert (benchmark.problem.target, benchmark.problem.direction) == ("Y", "minimize")
    optimum = benchmark.optimum
    assert benchmark.problem.price(Intervention.of(optimum.do)) == len(optimum.set)
    assert benchmark.problem.inside(Intervention.of(optimum.do))
    assert optimum.set in benchmark.problem.sets
    assert set(benchmark.problem.variables) == set(benchmark.system.variables)


@pytest.mark.parametrize("name", HYPOTHESES)
def test_the_hypotheses_are_those_of_the_papers_and_equally_likely(name: str) -> None:
    graphs = BENCHMARKS[name].problem.graphs
    assert [set(g.edges) for g in graphs.graphs] == HYPOTHESES[name]
    np.testing.assert_allclose(graphs.probabilities, 1 / len(HYPOTHESES[name]))


@pytest.mark.parametrize("name", ASKED)
def test_the_domains_and_sets_are_those_of_the_papers(name: str) -> None:
    domains, sets = ASKED[name]
    problem = BENCHMARKS[name].problem
    assert dict(problem.domains) == domains
    assert problem.sets == tuple(tuple(targets) for targets in sets)


@pytest.mark.parametrize("name", HYPOTHESES)
def test_the_true_graph_is_the_first_hypothesis_unless_the_authors_left_it_out(name: str) -> None:
    benchmark = BENCHMARKS[name]
    left_out = name.endswith("-authors")
    assert benchmark.true_index == (None if left_out else 0)
    assert benchmark.true_graph is not None
    assert (benchmark.true_graph in benchmark.problem.graphs.graphs) == (not left_out)
    expected = EXTENDED if "extended" in name else EPI if left_out else HYPOTHESES[name][0]
    assert set(benchmark.true_graph.edges) == expected


def test_a_system_with_hidden_variables_has_no_true_graph() -> None:
    benchmark = BENCHMARKS["complete-graph"]
    assert benchmark.true_graph is None
    assert benchmark.true_index is None
    assert len(benchmark.problem.graphs) == 4
    assert not {"U1", "U2"} & set(benchmark.problem.variables)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (problems.synthetic, "synthetic has no variant 'CEO'; it has 'ceo', 'cbo'; did you mean 'ceo'?"),
        (problems.health, "health has no variant 'CEO'; it has 'ceo', 'cbo'"),
        (problems.epidemiology, "epidemiology has no variant 'CEO'; it has 'ceo', 'authors', 'paper-text'"),
        (
            problems.epidemiology_extended,
            "epidemiology-extended has no variant 'CEO'; it has 'ceo', 'authors'",
        ),
    ],
)
def test_an_unknown_variant_is_refused_with_the_known_ones(
    make: Callable[[str], Benchmark], text: str
) -> None:
    with pytest.raises(ProblemError) as refused:
        make("CEO")
    assert text in str(refused.value)


def test_a_rival_cannot_lose_an_edge_that_the_graph_does_not_have() -> None:
    g = Graph.from_edges([("a", "b"), ("b", "c")])
    assert changed(g, less="a -> b", plus="a -> c").text == "a -> c; b -> c"
    with pytest.raises(ProblemError, match=r"cannot take \[\('b', 'a'\)\] away: a -> b; b -> c has no such"):
        changed(g, less="b -> a")
