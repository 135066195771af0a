"""Resuming a reduction: the same result, no repeated runs, nothing lost."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from pollard.events import Reduced
from pollard.journal import History, Journal, JournalError, JournalHeader
from pollard.journal import recording as journals
from pollard.reduction import Reduction
from pollard.syntax.branches.branches import Preprocessing
from tests.core.reductions import (
    JSON,
    PATIENCE,
    TWO_NEEDLES,
    InThread,
    achieved,
    logged,
    plan,
    runs_in,
    watched,
)
from tests.examples import rarely

pytestmark = pytest.mark.usefixtures("no_leftovers")

_ROOT = Path(__file__).parents[2]
# By then there are some reductions, and more would follow.
_RUNS_BEFORE_KILL = 18
_HEADER = JournalHeader(file="a", oracle="o", strategy="s", region=(0, 4), guard=True)


def _run_interrupted(of, after: int) -> None:
    """Run a plan and cancel it at the reduction number *after*."""

    def stop(event) -> None:
        if isinstance(event, Reduced) and event.number == after:
            running.reduction.cancel()

    running = InThread(of, on_event=stop)
    assert running.ended_within(PATIENCE)
    assert running.outcome.cancelled


def _history(directory: Path, *, resume: bool, original: bytes = b"abcd", **terms) -> History:
    history = History(original)
    history.keep(directory, replace(_HEADER, **terms), resume=resume)
    return history


def test_a_resumed_reduction_ends_like_an_uninterrupted_one(tmp_path: Path):
    of = plan(journal=tmp_path / "journal", cache=False)
    whole = watched(plan(cache=False))
    _run_interrupted(of, after=2)
    assert list(Journal.load(tmp_path / "journal").texts()) == whole.texts[:2]
    resumed = watched(replace(of, resume=True))
    assert resumed.result.text == whole.result.text
    assert resumed.texts == whole.texts[2:]  # recorded texts are not reported again
    assert resumed.result.counts.reductions == len(whole.texts)
    assert achieved(resumed.result) == achieved(whole.result)
    assert list(Journal.load(tmp_path / "journal").texts()) == whole.texts


def test_best_is_the_recorded_text_from_the_start(tmp_path: Path):
    of = plan(journal=tmp_path / "journal")
    _run_interrupted(of, after=2)
    best = Journal.load(tmp_path / "journal").best
    bests = []
    resumed = Reduction(replace(of, resume=True), lambda _: bests.append(resumed.best))
    resumed.run()
    assert bests[0] == best
    assert [len(text) for text in bests] == sorted((len(t) for t in bests), reverse=True)


def test_a_finished_reduction_can_be_resumed_without_runs(tmp_path: Path):
    of = plan(journal=tmp_path / "journal")
    done = watched(of)
    again = watched(replace(of, resume=True))
    assert again.result.text == done.result.text
    assert again.result.counts.runs == 0
    assert again.texts == []


_CHILD = """
import sys
from pathlib import Path
from pollard.reduction import Reduction
from pollard.syntax.branches.branches import Preprocessing
from tests.core.reductions import plan
Reduction(plan(sys.argv[1], journal=Path(sys.argv[2]), jobs=int(sys.argv[3]))).run()
"""


@pytest.mark.parametrize("jobs", [2, *rarely(1)])
def test_a_killed_reduction_can_be_resumed(
    jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Kill -9 during a run: only the runs of that moment are repeated."""
    monkeypatch.chdir(_ROOT)
    log, go, journal = tmp_path / "log", tmp_path / "go", tmp_path / "journal"
    hang = (
        f"[ $(wc -l < {log}) -lt {_RUNS_BEFORE_KILL} ] || while [ ! -e {go} ]; do sleep 0.02; done"
    )
    script = logged(log, f"{hang}; {TWO_NEEDLES}")
    command = [sys.executable, "-c", _CHILD, script, str(journal), str(jobs)]
    with subprocess.Popen(command, cwd=_ROOT) as child:
        stop = time.monotonic() + PATIENCE
        while len(runs_in(log)) < _RUNS_BEFORE_KILL and time.monotonic() < stop:
            time.sleep(0.01)
        child.kill()
    go.touch()
    assert len(runs_in(log)) >= _RUNS_BEFORE_KILL
    assert Journal.load(journal).count > 0

    of = plan(script, journal=journal, jobs=jobs)
    resumed = watched(replace(of, resume=True))
    whole = watched(plan(cache=False))
    assert resumed.result.text == whole.result.text
    assert list(Journal.load(journal).texts()) == whole.texts
    checked = {
        runs_in(log)[0],
        runs_in(log)[-1],
    }  # the original first, the result last
    twice = [text for text, runs in Counter(runs_in(log)).items() if runs > 1]
    assert len([text for text in twice if text not in checked]) <= jobs


def test_resuming_a_torn_journal_loses_nothing(tmp_path: Path):
    """The resumed reduction appends after the torn line; all of it can be read."""
    of = plan(journal=tmp_path / "journal")
    whole = watched(of)
    file = tmp_path / "journal" / "reductions"
    file.write_bytes(file.read_bytes()[:-4])
    assert watched(replace(of, resume=True)).result.text == whole.result.text
    assert list(Journal.load(tmp_path / "journal").texts()) == whole.texts


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"text": JSON + b"\n"}, "file has changed"),
        ({"strategy": "hdd*"}, "another strategy"),
        ({"guard": False}, "another guard"),
        ({"preprocessing": Preprocessing(flatten=False)}, "another preprocessing"),
        ({"learn_invalid": True}, "another learn_invalid"),
        ({"renaming": False}, "another renaming"),
        ({"region": (0, 10)}, "another region"),
        ({"script": "grep -q needle $1"}, "another oracle"),
        ({"filename": "other.json"}, "another file"),
    ],
)
def test_a_changed_plan_cannot_be_resumed(tmp_path: Path, changed: dict, named: str):
    journal = tmp_path / "journal"
    _run_interrupted(plan(journal=journal), after=1)
    before = (journal / "reductions").read_bytes()
    with pytest.raises(JournalError, match=named) as refused:
        Reduction(plan(**changed, journal=journal, resume=True)).run()
    assert "begin anew" in str(refused.value)
    assert (journal / "reductions").read_bytes() == before


def test_renaming_does_not_matter_for_an_explicit_strategy(tmp_path: Path):
    of = plan(journal=tmp_path / "journal", strategy="hdd*")
    _run_interrupted(of, after=1)
    assert watched(replace(of, renaming=False, resume=True)).result.reduced.bytes < len(JSON)


def test_resuming_without_a_journal_raises(tmp_path: Path):
    with pytest.raises(JournalError, match="no interrupted reduction"):
        Reduction(plan(journal=tmp_path / "journal", resume=True)).run()


def test_an_unwritable_journal_raises_before_the_search(tmp_path: Path):
    (tmp_path / "file").write_text("")
    events: list = []
    with pytest.raises(JournalError, match="cannot be written"):
        Reduction(plan(journal=tmp_path / "file" / "journal"), events.append).run()
    assert events == []


def test_a_full_disk_ends_the_reduction_and_keeps_the_best_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    write = journals.append_synced
    lines: list[bytes] = []

    def full(file, content: bytes) -> None:
        if len(lines) == 2:
            raise OSError(28, "No space left on device")
        lines.append(content)
        write(file, content)

    monkeypatch.setattr(journals, "append_synced", full)
    of = plan(journal=tmp_path / "journal")
    reduction = Reduction(of)
    with pytest.raises(JournalError, match="No space left"):
        reduction.run()
    assert reduction.best == Journal.load(tmp_path / "journal").best
    assert reduction.best.count(b"needle") == 2
    assert len(reduction.best) < len(JSON)

    monkeypatch.setattr(journals, "append_synced", write)
    whole = watched(plan(cache=False))
    assert watched(replace(of, resume=True)).result.text == whole.result.text


def test_a_diverging_search_keeps_the_smaller_text(tmp_path: Path):
    """The best text from before the interruption is only replaced by one that is no larger."""
    first = _history(tmp_path, resume=False)
    assert first.accept(b"abc")
    assert first.accept(b"a")
    first.close()
    second = _history(tmp_path, resume=True)
    bests = [second.best]
    for text in (b"bcd", b"cd", b"c", b""):
        assert second.accept(text)
        bests.append(second.best)
    assert bests == [b"a", b"a", b"a", b"c", b""]
    assert list(Journal.load(tmp_path).texts()) == [b"bcd", b"cd", b"c", b""]
    second.close()


def test_recorded_texts_are_not_new(tmp_path: Path):
    first = _history(tmp_path, resume=False)
    for text in (b"abc", b"ab"):
        first.accept(text)
    first.close()
    second = _history(tmp_path, resume=True)
    assert [second.accept(text) for text in (b"abc", b"ab", b"a")] == [False, False, True]
    assert second.best == b"a"
    assert second.count == 3
    second.close()


def test_backwards_yields_earlier_texts_in_growing_steps(tmp_path: Path):
    texts = [b"%d" % number for number in range(1, 12)]
    history = _history(tmp_path, resume=False)
    for text in texts:
        history.accept(text)
    assert list(history.backwards()) == [b"11", b"10", b"9", b"7", b"3", b"abcd"]
    history.go_back_to(b"7")
    assert history.best == b"7"
    history.close()
    assert Journal.load(tmp_path).best == b"7"


def test_backwards_without_accepted_texts_yields_the_original(tmp_path: Path):
    history = _history(tmp_path, resume=False)
    assert list(history.backwards()) == [b"abcd"]
    history.close()


def test_a_journal_without_a_directory_is_temporary():
    history = History(b"abcd")
    history.keep(None, _HEADER, resume=False)
    history.accept(b"a")
    folder = Path(history._temporary.name)
    assert list(Journal.load(folder).texts()) == [b"a"]
    history.close()
    assert not folder.exists()
