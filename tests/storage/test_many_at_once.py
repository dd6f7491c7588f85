"""Several at once, in processes and threads: each is heard once, none waits without end."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

import ceopt
from ceopt.errors import StorageError, StudyError
from ceopt.methods import Random
from ceopt.storage import engines
from tests.storage.processes import ended, forked
from tests.storage.worlds import create, heard, outcome, question, tell

pytestmark = pytest.mark.filterwarnings("ignore:.*it is kept as told")  # they number their outcomes


BOUND = 4 * engines.BUSY / 1000  # seconds, on a machine that has other things to do


def test_40_two_who_ask_at_once_get_different_suggestions(place):
    """Both work out the same one from the same state; the second notices, and works out another."""
    place.create()
    children = [forked(lambda: [place.load().ask() for _ in range(3)]) for _ in range(3)]
    assert [ended(child) for child in children] == [0, 0, 0]
    waiting = place.load().status().open
    assert [one.id for one in waiting] == list(range(9))
    assert len({one.intervention for one in waiting}) == 9


class Interrupted(Random):
    """While it thinks, somebody else does something."""

    def __init__(self, meanwhile):
        object.__setattr__(self, "meanwhile", meanwhile)

    def propose(self, beliefs, asking):
        self.meanwhile()
        return super().propose(beliefs, asking)


def once(work):
    """Done the first time only."""
    left = [work]
    return lambda: left and left.pop()()


MEANWHILE = {
    "asks": lambda other: other.ask(),
    "tells": lambda other: tell(other),
    "abandons": lambda other: other.abandon(0),
    "amends": lambda other: other.amend(1, outcome({"x": 0.5}, 2.0), "a slip"),
}


@pytest.mark.parametrize("what", MEANWHILE)
def test_40_what_happens_while_it_is_worked_out_is_taken_into_account(place, what):
    """The suggestion is the one that would have been made after it."""
    first = place.create()
    first.ask()
    tell(first)
    study, other = place.load(method=None), place.load()
    study.method = Interrupted(once(lambda: MEANWHILE[what](other)))
    received = study.ask()
    twin = create(None)
    twin.ask()
    tell(twin)
    MEANWHILE[what](twin)
    assert received == twin.ask()
    assert received in place.load().status().open


def test_40_a_note_in_the_meantime_disturbs_nobody(place):
    study, calls = place.create(), []
    study.method = Interrupted(lambda: (calls.append(1), place.load().note("by the way")))
    assert study.ask() in place.load().status().open
    assert len(calls) == 1


def test_40_among_many_who_tell_one_still_gets_to_ask(place):
    study = place.create()
    study.method = Interrupted(lambda: tell(place.load()))
    one = study.ask()
    assert place.load().status().open == (one,)


def test_40_where_all_want_the_same_it_says_so(place, monkeypatch):
    """A domain of one level: whoever is overtaken each time is told, and nothing is asked twice unawares."""
    monkeypatch.setattr(ceopt.study, "TRIES", ceopt.study.FRESH + 2)
    study = place.create(problem=question(domains={"x": [0.5], "z": [1.0]}, sets=[("x",)]))
    study.method = Interrupted(lambda: place.load().ask())
    with pytest.raises(StudyError, match="somebody else asked for the same at each of our tries; ask again"):
        study.ask()
    ours = len(place.load().status().open)
    study.method = Random()
    assert study.ask().id == ours


def test_48_many_writers_at_once_are_all_heard(place):
    place.create()

    def work(me):
        study = place.load()
        for k in range(8):
            tell(study, me + k / 10, key=f"{me} {k}")

    children = [forked(lambda me=me: work(me)) for me in range(4)]
    assert [ended(child) for child in children] == [0, 0, 0, 0]
    study = place.load()
    assert sorted(heard(study)) == sorted(me + k / 10 for me in range(4) for k in range(8))
    assert study.audit()["seq"].tolist() == list(range(1, 34))
    for me in range(4):
        mine = [y for y in heard(study) if me <= y < me + 1]
        assert mine == sorted(mine)  # each in the order it told


def test_48_readers_see_only_whole_steps_while_others_write(place):
    place.create()

    def write():
        study = place.load()
        for k in range(8):
            one = study.ask()
            study.tell(one, outcome(one.do, float(k)))

    def read():
        seen = 0
        while seen < 8:
            study = place.load()
            ys = heard(study)
            assert ys == [float(k) for k in range(len(ys))]
            assert len(ys) >= seen and len(study._now.open) <= 1
            seen = len(ys)

    children = [forked(write), forked(read), forked(read)]
    assert [ended(child) for child in children] == [0, 0, 0]


def test_48_the_same_is_told_by_all_and_kept_once(place):
    one = place.create().ask()
    children = [forked(lambda: place.load().tell(one, outcome(one.do))) for _ in range(4)]
    assert [ended(child) for child in children] == [0] * 4
    assert heard(place.load()) == [1.0]


def test_48_one_name_is_created_once_though_many_try(place):
    """The tables of a new database too are made by one of them."""

    def work(start):
        time.sleep(max(0.0, start - time.time()))
        try:
            place.create()
        except StorageError as e:
            os._exit(7 if "has a study 'study' already; load it" in str(e) else 8)

    for _ in range(5):
        start = time.time() + 0.1
        children = [forked(lambda start=start: work(start)) for _ in range(4)]
        assert sorted(ended(child) for child in children) == [0, 7, 7, 7]
        assert tell(place.load()) == 0
        place.clear()


def test_48_threads_share_a_study(place):
    study, start = place.create(), Barrier(4)

    def work(me):
        start.wait()
        for k in range(5):
            tell(study, me + k / 10, key=f"{me} {k}")
            study.history()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert sorted(heard(study)) == sorted(me + k / 10 for me in range(4) for k in range(5))
    assert heard(study) == heard(place.load())


def test_48_threads_share_a_study_in_memory():
    study = create(None)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda k: tell(study, float(k), key=str(k)), range(40)))
    assert sorted(heard(study)) == [float(k) for k in range(40)]


def test_48_a_writer_that_hangs_is_waited_for_no_longer_than_the_busy_timeout(place, monkeypatch):
    """The others read on, or are told in one sentence what is in the way; nothing is lost."""
    monkeypatch.setattr(engines, "BUSY", 300)
    holder, study = place.create(), place.load()
    with holder._log._database.writing() as connection:
        connection.exec_driver_sql("UPDATE ceopt_studies SET seq = seq")
        assert heard(study) == []
        began = time.monotonic()
        with pytest.raises(StorageError, match="somebody else has been writing all the time; try again"):
            tell(study)
        assert time.monotonic() - began < BOUND
    assert tell(study) == 0


def test_48_a_reader_that_hangs_is_waited_for_no_longer_than_the_busy_timeout(sqlite, monkeypatch):
    """SQLite alone makes a writer wait for readers."""
    monkeypatch.setattr(engines, "BUSY", 300)
    holder, study = sqlite.create(), sqlite.load()
    with holder._log._database.reading() as connection:
        connection.exec_driver_sql("SELECT * FROM ceopt_studies").all()
        began = time.monotonic()
        with pytest.raises(StorageError, match="try again"):
            tell(study)
        assert time.monotonic() - began < BOUND
        assert heard(study) == []
    assert tell(study) == 0
    assert heard(sqlite.load()) == [1.0]


def test_48_a_server_that_went_away_is_named_and_found_again(team, monkeypatch):
    """Connections are opened when they are needed, so that a restart of the server needs none of us."""
    study = create(team, "going away")
    url = study._log._database._engine.url
    monkeypatch.setattr(
        study._log._database, "_engine", engines.engine_of(str(url.set(port=1)), create=False)
    )
    with pytest.raises(StorageError, match=r"cannot be used: .*; check that the server runs"):
        tell(study)
    monkeypatch.undo()
    assert tell(study) == 0


def test_48_a_clock_that_goes_backwards_changes_no_order(place, monkeypatch):
    from datetime import UTC, datetime, timedelta

    from ceopt.storage import events

    class Back(datetime):
        """An hour earlier at each look."""

        looks = 0

        @classmethod
        def now(cls, tz=None):
            cls.looks += 1
            return datetime(2026, 1, 1, 12, tzinfo=UTC) - timedelta(hours=cls.looks)

    monkeypatch.setattr(events, "datetime", Back)
    study = place.create()
    for y in (1.0, 2.0, 3.0):
        tell(study, y)
    study.amend(1, outcome({"x": 0.5}, 2.5), "later, though the clock says earlier")
    for one in (study, place.load()):
        assert heard(one) == [1.0, 2.5, 3.0]
        assert one.history()["time"].is_monotonic_decreasing
        assert one.audit()["seq"].tolist() == [1, 2, 3, 4, 5]
    assert ceopt.list_studies(place.url) == ["study"]
