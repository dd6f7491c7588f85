"""What to do for good, how sure that is, and what doing nothing would bring."""

from dataclasses import replace

import numpy as np
import pytest

from ceopt.answers.words import percent, said
from ceopt.methods import CBO
from ceopt.problems.scm import System, normal
from tests.methods.worlds import METHODS, SYSTEM, mirrored, outcome, question, seen, study_of

NOISY = System({**SYSTEM.equations, "Y": SYSTEM.equations["Y"]._replace(noise=normal(1.0))}, target="Y")


@pytest.fixture(scope="module")
def study():
    return study_of()


@pytest.fixture(scope="module")
def best(study):
    return study.best()


@pytest.fixture(scope="module")
def lucky():
    """Usual outcomes at several levels, most at the best one, and a lucky one where outcomes are worse."""
    study = study_of(observations=NOISY.sample(60, rng=3))
    for z, n in ((-1.0, 4), (0.0, 6), (0.2, 6), (1.0, 12), (2.0, 4)):
        study.tell(do={"Z": z}, outcome=NOISY.sample(n, do={"Z": z}, rng=4))
    study.tell(do={"Z": 0.1}, outcome=outcome({"Z": 0.1}, -1.5))
    return study


def test_before_anything_is_told_it_is_from_the_observations(study, best):
    assert list(best.do)[-1] == "Z"
    assert best.do["Z"] == pytest.approx(1.0, abs=0.3)
    assert best.observed is None
    assert study.problem.inside(best.intervention)


@pytest.mark.parametrize("method", METHODS)
def test_chances_are_by_the_text_of_the_set_and_sum_to_1(method):
    study = study_of(method)
    chances = study.best().probability
    sets = study.problem.sets
    assert set(chances.index) == {", ".join(one) for one in sets}
    assert (chances.index.name, chances.name) == ("set", "probability")
    assert chances.sum() == pytest.approx(1.0)
    assert chances.between(0, 1).all()
    assert chances.is_monotonic_decreasing


def test_a_set_that_can_do_more_is_likelier_to_be_best(best):
    assert best.probability["Z"] + best.probability["X, Z"] > 2 * best.probability["X"] > 0


@pytest.mark.parametrize("method", METHODS)
def test_the_interval_holds_the_mean(method):
    best = study_of(method).best()
    assert best.interval.lower < best.mean < best.interval.upper
    base = best.baseline
    assert base.interval.lower < base.mean < base.interval.upper


@pytest.mark.parametrize("method", METHODS)
def test_doing_nothing_brings_the_observed_mean_whatever_was_told(method):
    study, y = study_of(method), seen()["Y"]
    study.tell(do={"Z": 2.0}, outcome=outcome({"Z": 2.0}, 50.0))
    base = study.best().baseline
    assert base.mean == pytest.approx(y.mean())
    error = y.std(ddof=1) / np.sqrt(len(y))
    assert base.interval == pytest.approx((y.mean() - 1.645 * error, y.mean() + 1.645 * error), rel=1e-3)


def test_the_gain_is_how_much_better_than_doing_nothing():
    for study in mirrored("ceo"):
        best = study.best()
        assert best.baseline.gain == pytest.approx(abs(best.mean - best.baseline.mean))
        assert best.baseline.gain > 1
        assert best.baseline.probability > 0.8


def test_where_nothing_can_be_done_better_than_doing_nothing_is_a_coin():
    base = study_of(CBO(graph="X -> Z; Y")).best().baseline
    assert base.gain == pytest.approx(0, abs=0.01)
    assert base.probability == pytest.approx(0.5, abs=0.05)


def test_it_is_never_the_luckiest_outcome(lucky):
    best = lucky.best()
    assert best.observed.do == {"Z": 0.1}
    assert best.do["Z"] == pytest.approx(1.0, abs=0.4)
    assert best.mean > best.observed.mean


def test_observed_is_the_best_mean_told_and_counts_its_samples(lucky):
    seen_best = lucky.best().observed
    assert seen_best.samples == 1
    lucky_y = lucky.history()["Y"].iloc[-1]
    assert seen_best.mean == pytest.approx(lucky_y)


def test_rows_at_one_level_are_observed_as_their_mean():
    for study, sign in zip(mirrored("ceo"), (1, -1), strict=True):
        for y in (2.0, 4.0, 3.0):
            study.tell(do={"X": 0.5}, outcome=outcome({"X": 0.5}, sign * y))
        study.tell(do={"Z": 1.5}, outcome=outcome({"Z": 1.5}, sign * 3.5))
        observed = study.best().observed
        assert (observed.do, observed.samples) == ({"X": 0.5}, 3)
        assert observed.mean == pytest.approx(sign * 3.0)


def test_outcomes_move_it():
    study = study_of(problem=question(sets=[("X",)]))
    before = study.best().do["X"]
    for k, x in enumerate(np.linspace(-2, 2, 9)):
        for y in (-0.1, 0.1):
            row = SYSTEM.sample(1, do={"X": x}, rng=k).assign(Y=3 * (x + 1.5) ** 2 + y)
            study.tell(do={"X": x}, outcome=row)
    after = study.best()
    assert before > 0.3
    assert after.do["X"] == pytest.approx(-1.5, abs=0.4)


def test_of_two_sets_as_good_the_cheaper_is_recommended():
    """Nothing matters to the target, so every set is as good."""
    for cheap, dear in (("X", "Z"), ("Z", "X")):
        problem = question(cost={cheap: 1.0, dear: 2.0})
        assert tuple(study_of(CBO(graph="X -> Z; Y"), problem).best().do) == (cheap,)


def test_it_reads_as_what_to_do_and_how_sure_that_is(best, lucky):
    text = str(best)
    assert text.startswith(f"Set {said(best.intervention)}.\n")
    for fact in (best, best.baseline):
        assert f"{fact.mean:.4g} ({fact.interval}" in text
    assert f"{best.baseline.gain:.3g} on average" in text
    assert f"with probability {percent(best.baseline.probability)}, by" in text
    assert all(f"{name} {percent(p)}" in text for name, p in best.probability.items())
    assert "told" not in text
    observed = lucky.best().observed
    (line,) = [one for one in str(lucky.best()).splitlines() if "luck" in one]
    assert f"{observed.mean:.4g}, mean of 1, at Z = 0.1" in line


def test_warnings_are_read_at_the_end(best):
    text = str(replace(best, warnings=("beware", "mind the step"))).splitlines()
    assert text[-2:] == ["Warning: beware.", "Warning: mind the step."]


def test_asking_again_brings_the_same_answer(study, best):
    study.status()
    assert str(study.best()) == str(best)
    assert study.best().probability.equals(best.probability)
