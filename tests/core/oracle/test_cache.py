"""The cache keeps verdicts, and problems with the disk are never errors."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading

import pytest

from pollard.oracle import Signature, Verdict, VerdictCache, cache_directory

GOOD, BAD = Verdict.INTERESTING, Verdict.UNINTERESTING


def _cache(directory, fingerprint="f", filename="a.c", **options):
    return VerdictCache(fingerprint, filename, directory=directory, **options)


def test_verdicts_persist_across_instances(tmp_path):
    with _cache(tmp_path) as cache:
        assert cache.get(b"x") is None
        for number, verdict in enumerate(Verdict):
            cache.put(b"%d" % number, verdict)
    with _cache(tmp_path) as cache:
        assert [cache.get(b"%d" % n) for n in range(len(Verdict))] == list(Verdict)
        assert cache.warnings == []


def test_oracles_and_file_names_have_separate_verdicts(tmp_path):
    with _cache(tmp_path) as cache:
        cache.put(b"x", GOOD)
    assert _cache(tmp_path, fingerprint="g").get(b"x") is None
    assert _cache(tmp_path, filename="b.c").get(b"x") is None
    assert _cache(tmp_path).get(b"x") is GOOD


def test_a_cache_that_is_not_persistent_touches_no_disk(tmp_path):
    with _cache(tmp_path, persistent=False) as cache:
        cache.put(b"x", GOOD)
        assert cache.get(b"x") is GOOD
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("reopened", [False, True])
def test_a_timeout_answers_only_for_limits_that_are_not_larger(tmp_path, reopened):
    cache = _cache(tmp_path, timeout=5.0)
    cache.put(b"x", Verdict.TIMEOUT, timeout=2.0)
    if reopened:
        cache = _cache(tmp_path, timeout=5.0)
    assert cache.get(b"x") is None
    cache.timeout = 2.0
    assert cache.get(b"x") is Verdict.TIMEOUT
    cache.timeout = 1.0
    assert cache.get(b"x") is Verdict.TIMEOUT


def test_the_directory_can_be_chosen(tmp_path, monkeypatch):
    monkeypatch.setenv("POLLARD_CACHE_DIR", str(tmp_path / "deep" / "cache"))
    assert cache_directory() == tmp_path / "deep" / "cache"
    VerdictCache("f", "a").put(b"x", GOOD)
    assert _cache(tmp_path / "deep" / "cache", filename="a").get(b"x") is GOOD


WRITER = """
import sys, time
from pathlib import Path
from pollard.oracle import Verdict, VerdictCache
cache = VerdictCache("f", "a.c", directory=Path(sys.argv[1]))
for n in range(int(sys.argv[2]), int(sys.argv[3])):
    cache.put(b"%d" % n, Verdict.INTERESTING)
assert not cache.warnings, cache.warnings
print("done", flush=True)
time.sleep(float(sys.argv[4]))
"""


def _writer(directory, start, end, sleep):
    command = [sys.executable, "-c", textwrap.dedent(WRITER), directory, start, end, sleep]
    return subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, text=True)


def test_verdicts_survive_kill_9(tmp_path):
    with _writer(tmp_path, 0, 300, 100) as child:
        assert child.stdout.readline() == "done\n"
        os.kill(child.pid, signal.SIGKILL)
    with _cache(tmp_path) as cache:
        assert [cache.get(b"%d" % n) for n in range(300)] == [GOOD] * 300
        assert cache.warnings == []


def test_two_processes_and_threads_share_one_file(tmp_path):
    with _writer(tmp_path, 0, 300, 0) as one, _writer(tmp_path, 300, 600, 0) as two:
        assert (one.wait(), two.wait()) == (0, 0)
    with _cache(tmp_path) as cache:
        results = {}

        def read(part):
            results[part] = [cache.get(b"%d" % n) for n in range(part, 600, 4)]

        threads = [threading.Thread(target=read, args=(part,)) for part in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert results == {part: [GOOD] * 150 for part in range(4)}


def _memory_only(cache):
    cache.put(b"x", BAD)
    assert cache.get(b"x") is BAD
    assert cache.get(b"y") is None
    assert len(cache.warnings) == 1
    assert "remembers its verdicts in memory only" in cache.warnings[0]


def test_a_corrupt_file_is_put_aside(tmp_path):
    (tmp_path / "verdicts.sqlite3").write_bytes(b"this is no database" * 1000)
    _memory_only(_cache(tmp_path))
    with _cache(tmp_path) as healed:
        healed.put(b"x", GOOD)
        assert healed.warnings == []
    assert _cache(tmp_path).get(b"x") is GOOD


def test_a_damaged_file_gives_no_wrong_verdicts(tmp_path):
    with _cache(tmp_path) as cache:
        for number in range(2000):
            cache.put(b"%d" % number, GOOD)
    path = tmp_path / "verdicts.sqlite3"
    with path.open("r+b") as stream:
        stream.seek(5000)
        stream.write(b"\xff" * (path.stat().st_size - 9000))
    cache = _cache(tmp_path)
    assert {cache.get(b"%d" % number) for number in range(2000)} <= {GOOD, None}
    assert cache.warnings
    cache.put(b"new", BAD)
    assert cache.get(b"new") is BAD


@pytest.mark.parametrize("column", ["verdict", "seconds", "failure"])
def test_a_row_with_the_values_of_another_is_not_believed(tmp_path, column):
    """As where bytes of the file were lost; SQLite does not notice that."""
    with _cache(tmp_path, timeout=1.0) as cache:
        cache.put(b"good", GOOD, failure=Signature("SIGSEGV"))
        cache.put(b"slow", Verdict.TIMEOUT, timeout=2.0)
    with sqlite3.connect(tmp_path / "verdicts.sqlite3") as database:
        database.execute(
            f"UPDATE verdict SET {column} = (SELECT {column} FROM verdict WHERE id = 2)"
        )
    database.close()
    cache = _cache(tmp_path, timeout=1.0)
    assert (cache.get(b"good"), cache.failure(b"good")) == (None, None)
    assert "a row is damaged" in cache.warnings[0]


def test_rows_of_versions_without_checksums_are_unknown(tmp_path):
    with _cache(tmp_path) as cache:
        cache.put(b"x", GOOD)
    with sqlite3.connect(tmp_path / "verdicts.sqlite3") as database:
        database.execute("UPDATE verdict SET verdict = 'interesting'")
    database.close()
    with _cache(tmp_path) as cache:
        assert cache.get(b"x") is None
        cache.put(b"x", GOOD)
        assert cache.warnings == []
    assert _cache(tmp_path).get(b"x") is GOOD


def test_a_foreign_table_is_not_used(tmp_path):
    with sqlite3.connect(tmp_path / "verdicts.sqlite3") as database:
        database.execute("CREATE TABLE verdict (id INTEGER PRIMARY KEY)")
    database.close()
    _memory_only(_cache(tmp_path))


def test_without_a_directory_the_cache_works_in_memory(tmp_path):
    (tmp_path / "file").touch()
    _memory_only(_cache(tmp_path / "file" / "cache"))


def test_with_an_unreadable_file_the_cache_works_in_memory(tmp_path):
    (tmp_path / "verdicts.sqlite3").mkdir()
    _memory_only(_cache(tmp_path))


def test_on_a_full_disk_the_cache_works_in_memory(tmp_path):
    cache = _cache(tmp_path)
    cache._database.execute("PRAGMA max_page_count = 3")
    for number in range(2000):
        cache.put(b"%d" % number, GOOD)
    assert all(cache.get(b"%d" % number) is GOOD for number in range(2000))
    assert len(cache.warnings) == 1
    assert "full" in cache.warnings[0]


def test_a_locked_file_only_skips_writing(tmp_path, monkeypatch):
    monkeypatch.setattr("pollard.oracle.cache._BUSY_SECONDS", 0.01)
    with _cache(tmp_path) as cache:
        other = sqlite3.connect(tmp_path / "verdicts.sqlite3", isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        cache.put(b"x", GOOD)
        assert (cache.get(b"x"), cache.warnings) == (GOOD, [])
        other.execute("ROLLBACK")
        other.close()
        cache.put(b"y", GOOD)
    assert (_cache(tmp_path).get(b"x"), _cache(tmp_path).get(b"y")) == (None, GOOD)


def test_the_oldest_rows_are_dropped_first(tmp_path):
    with _cache(tmp_path, max_rows=10) as cache:
        for number in range(30):
            cache.put(b"%d" % number, GOOD)
    kept = _cache(tmp_path)
    assert [n for n in range(30) if kept.get(b"%d" % n)] == list(range(20, 30))
