"""A study is what its log says: whoever reads it, wherever it is kept, whenever it is opened."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

import ceopt
from ceopt.errors import CeoptError
from ceopt.methods import CEO
from tests.storage.worlds import NAMES, create, outcome, plain, said

pytestmark = pytest.mark.filterwarnings("ignore:.*it is kept as told")  # they number their outcomes


YS = st.floats(-2.0, 2.0).map(lambda y: round(y, 3))


def believed(study):
    """Bytes of what follows from what was told."""
    posterior = study.graph_posterior()
    effect = study.effect("x", levels=[0.2, 0.9]).to_numpy()
    return posterior.to_numpy().tobytes() + effect.tobytes() + repr(study.best()).encode()


class Laboratory(RuleBasedStateMachine):
    """The same is done to a study in memory and to one in a database, through objects that come and go."""

    storage = ""

    @initialize()
    def begin(self):
        self.name = next(NAMES)
        self.memory = create(None, self.name)
        self.stored = [create(self.storage, self.name)]

    def both(self, do, who):
        """What came of it, in memory and in the database, is the same."""
        results = []
        for study in (self.memory, self.stored[who % len(self.stored)]):
            try:
                results.append(repr(do(study)))
            except CeoptError as e:
                results.append(f"{type(e).__name__}: {e}")
        assert results[0] == results[1]
        return results[0]

    who = st.integers(0, 2)
    some = st.integers(-1, 6)

    @rule(who=who, n=st.integers(1, 2))
    def ask(self, who, n):
        self.both(lambda study: study.ask(n), who)

    @precondition(lambda self: self.memory._now.open)
    @rule(who=who, pick=some, y=YS, rows=st.integers(1, 3), partial=st.booleans())
    def tell(self, who, pick, y, rows, partial):
        waiting = list(self.memory._now.open.values())
        one = waiting[pick % len(waiting)]
        frame = pd.DataFrame([outcome(one.do, y + k) for k in range(rows)])
        self.both(lambda study: study.tell(one, frame, partial=partial), who)

    @rule(who=who, number=some, y=st.sampled_from([1.0, 2.0, np.nan]), key=st.none() | st.sampled_from("ab"))
    def tell_by_number(self, who, number, y, key):
        self.both(lambda study: study.tell(number, {"y": y, "x": 0.5, "z": 0.5}, key=key), who)

    @rule(who=who, x=st.sampled_from([0.0, 0.5, 3.0]), y=YS, key=st.none() | st.sampled_from("ab"))
    def tell_unasked(self, who, x, y, key):
        self.both(lambda study: study.tell(do={"x": x}, outcome=outcome({"x": x}, y), key=key), who)

    @rule(who=who, number=some, y=YS)
    def amend(self, who, number, y):
        self.both(lambda study: study.amend(number, {"y": y, "x": 0.5, "z": 0.5}, "a slip"), who)

    @rule(who=who, number=some)
    def abandon(self, who, number):
        self.both(lambda study: study.abandon(number, "no time"), who)

    @rule(who=who, text=st.text(max_size=5))
    def note(self, who, text):
        self.both(lambda study: study.note(text), who)

    @precondition(lambda self: len(self.stored) < 3)
    @rule()
    def open_again(self):
        self.stored.append(ceopt.load_study(self.name, storage=self.storage))

    @precondition(lambda self: len(self.stored) > 1)
    @rule()
    def close(self):
        self.stored.pop(0)

    @rule()
    def compare(self):
        again = ceopt.load_study(self.name, storage=self.storage)
        for study in (*self.stored, again):
            assert plain(study) == plain(self.memory)
            assert study.history().equals(again.history()) and study.audit().equals(again.audit())
        assert again._state.tip == self.stored[0]._state.tip
        assert believed(again) == believed(self.stored[0]) == believed(self.memory)

    def teardown(self):
        if getattr(self, "stored", None):
            self.compare()
            assert repr(self.memory.ask()) == repr(ceopt.load_study(self.name, storage=self.storage).ask())


def laboratory(url, steps):
    machine = type("LaboratoryThere", (Laboratory,), {"storage": url})
    case = machine.TestCase
    case.settings = settings(deadline=None, max_examples=steps, stateful_step_count=12)
    return case("runTest")


@pytest.mark.filterwarnings("ignore:not measured in some outcomes")
def test_a_study_in_sqlite_is_one_in_memory(tmp_path):
    laboratory(f"sqlite:///{tmp_path}/studies.db", 8).runTest()


@pytest.mark.filterwarnings("ignore:not measured in some outcomes")
def test_a_study_in_postgresql_is_one_in_memory(team):
    laboratory(team, 3).runTest()


def test_an_informed_method_goes_on_where_it_stood(place):
    """The suggestion after a load has the same bytes, all its reasons among them."""
    method = CEO(points=8, fantasies=4, draws=32)
    memory, stored = create(None, method=method), place.create(method=method)
    for study in (memory, stored):
        for k in range(2):
            one = study.ask()
            study.tell(one, outcome(one.do, k / 3))
    loaded = place.load()
    expected = memory.ask()
    assert loaded.ask() == expected
    assert stored.status().open == (expected,)
    assert believed(loaded) == believed(stored) == believed(memory)


def test_an_export_is_the_study(place, tmp_path):
    study = place.create()
    for y in (1.0, 2.0):
        one = study.ask()
        study.tell(one, outcome(one.do, y))
    study.ask()
    file = tmp_path / "study.jsonl"
    assert ceopt.export_study("study", file, storage=place.url) == 6
    other = f"sqlite:///{tmp_path}/other.db"
    assert ceopt.import_study(file, storage=other) == "study"
    assert ceopt.import_study(file, storage=place.url, name="twin") == "twin"
    twins = [ceopt.load_study("study", storage=other), place.load("twin")]
    assert {said(twin) for twin in twins} == {said(study)}
    assert {believed(twin) for twin in twins} == {believed(study)}
    expected = study.ask()
    assert [twin.ask() for twin in twins] == [expected, expected]
