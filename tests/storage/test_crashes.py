"""43: killed before or after any statement, a study is as it was or as it was to be, never in between."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sqlite3
from contextlib import closing, contextmanager, suppress

import pytest
from sqlalchemy import Engine, event

import ceopt
from ceopt.errors import StorageError
from tests.storage.processes import dying_at, ended, forked
from tests.storage.worlds import create, heard, outcome, plain, tell

POINTS = range(60)  # more than any of these passes


def asked(study):
    study.ask()


def applied(study):
    """Other levels of the same variables, without asking the log."""
    return dict.fromkeys(study._state.open[0].do, 0.5)


def told(study):
    study.tell(0, {"y": 2.0, "x": 0.5, "z": 0.5}, do=applied(study), key="mine")


def told_in_part(study):
    study.tell(0, {"y": 2.0, "x": 0.5, "z": 0.5}, do=applied(study), partial=True, key="mine")


def amended(study):
    study.amend(1, {"y": 3.0}, "a slip")


def abandoned(study):
    study.abandon(0, "no time")


STEPS = {step.__name__: step for step in (asked, told, told_in_part, amended, abandoned)}


def begun(place, name="study"):
    """One suggestion open, one experiment told."""
    study = place.create(name)
    study.ask()
    tell(study)
    return study


def wholes(step):
    """What a study is before a step, and after it."""
    study = create(None)
    study.ask()
    tell(study)
    before = plain(study)
    step(study)
    return before, plain(study)


@pytest.mark.filterwarnings("ignore:not measured in some outcomes")
@pytest.mark.parametrize("step", STEPS)
def test_43_killed_at_any_point_a_step_is_wholly_there_or_not_at_all(place, tmp_path, step):
    before, after = wholes(STEPS[step])
    begun(place)
    ceopt.export_study("study", tmp_path / "study.jsonl", storage=place.url)
    found = []
    for point in POINTS:
        name = ceopt.import_study(tmp_path / "study.jsonl", name=f"copy {point}", storage=place.url)
        study = place.load(name)
        assert step != "asked" or study.belief  # worked out before, so that no child has to
        code = dying_at(point, lambda study=study: STEPS[step](study))
        again = place.load(name)
        found.append(plain(again))
        if found[-1] == before:
            STEPS[step](again)  # nothing is in the way of doing it again
            assert plain(place.load(name)) == after
        assert tell(again, 0.25) == tell(study, 0.25) - 1  # the study goes on
        if code == 0:
            break
        assert code == -signal.SIGKILL
    assert code == 0 and len(found) > 4
    assert found == sorted(found, key=[before, after].index)  # once there, it stays
    assert {*found} == {before, after}


@pytest.mark.parametrize("empty", [True, False])
def test_43_killed_at_any_point_a_study_is_created_or_not(place, tmp_path, empty):
    """In a new database, whose tables are made as well, and in one that is there."""
    if not empty:
        place.create("other")
    for point in POINTS:
        code = dying_at(point, place.create)
        try:
            there = "study" in ceopt.list_studies(place.url)
        except StorageError as e:
            there = not re.search("has no studies yet; create one first|there is no database", str(e))
        study = place.load() if there else place.create()
        assert tell(study) == 0
        assert heard(place.load()) == [1.0]
        if code == 0:
            break
        assert code == -signal.SIGKILL
        ceopt.delete_study("study", storage=place.url, sure=True)
        if empty:
            place.clear()
    assert code == 0 and point > 4


def test_43_killed_at_any_point_an_import_is_whole_or_not_there(place, tmp_path):
    study = begun(place)
    ceopt.export_study("study", tmp_path / "study.jsonl", storage=place.url)
    expected = plain(study)
    for point in POINTS:
        code = dying_at(
            point, lambda: ceopt.import_study(tmp_path / "study.jsonl", name="twin", storage=place.url)
        )
        if "twin" in ceopt.list_studies(place.url):
            assert plain(place.load("twin")) == expected
            ceopt.delete_study("twin", storage=place.url, sure=True)
        if code == 0:
            break
    assert code == 0 and point > 4


def test_43_killed_at_any_point_a_study_is_deleted_or_not(place):
    expected = plain(begun(place))
    for point in POINTS:
        code = dying_at(point, lambda: ceopt.delete_study("study", storage=place.url, sure=True))
        if "study" in ceopt.list_studies(place.url):
            assert plain(place.load()) == expected
        else:
            begun(place)
        if code == 0:
            break
    assert code == 0 and point > 4


def test_43_a_journal_left_behind_by_a_crash_is_rolled_back(sqlite, tmp_path):
    """The file as a crash leaves it in the midst of a commit: pages written over, the journal still there."""
    study = begun(sqlite)
    expected = plain(study)
    file, copies = tmp_path / "studies.db", tmp_path / "copies"
    copies.mkdir()
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("PRAGMA cache_size=1")  # so that pages reach the file before the commit
        other.execute("BEGIN IMMEDIATE")
        other.execute("DELETE FROM ceopt_events")
        for k in range(200):
            other.execute(
                "INSERT INTO ceopt_events VALUES ('study', ?, 'noted', 'now', ?, 'x')", (k, "x" * 2_000)
            )
        for path in tmp_path.glob("studies.db*"):
            shutil.copy(path, copies)
        other.execute("ROLLBACK")
    assert sorted(path.name for path in copies.iterdir()) == ["studies.db", "studies.db-journal"]
    assert (copies / "studies.db").read_bytes() != file.read_bytes()
    there = f"sqlite:///{copies}/studies.db"
    again = ceopt.load_study("study", storage=there)
    assert plain(again) == expected
    tell(again, 2.0)
    assert heard(ceopt.load_study("study", storage=there)) == [1.0, 2.0]


def test_48_interrupted_in_a_fit_the_log_is_whole(place, monkeypatch):
    from ceopt.inference import belief

    expected = plain(begun(place))
    study = place.load()  # has not worked out anything yet
    infer = belief.infer

    def interrupted(*arguments):
        os.kill(os.getpid(), signal.SIGINT)
        return infer(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(belief, "infer", interrupted)
        for work in (study.ask, study.best, study.status):
            with pytest.raises(KeyboardInterrupt):
                work()
    assert plain(study) == plain(place.load()) == expected
    one = study.ask()
    study.tell(one, outcome(one.do))
    assert plain(place.load()) == plain(study)


def test_48_interrupted_while_telling_an_outcome_is_there_or_not(place):
    """At any statement; whoever tells again by the same key has it once, and finds no lock in the way."""
    study = begun(place)
    for point in POINTS:
        key = f"run {point}"
        with interrupted_at(point), suppress(KeyboardInterrupt):
            tell(study, float(point), key=key)
            break
        tell(study, float(point), key=key)
        assert heard(study) == heard(place.load()) == [1.0, *map(float, range(point + 1))]
    assert point > 5


@contextmanager
def interrupted_at(point):
    """As by Ctrl-C, at the k-th statement or commit."""
    left = iter(range(point))

    def reached(*_, **__):
        if next(left, None) is None:
            raise KeyboardInterrupt

    names = ("before_cursor_execute", "after_cursor_execute", "commit")
    for name in names:
        event.listen(Engine, name, reached)
    try:
        yield
    finally:
        for name in names:
            event.remove(Engine, name, reached)


def test_48_a_fork_shares_no_connection(place):
    """Parent and child both go on with the same object, at the same time."""
    study = begun(place)
    children = [
        forked(lambda k=k: [tell(study, float(y), key=f"{k} {y}") for y in range(5)]) for k in range(2)
    ]
    for y in range(5):
        tell(study, float(y), key=f"parent {y}")
    assert [ended(child) for child in children] == [0, 0]
    assert sorted(heard(study)) == sorted([1.0, *[float(y) for y in range(5)] * 3])
    assert heard(place.load()) == heard(study)
