"""Where a database can be, and what is said where it cannot: one sentence, and nothing is made or lost."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import sqlalchemy

import ceopt
from ceopt.errors import CeoptError, StorageError, StudyError
from ceopt.storage.sql import SCHEMA
from tests.storage.worlds import create, heard, said, tell

NOBODY = 65534


def refused(work, *words, error=StorageError):
    """One sentence that has these words, and shows nothing of what lies beneath."""
    with pytest.raises(error) as refusal:
        work()
    text = str(refusal.value)
    assert "\n" not in text and "sqlalche" not in text and "Traceback" not in text
    for word in words:
        assert re.search(word, text), text
    return text


@contextmanager
def unprivileged():
    """To root every file is writable, so that root becomes nobody for a while."""
    if os.geteuid():
        yield
        return
    os.setegid(NOBODY)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)


@pytest.fixture
def lab():
    """A folder that nobody may enter, and a database in it with an experiment told."""
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="lab", dir="/tmp"))
    folder.chmod(0o777)
    url = f"sqlite:///{folder}/studies.db"
    study = create(url)
    tell(study)
    (folder / "studies.db").chmod(0o666)
    yield study, url, folder
    folder.chmod(0o777)
    shutil.rmtree(folder)


URLS = {
    "none": (5, "storage= is a URL such as sqlite:///file.db or postgresql"),
    "a path": (Path("studies.db"), "storage= is a URL such as"),
    "a file name": ("studies.db", "storage= is a URL such as"),
    "no file": ("sqlite://", "names no file; write sqlite:///studies.db"),
    "memory": ("sqlite:///:memory:", "names no file"),
    "options": ("sqlite:///a.db?mode=ro", "takes no options"),
    "another database": ("mysql://me:secret@host/x", "storage= is SQLite or PostgreSQL"),
    "another driver": ("postgresql+pg8000://me:secret@host/x", "storage= is SQLite or PostgreSQL"),
    "no scheme of ours": ("postgres://me:secret@host/x", "storage= is SQLite or PostgreSQL"),
    "a bad port": ("postgresql+psycopg://me:secret@host:port/x", "storage= is a URL such as"),
    "no server": ("postgresql+psycopg://me:secret@127.0.0.1:1/x", "cannot be used: .*check that the server"),
}


@pytest.mark.parametrize("case", URLS)
def test_a_url_that_is_none_is_refused_and_no_password_is_shown(case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    url, words = URLS[case]
    if case == "no server":
        pytest.importorskip("psycopg")
    for work in (lambda: create(url), lambda: ceopt.list_studies(url)):
        assert "secret" not in refused(work, words)
    assert list(tmp_path.iterdir()) == []


READING = {
    "load": lambda url, _: ceopt.load_study("study", storage=url),
    "list": lambda url, _: ceopt.list_studies(url),
    "delete": lambda url, _: ceopt.delete_study("study", storage=url, sure=True),
    "export": lambda url, to: ceopt.export_study("study", to, storage=url),
    "recover": lambda url, to: ceopt.recover_study("study", to, storage=url),
}


@pytest.mark.parametrize("case", READING)
def test_45_reading_makes_no_database(sqlite, tmp_path, case):
    refused(
        lambda: READING[case](sqlite.url, tmp_path / "out.jsonl"), "there is no database .*create a study"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("case", READING)
def test_45_reading_makes_no_tables(place, tmp_path, case):
    if place.kind == "sqlite":
        (tmp_path / "studies.db").touch()
    refused(lambda: READING[case](place.url, tmp_path / "out.jsonl"), "has no studies yet; create one first")
    place.create()


@pytest.mark.parametrize("case", [case for case in READING if case != "list"])
def test_an_unknown_study_is_refused_by_name_and_those_that_are_there_named(place, tmp_path, case):
    place.create("psa")
    place.create("bmi")
    refused(lambda: READING[case](place.url, tmp_path / "o"), "has no study 'study'; it has 'bmi', 'psa'")
    assert ceopt.list_studies(place.url) == ["bmi", "psa"]


def test_a_name_is_given_once(place):
    study = place.create()
    tell(study)
    refused(place.create, "has a study 'study' already; load it, or take another name")
    assert said(place.load()) == said(study)


@pytest.mark.parametrize("name", ["", " a", "a\n", "a\x00b", "a\ud800", "x" * 201, 5, None])
def test_a_name_that_cannot_be_one_is_refused(place, name):
    refused(lambda: place.create(name), "^name= is a text of 1 to 200 letters", error=StudyError)


@pytest.mark.parametrize(
    "name", ["a'; DROP TABLE ceopt_events; --", "%s %(x)s :name ?", "雨 µ 🐭", "x" * 200]
)
def test_any_other_name_is_a_name(place, name):
    study = place.create(name)
    tell(study)
    assert ceopt.list_studies(place.url) == [name]
    assert said(place.load(name)) == said(study)


def test_a_study_is_deleted_only_when_that_is_sure(place):
    study = place.create()
    with pytest.raises(StudyError, match="sure=True"):
        ceopt.delete_study("study", storage=place.url)
    place.create("other")
    ceopt.delete_study("study", storage=place.url, sure=True)
    assert ceopt.list_studies(place.url) == ["other"]
    for work in (study.history, study.ask, lambda: tell(study)):
        refused(work, "the study 'study' in .* is gone; somebody has deleted it")


def test_a_study_that_was_replaced_is_noticed(place):
    study = place.create()
    tell(study)
    ceopt.delete_study("study", storage=place.url, sure=True)
    place.create()
    for work in (study.history, lambda: tell(study)):
        refused(work, "is no longer the one that was opened; load it again")
    assert heard(place.load()) == []


def test_storage_is_that_of_the_environment_or_a_file_here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CEOPT_STORAGE", raising=False)
    create("sqlite:///ceopt.db", "here")
    assert ceopt.load_study("here").name == "here"
    monkeypatch.setenv("CEOPT_STORAGE", "sqlite:///other.db")
    create("sqlite:///other.db", "there")
    assert ceopt.list_studies() == ["there"]


def test_45_a_missing_folder_is_named(tmp_path):
    refused(
        lambda: create(f"sqlite:///{tmp_path}/no/a.db"), "there is no folder '.*no' for the database 'a.db'"
    )
    assert not (tmp_path / "no").exists()


def test_45_a_folder_is_no_database(tmp_path):
    refused(lambda: create(f"sqlite:///{tmp_path}"), "is a folder; name a file in it")


@pytest.mark.parametrize("file", ["x" * 300, "a\x00b"])
def test_45_a_file_name_that_cannot_be_one_is_refused(tmp_path, file):
    refused(lambda: create(f"sqlite:///{tmp_path}/{file}"), "cannot be used: .*; name another file")


@pytest.mark.parametrize("file", ["a b#c.db", "µ 雨.db", "file:x.db"])
def test_a_file_may_have_any_name(tmp_path, file):
    url = f"sqlite:///{tmp_path}/{file}"
    tell(create(url))
    assert heard(ceopt.load_study("study", storage=url)) == [1.0]
    assert [path.name for path in tmp_path.iterdir()] == [file]


def test_45_a_file_that_may_not_be_written_can_be_read(lab):
    study, url, folder = lab
    (folder / "studies.db").chmod(0o444)
    with unprivileged():
        refused(lambda: tell(study), "readonly", "make the file and its folder writable")
        refused(lambda: create(url, "other"), "readonly")
        assert heard(ceopt.load_study("study", storage=url)) == [1.0]
    (folder / "studies.db").chmod(0o666)
    assert tell(study, 2.0) == 1


def test_45_a_folder_that_may_not_be_written_can_be_read(lab):
    study, url, folder = lab
    folder.chmod(0o555)
    with unprivileged():
        refused(lambda: tell(study), "cannot be used", "writ")
        assert heard(ceopt.load_study("study", storage=url)) == [1.0]
        refused(lambda: create(f"sqlite:///{folder}/new.db"), "cannot be used: Permission denied")
    folder.chmod(0o777)
    assert tell(study, 2.0) == 1


def test_45_what_may_not_be_read_is_refused(lab):
    study, url, folder = lab
    (folder / "studies.db").chmod(0)
    with unprivileged():
        refused(lambda: ceopt.load_study("study", storage=url), "cannot be used", "read")
    (folder / "studies.db").chmod(0o666)
    folder.chmod(0)
    with unprivileged():
        refused(lambda: ceopt.load_study("study", storage=url), "cannot be used: Permission denied")
        refused(study.history, "")
    folder.chmod(0o777)
    assert tell(study, 2.0) == 1


FULL = """
import resource, sys
from tests.storage.worlds import *
from ceopt.errors import StorageError
url, told = sys.argv[1], []
study = create(url)
file = url.removeprefix("sqlite:///")
import os
size = os.path.getsize(file)
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 30_000, resource.RLIM_INFINITY))
for k in range(200):
    try:
        tell(study, float(k), key=str(k))
    except StorageError as e:
        print(e)
        break
    told.append(float(k))
else:
    sys.exit("it never was full")
before = heard(study)
assert before == told and told, (before, told)
assert heard(ceopt.load_study("study", storage=url)) == told
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
tell(study, float(k), key=str(k))
assert heard(ceopt.load_study("study", storage=url)) == [*told, float(k)]
"""


def test_45_a_full_disk_loses_nothing_and_the_same_is_told_again_later(tmp_path):
    url = f"sqlite:///{tmp_path}/studies.db"
    command = [sys.executable, "-c", FULL, url]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (line,) = done.stdout.splitlines()
    assert re.search("cannot be used: .*(disk I/O error|is full); make room", line), line


def test_47_an_empty_file_becomes_a_database(sqlite, tmp_path):
    (tmp_path / "studies.db").touch()
    assert tell(sqlite.create()) == 0


FOREIGN = {
    "text": b"name,dose\nanna,3\n",
    "one byte": b"x",
    "long": b"PK\x03\x04" * 5_000,
    "zeros": bytes(9_000),
}


@pytest.mark.parametrize("case", FOREIGN)
def test_47_a_foreign_file_is_refused_and_left_as_it_was(sqlite, tmp_path, case):
    (tmp_path / "studies.db").write_bytes(FOREIGN[case])
    for work in (sqlite.create, sqlite.load):
        refused(work, "not a database; it is something else; name another file")
    assert (tmp_path / "studies.db").read_bytes() == FOREIGN[case]


@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
def test_47_a_foreign_sqlite_database_is_refused_and_left_as_it_was(sqlite, tmp_path, mode):
    file = tmp_path / "studies.db"
    with closing(sqlite3.connect(file)) as other:
        other.execute(f"PRAGMA journal_mode={mode}")
        other.execute("CREATE TABLE patients (name TEXT)")
        other.commit()
    before = file.read_bytes()
    for work in (sqlite.create, sqlite.load):
        refused(work, "is a database of something else; take another file")
    assert file.read_bytes() == before


def test_47_tables_of_others_beside_ours_do_not_matter(new_database):
    url = new_database()
    with sqlalchemy.create_engine(url, poolclass=sqlalchemy.NullPool).begin() as connection:
        connection.exec_driver_sql("CREATE TABLE patients (name TEXT)")
    tell(create(url))
    assert ceopt.list_studies(url) == ["study"]


@pytest.mark.parametrize(
    ("version", "words"),
    [
        (SCHEMA + 1, rf"written by a newer ceopt \(schema {SCHEMA + 1}, this one knows {SCHEMA}\); upgrade"),
        (0, "does not say which schema it has"),
        (None, "does not say which schema it has"),
    ],
)
def test_47_another_schema_is_refused_by_name(place, version, words):
    study = place.create()
    tell(study)
    with sqlalchemy.create_engine(place.url, poolclass=sqlalchemy.NullPool).begin() as connection:
        connection.exec_driver_sql("DELETE FROM ceopt_schema")
        if version is not None:
            connection.exec_driver_sql(f"INSERT INTO ceopt_schema VALUES ({version})")
    for work in (place.load, lambda: place.create("new"), lambda: ceopt.list_studies(place.url)):
        refused(work, words)


def test_48_a_database_that_was_moved_is_missed_and_found_again(sqlite, tmp_path):
    file, elsewhere = tmp_path / "studies.db", tmp_path / "moved.db"
    study = sqlite.create()
    tell(study, 1.0)
    file.rename(elsewhere)
    for work in (study.history, lambda: tell(study, 2.0), study.ask):
        refused(work, "the database '.*studies.db' is gone; put it back where it was")
    assert not file.exists()
    elsewhere.rename(file)
    tell(study, 2.0)
    assert heard(sqlite.load()) == [1.0, 2.0]


def test_48_an_older_copy_put_in_its_place_is_noticed(sqlite, tmp_path):
    file = tmp_path / "studies.db"
    study = sqlite.create()
    tell(study, 1.0)
    shutil.copy(file, tmp_path / "copy.db")
    tell(study, 2.0)
    shutil.copy(tmp_path / "copy.db", file)
    for work in (study.history, lambda: tell(study, 3.0)):
        refused(work, "is no longer the one that was opened; load it again")
    assert heard(sqlite.load()) == [1.0]


def test_48_the_folder_that_the_process_works_in_does_not_matter(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    study = create("sqlite:///studies.db")
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    tell(study)
    assert list((tmp_path / "below").iterdir()) == []


def test_sqlite_keeps_its_rollback_journal_and_syncs_all(sqlite, tmp_path):
    """Also where somebody has switched the write-ahead log on."""
    study = sqlite.create()
    with closing(sqlite3.connect(tmp_path / "studies.db")) as other:
        assert other.execute("PRAGMA journal_mode=WAL").fetchone() == ("wal",)
    tell(study)
    with closing(sqlite3.connect(tmp_path / "studies.db")) as other:
        assert other.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    with study._log._database.writing() as connection:
        asked = ("synchronous", "busy_timeout", "foreign_keys", "journal_mode")
        found = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in asked]
    assert found == [3, 5000, 1, "delete"]


def test_an_export_replaces_no_file_and_a_failed_one_leaves_none(place, tmp_path):
    place.create()
    (tmp_path / "kept.jsonl").write_text("mine")
    refused(
        lambda: ceopt.export_study("study", tmp_path / "kept.jsonl", storage=place.url),
        "exists already; name",
    )
    refused(
        lambda: ceopt.export_study("study", tmp_path / "no" / "a.jsonl", storage=place.url),
        "cannot be written: No such file",
    )
    assert (tmp_path / "kept.jsonl").read_text() == "mine"
    assert not list(tmp_path.glob("*.part"))


FILES = {
    "missing": None,
    "empty": b"",
    "a table": b"a,b\n1,2\n",
    "not UTF-8": b"\xff\xfe\x00",
    "a list": b"[1, 2]\n",
    "a number": b"5\n",
    "another object": b'{"seq": 1}\n',
    "no study": b'{"seq":1,"kind":"noted","time":"a","body":{},"digest":"b"}\n',
}


@pytest.mark.parametrize("case", FILES)
def test_47_a_file_that_is_no_study_is_not_imported(place, tmp_path, case):
    file = tmp_path / "study.jsonl"
    if FILES[case] is not None:
        file.write_bytes(FILES[case])
    refused(lambda: ceopt.import_study(file, storage=place.url), "study.jsonl")
    assert not (tmp_path / "studies.db").exists()


STRANGE = {
    "not created": [("noted", {"text": "a"})],
    "nothing in it": [("created", {})],
    "a list": [("created", {"name": "a", "problem": []})],
    "a newer kind": "forked",
    "a told suggestion of nobody": ("told", {"id": 0}),
}


@pytest.mark.parametrize("case", STRANGE)
def test_47_a_file_with_fitting_seals_that_is_no_study_is_not_imported(place, tmp_path, case):
    from ceopt.storage import files
    from ceopt.storage.events import Draft, Tip, sealed

    drafts = STRANGE[case]
    if not isinstance(drafts, list):
        kind, body = drafts if isinstance(drafts, tuple) else (drafts, {})
        first = create(None)._log.read(Tip())[0]
        drafts = [("created", first.body), (kind, body)]
    files.written(tmp_path / "study.jsonl", sealed(Tip(), [Draft(*one) for one in drafts]))
    refused(lambda: ceopt.import_study(tmp_path / "study.jsonl", storage=place.url), "study.jsonl")
    assert place.kind == "postgresql" or not (tmp_path / "studies.db").exists()


def test_an_import_takes_no_name_that_is_taken(place, tmp_path):
    study = place.create()
    ceopt.export_study("study", tmp_path / "a.jsonl", storage=place.url)
    tell(study)
    refused(
        lambda: ceopt.import_study(tmp_path / "a.jsonl", storage=place.url), "has a study 'study' already"
    )
    assert heard(place.load()) == [1.0]


def test_every_refusal_is_a_ceopt_error_and_files_are_ours_alone(sqlite, tmp_path):
    assert issubclass(StorageError, CeoptError)
    sqlite.create()
    assert stat.S_ISREG((tmp_path / "studies.db").stat().st_mode)
    assert [path.name for path in tmp_path.iterdir()] == ["studies.db"]
