"""The records of a document: their order, which are kept, and several servers at once."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import psutil
import pytest

from pollard.journal import state_directory
from pollard_server.records import HistoryOffers, Record, RecordError, Records, directories
from pollard_server.records.facts import is_running, this_process
from tests.server.records.making import (
    ORIGINAL,
    OTHERS,
    TEXTS,
    begun,
    left_behind,
    records,
    reduced,
)


def ids(place: Records) -> list[str]:
    return [record.id for record in place.all()]


def finished(place: Records, **known) -> Record:
    record = begun(place, **known)
    record.finish("finished")
    return record


def test_a_document_without_reductions_has_no_records() -> None:
    place = records()
    assert place.all() == []
    assert place.latest() is None
    assert place.offers(ORIGINAL) == HistoryOffers(restore=False, step_back=False, resume=False)
    assert not state_directory().exists()


def test_the_newest_comes_last() -> None:
    place = records()
    made = [finished(place, original=b"%d" % number).id for number in range(3)]
    assert made == sorted(made)
    assert ids(records()) == made
    latest = records().latest()
    assert latest is not None
    assert latest.original == b"2"


def test_documents_do_not_share_records() -> None:
    """Even if their names are alike, or cannot be names of directories."""
    uris = ["file:///a/x.c", "file:///b/x.c", "untitled:x.c", "file:///\ud800"]
    names = ["x.c", "x.c", "../..", "a/b\0\ud800" + "ü" * 200]
    for uri, name in zip(uris, names, strict=True):
        begun(Records(uri, name), original=uri.encode("utf-8", "replace"))
    for uri, name in zip(uris, names, strict=True):
        (record,) = Records(uri, name).all()
        assert record.original == uri.encode("utf-8", "replace")
    assert len(list((state_directory() / "editor").iterdir())) == 4


@pytest.mark.parametrize("unknown", ["", "000009", "1", "..", "../x", "original"])
def test_an_id_that_no_record_has_is_refused(unknown: str) -> None:
    place = records()
    finished(place)
    with pytest.raises(RecordError, match="There is no reduction"):
        place.get(unknown)


def test_only_the_newest_twenty_are_kept() -> None:
    place = records()
    made = [finished(place).id for _ in range(23)]
    assert ids(records()) == made[3:]
    assert finished(records()).id > made[-1]


def test_a_running_record_is_kept_however_old() -> None:
    place = records()
    running, dead = begun(place), begun(place)
    left_behind(dead)
    made = [finished(place).id for _ in range(22)]
    assert ids(records()) == [running.id, *made[2:]]


def test_records_that_the_newest_continues_are_kept_however_old() -> None:
    """They contain the first original."""
    place = records()
    chain = [finished(place).id]
    for _ in range(24):
        chain.append(finished(place, continues=chain[-1]).id)
    assert ids(records()) == chain
    assert len(ids(records())) == 25
    finished(place)
    assert len(ids(records())) == 20


def test_leftovers_of_a_crash_are_not_listed_and_are_removed_later() -> None:
    place = records()
    begun(place)
    half = place.directory / "aside-x"
    half.mkdir()
    (half / "original").write_bytes(b"")
    assert len(place.all()) == 1
    begun(place)
    assert half.exists()  # another server may be at it
    os.utime(half, (0, 0))
    begun(place)
    assert not half.exists()


def test_a_full_disk_is_an_error_before_anything_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    place = records()
    begun(place)
    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(RecordError, match="cannot be written: No space left on device"):
        begun(place)
    assert len(place.all()) == 1
    assert not list(place.directory.glob("aside-*"))


def test_a_number_taken_by_another_server_is_not_used_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = records()
    taken = [finished(place, original=b"%d" % number).id for number in range(2)]
    with monkeypatch.context() as early:
        early.setattr(
            directories, "record_directories", lambda _: []
        )  # what it saw before the others came
        later = finished(place, original=b"2")
    assert [record.original for record in place.all()] == [b"0", b"1", b"2"]
    assert ids(place) == [*taken, later.id]


def test_simultaneous_reductions_get_different_records() -> None:
    """Several servers may serve the same document."""
    barrier = threading.Barrier(4)

    def work(number: int) -> None:
        barrier.wait()
        for _ in range(4):
            begun(original=b"%d" % number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = sorted(record.original for record in records().all())
    assert found == [b"%d" % number for number in range(4) for _ in range(4)]


class TestOffers:
    """The actions that the latest record allows, computed whenever the cursor moves."""

    def test_offers_before_any_text_was_accepted(self) -> None:
        place = records()
        begun(place)
        assert place.offers(ORIGINAL) == HistoryOffers()
        assert place.offers(b"other") == HistoryOffers(restore=True)

    def test_offers_after_a_finished_reduction(self) -> None:
        place = records()
        record = begun(place)
        reduced(record, TEXTS)
        record.finish("finished")
        assert place.offers(TEXTS[-1]) == HistoryOffers(restore=True, step_back=True)
        assert place.offers(ORIGINAL) == HistoryOffers(step_back=True)

    def test_offers_after_a_stopped_reduction(self) -> None:
        place = records()
        record = begun(place)
        reduced(record, TEXTS)
        record.finish("stopped")
        assert place.offers(TEXTS[-1]) == HistoryOffers(restore=True, step_back=True, resume=True)
        assert place.offers(b"other") == HistoryOffers(restore=True, step_back=True)

    def test_a_reduction_that_only_saw_other_failures_hides_no_earlier_text(self) -> None:
        place = records()
        first = begun(place)
        reduced(first, TEXTS)
        first.finish("finished")
        begun(place, original=TEXTS[-1], continues=first.id).finish("finished", others=OTHERS)
        assert place.offers(TEXTS[-1]) == HistoryOffers(restore=True, step_back=True, others=True)
        assert getattr(place.latest(Record.steps), "id", None) == first.id

    def test_another_servers_steps_are_seen(self) -> None:
        mine, theirs = records(), records()
        record = begun(theirs)
        assert not mine.offers(b"other").step_back
        reduced(record, TEXTS)
        assert mine.offers(b"other").step_back
        record.finish("stopped")
        assert mine.offers(TEXTS[0]).resume

    def test_nothing_is_read_again_that_did_not_change(self) -> None:
        place = records()
        finished(place)
        assert place.latest() is place.latest()


class TestOwner:
    """A process is identified by its id and its start, because ids are used again."""

    def test_this_process_runs(self) -> None:
        assert is_running(*this_process())

    def test_a_reused_id_is_another_process(self) -> None:
        pid, started = this_process()
        assert not is_running(pid, started - 60)

    @pytest.mark.parametrize("pid", [-1, 2**30, 2**70])
    def test_an_unused_process_id_does_not_run(self, pid: int) -> None:
        assert not is_running(pid, 0.0)

    def test_a_zombie_process_does_not_run(self) -> None:
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
        started = psutil.Process(child.pid).create_time()
        assert is_running(child.pid, started)
        child.kill()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert not is_running(child.pid, started)
        child.communicate()
