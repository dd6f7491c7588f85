"""The chain of seals: whatever is changed, lost or swapped is noticed."""

import json
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ceopt.errors import StorageError
from ceopt.storage import files
from ceopt.storage.events import KINDS, NOTHING, Draft, Event, Tip, broken_at, canonical, seal, sealed
from tests.storage.worlds import create
from tests.strategies import law

TEXTS = st.text(st.characters(codec=None), max_size=8)
PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
VALUES = st.recursive(PLAIN, lambda v: st.lists(v, max_size=3) | st.dictionaries(TEXTS, v, max_size=3))
BODIES = st.dictionaries(TEXTS, VALUES, max_size=4)
DRAFTS = st.builds(Draft, st.sampled_from(KINDS), BODIES)


@st.composite
def chains(draw, least=1):
    return sealed(Tip(), draw(st.lists(DRAFTS, min_size=least, max_size=6)))


BEGUN = create(None)._log.read(Tip())


def last(events):
    return Tip(events[-1].seq, events[-1].digest)


@law
@given(BODIES)
def test_a_body_is_written_in_one_way_and_reads_back(body):
    text = canonical(body)
    assert json.loads(text) == body
    assert canonical(json.loads(text)) == text == canonical(dict(reversed(body.items())))
    assert text.isascii() and "\n" not in text


@law
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_reads_back_to_the_last_bit(x):
    (again,) = json.loads(canonical({"x": [x]}))["x"]
    assert np.float64(again).tobytes() == np.float64(x).tobytes()


@pytest.mark.parametrize("number", [np.int64(3), np.float32(0.5), np.bool_(True)])
def test_numbers_of_numpy_are_numbers(number):
    assert json.loads(canonical({"n": number})) == {"n": number.item()}


@pytest.mark.parametrize("what", [float("nan"), float("inf"), {1, 2}, b"raw"])
def test_what_has_no_one_way_to_be_written_is_not(what):
    with pytest.raises((TypeError, ValueError)):
        canonical({"what": what})


@law
@given(chains(), st.data())
def test_a_whole_chain_is_sound_from_any_of_its_tips(events, data):
    assert broken_at(events) is None
    k = data.draw(st.integers(1, len(events)))
    assert broken_at(events[k:], last(events[:k])) is None


@law
@given(chains(), st.data())
def test_a_changed_event_is_noticed_at_its_place(events, data):
    k = data.draw(st.integers(0, len(events) - 1))
    name = data.draw(st.sampled_from(Event._fields))
    old = getattr(events[k], name)
    other = st.integers() if name == "seq" else TEXTS
    new = data.draw((other | st.none() | st.binary(max_size=4)).filter(lambda value: value != old))
    assert broken_at([*events[:k], events[k]._replace(**{name: new}), *events[k + 1 :]]) == k + 1


@law
@given(chains(2), st.data())
def test_a_lost_event_is_noticed(events, data):
    k = data.draw(st.integers(0, len(events) - 2))  # the end of a log is kept apart
    assert broken_at(events[:k] + events[k + 1 :]) == k + 1


@law
@given(chains(2), st.data())
def test_swapped_events_are_noticed(events, data):
    i, j = sorted(data.draw(st.sets(st.integers(0, len(events) - 1), min_size=2, max_size=2)))
    turned = list(events)
    turned[i], turned[j] = events[j], events[i]
    assert broken_at(turned) == i + 1


@law
@given(chains(2))
def test_events_swapped_with_their_places_are_noticed(events):
    first, second, *others = events
    assert broken_at([second._replace(seq=1), first._replace(seq=2), *others]) == 1


@law
@given(chains(), chains())
def test_an_event_of_another_log_is_noticed(events, others):
    stranger = sealed(last(others), [Draft("noted", {"text": "a"})])[0]
    assert others == events or broken_at([*events, stranger]) == len(events) + 1


@law
@given(chains(2), st.data())
def test_what_is_sound_is_salvaged_and_what_is_lost_is_counted(events, data):
    k = data.draw(st.integers(0, len(events) - 1))
    kept = data.draw(st.integers(k, len(events)))
    left = [*events[:k], *(one._replace(text="{}x") for one in events[k:kept])]
    salvage = files.salvaged(left, last(events))
    assert salvage == (tuple(events[:k]), k + 1, len(events) - k)
    assert files.salvaged(events, last(events)) == (tuple(events), None, 0)


def test_a_seal_is_what_another_program_would_make_of_it():
    """printf '%s\\x1f1\\x1fnoted\\x1f2026-01-01T00:00:00+00:00\\x1f{"text":"a"}' 000...0 | sha256sum"""
    received = seal(Tip(0, NOTHING), "noted", "2026-01-01T00:00:00+00:00", '{"text":"a"}')
    assert received == "055414c6c6ecc04a21da7d1b573911b3efa9772db521cdb5aa8ea85bf4f2242b"


def test_48_a_clock_that_goes_backwards_changes_no_order():
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    first = sealed(Tip(), [Draft("noted", {"text": "a"})], noon)
    second = sealed(last(first), [Draft("noted", {"text": "b"})], noon - timedelta(hours=1))
    assert [one.seq for one in first + second] == [1, 2]
    assert first[0].at > second[0].at
    assert broken_at(first + second) is None


@law
@given(chains())
def test_a_file_of_lines_reads_back(tmp_path_factory, events):
    path = tmp_path_factory.mktemp("lines") / "study.jsonl"
    whole = [*BEGUN, *sealed(last(BEGUN), [Draft("noted", event.body) for event in events])]
    files.written(path, whole)
    assert files.read(path) == whole


@law
@given(chains(2), st.data())
def test_a_file_with_a_line_changed_lost_or_swapped_is_refused(tmp_path_factory, events, data):
    path = tmp_path_factory.mktemp("lines") / "study.jsonl"
    files.written(path, events)
    lines = path.read_text().splitlines()
    k = data.draw(st.integers(0, len(lines) - 2))
    how = data.draw(st.sampled_from(["lost", "swapped", "torn", "changed"]))
    if how == "lost":
        del lines[k]
    elif how == "swapped":
        lines[k], lines[k + 1] = lines[k + 1], lines[k]
    elif how == "torn":
        lines[-1] = lines[-1][: data.draw(st.integers(1, len(lines[-1]) - 1))]
    else:
        at = data.draw(st.integers(0, len(lines[k]) - 1))
        lines[k] = lines[k][:at] + chr(ord(lines[k][at]) ^ 1) + lines[k][at + 1 :]
    path.write_text("\n".join(lines) + "\n", newline="")
    with pytest.raises(StorageError) as refusal:
        files.read(path)
    assert "\n" not in str(refusal.value)
