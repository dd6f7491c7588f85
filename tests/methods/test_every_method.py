"""Laws that hold whatever the method."""

import numpy as np
import pandas as pd
import pytest

from ceopt.acquisition.pending import Open, worlds
from ceopt.domain.intervention import Intervention
from ceopt.methods import Asking
from tests.methods.worlds import INFORMED, METHODS, mirrored, outcome, question, seen, study_of

every_method = pytest.mark.parametrize("method", METHODS)
TOLD = (({"Z": 0.5}, 1.2), ({"X": -1.0}, 7.0))


def doing(suggestion):
    """All that two suggestions share when they are the same but for the sign of the target."""
    why = suggestion.why
    runners = [(one.do, one.gain) for one in why.runners_up]
    return suggestion.do, suggestion.gain, suggestion.cost, why.optimum, why.graph, why.edges, runners


@every_method
def test_to_maximise_proposes_what_to_minimise_the_negated_target_does(method):
    down, up = mirrored(method)
    for one, other in zip(down.ask(2), up.ask(2), strict=True):
        assert doing(one) == doing(other)
        assert one.why.improvement == pytest.approx(other.why.improvement)
        mean, (lower, upper) = other.why.predicted
        assert one.why.predicted == (pytest.approx(-mean), pytest.approx((-upper, -lower)))


@every_method
def test_what_is_proposed_from_told_rows_is_mirrored_too(method):
    def proposal(study):
        own = study.method.believe(study.belief)
        waiting = [Open(Intervention.of({"Z": -1.0}))]
        return study.method.propose(worlds(own, waiting, (3,)), Asking((3,)))

    down, up = mirrored(method, TOLD)
    assert proposal(down) == proposal(up)


@every_method
def test_a_recommendation_is_mirrored(method):
    down, up = (study.best() for study in mirrored(method, TOLD))
    assert down.do == up.do
    assert down.mean == pytest.approx(-up.mean)
    assert down.interval == pytest.approx((-up.interval.upper, -up.interval.lower))
    assert down.baseline.mean == pytest.approx(-up.baseline.mean)
    assert down.baseline.gain == pytest.approx(up.baseline.gain)
    assert down.baseline.probability == pytest.approx(up.baseline.probability)


def asked(method, seed=0, looking=False):
    """Two suggestions, one told and one open, then one more; looking around in between changes nothing."""
    study = study_of(method, seed=seed)
    if looking:
        study.effect("Z")
        study.best()
    first, _second = study.ask(2)
    if looking:
        study.status()
    study.tell(first, outcome(first.do))
    if looking:
        study.best()
        study.graph_posterior()
        study.history()
    return study.ask()


@every_method
def test_the_same_seed_rows_and_open_suggestions_bring_the_same_suggestion(method):
    assert repr(vars(asked(method))) == repr(vars(asked(method, looking=True)))


@every_method
def test_a_suggestion_does_not_depend_on_how_the_rows_came_to_be_told(method):
    asking, telling = study_of(method), study_of(method)
    first = asking.ask()
    asking.tell(first, outcome(first.do))
    telling.tell(do=first.do, outcome=outcome(first.do))
    assert repr(vars(asking.ask())) == repr(vars(telling.ask()))


@pytest.mark.parametrize("method", ["random", *INFORMED])
def test_another_seed_brings_another_suggestion(method):
    one, other = (study_of(method, seed=seed).ask() for seed in (0, 1))
    assert (one.do, one.gain) != (other.do, other.gain)


DOMAINS = {
    "continuous": {"X": (-2.0, 2.0), "Z": (-1.0, 0.7)},
    "stepped": {"X": (-2.0, 2.0, 0.5), "Z": (-1.0, 2.0, 0.75)},
    "listed": {"X": [-1.5, 0.1, 1.9], "Z": [0.3]},
    "mixed": {"X": (0.0, 0.1), "Z": [-2, 0, 1]},
}


@every_method
@pytest.mark.parametrize("domains", DOMAINS)
def test_proposals_and_recommendations_lie_in_a_set_and_in_its_domain(method, domains):
    problem = question(domains=DOMAINS[domains], sets=[("X",), ("X", "Z")])
    study = study_of(method, problem)
    allowed = {v: problem.domain(v) for v in problem.manipulable}
    for one in (*study.ask(2), study.best()):
        assert tuple(one.do) in problem.sets
        assert problem.inside(one.intervention)
        for v, level in one.do.items():
            assert allowed[v].levels is None or level in allowed[v].levels


COSTS = {
    "a number": 2.5,
    "by name": {"X": 0.5, "Z": 4.0},
    "a function": lambda do: 1.0 + sum(abs(level) for level in do.values()),
}


@every_method
@pytest.mark.parametrize("cost", COSTS)
def test_the_cost_is_the_price_of_what_is_done(method, cost):
    problem = question(cost=COSTS[cost])
    one = study_of(method, problem).ask()
    assert one.cost == one.why.price == problem.price(one.intervention)


@pytest.mark.parametrize("method", [*INFORMED, "cbo"])
@pytest.mark.parametrize("cost", COSTS)
def test_a_gain_is_for_each_unit_of_cost(method, cost):
    one = study_of(method, question(cost=COSTS[cost])).ask()
    assert one.why.unit == ("sd of the target" if method == "cbo" else "nats")
    assert one.why.optimum + one.why.graph == pytest.approx(one.gain * one.cost)


@pytest.mark.parametrize("method", ["ceo", "cbo", "mi"])
def test_what_costs_a_thousand_times_as_much_is_not_done(method):
    cheap_x = study_of(method, question(cost={"X": 1.0, "Z": 1000.0})).ask()
    cheap_z = study_of(method, question(cost={"X": 1000.0, "Z": 1.0})).ask()
    assert (list(cheap_x.do), list(cheap_z.do)) == (["X"], ["Z"])


def constant(column, at):
    return seen().assign(**{column: at})


ODD = {
    "no noise": seen().assign(Z=lambda d: d["X"], Y=lambda d: (d["X"] - 1) ** 2),
    "a constant cause": constant("X", 0.5),
    "a constant middle": constant("Z", 0.0),
    "a constant target": constant("Y", 5.0),
    "duplicate rows": pd.concat([seen(5)] * 6),
    "two rows": seen(2),
    "a large target": seen().assign(Y=lambda d: 1e6 * d["Y"]),
    "a target far from 0": seen().assign(Y=lambda d: 1e6 + d["Y"]),
    "a large cause": seen().assign(X=lambda d: 1e6 * d["X"]),
}


@every_method
@pytest.mark.filterwarnings("ignore:columns that never vary")
@pytest.mark.parametrize("data", ODD)
def test_odd_data_bring_finite_numbers(method, data):
    wide = {"X": (-2e6, 2e6), "Z": (-2.0, 2.0)}
    problem = question(**({"domains": wide} if data == "a large cause" else {}))
    study = study_of(method, problem, ODD[data])
    usual = ODD[data].mean().to_dict()
    one = study.ask()
    study.tell(one, {**usual, **one.do})
    assert "failed" not in one.why.reason and "could not" not in one.why.reason
    predicted, interval = one.why.predicted
    assert np.isfinite([one.gain, one.why.optimum, one.why.graph, one.why.improvement]).all()
    assert np.isfinite([*one.do.values(), predicted, *interval]).all()
    best = study.best()
    assert np.isfinite([*best.do.values(), best.mean, *best.interval, *best.probability]).all()
    base = best.baseline
    assert np.isfinite([base.mean, *base.interval, base.gain, base.probability]).all()


@every_method
def test_samples_are_planned_and_said(method):
    assert [one.samples for one in study_of(method).ask(2, samples=10)] == [10, 10]


@pytest.mark.parametrize("name", METHODS)
def test_after_outcomes_too_maximising_proposes_what_minimising_the_negated_target_does(name):
    down, up = mirrored(name, [({"Z": 0.0}, 2.1), ({"X": 1.0}, 0.4)])
    one, other = down.ask(), up.ask()
    assert (one.do, one.gain) == (other.do, other.gain)
