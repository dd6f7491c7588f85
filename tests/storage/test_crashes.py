"""43: killed before or after any statement, a study is as it was or as it was to be, never in between."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
from contextlib import closing

import pytest

import ceopt
from ceopt.errors import StorageError
from tests.storage.processes import dying_at, ended, forked
from tests.storage.worlds import create, heard, outcome, plain, tell

POINTS = range(60)  # more than any of these passes


def asked(study):
    study.ask()



def told(study):
    study.tell(0, {"y": 2.0, "x": 0.5, "z": 0.5}, do={"x": 0.5}, key="mine")


def told_in_part(study):
    study.tell(0, {"y": 2.0, "x": 0.5, "z": 0.5}, do={"x": 0.5}, partial=True, key="mine")


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
def test_43_killed_at_any_point_a_step_is_wholly_there_or_not_at_all(place, step):
    before, after = wholes(STEPS[step])
    seen, points = [], 0
    for point in POINTS:
        begun(place)
        code = dying_at(point, lambda: STEPS[step](place.load()))
        again = place.load()
        seen.append(plain(again))
        assert seen[-1] in (before, after)
        if seen[-1] == before and code:
            STEPS[step](again)  # nothing is in the way of doing it again
            assert plain(place.load()) == after
        again.note("and the study goes on")
        ceopt.delete_study("study", storage=place.url, sure=True)
        if code == 0:
            break
        assert code == -signal.SIGKILL
        points += 1
    assert seen[-1] == after and points > 8
    assert seen == sorted(seen, key=[before, after].index)  # once there, it stays


def test_43_killed_at_any_point_a_study_is_created_or_not(place, tmp_path):
    for point in POINTS:
        code = dying_at(point, lambda: place.create(problem=None))
        try:
            there = ceopt.list_studies(place.url)
        except StorageError as e:
            there = []
            assert "has no studies yet; create one first" in str(e) or "there is no database" in str(e)
        assert there in ([], ["study"])
        study = place.load() if there else place.create()
        assert tell(study) == 0
        assert heard(place.load()) == [1.0]
        if code == 0:
            break
        ceopt.delete_study("study", storage=place.url, sure=True)
        if point % 2 and place.kind == "sqlite":
            (tmp_path / "studies.db").unlink()  # from the beginning, tables and all
    assert code == 0 and point > 5


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
    assert code == 0 and point > 5


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
    assert code == 0 and point > 5


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

    study = begun(place)
    expected = plain(study)
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
    """At any statement; whoever tells again by the same key has it once."""
    from sqlalchemy import Engine, event

    study = begun(place)
    for point in POINTS:
        left, key = iter(range(point)), f"run {point}"

        def reached(*_, left=left, **__):
            if next(left, None) is None:
                raise KeyboardInterrupt

        names = ("before_cursor_execute", "after_cursor_execute", "commit")
        for name in names:
            event.listen(Engine, name, reached)
        try:
            tell(study, 1.0 + point, key=key)
        except KeyboardInterrupt:
            done = False
        else:
            done = True
        finally:
            for name in names:
                event.remove(Engine, name, reached)
        tell(study, 1.0 + point, key=key)
        assert heard(study) == heard(place.load()) == [1.0, *(1.0 + k for k in range(point + 1))]
        if done:
            break
    assert done and point > 3


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

