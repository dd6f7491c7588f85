"""Causal Entropy Optimization: one gain for the optimum and the graph."""

from dataclasses import replace

import numpy as np
import pytest

from ceopt.methods import CBO, CEO, Asking
from tests.methods.worlds import CHAIN, METHODS, TEXTS, WHOLE, leaning, outcome, prior, question, study_of

SMALL = METHODS["ceo"]
LEVELS = np.linspace(-2, 2, 7)[:, None]


@pytest.mark.parametrize("text", [CHAIN, WHOLE])
def test_with_one_graph_the_belief_is_that_of_cbo_with_that_graph(text):
    told = {"Z": 0.5}
    alone, among = study_of(SMALL, question(graphs=prior(text))), study_of(SMALL)
    for study in (alone, among):
        study.tell(do=told, outcome=outcome(told))
    one, other = SMALL.believe(alone.belief), CBO(graph=text).believe(among.belief)
    for targets in (("X",), ("Z",)):
        expected, received = one.marginals(targets, LEVELS), other.marginals(targets, LEVELS)
        np.testing.assert_allclose(received.mean, expected.mean, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(received.sd, expected.sd, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("weights", [[1, 0, 0], [0, 0, 1]])
def test_a_point_mass_on_one_graph_leaves_nothing_to_learn_of_it(weights):
    one = study_of(SMALL, question(graphs=prior(*TEXTS, weights=weights))).ask()
    assert one.why.graph == pytest.approx(0, abs=1e-9)
    assert one.why.optimum > 0
    assert one.why.edges == ()


def test_a_support_of_one_graph_leaves_nothing_to_learn_of_it():
    assert study_of(SMALL, question(graphs=prior(CHAIN))).ask().why.graph == pytest.approx(0, abs=1e-9)


def test_while_the_graph_is_in_doubt_both_parts_count():
    one = study_of(SMALL).ask()
    assert one.why.optimum != 0 and one.why.graph > 0.01


@pytest.mark.parametrize(
    ("known", "least", "levels", "is_known"),
    [
        (9.0, 1, [1.0], True),
        (9.0, 2, [1.0], False),
        (9.0, 2, [1.0, 0.9], True),
        (9.0, 2, [1.0, 1.0], False),
        (9.0, 1, [], False),
        (9.0, 0, [], True),
        (0.0, 0, [1.0], False),
    ],
)
def test_the_graph_is_known_at_low_entropy_after_enough_different_interventions(
    known, least, levels, is_known
):
    study = study_of(replace(SMALL, known=known, least=least))
    for z in levels:
        study.tell(do={"Z": z}, outcome={"X": 0.0, "Y": 0.1})
    assert study.belief.graphs.entropy() > 0.01
    assert (study.ask().why.graph == 0) == is_known


def test_it_believes_all_that_is_believed_but_for_sets_that_bring_nothing_of_their_own():
    belief = leaning(study_of(SMALL).belief, 0.4, 0.2, 0.4)
    assert SMALL.believe(belief) is belief
    sure = study_of(SMALL, question(graphs=prior(CHAIN))).belief
    assert SMALL.believe(sure).problem.sets == (("X",), ("Z",))  # X does nothing once Z is set


@pytest.mark.parametrize(
    "change",
    [{"fantasies": 8}, {"draws": 128}, {"beta": 3.0}, {"weights": "draws"}, {"graph_aware": False}],
    ids=str,
)
def test_every_option_has_an_effect(change):
    belief, base = study_of(SMALL).belief, replace(SMALL, weights="softmax")
    usual, changed = (m.propose([belief], Asking((0,))) for m in (base, replace(base, **change)))
    assert usual != changed


def test_points_are_for_each_set():
    belief = study_of(SMALL).belief
    one, other = (CEO(points=n, fantasies=4, draws=64).propose([belief], Asking((0,))) for n in (12, 13))
    assert one != other


def test_samples_planned_for_an_experiment_have_an_effect():
    belief = study_of(SMALL).belief
    one, many = (SMALL.propose([belief], Asking((0,), samples)) for samples in (1, 10))
    assert many.worth > one.worth
