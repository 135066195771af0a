"""What a reduction believes of earlier verdicts, and what it does when one is taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from pollard.events import Measuring, Reduced
from pollard.oracle import Frequency, Verdict, VerdictCache
from pollard.reduction import Unstable
from tests.core.reductions import (
    JSON,
    PATIENCE,
    TWO_NEEDLES,
    InThread,
    logged,
    plan,
    runs_in,
    watched,
)

pytestmark = pytest.mark.usefixtures("no_leftovers")


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
    assert str(seen.result.frequency) == "10 of 20 runs"
    assert str(seen.result.original_frequency) == "1 of 2 runs"
    assert [each.what for each in seen.of(Measuring)] == ["how often the result fails"]


def test_the_runs_that_measure_the_result_count_as_checks(tmp_path: Path):
    log = tmp_path / "log"
    seen = watched(plan(logged(log, TWO_NEEDLES), limits={"runs_required": (2, 3)}))
    counts = seen.result.counts
    assert counts.check_runs == 3 + 2 + 20, "the original, the confirmation, the result's frequency"
    assert len(runs_in(log)) == counts.runs + counts.check_runs
    assert str(seen.result.frequency) == "20 of 20 runs"


def test_a_certain_oracle_is_not_measured():
    seen = watched(plan())
    assert seen.result.frequency is seen.result.original_frequency is None
    assert seen.of(Measuring) == []


def test_a_cancelled_measurement_leaves_the_result_complete(tmp_path: Path):
    """The reduction is done by then; only the measurement ends."""
    of = plan(f"[ ! -e {tmp_path}/slow ] || sleep 60; true", limits={"runs_required": (1, 2)})

    def cancel(event) -> None:
        if isinstance(event, Measuring):
            running.reduction.cancel()

    running = InThread(of, on_event=cancel)
    assert running.ended_within(PATIENCE)
    assert not running.outcome.cancelled
    assert running.outcome.frequency == Frequency(0, 0)


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
    assert running.ended_within(PATIENCE)
    result = running.outcome
    assert b"second" in result.text
    assert running.reduction.best == result.text
    assert any("flaky" in note for note in result.notes)
    assert result.text in {JSON, *(e.text for e in running.events if isinstance(e, Reduced))}


def _now_and_then(folder: Path, *, every: int) -> str:
    """A text without the word "second" is interesting in all runs of it but one of so many."""
    count = f"n=$(($(cat {folder}/count) + 1)); echo $n > {folder}/count"
    return (
        f'{TWO_NEEDLES} && {{ grep -q second "$1" || {{ {count}; [ $((n % {every})) != 0 ]; }}; }}'
    )


@pytest.mark.parametrize("every", [2, 3])
def test_a_search_that_slips_to_a_flaky_text_ends_where_one_does_that_never_slips(
    tmp_path: Path, every: int
):
    """As when a variable loses its value: the original always fails, and a smaller text by chance."""
    (tmp_path / "count").write_text("0")
    result = watched(plan(_now_and_then(tmp_path, every=every), checks=3)).result
    never = watched(plan(f'{TWO_NEEDLES} && grep -q second "$1"')).result
    assert result.text == never.text
    (told,) = result.notes
    assert "flaky" in told
    assert "10 runs for each text" in told


def test_what_one_run_refused_is_not_run_again_once_a_search_has_slipped(tmp_path: Path):
    (tmp_path / "count").write_text("0")
    log = tmp_path / "log"
    result = watched(plan(logged(log, _now_and_then(tmp_path, every=3)), checks=3)).result
    never = watched(plan(f'{TWO_NEEDLES} && grep -q second "$1"')).result
    both = never.counts.runs + watched(plan(cache=False)).result.counts.runs
    assert len(runs_in(log)) == result.counts.runs + result.counts.check_runs
    assert result.counts.runs < both + 10 * never.counts.reductions


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_result_is_confirmed_by_twice_as_many_runs_as_the_original(jobs: int):
    assert watched(plan(checks=4, jobs=jobs)).result.counts.check_runs == 4 + 8


def test_an_oracle_that_takes_back_everything_is_called_unstable(tmp_path: Path):
    changed = tmp_path / "changed"
    running = InThread(
        plan(f"[ ! -e {changed} ] && {TWO_NEEDLES}"),
        on_event=lambda event: changed.touch() if isinstance(event, Reduced) else None,
    )
    assert running.ended_within(PATIENCE)
    assert isinstance(running.outcome, Unstable)
    assert "no longer" in str(running.outcome)


def test_a_verdict_that_was_taken_back_is_not_kept_for_the_next_time(tmp_path: Path):
    changed = tmp_path / "changed"
    of = plan(_holds_until(changed))
    expected = watched(plan(cache=False)).result.text

    def change(event) -> None:
        if isinstance(event, Reduced) and event.text == expected:
            changed.touch()

    assert InThread(of, on_event=change).ended_within(PATIENCE)
    with VerdictCache(of.oracle.fingerprint(), of.filename) as cache:
        assert cache.get(expected) is Verdict.UNINTERESTING
