"""One reduction with real processes: what it tells, what it costs, how it ends."""

from __future__ import annotations

import hashlib
import itertools
import re
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from pollard.errors import Cancelled, PollardError
from pollard.events import Finished, Progress, Reduced, Started
from pollard.oracle import Criteria, Oracle, Shares, Verdict, VerdictCache
from pollard.passes.strategy import PRESETS
from pollard.reduction import NotInteresting, Reduction, Unstable
from pollard.syntax.languages import find
from tests.core.reductions import (
    JSON,
    TWO_NEEDLES,
    InThread,
    logged,
    plan,
    runs_in,
    shell,
    watched,
)

pytestmark = pytest.mark.usefixtures("no_leftovers")

#: What "at once" may take on a machine that is busy with other things (the promise is 0.5 s).
_AT_ONCE = 2.0
_PATIENCE = 30.0


def _wait(condition) -> None:
    stop = time.monotonic() + _PATIENCE
    while not condition():
        assert time.monotonic() < stop, "what the test waits for did not happen"
        time.sleep(0.01)


def test_events_come_in_order_and_tell_what_happened():
    seen = watched(plan())
    started, finished = seen.events[0], seen.events[-1]
    assert isinstance(started, Started)
    assert isinstance(finished, Finished)
    assert {type(event) for event in seen.events[1:-1]} == {Progress, Reduced}
    assert started.language == "json"
    assert started.original == finished.result.original
    assert started.original.bytes == len(JSON)
    assert finished.result is seen.result
    assert seen.result.text == seen.texts[-1]
    assert seen.result.reduced.bytes == len(seen.result.text) < len(JSON)
    assert seen.result.text.count(b"needle") == 2
    assert [event.number for event in seen.of(Reduced)] == list(range(1, len(seen.texts) + 1))


def test_counts_fit_together():
    seen = watched(plan(checks=2))
    counts = seen.result.counts
    assert counts.runs == len(seen.of(Progress))
    assert counts.check_runs == 2 + 1  # and one to confirm the result
    assert counts.reductions == len(seen.texts)
    assert counts.cache_hits >= 0
    assert counts.wasted_runs == counts.invalid == counts.timeouts == 0
    assert counts.seconds >= counts.oracle_seconds > 0
    totals = [event.counts.runs for event in seen.of(Progress)]
    assert totals == list(range(1, counts.runs + 1))
    sizes = [event.bytes for event in seen.of(Progress)]
    assert sizes == sorted(sizes, reverse=True)
    assert seen.of(Progress)[-1].original_bytes == len(JSON)


def test_the_oracle_runs_as_often_as_counted(tmp_path: Path):
    log = tmp_path / "log"
    counts = watched(plan(logged(log, TWO_NEEDLES))).result.counts
    assert len(runs_in(log)) == counts.runs + counts.check_runs + counts.wasted_runs


def test_guarded_candidates_take_no_run(tmp_path: Path):
    """What the oracle is shown always parses, though it would like a lone needle best."""
    copy = f'cp "$1" {tmp_path}/$(cksum < "$1" | tr " " -); grep -q needle "$1"'
    seen = watched(plan(copy, strategy="hddh*"))
    grammar = plan().grammar
    assert grammar is not None
    assert seen.result.counts.guarded > 0
    assert seen.result.text == b'"needle"\n'


def test_the_default_ends_with_a_few_runs_past_the_guard():
    """A string without its end is as interesting to `grep`; with the guard switched off anyway."""
    text = watched(plan("grep -q needle $1")).result.text
    assert len(text) < len(b'"needle"\n')
    assert b"needle" in text


PROGRAM = b"""int long_name(int argument) { return argument + 1; }
int another_name = 2;
int needle(void) { return long_name(another_name) + long_name(3); }
"""
USED = "grep -q 'needle.*return.*(.*).*(' $1"


@pytest.mark.parametrize("strategy", [None, "default"])
def test_without_renaming_the_default_strategy_keeps_all_names(strategy: str | None):
    options = {"filename": "case.c", "grammar": find("c"), "strategy": strategy}
    renamed = watched(plan(USED, PROGRAM, **options)).result
    kept = watched(plan(USED, PROGRAM, **options, renaming=False)).result
    assert _names(kept.text) <= _names(PROGRAM)
    assert not _names(renamed.text) <= _names(PROGRAM)
    assert kept.strategy == renamed.strategy == "default"


def test_a_strategy_that_was_named_renames_also_without_renaming():
    named = plan(USED, PROGRAM, filename="case.c", grammar=find("c"), strategy="rename")
    kept = watched(replace(named, renaming=False)).result.text
    assert kept == watched(named).result.text
    assert not _names(kept) <= _names(PROGRAM)


def _names(text: bytes) -> set[bytes]:
    return {*re.findall(rb"[a-z_]+", text)}


@pytest.mark.parametrize("strategy", PRESETS)
def test_two_jobs_give_what_one_gives(strategy: str):
    alone = watched(plan(strategy=strategy, cache=False))
    together = watched(plan(strategy=strategy, cache=False, jobs=2))
    assert together.texts == alone.texts
    assert together.result.text == alone.result.text
    for name in ("runs", "cache_hits", "reductions"):
        assert getattr(together.result.counts, name) == getattr(alone.result.counts, name)


def test_an_original_that_is_not_interesting_is_refused_with_all_that_helps():
    with pytest.raises(NotInteresting) as refused:
        Reduction(plan("echo hello; exit 3")).run()
    for part in ("not interesting", "exit code 3", "hello", "/bin/sh -c"):
        assert part in str(refused.value)


def test_a_flaky_original_is_refused_and_called_flaky(tmp_path: Path):
    flag = tmp_path / "flag"
    script = f"[ -e {flag} ] && exit 1; touch {flag}"
    with pytest.raises(NotInteresting, match="flaky"):
        Reduction(plan(script, checks=3)).run()


def test_an_oracle_that_is_not_there_is_a_clear_error():
    oracle = Oracle(("no-such-program", "{file}"))
    with pytest.raises(PollardError, match=r"no-such-program.*not found"):
        Reduction(plan(oracle=oracle)).run()


def test_a_script_that_is_not_executable_is_a_clear_error(tmp_path: Path):
    script = tmp_path / "oracle.sh"
    script.write_text("exit 0")
    with pytest.raises(PollardError, match="not executable"):
        Reduction(plan(oracle=Oracle((str(script), "{file}")))).run()


def test_cancelled_before_it_starts():
    reduction = Reduction(plan())
    reduction.cancel()
    with pytest.raises(Cancelled):
        reduction.run()
    assert reduction.best == JSON


@pytest.mark.parametrize("jobs", [1, 2])
def test_cancelled_during_the_check(jobs: int, tmp_path: Path):
    mark = tmp_path / "mark"
    running = InThread(plan(f"touch {mark}; sleep 60", jobs=jobs))
    _wait(mark.exists)
    running.reduction.cancel()
    assert running.ended_within(_AT_ONCE)
    assert isinstance(running.outcome, Cancelled)
    assert running.reduction.best == JSON
    assert running.events == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_cancelled_during_a_long_run_keeps_the_best(jobs: int, tmp_path: Path):
    """From the second reduction on each run takes a minute, and starts another process."""
    mark, hung = tmp_path / "mark", tmp_path / "hung"
    script = f"[ -e {mark} ] && {{ touch {hung}; sleep 60 & sleep 60; }}; {TWO_NEEDLES}"

    def hang_soon(event) -> None:
        if isinstance(event, Reduced) and event.number == 2:
            mark.touch()

    running = InThread(plan(script, jobs=jobs, limits={"timeout": 60.0}), on_event=hang_soon)
    _wait(hung.exists)
    running.reduction.cancel()
    assert running.ended_within(_AT_ONCE)
    result = running.outcome
    assert not isinstance(result, BaseException)
    assert result is not None
    assert result.cancelled
    assert result.text == running.reduction.best
    assert result.text == [e.text for e in running.events if isinstance(e, Reduced)][1]
    assert isinstance(running.events[-1], Finished)


def test_a_listener_may_cancel_in_the_thread_of_the_reduction():
    running = InThread(plan(), on_event=_on_first_reduction(lambda: running.reduction.cancel()))
    assert running.ended_within(_PATIENCE)
    assert running.outcome.cancelled
    assert [running.outcome.text] == [e.text for e in running.events if isinstance(e, Reduced)]


def _on_first_reduction(act):
    """A listener that acts at the first reduction."""

    def hear(event) -> None:
        if isinstance(event, Reduced) and event.number == 1:
            act()

    return hear


@pytest.mark.parametrize("jobs", [1, 2])
def test_paused_it_starts_no_run_and_resumed_it_ends_the_same(jobs: int, tmp_path: Path):
    log = tmp_path / "log"
    expected = watched(plan()).result.text
    paused = threading.Event()

    def pause(event) -> None:
        if isinstance(event, Reduced) and not paused.is_set():
            running.reduction.pause()
            paused.set()

    running = InThread(plan(logged(log, TWO_NEEDLES), jobs=jobs), on_event=pause)
    _wait(paused.is_set)
    time.sleep(0.3)  # what was under way ends
    runs = len(runs_in(log))
    time.sleep(0.2)
    assert len(runs_in(log)) == runs
    assert not running.ended_within(0)
    running.reduction.resume()
    assert running.ended_within(_PATIENCE)
    assert running.outcome.text == expected


def test_a_pause_during_the_check_holds_when_the_search_begins(tmp_path: Path):
    log, go = tmp_path / "log", tmp_path / "go"
    script = logged(log, f"while [ ! -e {go} ]; do sleep 0.01; done; {TWO_NEEDLES}")
    running = InThread(plan(script))
    _wait(log.exists)
    running.reduction.pause()
    go.touch()
    _wait(lambda: any(isinstance(event, Started) for event in running.events))
    time.sleep(0.3)
    assert len(runs_in(log)) == 1
    running.reduction.resume()
    assert running.ended_within(_PATIENCE)
    assert running.outcome.text.count(b"needle") == 2


def test_cancelled_while_paused():
    paused = threading.Event()

    def pause(event) -> None:
        if isinstance(event, Reduced) and not paused.is_set():
            running.reduction.pause()
            paused.set()

    running = InThread(plan(), on_event=pause)
    _wait(paused.is_set)
    running.reduction.cancel()
    assert running.ended_within(_AT_ONCE)
    assert running.outcome.cancelled


def test_paused_during_the_checks_it_starts_no_further_one(tmp_path: Path):
    log, go = tmp_path / "log", tmp_path / "go"
    script = logged(log, f"while [ ! -e {go} ]; do sleep 0.01; done; {TWO_NEEDLES}")
    running = InThread(plan(script, checks=3))
    _wait(log.exists)
    running.reduction.pause()
    go.touch()
    time.sleep(0.3)
    assert len(runs_in(log)) == 1
    assert running.events == []
    running.reduction.resume()
    assert running.ended_within(_PATIENCE)
    assert running.outcome.counts.check_runs == 3 + 1


@pytest.mark.parametrize("jobs", [1, 2])
def test_cancelled_while_it_waits_for_its_share_of_the_machine(jobs: int, tmp_path: Path):
    """Before the checks, and again in the middle of the search."""
    log = tmp_path / "log"
    shares = Shares(1)
    with shares.share().turn():
        waiting = InThread(plan(logged(log, TWO_NEEDLES), jobs=jobs, share=shares.share()))
        waiting.reduction.cancel()
        assert waiting.ended_within(_AT_ONCE)
        assert isinstance(waiting.outcome, Cancelled)
    other, held, done = shares.share(), threading.Event(), threading.Event()

    def hold() -> None:
        with other.turn():
            held.set()
            done.wait(_PATIENCE)

    def stop(event) -> None:
        if isinstance(event, Reduced) and event.number == 1:
            threading.Thread(target=hold).start()
            held.wait(_PATIENCE)

    assert runs_in(log) == []
    running = InThread(
        plan(logged(log, TWO_NEEDLES), jobs=jobs, share=shares.share()), on_event=stop
    )
    _wait(held.is_set)
    running.reduction.cancel()
    assert running.ended_within(_AT_ONCE)
    done.set()
    counts = running.outcome.counts
    assert running.outcome.cancelled
    # One that is wasted may be killed before it comes to write its log.
    least = counts.runs + counts.check_runs
    assert least <= len(runs_in(log)) <= least + counts.wasted_runs


def test_reductions_that_share_the_machine_end_as_they_would_alone(tmp_path: Path):
    """And whatever they do, one oracle runs at a time."""
    lock, broken = tmp_path / "lock", tmp_path / "broken"
    script = f"mkdir {lock} || touch {broken}; sleep 0.002; rmdir {lock}; {TWO_NEEDLES}"
    alone = watched(plan(cache=False))
    shares = Shares(1)
    running = [
        InThread(plan(script, jobs=jobs, share=shares.share(), cache=False)) for jobs in (1, 1, 2)
    ]
    for each in running:
        assert each.ended_within(_PATIENCE)
        assert each.outcome.text == alone.result.text
        assert each.outcome.counts.runs == alone.result.counts.runs
        assert [e.text for e in each.events if isinstance(e, Reduced)] == alone.texts
    assert not broken.exists()


def test_cancelled_during_the_first_parse(monkeypatch: pytest.MonkeyPatch):
    """The checks have passed, and a long text is about to be parsed."""
    reduction = Reduction(plan(text=JSON.replace(b"3,", b"3," * 20_000), checks=1))
    opened = reduction._open_subject

    def cancel_first(judge):
        reduction.cancel()
        return opened(judge)

    monkeypatch.setattr(reduction, "_open_subject", cancel_first)
    with pytest.raises(Cancelled):
        reduction.run()
    assert reduction._subject is not None
    assert "tree" not in reduction._subject.document.__dict__


def test_a_second_reduction_pays_nothing(tmp_path: Path):
    log = tmp_path / "log"
    once = watched(plan(logged(log, TWO_NEEDLES)))
    before = len(runs_in(log))
    again = watched(plan(logged(log, TWO_NEEDLES)))
    assert again.texts == once.texts
    assert again.result.counts.runs == 0
    assert again.result.counts.cache_hits >= once.result.counts.runs
    assert len(runs_in(log)) == before + again.result.counts.check_runs


def test_without_the_cache_a_second_reduction_pays_again():
    once, again = watched(plan(cache=False)), watched(plan(cache=False))
    assert again.result.counts.runs == once.result.counts.runs > 0


def test_another_oracle_does_not_believe_the_verdicts_of_the_first():
    watched(plan(strategy="hddh*"))
    third = plan("grep -q third $1", strategy="hddh*")
    assert watched(third).result.text == b'"third"\n'


def test_verdicts_that_need_several_runs_are_confirmed_with_as_many(tmp_path: Path):
    """An oracle that holds for every other run asks for 1 of 2; one run proves nothing."""
    flag = tmp_path / "flag"
    flaky = f"if [ -e {flag} ]; then rm {flag}; else touch {flag}; exit 1; fi; {TWO_NEEDLES}"
    seen = watched(plan(flaky, checks=2, limits={"runs_required": (1, 2)}))
    assert seen.result.text.count(b"needle") == 2
    assert seen.result.text == watched(plan()).result.text
    assert seen.result.notes == ()


def _holds_until(last: Path, script: str = TWO_NEEDLES) -> str:
    """Once the file is there, only texts with the word "second" are interesting."""
    return f'[ -e {last} ] && {{ grep -q second "$1"; exit; }}; {script}'


def test_an_oracle_that_changes_its_mind_at_the_end_gets_the_last_text_it_still_holds_for(
    tmp_path: Path,
):
    """The final run fails: the result is an earlier text that the oracle was asked about again."""
    changed = tmp_path / "changed"
    expected = watched(plan(cache=False)).result.text
    assert b"second" not in expected

    def change(event) -> None:
        if isinstance(event, Reduced) and event.text == expected:
            changed.touch()

    running = InThread(plan(_holds_until(changed), cache=False), on_event=change)
    assert running.ended_within(_PATIENCE)
    result = running.outcome
    assert b"second" in result.text
    assert running.reduction.best == result.text
    assert any("flaky" in note for note in result.notes)
    assert result.text in {JSON, *(e.text for e in running.events if isinstance(e, Reduced))}


def test_an_oracle_that_takes_back_everything_is_called_unstable(tmp_path: Path):
    changed = tmp_path / "changed"
    running = InThread(
        plan(f"[ ! -e {changed} ] && {TWO_NEEDLES}"),
        on_event=lambda event: changed.touch() if isinstance(event, Reduced) else None,
    )
    assert running.ended_within(_PATIENCE)
    assert isinstance(running.outcome, Unstable)
    assert "no longer" in str(running.outcome)


def test_a_verdict_that_was_taken_back_is_not_kept_for_the_next_time(tmp_path: Path):
    changed = tmp_path / "changed"
    of = plan(_holds_until(changed))
    expected = watched(plan(cache=False)).result.text

    def change(event) -> None:
        if isinstance(event, Reduced) and event.text == expected:
            changed.touch()

    assert InThread(of, on_event=change).ended_within(_PATIENCE)
    with VerdictCache(of.oracle.fingerprint(), of.filename) as cache:
        assert cache.get(expected) is Verdict.UNINTERESTING


def _everything_in(folder: Path) -> dict[str, tuple[str, int]]:
    return {
        str(path.relative_to(folder)): (
            hashlib.sha256(path.read_bytes()).hexdigest(),
            path.stat().st_mtime_ns,
        )
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_the_workspace_and_the_original_are_untouched(tmp_path: Path):
    """The oracle writes beside its candidate, and is not in the workspace when it does."""
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "case.json").write_bytes(JSON)
    (workspace / "helper.txt").write_text("needle")
    before = _everything_in(workspace)
    script = f'touch here; touch "$1.out"; echo x >> helper.txt; {TWO_NEEDLES}'
    limits = {"workspace": workspace, "files": (Path("helper.txt"),)}
    seen = watched(plan(script, limits=limits, journal=tmp_path / "journal"))
    assert len(seen.result.text) < len(JSON)
    assert _everything_in(workspace) == before


def test_a_text_that_is_no_utf_8_is_reduced_by_lines_and_bytes_and_says_so():
    text = 'int x; // größer\n"needle"\n'.encode("latin-1")
    seen = watched(plan("grep -aq needle $1", text))
    assert seen.result.text == b"needle"
    assert any("UTF-8" in note for note in seen.events[0].notes)
    assert seen.events[0].language is None
    assert seen.result.strategy == "ddmin"


def test_a_text_without_a_grammar_is_reduced_by_lines_and_characters():
    seen = watched(plan("grep -q needle $1", b"one\nthe needle\nthree\n", grammar=None))
    assert seen.result.text == b"needle"
    assert any("grammar" in note for note in seen.result.notes)


@pytest.mark.parametrize("text", [b"", b"\n", b" \t\n\r\n", b"\xef\xbb\xbf", b"\0"])
@pytest.mark.parametrize("grammar", [True, False])
def test_next_to_nothing_is_reduced_to_nothing_or_left_as_it_is(text: bytes, grammar: bool):
    options = {} if grammar else {"grammar": None}
    result = watched(plan("exit 0", text, **options)).result
    assert len(result.text) <= len(text)
    if not text:
        assert result.counts.runs == 0
        assert result.original.bytes == result.original.tokens == 0


def test_only_the_region_changes():
    start, end = JSON.index(b'"second"'), JSON.index(b'"third"')
    result = watched(plan("grep -q needle $1", region=(start, end))).result
    assert result.text.startswith(JSON[:start])
    assert result.text.endswith(JSON[end:])
    assert len(result.text) < len(JSON)


def test_timeouts_and_invalid_candidates_are_counted():
    script = f'grep -q first "$1" || sleep 5; grep -q third "$1" || exit 9; {TWO_NEEDLES}'
    oracle = shell(script, timeout=0.3, invalid=Criteria(exit_code=(9,)))
    counts = watched(plan(oracle=oracle, strategy="coarse-hdd")).result.counts
    assert counts.invalid > 0
    assert counts.timeouts > 0


def test_the_best_text_is_known_at_every_moment():
    bests = []
    running = Reduction(plan(), lambda _: bests.append(running.best))
    running.run()
    assert bests[0] == JSON
    assert [best for best, _ in itertools.groupby(bests)][-1] == running.best
    assert all(best.count(b"needle") >= 2 for best in bests)
