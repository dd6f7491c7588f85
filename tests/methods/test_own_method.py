"""A researcher's own method: any value with a name and two functions."""

from dataclasses import dataclass

import pytest

from ceopt.domain.intervention import Intervention
from ceopt.errors import MethodError
from ceopt.methods import CBO, Method, Proposal
from tests.methods.worlds import SYSTEM, Fixed, Says, outcome, question, setting, study_of


def test_it_works_in_a_study_from_asking_to_recommending():
    study = study_of(setting(Z=0.8))
    one = study.ask()
    assert (one.do, one.gain, one.why.unit) == ({"Z": 0.8}, 0.75, "nats")
    assert (one.why.optimum, one.why.graph) == (0.5, 0.25)
    study.tell(one, outcome(one.do))
    best = study.optimize(SYSTEM, trials=3, progress=False)
    assert study.history()["do.Z"].tolist() == [0.8] * 3
    assert best.observed.do == {"Z": 0.8}


def test_it_is_known_by_its_shape_and_need_not_inherit():
    assert isinstance(Fixed(), Method)
    assert Fixed.__bases__ == (object,)


def test_it_is_handed_the_dice_and_the_samples_and_one_world_an_open_experiment():
    calls = []

    @dataclass(frozen=True)
    class Noting(Fixed):
        def propose(self, beliefs, asking):
            calls.append((len(beliefs), asking))
            return super().propose(beliefs, asking)

    study = study_of(Noting(), seed=7)
    study.ask(samples=3)
    study.ask(samples=5)
    (alone, first), (several, second) = calls
    assert (alone, several > 1) == (1, True)
    assert (first.samples, second.samples) == (3, 5)
    assert first.seed[0] == second.seed[0] == 7
    assert first.seed != second.seed


def test_what_it_believes_is_what_it_proposes_and_recommends_by():
    @dataclass(frozen=True)
    class Pinned(Fixed):
        def believe(self, belief):
            return CBO(graph="X -> Y").believe(belief)

        def propose(self, beliefs, asking):
            assert [graph.edges for graph in beliefs[0].graphs.graphs] == [{("X", "Y")}]
            return super().propose(beliefs, asking)

    study, known = study_of(Pinned()), study_of(CBO(graph="X -> Y"))
    study.ask()
    assert study.best().do == known.best().do
    assert study.best().mean == known.best().mean


NO_PROPOSALS = [None, {"Z": 0.5}, Intervention.of({"Z": 0.5}), ("Z", 0.5)]


@pytest.mark.parametrize("answer", NO_PROPOSALS, ids=str)
def test_what_is_no_proposal_is_refused_by_the_name_of_the_method(answer):
    study = study_of(Says(answer))
    with pytest.raises(MethodError, match=r"the method 'says' proposed .*, but a ceopt.methods.Proposal"):
        study.ask()
    assert study.status().open == ()


@pytest.mark.parametrize(
    ("do", "said"),
    [
        ({"Y": 0.0}, "proposed to set Y; the sets are X; Z"),
        ({"X": 0.0, "Z": 0.0}, "proposed to set X, Z; the sets are X; Z"),
        ({"Z": 2.001}, "proposed Z=2.001, which lies outside the domain"),
        ({"X": -99.0}, "proposed X=-99, which lies outside the domain"),
    ],
)
def test_what_cannot_be_done_is_refused_by_the_name_of_the_method(do, said):
    study = study_of(Says(Proposal(Intervention.of(do))), question(sets=[("X",), ("Z",)]))
    with pytest.raises(MethodError, match=f"the method 'says' {said}"):
        study.ask()
    assert study.status().open == ()


def test_a_level_beside_those_listed_is_refused():
    study = study_of(Says(Proposal(Intervention.of({"X": 0.4}))), question(domains={"X": [0, 0.5], "Z": [0]}))
    with pytest.raises(MethodError, match="outside the domain"):
        study.ask()
