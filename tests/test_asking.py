"""Asking and telling as a user meets them: suggestions are open until told, and a mistake uses none up."""

import numpy as np
import pandas as pd
import pytest

import ceopt
from ceopt.answers.suggestion import Suggestion
from ceopt.errors import CeoptError, OutcomeError, StudyError
from tests.methods.worlds import METHODS, SYSTEM, outcome, question, seen, setting, study_of

unmeasured = pytest.mark.filterwarnings("ignore:not measured in some outcomes")


@pytest.fixture
def study():
    return study_of("random")


def test_one_suggestion_or_a_list(study):
    assert isinstance(study.ask(), Suggestion)
    assert [type(one) for one in study.ask(1)] == [Suggestion]
    assert [one.id for one in study.ask(n=3)] == [2, 3, 4]
    assert [one.id for one in study.status().open] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("method", ["ceo", "mes", "random"])
def test_a_batch_does_not_repeat_itself_nor_what_is_open(method):
    study = study_of(method)
    batch = [*study.ask(n=3), study.ask()]
    assert len({one.intervention for one in batch}) == 4


@pytest.mark.parametrize("method", METHODS)
def test_what_is_open_is_taken_into_account(method):
    """The second is not what a study without the first would have asked next, or it promises less."""
    one, other = study_of(method).ask(2)
    assert (one.do, one.gain) != (other.do, other.gain)


def test_a_batch_is_what_asking_one_by_one_brings(study):
    again = study_of("random")
    assert study.ask(3) == [again.ask(), again.ask(), again.ask()]


@pytest.mark.parametrize(
    ("counts", "named"),
    [
        ({"n": 0}, "n="),
        ({"n": True}, "n="),
        ({"n": 1.5}, "n="),
        ({"n": -1}, "n="),
        ({"samples": 0}, "samples="),
    ],
)
def test_counts_are_checked_and_nothing_is_opened(study, counts, named):
    with pytest.raises(StudyError, match=f"^{named} is a whole number from 1 up, but got "):
        study.ask(**counts)
    assert study.status().open == ()


@pytest.mark.parametrize("by", ["suggestion", "id"])
def test_an_outcome_is_told_by_suggestion_or_by_id(study, by):
    first, second = study.ask(2)
    number = study.tell(second if by == "suggestion" else second.id, outcome(second.do, 3.5))
    assert number == second.id
    assert study.status().open == (first,)
    history = study.history()
    assert history["id"].tolist() == [second.id]
    assert history["Y"].tolist() == [3.5]
    assert history["cost"].tolist() == [second.cost]
    for name, level in second.do.items():
        assert history[f"do.{name}"].tolist() == [level]
        assert history[name].tolist() == [level]


def test_a_late_outcome_is_accepted(study):
    first, second = study.ask(2)
    study.tell(second, outcome(second.do))
    third = study.ask()
    study.tell(third, outcome(third.do))
    study.tell(first, outcome(first.do))
    assert study.history()["id"].tolist() == [1, 2, 0]
    assert study.status().open == ()


def test_numbers_are_never_given_twice(study):
    asked = study.ask()
    told = study.tell(do={"Z": 0.5}, outcome=outcome({"Z": 0.5}))
    after = study.ask()
    study.tell(after, outcome(after.do))
    assert [asked.id, told, after.id, study.ask().id] == [0, 1, 2, 3]


def test_numbers_go_on_from_the_past_that_came_with_the_data():
    rows = seen().assign(intervention_targets="")
    rows.loc[len(rows)] = {**outcome({"Z": 1.0}), "intervention_targets": "Z"}
    study = study_of("random", observations=rows)
    one = study.ask()
    assert one.id == 1
    with pytest.raises(StudyError, match="suggestion 0 has been told already; open: 1"):
        study.tell(0, outcome({"Z": 1.0}))


@pytest.mark.parametrize("n", [1, 10])
def test_an_outcome_may_have_many_rows(study, n):
    one = study.ask(samples=10)
    study.tell(one, SYSTEM.sample(n, do=one.do, rng=2))
    assert study.history()["id"].tolist() == [one.id] * n
    assert (study.trials, study.spent) == (1, one.cost)
    assert study.status().open == ()


@pytest.mark.parametrize("kind", ["mapping", "series", "frame"])
def test_an_outcome_is_a_mapping_a_series_or_a_frame(kind, study):
    one = study.ask()
    row = outcome(one.do, 2.5)
    told = {"mapping": row, "series": pd.Series(row), "frame": pd.DataFrame([row])}[kind]
    study.tell(one, told)
    assert study.history()["Y"].tolist() == [2.5]


def whole(study, **changed):
    (one,) = study.status().open
    return {**outcome(one.do), **changed}


REFUSED = {
    "no outcome": (lambda s: s.tell(0), StudyError, "tell wants a suggestion and its outcome"),
    "nothing": (lambda s: s.tell(), StudyError, "tell wants a suggestion and its outcome"),
    "an outcome alone": (lambda s: s.tell(outcome=whole(s)), StudyError, "or do={...} and outcome="),
    "do without outcome": (lambda s: s.tell(do={"Z": 1.0}), StudyError, "tell wants a suggestion"),
    "an unknown id": (
        lambda s: s.tell(7, whole(s)),
        StudyError,
        "suggestion 7 is not one of this study; open: 0",
    ),
    "no id": (lambda s: s.tell("0", whole(s)), StudyError, "'0'"),
    "NaN": (lambda s: s.tell(0, whole(s, Y=np.nan)), OutcomeError, "the target 'Y' was not measured"),
    "infinite": (lambda s: s.tell(0, whole(s, Y=np.inf)), OutcomeError, "Y"),
    "text": (lambda s: s.tell(0, whole(s, Y="low")), OutcomeError, "low"),
    "no target": (lambda s: s.tell(0, {"X": 1.0}), OutcomeError, "Y"),
    "an unknown column": (lambda s: s.tell(0, whole(s, page=3)), OutcomeError, "page"),
    "a misspelt column": (lambda s: s.tell(0, {"Y": 1.0, "x": 1.0}), OutcomeError, "x"),
    "another level": (
        lambda s: s.tell(0, whole(s, Z=1.5, X=1.5)),
        OutcomeError,
        "was to be set to",
    ),
    "no rows": (lambda s: s.tell(0, pd.DataFrame({"Y": []})), OutcomeError, ""),
    "a number": (lambda s: s.tell(0, 1.5), OutcomeError, "an outcome is a mapping such as {'Y': 1.5}"),
    "one bad row of three": (
        lambda s: s.tell(0, pd.DataFrame([whole(s), whole(s, Y=np.nan), whole(s)])),
        OutcomeError,
        "row 1",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_refused_outcome_leaves_the_suggestion_open_and_history_as_it_was(study, case):
    telling, error, said = REFUSED[case]
    one = study.ask()
    before, posterior = study.history(), study.graph_posterior()
    with pytest.raises(error) as refusal:
        telling(study)
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert study.status().open == (one,)
    pd.testing.assert_frame_equal(study.history(), before)
    pd.testing.assert_series_equal(study.graph_posterior(), posterior)
    assert (study.trials, study.spent) == (0, 0.0)
    study.tell(one, outcome(one.do))
    assert study.history()["id"].tolist() == [0]


def test_a_second_outcome_is_refused_and_says_what_to_do(study):
    one, _ = study.ask(2)
    study.tell(one, outcome(one.do, 2.0))
    before = study.history()
    with pytest.raises(StudyError, match=r"^0 has been told already, with another outcome; amend\(0, "):
        study.tell(one, outcome(one.do, 3.0))
    pd.testing.assert_frame_equal(study.history(), before)


def test_a_suggestion_of_another_study_is_refused(study):
    one, stranger = study.ask(), study_of("random", seed=5).ask()
    assert one.id == stranger.id and one.do != stranger.do
    with pytest.raises(StudyError, match="suggestion 0 is not one of this study; open: 0"):
        study.tell(stranger, {"X": 0.0, "Y": 1.0, "Z": 0.0, **stranger.do})
    assert study.status().open == (one,)


def test_an_experiment_that_was_not_asked_leaves_what_is_open(study):
    one = study.ask()
    study.tell(do=one.do, outcome=outcome(one.do))
    assert study.status().open == (one,)
    assert study.history()["id"].tolist() == [1]


@unmeasured
@pytest.mark.parametrize("method", METHODS)
def test_a_laboratory_that_measures_the_target_alone_goes_on(method):
    study = study_of(method)
    for y in (2.0, 1.0, 3.0):
        one = study.ask()
        assert np.isfinite([one.gain, *one.do.values()]).all()
        study.tell(one, {"Y": y})
    posterior = study.graph_posterior()
    assert posterior.sum() == pytest.approx(1.0)
    assert np.isfinite(posterior).all()
    assert np.isfinite(study.best().mean)
    others = study.history()[["X", "Z"]].isna().sum().sum()
    assert others == sum(2 - len(name.split(", ")) for name in study.history()["set"])


def test_what_was_told_moves_what_is_asked():
    asked = set()
    for y in (-20.0, 20.0):
        study = study_of("ceo")
        study.tell(do={"Z": 1.0}, outcome=outcome({"Z": 1.0}, y))
        asked.add(study.ask().intervention)
    assert len(asked) == 2


def test_what_was_told_is_believed_at_once(study):
    before, observed = study.graph_posterior(), study.best().observed
    for k in range(3):
        do = {"Z": 2.0}
        study.tell(do=do, outcome=SYSTEM.sample(1, do=do, rng=k))
    assert observed is None and study.best().observed.samples == 3
    assert study.graph_posterior().to_dict() != before.to_dict()


def test_every_part_of_what_was_told_and_is_open_throws_the_dice_again():
    def after(samples=1, z=0.5, y=1.0):
        study = study_of("random")
        study.tell(do={"Z": z}, outcome=outcome({"Z": z}, y))
        study.ask(samples=samples)
        return study.ask().intervention

    assert after() == after()
    assert len({after(), after(samples=2), after(z=0.6), after(y=2.0)}) == 4


def test_asking_moves_no_belief(study):
    before, best = study.graph_posterior(), str(study.best().do)
    study.ask(3)
    pd.testing.assert_series_equal(study.graph_posterior(), before)
    assert str(study.best().do) == best
    assert study.history().empty


def test_the_cost_told_is_that_of_what_was_done():
    study = study_of(setting(X=1.0, Z=0.5), question(cost={"X": 0.5, "Z": 4.0}))
    one = study.ask()
    study.tell(one, outcome(one.do))
    study.tell(do={"X": 0.0}, outcome=outcome({"X": 0.0}))
    assert study.history()["cost"].tolist() == [4.5, 0.5]
    assert study.spent == 5.0


def test_a_study_is_told_from_start_to_end_with_the_usual_method():
    """A user's whole loop: the best level is found, and the graph with it."""
    study = ceopt.create_study(question(), observations=seen(40), method=METHODS["ceo"], seed=1)
    for k in range(6):
        one = study.ask()
        study.tell(one, SYSTEM.sample(1, do=one.do, rng=k))
    assert SYSTEM.mean(study.best().do, n=20_000) < 0.6
    assert study.graph_posterior().index[0] == "X -> Z; Z -> Y"


def test_every_refusal_is_a_ceopt_error(study):
    study.ask()
    for telling, _, _ in REFUSED.values():
        with pytest.raises(CeoptError):
            telling(study)
