"""A study as its user meets it: told outcomes, and what is believed after."""

import numpy as np
import pandas as pd
import pytest
from sklearn.gaussian_process.kernels import RBF

import ceopt
from ceopt.errors import CeoptError, CeoptWarning, OutcomeError, ProblemError, StudyError

DOMAINS = {"aspirin": (0, 1), "statin": (0, 1)}


def knowledge():
    return ceopt.GraphPrior.from_knowledge(
        variables=["aspirin", "statin", "psa"], undecided=["statin ?> psa", "aspirin ?> psa"]
    )


def question(**changed):
    asked = {"target": "psa", "direction": "minimize", "domains": DOMAINS, "graphs": knowledge()}
    return ceopt.Problem(**{**asked, **changed})


@pytest.fixture
def observations(rng):
    aspirin, statin = rng.uniform(size=(2, 60))
    psa = 5 - 2 * statin + 0.3 * rng.normal(size=60)
    return pd.DataFrame({"statin": statin, "psa": psa, "aspirin": aspirin})


@pytest.fixture
def study(observations):
    return ceopt.create_study(question(), observations=observations, name="psa")


def outcome(statin=0.5, psa=4.0, aspirin=0.5):
    return {"statin": statin, "psa": psa, "aspirin": aspirin}


def test_the_graph_posterior_is_sorted_sums_to_one_and_names_the_graphs(study):
    posterior = study.graph_posterior()
    assert set(posterior.index) == {
        "aspirin -> psa; statin -> psa",
        "aspirin -> psa; statin",
        "statin -> psa; aspirin",
        "aspirin; psa; statin",
    }
    assert posterior.sum() == pytest.approx(1.0)
    assert posterior.is_monotonic_decreasing
    assert posterior.index[0] == "statin -> psa; aspirin"


def test_edge_probabilities_are_sums_of_the_posterior(study):
    posterior, edges = study.graph_posterior(), study.edge_probabilities()
    expected = sum(p for text, p in posterior.items() if "statin -> psa" in text)
    assert edges.loc["statin", "psa"] == pytest.approx(expected)
    assert edges.loc["psa", "statin"] == 0
    assert (edges.index.name, edges.columns.name) == ("cause", "effect")


def test_an_effect_is_near_the_truth_and_its_interval_around_it(study):
    effect = study.effect("statin", levels=[0.1, 0.5, 0.9])
    assert effect.columns.tolist() == ["statin", "mean", "lower", "upper"]
    np.testing.assert_allclose(effect["mean"], [4.8, 4.0, 3.2], atol=0.2)
    assert (effect["lower"] < effect["mean"]).all()
    np.testing.assert_allclose(effect["upper"] - effect["mean"], effect["mean"] - effect["lower"])


def test_outcomes_move_an_effect_and_narrow_it(study):
    before = study.effect("aspirin", levels=[0.5])
    for psa in (6.9, 7.0, 7.1, 7.0):
        study.tell(do={"aspirin": 0.5}, outcome=outcome(psa=psa))
    after = study.effect("aspirin", levels=[0.5])
    assert before["mean"][0] < 4.5 < 5.0 < after["mean"][0]
    assert np.ptp(after[["lower", "upper"]]) < 2 * np.ptp(before[["lower", "upper"]])


@pytest.mark.parametrize(
    "levels",
    [[[0.2, 0.7], [0.1, 0.3]], pd.DataFrame({"aspirin": [0.7, 0.3], "statin": [0.2, 0.1]})],
    ids=["array", "frame"],
)
def test_levels_keep_their_order_and_go_to_the_variable_that_is_named(study, levels):
    received = study.effect(("statin", "aspirin"), levels=levels)
    assert received["statin"].tolist() == [0.2, 0.1]
    assert received["aspirin"].tolist() == [0.7, 0.3]


def test_without_levels_the_domain_is_covered(study):
    one, two = study.effect("statin"), study.effect(["statin", "aspirin"])
    assert (one["statin"].min(), one["statin"].max(), len(one)) == (0, 1, 51)
    assert len(two) == 21 * 21
    stepped = question(domains={"aspirin": (0, 1, 0.5), "statin": [0, 0.2, 1]})
    listed = ceopt.create_study(stepped, observations=study_data(study)).effect(["aspirin", "statin"])
    assert listed[["aspirin", "statin"]].to_numpy().tolist() == [
        [a, s] for a in (0, 0.5, 1) for s in (0, 0.2, 1)
    ]


def study_data(study):
    return pd.DataFrame(study.belief.data.observations, columns=study.problem.variables)


def test_to_maximise_is_to_minimise_the_negated_target(observations):
    turned = observations.assign(psa=-observations["psa"])
    down = ceopt.create_study(question(), observations=observations)
    up = ceopt.create_study(question(direction="maximize"), observations=turned)
    for study, sign in ((down, 1), (up, -1)):
        study.tell(do={"statin": 1.0}, outcome=outcome(statin=1.0, psa=sign * 3.1))
    pd.testing.assert_series_equal(up.graph_posterior(), down.graph_posterior())
    one, other = down.effect("statin"), up.effect("statin")
    np.testing.assert_array_equal(one["mean"], -other["mean"])
    np.testing.assert_array_equal(one["lower"], -other["upper"])


def test_history_has_a_row_a_sample(study):
    first = study.tell(do={"statin": 0.9}, outcome=outcome(statin=0.9, psa=3.2))
    both = pd.DataFrame([outcome(psa=4.1), outcome(psa=3.9)])
    second = study.tell(do={"aspirin": 0.5, "statin": 0.5}, outcome=both)
    history = study.history()
    assert history["id"].tolist() == [first, second, second]
    assert history["set"].tolist() == ["statin", "aspirin, statin", "aspirin, statin"]
    assert history["do.statin"].tolist() == [0.9, 0.5, 0.5]
    assert history["do.aspirin"].isna().tolist() == [True, False, False]
    assert history["psa"].tolist() == [3.2, 4.1, 3.9]
    assert history["cost"].tolist() == [1, 2, 2]
    assert history["status"].tolist() == ["told"] * 3
    assert history["time"].is_monotonic_increasing


def test_history_is_empty_but_typed_before_anything_is_told(study):
    history = study.history()
    assert len(history) == 0
    assert str(history["time"].dtype).startswith("datetime64")


def test_past_interventions_may_come_with_the_observations(observations):
    past = pd.DataFrame([{**outcome(statin=1.0, psa=3.0), "intervention_targets": "statin"}])
    frame = pd.concat([observations.assign(intervention_targets=""), past])
    imported = ceopt.create_study(question(), observations=frame)
    told = ceopt.create_study(question(), observations=observations)
    told.tell(do={"statin": 1.0}, outcome=outcome(statin=1.0, psa=3.0))
    pd.testing.assert_series_equal(imported.graph_posterior(), told.graph_posterior())
    assert imported.history()["status"].tolist() == ["imported"]
    assert imported.history()["time"].isna().all()


REFUSED = {
    "an unknown variable": ({"statn": 0.5}, outcome(), OutcomeError, "did you mean 'statin'"),
    "the target": ({"psa": 0.5}, outcome(), OutcomeError, "psa"),
    "nothing set": ({}, outcome(), OutcomeError, "an intervention sets a variable"),
    "no target": ({"statin": 0.5}, {"statin": 0.5}, OutcomeError, "psa"),
    "a target that is NaN": ({"statin": 0.5}, outcome(psa=float("nan")), OutcomeError, "psa"),
    "text": ({"statin": 0.5}, outcome(psa="low"), OutcomeError, "low"),
    "another level": ({"statin": 0.6}, outcome(), OutcomeError, "statin"),
    "an unknown column": ({"statin": 0.5}, {**outcome(), "page": 3}, OutcomeError, "page"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_refused_outcome_is_named_and_changes_nothing(case, study):
    do, told, error, named = REFUSED[case]
    study.tell(do={"statin": 0.5}, outcome=outcome())
    before, posterior = study.history(), study.graph_posterior()
    with pytest.raises(error, match=named):
        study.tell(do=do, outcome=told)
    pd.testing.assert_frame_equal(study.history(), before)
    pd.testing.assert_series_equal(study.graph_posterior(), posterior)


def test_only_the_target_need_be_measured_and_that_is_said_once(study):
    with pytest.warns(CeoptWarning, match="aspirin"):
        study.tell(do={"statin": 0.5}, outcome={"psa": 4.0})
    assert study.history()["aspirin"].isna().tolist() == [True]
    assert study.graph_posterior().sum() == pytest.approx(1.0)


def test_a_level_outside_the_domain_is_recorded_as_it_was(study):
    with pytest.warns(CeoptWarning, match="'statin' was set to 1.4, which is outside its domain"):
        study.tell(do={"statin": 1.4}, outcome=outcome(statin=1.4, psa=2.2))
    assert study.history()["do.statin"].tolist() == [1.4]
    assert np.isfinite(study.effect("statin")["mean"]).all()


@pytest.mark.parametrize("asked", ["age", "psa", ("statin", "age"), ()])
def test_an_effect_of_no_set_is_refused(study, asked):
    with pytest.raises(
        StudyError, match="not a set of this study; its sets are aspirin; statin; aspirin, statin"
    ):
        study.effect(asked)


def test_a_misspelt_set_gets_a_hint(study):
    with pytest.raises(StudyError, match="did you mean 'aspirin, statin'"):
        study.effect(["statn", "aspirin"])


@pytest.mark.parametrize("asked", [None, 5, {"statin": 0.3}])
def test_what_names_no_variables_is_refused(study, asked):
    with pytest.raises(StudyError, match=r"a name or a list of names; levels go into levels="):
        study.effect(asked)


@pytest.mark.parametrize(
    ("levels", "named"),
    [
        ("high", "all numbers"),
        ([[1, 2, 3]], "1 column"),
        ([np.nan], "finite"),
        (pd.DataFrame({"x": [1]}), "'statin'"),
    ],
)
def test_levels_that_are_none_are_refused(study, levels, named):
    with pytest.raises(StudyError, match=named):
        study.effect("statin", levels=levels)


def test_a_study_wants_a_problem(observations):
    with pytest.raises(ProblemError, match=r"ceopt\.Problem, but got str"):
        ceopt.create_study("psa", observations=observations)


def test_every_error_is_a_ceopt_error():
    assert all(issubclass(error, CeoptError) for error in (OutcomeError, ProblemError, StudyError))


def test_a_study_says_what_it_is(study):
    study.tell(do={"statin": 0.9}, outcome=outcome(statin=0.9))
    assert repr(study) == "<Study 'psa': minimize psa, 60 observations, 1 told>"


@pytest.mark.parametrize(
    ("choice", "named"),
    [
        ({"restarts": 0}, "restarts= is a whole number from 1"),
        ({"max_rows": 1.5}, "max_rows= is a whole number"),
        ({"score": "bic"}, "score= is one of laplace, maximum"),
        ({"band": "all"}, "band= is one of knowledge, total"),
        ({"noise_floor": 0}, "noise_floor= is a number above 0"),
        ({"tempering": 2}, "tempering= is a number above 0 and at most 1"),
        ({"draws": 3}, "draws= is even"),
        ({"points": 48}, "power of two"),
        ({"kernel": "rbf"}, "kernel= is None, a scikit-learn kernel"),
        ({"kernel": RBF}, "kernel= is None, a scikit-learn kernel"),
    ],
)
def test_choices_of_mechanisms_are_checked(choice, named):
    with pytest.raises(ProblemError, match=named):
        ceopt.Mechanisms(**choice)


@pytest.mark.parametrize(
    ("choice", "named"),
    [
        ({"mechanisms": {"max_rows": 10}}, r"mechanisms= is a ceopt\.Mechanisms"),
        ({"mechanisms": ceopt.Mechanisms}, r"mechanisms= is a ceopt\.Mechanisms"),
        ({"name": ""}, "name= is a text"),
        ({"name": 5}, "name= is a text"),
        ({"seed": -1}, "seed= is a whole number"),
        ({"seed": "a"}, "seed= is a whole number"),
    ],
)
def test_arguments_of_a_study_are_checked(observations, choice, named):
    with pytest.raises(CeoptError, match=named):
        ceopt.create_study(question(), observations=observations, **choice)


def test_the_seed_is_that_of_all_monte_carlo(observations):
    def curve(**choice):
        graphs = ceopt.GraphPrior.from_graphs(["aspirin -> statin; statin -> psa"])
        study = ceopt.create_study(question(graphs=graphs), observations=observations, **choice)
        return study.effect("aspirin", levels=[0.3])["mean"][0]

    assert curve(seed=3) == curve(mechanisms=ceopt.Mechanisms(seed=3))
    assert curve(seed=3, mechanisms=ceopt.Mechanisms(seed=5)) == curve(seed=3)
    assert curve() == curve(seed=0) != curve(seed=3)


def test_a_price_that_cannot_be_had_refuses_the_outcome(observations):
    def cost(do):
        return 1.0 if do.get("statin", 0) <= 1 else -1.0

    study = ceopt.create_study(question(cost=cost), observations=observations)
    with pytest.raises(CeoptError, match="cost"):
        study.tell(do={"statin": 1.5}, outcome=outcome(statin=1.5))
    assert len(study.history()) == 0


def test_variables_named_like_columns_of_a_result_keep_their_values(rng):
    graphs = ceopt.GraphPrior.from_graphs(["time -> cost; mean -> cost"])
    problem = ceopt.Problem(
        target="cost", direction="minimize", domains={"time": (0, 1), "mean": (0, 1)}, graphs=graphs, cost=3.0
    )
    frame = pd.DataFrame(rng.uniform(size=(20, 3)), columns=["time", "mean", "cost"])
    study = ceopt.create_study(problem, observations=frame)
    study.tell(do={"time": 0.5}, outcome={"time": 0.5, "mean": 0.1, "cost": 0.7})
    history = study.history()
    assert history[["measured.time", "mean", "measured.cost", "cost"]].to_numpy().tolist() == [
        [0.5, 0.1, 0.7, 3.0]
    ]
    assert history["time"].notna().all()
    assert study.effect("mean", levels=[0.2]).columns.tolist() == ["do.mean", "mean", "lower", "upper"]
    assert study.effect("mean", levels=[0.2])["do.mean"].tolist() == [0.2]
