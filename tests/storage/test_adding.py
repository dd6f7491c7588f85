"""Observations and past interventions may come at any time, and count as if they had always been there."""

import pandas as pd
import pytest

import ceopt
from ceopt.errors import DataError

FIRST = pd.DataFrame({"x": [0.1, 0.5, 0.9, 0.3], "y": [1.0, 0.4, 0.2, 0.8]})
MORE = pd.DataFrame({"x": [0.2, 0.7], "y": [0.9, 0.3]})
PAST = pd.DataFrame({"x": [1.0, 0.6], "y": [0.1, 0.35], "intervention_targets": ["x", ""]})


def problem():
    graphs = ceopt.GraphPrior.from_graphs(["x -> y", "y -> x"])
    return ceopt.Problem(target="y", direction="minimize", domains={"x": (0, 1)}, graphs=graphs)


@pytest.fixture(params=["memory", "sqlite"])
def storage(request, tmp_path):
    return None if request.param == "memory" else f"sqlite:///{tmp_path / 'a.db'}"


def begun(storage, observations=FIRST):
    return ceopt.create_study(
        problem(), observations=observations, storage=storage, name="a", method="random", seed=1
    )


def test_they_count_as_if_they_had_been_there_from_the_first(storage):
    study = begun(storage)
    before = study.graph_posterior()
    study.add(MORE)
    expected = begun(None, pd.concat([FIRST, MORE], ignore_index=True))
    pd.testing.assert_series_equal(study.graph_posterior(), expected.graph_posterior())
    assert not study.graph_posterior().equals(before)
    assert study.ask().do == expected.ask().do


def test_past_interventions_among_them_are_in_the_history_and_cost_nothing(storage):
    study = begun(storage)
    study.tell(do={"x": 0.4}, outcome={"y": 0.5})
    study.add(PAST)
    history = study.history()
    assert history["status"].tolist() == ["told", "imported"]
    assert history["id"].tolist() == [0, 1]
    assert (study.trials, study.spent) == (1, 1.0)
    assert len(study.belief.data.observations) == 5


def test_one_row_may_be_added_and_rows_that_are_in_already_count_once(storage):
    study = begun(storage)
    assert [study.add(MORE[:1]), study.add(MORE[:1])] == [1, 0]
    assert study.add(FIRST) == 0
    assert len(study.belief.data.observations) == 5
    assert study.audit()["event"].tolist() == ["created", "added"]


def test_a_table_that_has_grown_may_be_given_whole(storage):
    study = begun(storage)
    study.tell(do={"x": 1.0}, outcome={"y": 0.1})
    grown = pd.concat([FIRST.assign(intervention_targets=""), PAST, MORE, MORE[:1]], ignore_index=True)
    assert study.add(grown) == 1 + 3  # what was told is in already; a row that is there twice is two rows
    assert study.add(grown) == 0
    assert len(study.belief.data.observations) == 4 + 4
    assert study.history()["status"].tolist() == ["told"]


def test_whoever_opens_the_study_again_has_them(tmp_path):
    storage = f"sqlite:///{tmp_path / 'a.db'}"
    study, other = begun(storage), ceopt.load_study("a", storage=storage)
    study.add(PAST)
    again = ceopt.load_study("a", storage=storage)
    for one in (other, again):
        pd.testing.assert_frame_equal(one.history(), study.history())
        pd.testing.assert_series_equal(one.graph_posterior(), study.graph_posterior())


@pytest.mark.parametrize("frame", [MORE.assign(y="low"), MORE.drop(columns="x"), MORE[:0], 5])
def test_what_cannot_be_read_adds_nothing(frame, storage):
    study = begun(storage)
    with pytest.raises(DataError):
        study.add(frame)
    assert study.audit()["event"].tolist() == ["created"]
