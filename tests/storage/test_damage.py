"""Whatever a disk does to a log is noticed, and what is sound is saved."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing

import pytest
import sqlalchemy

import ceopt
from ceopt.errors import CeoptError, StorageError
from ceopt.storage import files
from tests.storage.worlds import heard, outcome, said, tell

pytestmark = pytest.mark.filterwarnings("ignore:.*it is kept as told")  # they number their outcomes


TOLD = 12


@pytest.fixture
def study(place):
    """Some experiments told, some open, a note."""
    made = place.create()
    for y in range(TOLD):
        tell(made, float(y), key=f"run {y}")
    made.note("that was all")
    made.ask()
    return made


def changed(place, statement, **values):
    """As no program of ours would."""
    with sqlalchemy.create_engine(place.url, poolclass=sqlalchemy.NullPool).begin() as connection:
        assert connection.execute(sqlalchemy.text(statement), values).rowcount


def noticed(work, *words):
    with pytest.raises(StorageError) as refusal:
        work()
    text = str(refusal.value)
    assert "\n" not in text and "sqlalche" not in text and len(text) < 500
    for word in words:
        assert word in text, text


WHERE = "study = 'study' AND seq = :seq"
DAMAGES = {
    "a digit of a body": f"UPDATE ceopt_events SET body = replace(body, '5', '6') WHERE {WHERE}",
    "a body": f"UPDATE ceopt_events SET body = '{{}}' WHERE {WHERE}",
    "no JSON": f"UPDATE ceopt_events SET body = 'torn' WHERE {WHERE}",
    "a kind": f"UPDATE ceopt_events SET kind = 'noted' WHERE {WHERE}",
    "a time": f"UPDATE ceopt_events SET time = '2026-01-01T00:00:00+00:00' WHERE {WHERE}",
    "a seal": f"UPDATE ceopt_events SET digest = replace(digest, substr(digest, 1, 1), 'x') WHERE {WHERE}",
    "a place": f"UPDATE ceopt_events SET seq = 99 WHERE {WHERE}",
    "a lost event": f"DELETE FROM ceopt_events WHERE {WHERE}",
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("seq", [2, 7, TOLD + 3])
def test_46_a_damaged_event_is_noticed_and_what_comes_before_it_is_saved(place, study, tmp_path, damage, seq):
    there = heard(study)
    changed(place, DAMAGES[damage], seq=seq)
    noticed(place.load, f"event {seq} of the study 'study' in", "is damaged or missing", "ceopt recover")
    before = place.kind, ceopt.list_studies(place.url)
    left = ceopt.recover_study("study", tmp_path / "saved.jsonl", storage=place.url)
    assert (len(left.sound), left.broken, left.lost) == (seq - 1, seq, TOLD + 4 - seq)
    assert before == (place.kind, ["study"])
    ceopt.import_study(tmp_path / "saved.jsonl", name="saved", storage=place.url)
    saved = place.load("saved")
    assert heard(saved) == there[: seq - 2]
    one = saved.ask()
    saved.tell(one, outcome(one.do, 0.25), key=f"run {TOLD}")
    assert heard(place.load("saved"))[-1] == 0.25


def test_46_an_open_study_notices_what_comes_after_what_it_knows(place, study):
    reader = place.load()
    tell(study, 0.5)
    changed(place, DAMAGES["a body"], seq=TOLD + 4)
    noticed(reader.history, f"event {TOLD + 4} of the study", "damaged")
    noticed(lambda: tell(reader, 1.0), f"event {TOLD + 4} of the study", "damaged")


def test_46_a_lost_end_is_noticed(place, study, tmp_path):
    """The chain of what is left is whole; the study's row says how long it was."""
    last = TOLD + 3
    changed(place, f"DELETE FROM ceopt_events WHERE study = 'study' AND seq >= {last - 1}")
    noticed(place.load, f"event {last - 1} of the study", "missing")
    left = ceopt.recover_study("study", tmp_path / "saved.jsonl", storage=place.url)
    assert (len(left.sound), left.broken, left.lost) == (last - 2, last - 1, 2)


def test_46_a_damaged_end_mark_is_noticed_and_everything_saved(place, study, tmp_path):
    there = heard(study)
    changed(place, "UPDATE ceopt_studies SET digest = 'x'")
    noticed(place.load, "damaged or missing")
    left = ceopt.recover_study("study", tmp_path / "saved.jsonl", storage=place.url)
    assert (left.broken, left.lost) == (None, 0)
    ceopt.import_study(tmp_path / "saved.jsonl", name="saved", storage=place.url)
    assert heard(place.load("saved")) == there


def test_46_where_the_first_event_is_damaged_nothing_can_be_saved(place, study, tmp_path):
    changed(place, DAMAGES["a body"], seq=1)
    noticed(place.load, "event 1 of the study")
    noticed(
        lambda: ceopt.recover_study("study", tmp_path / "saved.jsonl", storage=place.url),
        "nothing of 'study' can be saved: its first event is damaged; restore a copy",
    )
    assert not (tmp_path / "saved.jsonl").exists()


def test_46_a_sound_study_is_saved_whole(place, study, tmp_path):
    left = ceopt.recover_study("study", tmp_path / "saved.jsonl", storage=place.url)
    assert (left.broken, left.lost) == (None, 0)
    assert list(left.sound) == files.read(tmp_path / "saved.jsonl")
    ceopt.import_study(tmp_path / "saved.jsonl", name="saved", storage=place.url)
    assert said(place.load("saved")) == said(study)


def test_46_one_damaged_study_harms_no_other(place, study):
    other = place.create("other")
    tell(other)
    changed(place, DAMAGES["a body"], seq=3)
    noticed(place.load, "event 3")
    assert said(place.load("other")) == said(other)


def rows_of(file):
    """Where the text of each event lies in the file: its body, and its seal."""
    raw = file.read_bytes()
    with closing(sqlite3.connect(file)) as other:
        texts = list(other.execute("SELECT seq, body, digest FROM ceopt_events ORDER BY seq"))
    places = {}
    for seq, body, digest in texts:
        assert raw.count(body[-200:].encode()) >= 1
        for text in (body[-200:], digest):
            at = raw.find(text.encode())
            places.update(dict.fromkeys(range(at, at + len(text)), seq))
    return raw, places


@pytest.mark.parametrize("seed", range(20))
def test_46_twenty_flipped_bytes_in_event_rows_are_noticed(sqlite, tmp_path, seed):
    study = sqlite.create()
    for y in range(TOLD):
        tell(study, float(y))
    there = heard(study)
    file = tmp_path / "studies.db"
    raw, places = rows_of(file)
    dice = random.Random(seed)
    later = [at for at, seq in places.items() if seq > 1]  # or nothing would be left to save
    hit = dice.sample(later, 20)
    torn = bytearray(raw)
    for at in hit:
        torn[at] ^= 1 << dice.randrange(8)
    file.write_bytes(torn)
    first = min(places[at] for at in hit)
    noticed(sqlite.load, f"event {first} of the study", "ceopt recover")
    left = ceopt.recover_study("study", tmp_path / "saved.jsonl", storage=sqlite.url)
    assert (left.broken, left.lost) == (first, TOLD + 2 - first)
    other = f"sqlite:///{tmp_path}/other.db"
    ceopt.import_study(tmp_path / "saved.jsonl", storage=other)
    saved = ceopt.load_study("study", storage=other)
    assert heard(saved) == there[: first - 2]
    assert tell(saved, 5.0) == first - 2


@pytest.mark.parametrize("seed", range(30))
def test_46_a_byte_flipped_anywhere_is_noticed_or_harmless(sqlite, tmp_path, seed):
    """In a header, an index, a row or a free page: no wrong number, no lost row, no traceback."""
    study = sqlite.create()
    for y in range(4):
        tell(study, float(y))
    file, expected = tmp_path / "studies.db", said(study)
    dice, torn = random.Random(seed), bytearray(file.read_bytes())
    at = dice.randrange(len(torn))
    torn[at] ^= 1 << dice.randrange(8)
    file.write_bytes(torn)
    try:
        assert said(sqlite.load()) == expected
        tell(sqlite.load(), 5.0)
        assert heard(sqlite.load()) == [0.0, 1.0, 2.0, 3.0, 5.0]
    except CeoptError as e:
        refusal = str(e)
    else:
        refusal = ""
    assert "\n" not in refusal


@pytest.mark.parametrize("how", ["cut", "zeros", "noise"])
@pytest.mark.parametrize("pages", [1, 3])
def test_44_a_torn_last_page_is_noticed_and_what_is_sound_is_saved(sqlite, tmp_path, how, pages):
    study = sqlite.create()
    for y in range(60):
        tell(study, float(y))
    there = heard(study)
    file = tmp_path / "studies.db"
    raw = file.read_bytes()
    with closing(sqlite3.connect(file)) as other:
        (size,) = other.execute("PRAGMA page_size").fetchone()
    lost = size * pages - 100
    tail = {"cut": b"", "zeros": bytes(lost), "noise": random.Random(1).randbytes(lost)}[how]
    file.write_bytes(raw[:-lost] + tail)
    noticed(sqlite.load)
    noticed(study.audit)
    left = ceopt.recover_study("study", tmp_path / "saved.jsonl", storage=sqlite.url)
    assert left.lost > 0 and left.broken == len(left.sound) + 1
    ceopt.import_study(tmp_path / "saved.jsonl", name="saved", storage=f"sqlite:///{tmp_path}/new.db")
    saved = ceopt.load_study("saved", storage=f"sqlite:///{tmp_path}/new.db")
    assert heard(saved) == there[: len(heard(saved))]


@pytest.mark.parametrize("share", [0.0, 0.01, 0.2, 0.5, 0.9, 0.999])
def test_44_a_file_cut_anywhere_is_noticed(sqlite, tmp_path, share):
    study = sqlite.create()
    for y in range(30):
        tell(study, float(y))
    file = tmp_path / "studies.db"
    raw = file.read_bytes()
    file.write_bytes(raw[: int(len(raw) * share)])
    noticed(sqlite.load)
    noticed(study.audit)


def test_44_an_export_cut_within_a_line_is_noticed(sqlite, tmp_path):
    tell(sqlite.create())
    file = tmp_path / "study.jsonl"
    ceopt.export_study("study", file, storage=sqlite.url)
    file.write_bytes(file.read_bytes()[:-20])
    noticed(lambda: ceopt.import_study(file, storage=f"sqlite:///{tmp_path}/new.db"), "line 2 of")


def test_46_an_export_with_a_changed_number_is_noticed(sqlite, tmp_path):
    tell(sqlite.create(), 1.25)
    file = tmp_path / "study.jsonl"
    ceopt.export_study("study", file, storage=sqlite.url)
    first, second = map(json.loads, file.read_text().splitlines())
    second["body"]["rows"][0][1] = 1.5
    file.write_text(json.dumps(first) + "\n" + json.dumps(second) + "\n")
    noticed(lambda: ceopt.import_study(file, storage=sqlite.url, name="b"), "event 2 of", "is damaged")
