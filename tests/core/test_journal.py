"""The journal on disk: reading it back, even after crashes and on full disks."""

from __future__ import annotations

import errno
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.journal import Journal, JournalError, JournalHeader, journal_directory
from pollard.journal import recording as journals
from pollard.syntax.tree.edits import splice
from tests.core.reductions import JSON, plan, watched

HEADER = JournalHeader(file="a.c", oracle="abc", strategy="default", region=(0, 9), guard=True)
TEXTS = [b"one\r\ntwo \xff\x00 three", b"one\r\n\xff\x00 three", b"{}\n\x85\xe2\x80\xa8", b""]


def _written(directory: Path, texts: list[bytes], original: bytes = b"original\n") -> Journal:
    journal = Journal.begin(directory, HEADER, original)
    for text in texts:
        journal.append(text)
    journal.close()
    return Journal.load(directory)


def test_written_texts_are_read_back(tmp_path: Path):
    read = _written(tmp_path / "new" / "place", TEXTS)
    assert read.original == b"original\n"
    assert read.header == HEADER
    assert list(read.texts()) == TEXTS
    assert read.best == TEXTS[-1]
    assert read.count == len(TEXTS)
    assert [read.text(number) for number in range(5)] == [read.original, *TEXTS]


@given(st.lists(st.binary(max_size=20), max_size=6), st.binary(max_size=20))
def test_any_texts_are_read_back(tmp_path: Path, texts: list[bytes], original: bytes):
    read = _written(tmp_path, texts, original)
    assert list(read.texts()) == texts
    assert read.best == [original, *texts][-1]


@given(st.integers(1, 200))
def test_a_torn_journal_is_read_up_to_the_tear(tmp_path: Path, lost: int):
    """A killed process or a full disk leaves a torn line; the complete ones before it count."""
    _written(tmp_path, TEXTS)
    file = tmp_path / "reductions"
    whole = file.read_bytes()
    file.write_bytes(whole[: max(len(whole) - lost, 0)])
    read = Journal.load(tmp_path)
    lines = file.read_bytes().count(b"\n")
    assert list(read.texts()) in (TEXTS[:lines], TEXTS[: lines + 1])
    assert read.best == [read.original, *TEXTS][read.count]


def test_garbage_ends_the_journal_without_an_error(tmp_path: Path):
    _written(tmp_path, TEXTS[:2])
    with (tmp_path / "reductions").open("ab") as file:
        file.write(b"\0\0\0\0\n" + b"17\n" + b'{"start": 0}\n')
    assert list(Journal.load(tmp_path).texts()) == TEXTS[:2]


@pytest.mark.parametrize(
    "line", [b"17", b"[]", b'{"start": 0}', b'{"start": 0, "end": 1, "new": 2}']
)
def test_invalid_lines_end_the_journal(tmp_path: Path, line: bytes):
    _written(tmp_path, TEXTS[:2])
    with (tmp_path / "reductions").open("ab") as file:
        file.write(line + b"\n")
    assert list(Journal.load(tmp_path).texts()) == TEXTS[:2]


def test_cut_drops_later_texts_and_append_continues(tmp_path: Path):
    journal = _written(tmp_path, TEXTS)
    journal.cut(2)
    assert journal.best == TEXTS[1]
    assert journal.count == 2
    journal.append(b"new")
    assert list(Journal.load(tmp_path).texts()) == [*TEXTS[:2], b"new"]
    assert list(journal.texts()) == [*TEXTS[:2], b"new"]


def test_cut_removes_a_torn_line_too(tmp_path: Path):
    """Otherwise the next line would be glued to it, and lost with it."""
    _written(tmp_path, TEXTS[:2])
    with (tmp_path / "reductions").open("ab") as file:
        file.write(b'{"start": 0, "en')
    journal = Journal.load(tmp_path)
    journal.cut(journal.count)
    journal.append(b"new")
    assert list(Journal.load(tmp_path).texts()) == [*TEXTS[:2], b"new"]


def test_a_new_journal_replaces_an_old_one(tmp_path: Path):
    _written(tmp_path, TEXTS)
    assert list(_written(tmp_path, [b"x"], b"other").texts()) == [b"x"]
    assert Journal.load(tmp_path).original == b"other"


def test_headers_are_read_back_including_those_of_earlier_versions(tmp_path: Path):
    """Earlier versions lack these fields, whose defaults describe what they did."""
    newer = {
        "preprocessing": ("squeeze", "hide"),
        "learn_invalid": True,
        "renaming": False,
        "formatter": ("tidy", "-"),
    }
    header = replace(HEADER, **newer)
    Journal.begin(tmp_path, header, b"original\n")
    assert Journal.load(tmp_path).header == header
    assert header.differences(HEADER) == [*newer]
    written = json.loads((tmp_path / "terms").read_bytes())
    for name in newer:
        del written[name]
    (tmp_path / "terms").write_text(json.dumps(written))
    assert Journal.load(tmp_path).header == HEADER


@pytest.mark.parametrize("content", [None, b"", b"[]", b"{}", b'{"region": 3}', b"\xff"])
def test_loading_a_missing_or_damaged_journal_raises(tmp_path: Path, content: bytes | None):
    if content is not None:
        _written(tmp_path, [])
        (tmp_path / "terms").write_bytes(content)
    with pytest.raises(JournalError, match="no interrupted reduction"):
        Journal.load(tmp_path)


def test_an_unwritable_directory_raises(tmp_path: Path):
    """A file is in the place of the directory, which stops even root."""
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match=r"cannot be written.*POLLARD_STATE_DIR"):
        Journal.begin(tmp_path / "file" / "journal", HEADER, b"")


class _FullDisk:
    """A file on a disk with `room` bytes left; it writes as much as fits."""

    def __init__(self, file, room: int) -> None:
        self._file = file
        self._room = room

    def write(self, content: bytes) -> int:
        fitting = content[: self._room]
        if not fitting:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._room -= len(fitting)
        return self._file.write(fitting)

    def fileno(self) -> int:
        return self._file.fileno()

    def close(self) -> None:
        self._file.close()


def _fill(journal: Journal) -> None:
    for number in range(9):
        journal.append(b"text %d" % number)


@pytest.mark.parametrize("room", [0, 10, 60])
def test_a_full_disk_raises_and_keeps_what_was_written(tmp_path: Path, room: int):
    journal = _written(tmp_path, TEXTS[:2])
    journal._file = _FullDisk((tmp_path / "reductions").open("ab", buffering=0), room)
    with pytest.raises(JournalError, match="No space left on device"):
        _fill(journal)
    journal.close()
    read = Journal.load(tmp_path)
    assert list(read.texts())[:2] == TEXTS[:2]
    assert read.best == journal.best


def test_partial_writes_are_completed(tmp_path: Path):
    journal = _written(tmp_path, TEXTS[:1])

    class PartialWriter(_FullDisk):
        def write(self, content: bytes) -> int:
            return self._file.write(content[:7])

    journal._file = PartialWriter((tmp_path / "reductions").open("ab", buffering=0), 0)
    journal.append(b"other")
    journal.close()
    assert list(Journal.load(tmp_path).texts()) == [TEXTS[0], b"other"]


def test_files_of_the_same_name_have_different_journals(tmp_path: Path):
    one, other = tmp_path / "a" / "x.c", tmp_path / "b" / "x.c"
    assert journal_directory(one) != journal_directory(other)
    assert journal_directory(one) == journal_directory(tmp_path / "b" / ".." / "a" / "x.c")
    assert journal_directory(one).is_relative_to(journals.state_directory())


def test_the_environment_can_name_the_state_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("POLLARD_STATE_DIR", str(tmp_path))
    assert journal_directory(Path("a.c")).is_relative_to(tmp_path)
    monkeypatch.delenv("POLLARD_STATE_DIR")
    assert not journal_directory(Path("a.c")).is_relative_to(tmp_path)


@given(st.binary(max_size=12), st.binary(max_size=12), st.binary(max_size=4), st.binary(max_size=4))
def test_splice_is_the_smallest_replacement(old: bytes, new: bytes, head: bytes, tail: bytes):
    old, new = head + old + tail, head + new + tail
    start, end, changed = splice(old, new)
    assert old[:start] + changed + old[end:] == new
    assert start >= len(head) or old[: len(head)] != new[: len(head)]
    assert 0 <= start <= end <= len(old)
    removed = old[start:end]
    if removed and changed:  # they have no common prefix or suffix
        assert removed[0] != changed[0]
        assert removed[-1] != changed[-1]


def test_a_reduction_writes_the_texts_that_it_accepts(tmp_path: Path):
    seen = watched(plan(journal=tmp_path / "journal"))
    journal = Journal.load(tmp_path / "journal")
    assert list(journal.texts()) == seen.texts
    assert journal.original == JSON
    assert journal.best == seen.result.text
