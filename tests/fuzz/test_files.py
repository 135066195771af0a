"""Damaged files are read without a traceback: as far as they are whole, or with clear sentences."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard import other_failures
from pollard.errors import PollardError
from pollard.journal import Journal, JournalHeader
from pollard.journal.journal import nothing_to_resume
from pollard.oracle import Verdict, VerdictCache
from pollard.settings import SettingsError, settings_for
from pollard_server.records.accepted_texts import read_steps
from pollard_server.records.facts import Facts
from tests.core.settings.support import FULL
from tests.examples import examples
from tests.fuzz.damage import damaged

SETTINGS = [FULL.encode(), b"[oracles.a]\ncommand = 'x'\nexit_code = [1, 2]\n[stream]\n"]
SHARED = [b"[tool.pollard]\noracle = 'a'\n[tool.pollard.oracles.a]\ncommand = ['x']\n"]
HEADER = JournalHeader(file="a.c", oracle="abc", strategy="default", region=(0, 9), guard=True)
TEXTS = [b"one\r\ntwo \xff\x00 three", b"one\r\n\xff\x00 three", b"{}\n\x85\xe2\x80\xa8", b""]
VERDICTS = {b"%d" % n: verdict for n, verdict in enumerate([*Verdict] * 3)}


def _outcome(read):
    """Return what `read` returns, or the error for the user that it raises."""
    try:
        return read(), None
    except PollardError as error:
        return None, error


def read_settings_or_problems(folder: Path, name: str, text: bytes) -> None:
    (folder / name).write_bytes(text)
    found, error = _outcome(lambda: settings_for(folder / "a.c"))
    if isinstance(error, SettingsError):
        assert len(str(error).splitlines()) == len(error.problems) > 0
        assert all(problem.message.isprintable() for problem in error.problems), error.problems
    else:
        assert found.workspace == folder
    assert (folder / name).read_bytes() == text


@given(damaged(SETTINGS))
@examples(300)
def test_damaged_settings_are_explained(tmp_path, text):
    read_settings_or_problems(tmp_path, "pollard.toml", text)


@given(damaged(SHARED))
@examples(300)
def test_a_damaged_pyproject_is_explained_or_is_none_of_ours(tmp_path, text):
    read_settings_or_problems(tmp_path, "pyproject.toml", text)


@pytest.mark.exhaustive
@given(damaged(SETTINGS))
@examples(10_000)
def test_thousands_of_damaged_settings_are_explained(tmp_path, text):
    read_settings_or_problems(tmp_path, "pollard.toml", text)


@pytest.fixture(scope="module")
def journal_files(tmp_path_factory) -> dict[str, bytes]:
    """The files of a good journal."""
    directory = tmp_path_factory.mktemp("good") / "journal"
    journal = Journal.begin(directory, HEADER, b"original\n")
    for text in TEXTS:
        journal.append(text)
    journal.close()
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def _common_length(one: bytes, other: bytes) -> int:
    """Return the number of whole lines with which both begin."""
    same = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return bytes(byte for byte, _ in same).count(b"\n")


def read_damaged_journal(directory: Path, files: dict[str, bytes], data: st.DataObject) -> None:
    """All lines before the first damage are read, and the journal goes on from there."""
    name = data.draw(st.sampled_from(["reductions", "terms"]))
    text = data.draw(damaged([files[name]]))
    for each, content in {**files, name: text}.items():
        (directory / each).write_bytes(content)
    journal, error = _outcome(lambda: Journal.load(directory))
    if journal is None:
        assert name == "terms"
        assert str(error) == str(nothing_to_resume())
        return
    whole = _common_length(text, files["reductions"])
    read = list(journal.texts())
    assert len(journal.costs()) == len(read)
    if name == "reductions":
        assert read[:whole] == TEXTS[:whole]
    else:
        assert read == TEXTS
    journal.cut(journal.count)
    journal.append(b"next")
    journal.close()
    assert list(Journal.load(directory).texts()) == [*read, b"next"]


@given(st.data())
@examples(300)
def test_a_damaged_journal_is_read_up_to_the_damage(tmp_path, journal_files, data):
    read_damaged_journal(tmp_path, journal_files, data)


@pytest.mark.exhaustive
@given(st.data())
@examples(10_000)
def test_thousands_of_damaged_journals_are_read_up_to_the_damage(tmp_path, journal_files, data):
    read_damaged_journal(tmp_path, journal_files, data)


STEP = b'{"number": 1, "bytes": 5, "runs": 3, "seconds": 0.5, "where": "hdd", "digest": "ab"}\n'
FACTS = (
    b'{"uri": "u", "started": "2026-01-01T00:00:00Z", "status": "finished", "original_bytes": 1,\n'
    b' "original_digest": "a", "region": [0, 1], "process": [1, 2.5], "others": []}'
)
INDEX = b'[{"failure": "[\\"kind\\", \\"\\", \\"\\", [], false, \\"\\"]", "runs": 3}]'


@given(damaged([STEP * 3]), damaged([FACTS]), damaged([INDEX]))
@examples(300)
def test_damaged_records_lose_no_more_than_is_damaged(tmp_path, steps, facts, index):
    """What an editor's history shows of a record."""
    (tmp_path / "original").write_bytes(b"text")
    (tmp_path / "steps").write_bytes(steps)
    (tmp_path / "record.json").write_bytes(facts)
    (tmp_path / "others").mkdir(exist_ok=True)
    (tmp_path / "others" / "index.json").write_bytes(index)
    (tmp_path / "others" / "1").write_bytes(b"other")
    numbers = [step.number for step in read_steps(tmp_path)]
    assert numbers == sorted(set(numbers))
    assert Facts.read(tmp_path, "u").uri == "u"
    assert all(other.text == b"other" for other in other_failures.load(tmp_path))


@pytest.fixture(scope="module")
def database(tmp_path_factory) -> bytes:
    """A good cache."""
    directory = tmp_path_factory.mktemp("cache")
    with VerdictCache("f", "a.c", directory=directory, timeout=2.0) as cache:
        for text, verdict in VERDICTS.items():
            cache.put(text, verdict)
    return (directory / "verdicts.sqlite3").read_bytes()


def read_damaged_cache(directory: Path, text: bytes) -> None:
    """No verdict is wrong, new ones are remembered, and at most a sentence says what is the matter."""
    for path in directory.iterdir():
        path.unlink()
    (directory / "verdicts.sqlite3").write_bytes(text)
    with VerdictCache("f", "a.c", directory=directory, timeout=2.0) as cache:
        for candidate, verdict in VERDICTS.items():
            assert cache.get(candidate) in (verdict, None)
            cache.failure(candidate)
        cache.put(b"new", Verdict.INTERESTING)
        assert cache.get(b"new") is Verdict.INTERESTING
        assert len(cache.warnings) <= 1
        assert all(warning.isprintable() for warning in cache.warnings)


@given(st.data())
@examples(300)
def test_a_damaged_cache_gives_no_wrong_verdict(tmp_path, database, data):
    read_damaged_cache(tmp_path, data.draw(damaged([database])))


@pytest.mark.exhaustive
@given(st.data())
@examples(10_000)
def test_thousands_of_damaged_caches_give_no_wrong_verdict(tmp_path, database, data):
    read_damaged_cache(tmp_path, data.draw(damaged([database])))
