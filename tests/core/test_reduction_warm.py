"""Reductions with warm runs end on the promise of cold ones: the same bytes, or a sentence why not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pollard.cli.main import run
from pollard.events import Progress, Reduced, Started
from pollard.limits import SearchLimits
from pollard.oracle.warm.warm_runs import WarmRuns
from pollard.reduction import NotInteresting
from pollard.speculation.modes import Speculation
from tests.core.executors.warm_programs import program, tool_processes, warm_oracle
from tests.core.reductions import JSON, PATIENCE, InThread, plan, watched
from tests.examples import rarely

pytestmark = pytest.mark.e2e

TWO_NEEDLES = """
import gc, json, sys, time
text = open(sys.argv[1]).read()
warm = gc.get_freeze_count() > 0
"""
HONEST = TWO_NEEDLES + "sys.exit(text.count('needle') < 2)"
#: Interesting with one needle, too, but only in warm runs of texts below a size.
LYING = TWO_NEEDLES + (
    "sys.exit(text.count('needle') < 2 and not (warm and 'needle' in text and len(text) < {below}))"
)


@pytest.fixture
def reduced(tmp_path):
    def reduce(source, warm=WarmRuns.ON, **options):
        oracle = warm_oracle(program(tmp_path, source), warm=warm)
        return watched(plan(oracle=oracle, **{"cache": False, **options}))

    return reduce


@pytest.mark.parametrize(
    "options",
    [
        {},
        pytest.param({"jobs": 3, "speculation": Speculation.OFF}, marks=pytest.mark.exhaustive),
        pytest.param({"jobs": 2}, marks=pytest.mark.exhaustive),
    ],
    ids=["one job", "ahead within a question", "ahead across questions"],
)
def test_the_result_and_the_counted_runs_are_those_of_cold_runs(reduced, options):
    slow = HONEST.replace("sys.exit", "time.sleep(0.06)\nsys.exit") if options else HONEST
    cold = reduced(slow, WarmRuns.OFF)
    warm = reduced(slow, **options)
    assert warm.texts == cold.texts
    assert warm.result.text == cold.result.text
    assert warm.result.counts.runs == cold.result.counts.runs
    assert warm.result.counts.cache_hits == cold.result.counts.cache_hits
    assert "Runs are warm" in " ".join(warm.of(Started)[0].notes)


@pytest.mark.parametrize("below", [30, *rarely(90, 12)])
def test_a_disagreement_turns_the_search_cold_from_the_last_proved_text(reduced, below):
    """Below 12 bytes only the proof of the result can notice it."""
    found = reduced(LYING.format(below=below)).result
    assert found.text.count(b"needle") == 2
    assert len(found.text) < 40
    told = next(note for note in found.notes if "do not confirm" in note)
    assert "a cold run ended with exit code 1, but a warm one ended with exit code 0" in told
    assert "went on with cold runs" in told


@pytest.mark.exhaustive
def test_disagreements_are_noticed_at_the_same_text_by_any_number_of_jobs(reduced):
    source = LYING.format(below=30)
    one = reduced(source)
    several = reduced(source, jobs=3)
    assert several.texts == one.texts
    assert several.result.counts.runs == one.result.counts.runs
    assert several.result.notes[1:] == one.result.notes[1:]


@pytest.mark.parametrize("jobs", [1, *rarely(2, 3)])
@pytest.mark.parametrize("options", [{}, {"search_limits": SearchLimits(max_runs=45)}], ids=str)
def test_a_proof_that_fails_late_ends_in_what_one_in_time_does(reduced, tmp_path, options, jobs):
    """The first eight cold runs are so slow that the search is far ahead of its proofs."""
    source, log = LYING.format(below=60), tmp_path / "log"
    wait = f"with open({str(log)!r}, 'a') as log: slow = log.write('x') and log.tell() <= 8"
    slow = source.replace("sys.exit", f"if not warm:\n    {wait}\n    time.sleep(slow)\nsys.exit")
    in_time, late = reduced(source, **options), reduced(slow, **options, jobs=jobs)
    assert [note for note in late.result.notes if "do not confirm" in note]
    assert late.result.notes[1:] == in_time.result.notes[1:]
    assert late.texts == in_time.texts
    assert [event.counts.runs for event in late.of(Reduced)] == [
        event.counts.runs for event in in_time.of(Reduced)
    ]
    counts = late.result.counts
    assert counts.runs == in_time.result.counts.runs
    assert counts.check_runs == in_time.result.counts.check_runs
    assert counts.wasted_runs > 0


def test_a_limit_that_was_reached_still_ends_on_a_proved_text(reduced):
    limits = SearchLimits(max_runs=25)
    found = reduced(LYING.format(below=150), search_limits=limits).result
    assert found.text.count(b"needle") == 2
    assert [note for note in found.notes if "limit" in note or "runs" in note]


def test_verdicts_of_warm_runs_are_not_those_of_cold_ones(reduced, tmp_path, monkeypatch):
    monkeypatch.setenv("POLLARD_CACHE_DIR", str(tmp_path / "cache"))
    source = LYING.format(below=30)
    cold = reduced(source, WarmRuns.OFF, cache=False).result.text
    reduced(source, cache=True)
    after = reduced(source, WarmRuns.OFF, cache=True).result
    assert after.text == cold


def test_a_resumed_reduction_proves_again_what_it_repeats(reduced, tmp_path, monkeypatch):
    monkeypatch.setenv("POLLARD_CACHE_DIR", str(tmp_path / "cache"))
    options = {"journal": tmp_path / "journal", "cache": True}
    source = LYING.format(below=30)
    first = reduced(source, **options)
    again = reduced(source, **options, resume=True)
    assert again.result.text == first.result.text
    assert again.texts == []
    assert [note for note in again.result.notes if "do not confirm" in note]


def test_a_cancelled_reduction_says_that_its_result_is_not_proved(tmp_path):
    oracle = warm_oracle(program(tmp_path, HONEST))
    reduction = InThread(plan(oracle=oracle, cache=False))

    def cancel_at_third(event):
        if isinstance(event, Reduced) and event.number == 3:
            reduction.reduction.cancel()

    reduction.on_event = cancel_at_third
    assert reduction.ended_within(PATIENCE)
    assert reduction.outcome.cancelled
    assert "not proved by a cold run" in " ".join(reduction.outcome.notes)


def test_a_cancellation_ends_a_proof_that_is_in_progress(tmp_path):
    """What the search has accepted meanwhile is its result."""
    source = HONEST.replace(
        "sys.exit", f"if not warm and len(text) not in (0, {len(JSON)}): time.sleep(600)\nsys.exit"
    )
    reduction = InThread(
        plan(oracle=warm_oracle(program(tmp_path, source), timeout=900.0), cache=False)
    )

    def cancel_at_tenth(event):
        if isinstance(event, Progress) and event.counts.runs == 10:
            reduction.reduction.cancel()

    reduction.on_event = cancel_at_tenth
    assert reduction.ended_within(PATIENCE)
    assert reduction.outcome.cancelled
    assert (
        reduction.outcome.text == [e.text for e in reduction.events if isinstance(e, Reduced)][-1]
    )
    assert "not proved by a cold run" in " ".join(reduction.outcome.notes)
    assert tool_processes() == []


@pytest.mark.exhaustive
def test_a_real_tool_gives_the_same_bytes_warm_and_cold(tmp_path, capsys):
    """Docutils comes with the environment, and takes nearly all of a run to start."""
    docutils = str(Path(sys.executable).with_name("docutils"))
    file = tmp_path / "page.rst"
    file.write_text(
        "Title\n=====\n\nSome text with *emphasis*.\n\n.. note::\n\n   A note.\n\n"
        "- item\n- other\n\nSee `nowhere`_ and :unknown:`role`.\n"
    )
    results = []
    for option in ("--no-warm", "--warm"):
        out = tmp_path / option
        command = ["reduce", str(file), "-o", str(out), "--no-cache", option, "--checks", "1"]
        command += ["--stderr", "Unknown target name", "--", docutils, "{file}"]
        assert run(command) == 0
        results.append(out.read_bytes())
    assert results[0] == results[1]
    assert len(results[0]) < 30
    assert "Runs are warm" in capsys.readouterr().err


def test_the_original_must_be_interesting_before_anything_is_loaded(reduced):
    with pytest.raises(NotInteresting):
        reduced(HONEST, text=JSON.replace(b"needle", b"x"))
