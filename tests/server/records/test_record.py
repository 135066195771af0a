"""One reduction on disk: nothing of it is lost, and its status is right."""

from __future__ import annotations

import json
import stat

import pytest

from pollard.events import Counts
from pollard.journal import state_directory
from pollard.other_failures import save
from pollard_server.records import Record, RecordedOther, RecordError, Records
from tests.server.records.making import (
    ORIGINAL,
    OTHERS,
    TEXTS,
    URI,
    begun,
    event,
    left_behind,
    records,
    reduced,
)


def on_disk(record: Record) -> Record:
    """The record as another process, or a later server, reads it."""
    return records().get(record.id)


def test_the_original_is_on_disk_before_anything_else_happens() -> None:
    record = begun()
    assert (record.directory / "original").read_bytes() == ORIGINAL
    assert on_disk(record).original == ORIGINAL
    assert on_disk(record).best == ORIGINAL
    assert not record.has_journal


def test_only_the_user_can_read_the_texts() -> None:
    """They are the user's files, and the state directory may be in a shared home."""
    directory = begun().directory
    for private in (directory, directory.parent, state_directory() / "editor"):
        assert stat.S_IMODE(private.stat().st_mode) == 0o700


def test_facts_of_a_new_record_are_read_back() -> None:
    known = {"oracle": "gcc", "strategy": "default", "region": (3, 9), "language": "c"}
    read = on_disk(begun(**known, continues="000007"))
    assert {name: getattr(read, name) for name in known} == known
    assert (read.uri, read.continues, read.status) == (URI, "000007", "running")
    assert (read.original_bytes, read.bytes, read.runs, read.seconds) == (
        len(ORIGINAL),
        len(ORIGINAL),
        0,
        0.0,
    )
    assert read.started.endswith("+00:00")


def test_every_accepted_text_can_be_read_back() -> None:
    record = begun()
    reduced(record, TEXTS)
    for seen in (record, on_disk(record)):
        assert [seen.text(number) for number in range(4)] == [ORIGINAL, *TEXTS]
        assert seen.best == TEXTS[-1]
        assert [step.bytes for step in seen.steps()] == [len(text) for text in TEXTS]
        assert [step.where for step in seen.steps()][-1] == "hddh level 3"
        assert (seen.bytes, seen.runs, seen.seconds) == (len(TEXTS[-1]), 30, 1.5)
        assert seen.has_journal


@pytest.mark.parametrize("number", [-1, 4, 10**9])
def test_an_unknown_text_number_is_refused_with_the_valid_ones(number: int) -> None:
    record = begun()
    reduced(record, TEXTS)
    with pytest.raises(RecordError, match=r"choose a number from 0 \(the original\) to 3\.$"):
        record.text(number)


@pytest.mark.parametrize("status", ["finished", "stopped", "failed"])
def test_the_end_is_written_down(status) -> None:
    record = begun()
    reduced(record, TEXTS)
    record.finish(status, best=TEXTS[0], counts=Counts(runs=99, seconds=7.0))
    for seen in (record, on_disk(record)):
        assert (seen.status, seen.bytes) == (status, len(TEXTS[0]))
        assert (seen.runs, seen.seconds) == (99, 7.0)


def test_an_end_without_figures_takes_those_of_the_last_step() -> None:
    record = begun()
    reduced(record, TEXTS)
    record.finish("failed")
    read = on_disk(record)
    assert (read.bytes, read.runs, read.seconds) == (len(TEXTS[-1]), 30, 1.5)


def test_a_record_whose_server_was_killed_is_interrupted() -> None:
    record = begun()
    reduced(record, TEXTS)
    assert on_disk(record).status == "running"
    left_behind(record)
    read = on_disk(record)
    assert (read.status, read.bytes) == ("interrupted", len(TEXTS[-1]))


@pytest.mark.parametrize("status", ["interrupted", "stopped"])
def test_an_unfinished_reduction_continues_from_any_of_its_texts(status) -> None:
    record = begun()
    reduced(record, TEXTS)
    assert not record.can_continue_from(ORIGINAL)
    if status == "stopped":
        record.finish("stopped")
    else:
        left_behind(record)
    read = on_disk(record)
    assert all(read.can_continue_from(text) for text in [ORIGINAL, *TEXTS])
    assert not read.can_continue_from(ORIGINAL + b" ")


@pytest.mark.parametrize("status", ["finished", "failed"])
def test_an_ended_reduction_cannot_be_continued(status) -> None:
    record = begun()
    record.finish(status)
    assert not record.can_continue_from(ORIGINAL)
    with pytest.raises(RecordError, match=f"is {status} and cannot be continued"):
        record.resume()


def test_a_reduction_continued_by_another_server_cannot_be_continued() -> None:
    record = begun()
    record.finish("stopped")
    mine, theirs = on_disk(record), on_disk(record)
    theirs.resume()
    with pytest.raises(RecordError, match="is running"):
        mine.resume()


def test_a_continued_reduction_adds_to_its_earlier_cost() -> None:
    record = begun()
    reduced(record, TEXTS[:2])
    record.finish("stopped", counts=Counts(runs=25, seconds=2.0))
    again = on_disk(record)
    again.resume()
    assert (again.status, again.runs, again.seconds) == ("running", 25, 2.0)
    reduced(again, TEXTS[2:], first=3)
    again.finish("finished", counts=Counts(runs=31, seconds=1.75))
    read = on_disk(record)
    assert [step.runs for step in read.steps()] == [10, 20, 55]
    assert [step.seconds for step in read.steps()] == [0.5, 1.0, 3.5]
    assert (read.status, read.runs, read.seconds) == ("finished", 56, 3.75)
    assert [read.text(number) for number in range(4)] == [ORIGINAL, *TEXTS]


def test_a_continued_reduction_with_other_texts_replaces_the_old_ones() -> None:
    record = begun()
    reduced(record, TEXTS)
    record.finish("stopped")
    again = on_disk(record)
    again.resume()
    reduced(again, [b"other"], first=2)
    for seen in (again, on_disk(record)):
        assert [step.number for step in seen.steps()] == [1, 2]
        assert seen.best == b"other"


class TestOthers:
    """Other failures that candidates showed; the engine writes their texts beside its journal."""

    def test_they_are_read_back_with_their_texts(self) -> None:
        record = begun()
        save(record.directory, OTHERS)
        record.finish("finished", others=OTHERS)
        read = on_disk(record)
        assert read.others == (
            RecordedOther("NameError, raised on line 1", 1, 3),
            RecordedOther("SIGSEGV", 2, 1),
        )
        assert [read.text_of_other(number) for number in (1, 2)] == [b"a", b"ab"]

    @pytest.mark.parametrize("number", [-1, 0, 3])
    def test_an_unknown_number_is_refused(self, number: int) -> None:
        record = begun()
        record.finish("finished", others=OTHERS)
        with pytest.raises(RecordError, match=f"no other failure {number}; it has 2"):
            record.text_of_other(number)

    def test_a_removed_text_is_an_error_that_says_what_to_do(self) -> None:
        record = begun()
        record.finish("finished", others=OTHERS)
        with pytest.raises(RecordError, match="reduce another failure, or the file once more"):
            record.text_of_other(1)

    def test_a_continued_reduction_has_none_until_its_end(self) -> None:
        """The repeated search sees all of them again, and the engine then replaces their texts."""
        record = begun()
        record.finish("stopped", others=OTHERS)
        record.resume()
        assert on_disk(record).others == ()
        record.finish("finished", others=OTHERS[1:])
        assert on_disk(record).others == (RecordedOther("SIGSEGV", 2, 1),)


def test_an_incomplete_line_does_not_damage_the_next_one() -> None:
    record = begun()
    reduced(record, TEXTS[:2])
    left_behind(record)
    with (record.directory / "steps").open("ab") as file:
        file.write(b'{"number": 3, "by')
    again = on_disk(record)
    again.resume()
    again.add_step(event(3, TEXTS[2]))
    assert [step.number for step in on_disk(record).steps()] == [1, 2, 3]


@pytest.mark.parametrize(
    "content", ["", "[]", "17", "null", "{}", '{"uri": 1', "[" * 10**5, "\xff"]
)
def test_a_damaged_record_keeps_its_texts(content: str) -> None:
    record = begun()
    reduced(record, TEXTS)
    (record.directory / "record.json").write_text(content, encoding="latin-1")
    (read,) = records().all()
    assert (read.original, read.best, read.status) == (ORIGINAL, TEXTS[-1], "interrupted")
    assert (read.uri, read.original_bytes, len(read.steps())) == (URI, len(ORIGINAL), 3)
    assert not read.can_continue_from(ORIGINAL)  # nobody knows which oracle and region it had


def test_a_record_without_its_terms_keeps_its_texts() -> None:
    record = begun()
    reduced(record, TEXTS)
    (record.directory / "terms").unlink()
    assert on_disk(record).best == TEXTS[-1]


def test_a_record_that_a_later_version_wrote_can_be_read() -> None:
    record = begun()
    file = record.directory / "record.json"
    content = {**json.loads(file.read_bytes()), "mood": "good"}
    file.write_text(json.dumps(content), encoding="utf-8")
    assert on_disk(record).oracle == "gcc"


def test_a_removed_original_is_an_error_that_says_so() -> None:
    record = begun()
    (record.directory / "original").unlink()
    with pytest.raises(RecordError, match="cannot be read: No such file"):
        _ = record.original
    assert records().all() == []


class TestKept:
    """The user's text is kept before another text replaces it."""

    def test_the_users_text_is_kept_as_a_record_that_is_not_the_latest(self) -> None:
        record = begun()
        kept = record.keep_before_restore(b"mine")
        assert kept is not None
        read = on_disk(kept)
        assert (read.status, read.original, read.bytes) == ("kept", b"mine", 4)
        assert read.text(0) == b"mine"
        assert [each.id for each in records().all()] == [record.id, kept.id]
        latest = records().latest()
        assert latest is not None
        assert latest.id == record.id

    def test_a_text_that_is_on_disk_already_is_not_kept_again(self) -> None:
        record = begun()
        reduced(record, TEXTS)
        assert record.keep_before_restore(ORIGINAL) is None
        assert record.keep_before_restore(TEXTS[1]) is None
        assert record.keep_before_restore(b"mine") is not None
        assert record.keep_before_restore(b"mine") is None
        assert len(records().all()) == 2

    def test_ten_kept_texts_stay_and_displace_no_reduction(self) -> None:
        place = records()
        record = begun(place)
        for number in range(14):
            record.keep_before_restore(b"mine %d" % number)
        found = Records(URI, "crash.c").all()
        assert [each.original for each in found] == [
            ORIGINAL,
            *(b"mine %d" % number for number in range(4, 14)),
        ]
