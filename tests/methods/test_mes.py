"""Max-value entropy search without causes."""

import numpy as np
import pytest

from ceopt.methods import MES
from tests.methods.worlds import METHODS, outcome, question, seen, study_of

SMALL = METHODS["mes"]


@pytest.mark.parametrize(
    ("sets", "largest"),
    [
        (None, {("X", "Z")}),
        ([("X",), ("Z",)], {("X",), ("Z",)}),
        ([("X",), ("X", "Z")], {("X", "Z")}),
        ([("Z",)], {("Z",)}),
    ],
)
def test_it_sets_all_that_can_be_set_together(sets, largest):
    study = study_of(SMALL, question(sets=sets))
    assert set(SMALL.believe(study.belief).surrogates) == largest
    assert {tuple(one.do) for one in study.ask(2)} <= largest
    assert tuple(study.best().do) in largest


def test_it_models_the_target_alone():
    study = study_of(SMALL)
    own, levels = SMALL.believe(study.belief), np.array([[-2.0, -2.0], [0.0, 1.0], [2.0, 2.0]])
    assert own.graphs.edge_probabilities().sum() == 0
    assert np.ptp(own.marginals(("X", "Z"), levels).mean) == 0
    assert study.best().mean == pytest.approx(seen()["Y"].mean())


def test_its_mean_moves_where_something_was_told():
    study = study_of(SMALL)
    for k in range(3):
        study.tell(do={"X": 0.0, "Z": 1.0}, outcome=outcome({"X": 0.0, "Z": 1.0}, -3.0, rng=k))
    near, far = SMALL.believe(study.belief).marginals(("X", "Z"), np.array([[0.0, 1.0], [-2.0, -2.0]])).mean
    assert near < far


def test_it_gains_about_the_optimum_alone():
    assert study_of(SMALL).ask().why.graph == 0


@pytest.mark.parametrize("change", [{"fantasies": 24}, {"draws": 150}, {"points": 30}], ids=str)
def test_every_option_has_an_effect(change):
    usual = {"points": 24, "fantasies": 16, "draws": 128}
    one, other = (study_of(MES(**{**usual, **more})).ask() for more in ({}, change))
    assert (one.do, one.gain) != (other.do, other.gain)
