"""Causal Bayesian Optimisation: one graph taken as true."""

import numpy as np
import pytest

from ceopt.domain.graph import Graph
from ceopt.errors import CeoptError, GraphError, MethodError
from ceopt.graphs.text import parse_graph
from ceopt.methods import CBO, Asking
from tests.methods.worlds import CHAIN, TEXTS, TURNED, WHOLE, outcome, prior, question, study_of


def held(study, method):
    """The graphs that the method believes in."""
    return [graph.text for graph in method.believe(study.belief).graphs.graphs]


def canonical(text):
    return Graph(("X", "Y", "Z"), parse_graph(text).edges).text


@pytest.mark.parametrize("weights", [[1, 2, 1], [1, 1, 1.1], [3, 2, 1]])
def test_without_a_graph_it_takes_the_most_probable_under_the_prior(weights):
    study = study_of(CBO(), question(graphs=prior(*TEXTS, weights=weights)))
    assert held(study, CBO()) == [canonical(TEXTS[int(np.argmax(weights))])]


def test_of_graphs_as_probable_it_takes_the_first():
    assert held(study_of(), CBO()) == [canonical(CHAIN)]


def test_what_was_told_does_not_change_its_graph():
    study = study_of(CBO())
    for _ in range(3):
        study.tell(do={"Z": 2.0}, outcome={"X": 2.0, "Y": 2.0})
    assert study.graph_posterior().index[0] == canonical(TURNED)
    assert held(study, CBO()) == [canonical(CHAIN)]


@pytest.mark.parametrize("as_text", [True, False], ids=["text", "graph"])
@pytest.mark.parametrize("text", [TURNED, WHOLE, "Z -> Y", "X -> Y; Z -> Y"])
def test_it_takes_the_graph_it_is_given_in_the_support_or_not(text, as_text):
    assert held(study_of(), CBO(graph=text if as_text else parse_graph(text))) == [canonical(text)]


@pytest.mark.parametrize("text", ["W -> Y", "X -> Z; Z -> Y; Y -> V; W"])
def test_a_graph_with_unknown_variables_is_refused_by_name(text):
    study = study_of(CBO(graph=text))
    with pytest.raises(MethodError, match=r"graph= has (V, )?W, but the problem's variables are X, Y, Z"):
        study.ask()
    with pytest.raises(MethodError, match="graph= has"):
        study.best()
    assert study.history().empty


@pytest.mark.parametrize("text", ["X -> ", "X -> Z; Z -> X"])
def test_a_text_that_is_no_graph_is_refused_at_once(text):
    with pytest.raises(GraphError):
        CBO(graph=text)


@pytest.mark.parametrize("graph", [5, ["X -> Y"], {"X": "Y"}])
def test_what_is_no_graph_is_refused_at_once(graph):
    with pytest.raises(CeoptError, match="graph= is a text such as"):
        CBO(graph=graph)


def test_the_edges_it_would_settle_are_by_all_graphs_though_it_believes_in_one():
    restricted = question(sets=[("X",)])
    assert study_of(CBO(points=12), restricted).ask().why.edges != ()


def test_it_never_gains_about_the_graph():
    one = study_of(CBO(points=12)).ask()
    assert (one.why.graph, one.why.unit) == (0, "sd of the target")
    assert one.why.optimum > 0


def test_a_lucky_outcome_spoils_the_published_incumbent_only():
    study = study_of()
    for k in range(6):
        study.tell(do={"Z": 1.0}, outcome=outcome({"Z": 1.0}, 0.5 * (-1) ** k, rng=k))
    study.tell(do={"Z": 0.2}, outcome=outcome({"Z": 0.2}, -1.5))
    belief = CBO().believe(study.belief)
    noisy, published = (CBO(points=12, noisy=on).propose([belief], Asking((0,))) for on in (True, False))
    assert published.worth < noisy.worth


def test_all_data_are_kept():
    study = study_of()
    study.tell(do={"Z": 0.5}, outcome=outcome({"Z": 0.5}))
    own = CBO().believe(study.belief)
    assert own.data is study.belief.data or np.array_equal(own.data.outcomes, study.belief.data.outcomes)
    assert own.surrogates[("Z",)].told.N.sum() == 1
