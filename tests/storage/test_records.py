"""Problems, methods and suggestions read back as they were written; what is not text is asked for by name."""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.gaussian_process.kernels import RBF

import ceopt
from ceopt.acquisition.consequences import Settled
from ceopt.answers.suggestion import RunnerUp, Suggestion, Why
from ceopt.answers.units import Interval
from ceopt.domain.dataset import Dataset
from ceopt.domain.intervention import Intervention
from ceopt.errors import StorageError, StudyError
from ceopt.methods import CBO, CDCBO, CEO, MES, MI, Random
from ceopt.storage import records
from ceopt.storage.events import canonical
from tests.methods.worlds import Fixed
from tests.storage.worlds import QUICK, outcome, question, said, tell
from tests.strategies import law, problems, weighted_graphs


def through(record):
    """As it comes out of a database."""
    return json.loads(canonical(record))


def facts(problem):
    cost = problem.cost if callable(problem.cost) else canonical(records.of_problem(problem)["cost"])
    graphs = problem.graphs
    return (
        problem.target,
        problem.direction,
        {v: problem.domain(v) for v in problem.manipulable},
        graphs.graphs,
        graphs.log_weights.tobytes(),
        problem.sets,
        cost,
    )


@law
@given(problems())
def test_a_problem_reads_back_to_the_last_bit(problem):
    assert facts(records.to_problem(through(records.of_problem(problem)))) == facts(problem)


@law
@given(weighted_graphs().filter(lambda weighed: len(weighed.variables) > 1))
def test_a_prior_reads_back_to_the_last_bit(graphs):
    """Impossible graphs stay impossible, and weights are not normalised twice."""
    target, cause = next(iter(e[::-1] for g in graphs.graphs for e in g.edges), graphs.variables[:2])
    try:
        problem = ceopt.Problem(target=target, direction="minimize", domains={cause: (0, 1)}, graphs=graphs)
    except ceopt.errors.CeoptError:
        return  # it cannot be moved
    assert facts(records.to_problem(through(records.of_problem(problem)))) == facts(problem)


POSED = {
    "ranges": {},
    "steps": {"domains": {"x": (0.0, 1.0, 0.1), "z": (0, 3, 1)}},
    "levels": {"domains": {"x": [0.1, 0.2, 0.7], "z": [0.0]}},
    "two levels": {"domains": {"x": [0, 1], "z": (0, 1)}},
    "some sets": {"sets": [("z", "x"), ("x",)]},
    "dict cost": {"cost": {"x": 1, "z": np.float32(0.3)}},
    "number cost": {"cost": np.int64(3)},
    "to maximise": {"direction": "maximize"},
    "impossible graphs": {"graphs": ceopt.GraphPrior.from_graphs(["x -> y; z", "z -> y; x"], weights=[1, 0])},
    "many graphs": {
        "graphs": ceopt.GraphPrior.from_knowledge(variables=["x", "z", "y", "a-b?", "µ (mg/l)"], target="y")
    },
}


@pytest.mark.filterwarnings("ignore:.*cannot change")
@pytest.mark.parametrize("case", POSED)
def test_every_way_to_pose_a_problem_reads_back(case):
    problem = question(**POSED[case])
    assert facts(records.to_problem(through(records.of_problem(problem)))) == facts(problem)


def test_a_warning_about_a_problem_is_not_said_again_on_loading(sqlite):
    idle = ceopt.GraphPrior.from_graphs(["x -> y; z"])
    with pytest.warns(ceopt.errors.CeoptWarning, match="cannot change"):
        problem = question(graphs=idle)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sqlite.create(problem=problem)
        sqlite.load()


def test_data_reads_back_to_the_last_bit(rng):
    do = Intervention.of({"x": 0.1})
    rows = np.array([[0.1, np.nan, 1 / 3], [0.1, 2.0, -0.0]])
    data = Dataset(("x", "y", "z"), rng.normal(size=(5, 3)) * 1e-300, rows, (do, do))
    again = records.to_data(through(records.of_data(data)))
    assert again.variables == data.variables and again.interventions == data.interventions
    assert again.observations.tobytes() == data.observations.tobytes()
    np.testing.assert_array_equal(again.outcomes, data.outcomes)
    none = Dataset(("x", "y"), np.ones((2, 2)), np.empty((0, 2)), ())
    assert records.to_data(through(records.of_data(none))).outcomes.shape == (0, 2)


METHODS = [
    CEO(points=7, beta=0.25, graph_aware=False),
    CBO(graph="x -> y; x -> z"),
    CBO(graph=ceopt.GraphPrior.from_graphs(["x -> y; z"]).graphs[0]),
    CDCBO(discovery=MI(points=9), search=CBO(points=8)),
    CDCBO(),
    MES(draws=64),
    MI(),
    Random(),
]


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_a_method_of_ours_reads_back(method):
    again = records.to_method(through(records.of_method(method)), None)
    assert type(again) is type(method)
    assert records.of_method(again) == records.of_method(method)


def test_another_method_than_the_stored_one_is_refused(place):
    place.create(method=CBO(points=8))
    assert place.load(method=CBO(points=8)).method == CBO(points=8)
    with pytest.raises(StudyError, match=r"the study's method is CBO\(.*leave method= out"):
        place.load(method="ceo")


def test_a_method_of_ones_own_is_given_again(place):
    own = Fixed(name="mine")
    place.create(method=own)
    with pytest.raises(StudyError, match="the study's method 'mine' is not text: give it again, method="):
        place.load()
    assert place.load(method=own).ask().do


@dataclass(frozen=True)
class Better(CBO):
    """A researcher's method that kept its parent's name."""


def test_a_method_derived_from_ours_is_ones_own():
    record = through(records.of_method(Better()))
    with pytest.raises(StudyError, match="is not text: give it again"):
        records.to_method(record, None)
    assert records.to_method(record, Better()) == Better()


def test_an_unknown_method_of_ours_asks_for_an_upgrade():
    for record in ({"name": "newest", "options": {}}, {"name": "cbo", "options": {"speed": 3}}):
        with pytest.raises(StudyError, match=r"does not know the study's method .*upgrade"):
            records.to_method(record, None)


def test_a_cost_function_is_given_again(place):
    def cost(do):
        return 1.0 + do.get("x", 0.0)

    study = place.create(problem=question(cost=cost))
    tell(study)
    with pytest.raises(StudyError, match=r"the cost of 'study' is a function, which is not stored: .*cost="):
        place.load()
    again = place.load(cost=cost)
    assert said(again) == said(study)
    assert (again.spent, again.problem.price(Intervention.of({"x": 0.25}))) == (1.5, 1.25)


def test_a_cost_that_is_stored_is_not_given(place):
    place.create()
    with pytest.raises(StudyError, match="the cost of 'study' is stored; leave cost= out"):
        place.load(cost=2.0)


def test_a_kernel_is_given_again(place):
    kernel = RBF(0.5)
    place.create(mechanisms=ceopt.Mechanisms(kernel=kernel, restarts=1, draws=2, points=1))
    with pytest.raises(StudyError, match="the study's kernel is not text: give it again, kernel="):
        place.load()
    assert place.load(kernel=kernel).mechanisms.kernel == kernel


def test_a_kernel_is_not_given_where_there_was_none(place):
    place.create()
    with pytest.raises(StudyError, match="has the default kernel, but got kernel="):
        place.load(kernel=RBF(0.5))


def test_settings_of_mechanisms_read_back():
    settings = ceopt.Mechanisms(
        restarts=2, max_rows=50, score="maximum", noise_floor=1e-4, tempering=0.3, band="total", seed=9
    )
    assert records.to_mechanisms(through(records.of_mechanisms(settings)), None) == settings


REALS = st.floats(allow_nan=False)
LEVELS = st.floats(allow_nan=False, allow_infinity=False)
DOS = st.dictionaries(st.sampled_from(["x", "z", "µ (mg/l)"]), LEVELS.map(lambda x: x + 0.0), min_size=1)
WHYS = st.builds(
    Why,
    REALS,
    REALS,
    st.text(max_size=5),
    st.lists(st.builds(RunnerUp, DOS, REALS), max_size=2).map(tuple),
    st.lists(st.builds(Settled, st.text(), st.text(), REALS, REALS), max_size=2).map(tuple),
    st.none() | st.tuples(REALS, st.builds(Interval, REALS, REALS)),
    st.none() | REALS,
    REALS,
    st.text(max_size=5),
    st.lists(st.text(), max_size=2).map(tuple),
    st.text(),
)
SUGGESTIONS = st.builds(
    Suggestion, st.integers(0), DOS.map(Intervention.of), LEVELS, LEVELS, WHYS, st.integers(1)
)


@law
@given(SUGGESTIONS)
def test_a_suggestion_reads_back_with_all_its_reasons(one):
    assert records.to_suggestion(through(records.of_suggestion(one))) == one


def test_a_reason_that_is_no_number_reads_back():
    why = Why(np.nan, np.inf, "nats", improvement=-np.inf, predicted=(np.nan, Interval(-np.inf, np.inf)))
    one = Suggestion(0, Intervention.of({"x": 1.0}), 1.0, 0.0, why)
    assert repr(records.to_suggestion(through(records.of_suggestion(one))).why) == repr(why)


@pytest.mark.parametrize("method", [CEO(points=8, fantasies=4, draws=32), CBO(points=8), Random()], ids=repr)
def test_what_was_asked_is_open_with_its_reasons_once_loaded(sqlite, method):
    asked = sqlite.create(method=method).ask(2, samples=np.int64(3))
    assert list(sqlite.load().status().open) == asked
    assert [str(one) for one in sqlite.load().status().open] == [str(one) for one in asked]


def test_past_interventions_read_back(place):
    rows = pd.DataFrame([outcome({"z": 1.0}), *([outcome({"z": k / 5}) for k in range(5)])])
    rows["x"] = np.linspace(0, 1, 6)
    rows["y"] = np.linspace(1, 0, 6)
    rows["intervention_targets"] = ["z", *([""] * 5)]
    study = place.create(observations=rows)
    assert said(place.load()) == said(study)
    assert (study.trials, study.history()["status"].tolist()) == (0, ["imported"])


@pytest.mark.parametrize("seed", [0, 3])
def test_the_seed_reads_back(place, seed):
    study = place.create(seed=seed, mechanisms=QUICK)
    assert place.load().mechanisms == study.mechanisms
    assert place.load().mechanisms.seed == seed


def test_an_event_of_a_newer_kind_asks_for_an_upgrade(place):
    from ceopt.storage.events import Draft, Tip

    study = place.create()
    study._log.append(Tip(1, study.audit()["digest"][0]), lambda _: [Draft("forked", {})])
    with pytest.raises(StorageError, match="event 2 is of a newer kind, 'forked'; upgrade ceopt"):
        place.load()
