"""A formatter at the end of a reduction, with real processes: when it runs and what it changes."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pollard.events import Reduced
from pollard.journal import Journal, JournalError
from pollard.oracle import OracleError
from pollard.reduction import Plan, Reduction
from tests.core.reductions import (
    PATIENCE,
    TWO_NEEDLES,
    InThread,
    logged,
    plan,
    runs_in,
    watched,
)

pytestmark = pytest.mark.usefixtures("no_leftovers")

TEXT = b'[1,\n  ["needle", 2],\n  3, "needle"]\n'
#: Begins a line after each bracket; its runs are lines in the file that may be its argument.
TIDY = r"""
import sys
if sys.argv[1:]:
    open(sys.argv[1], "a").write("run\n")
print(sys.stdin.read().strip().replace("[", "[\n    "))
"""


def bare(**options) -> Plan:
    """A plan without a formatter, whose strategy leaves lists with two needles."""
    return plan(**{"text": TEXT, "strategy": "hdd*", "cache": False, **options})


def formatting(of: Plan, script: str = TIDY, *words: str) -> Plan:
    """The plan with a formatter that is a Python script."""
    return commanded(of, (sys.executable, "-c", script, *words))


def commanded(of: Plan, command: str | tuple[str, ...]) -> Plan:
    return replace(of, oracle=replace(of.oracle, formatter=command))


def note(of: Plan) -> str:
    """The only note of a reduction, which ends as it does without a formatter."""
    seen, without = watched(of), watched(replace(of, oracle=replace(of.oracle, formatter=None)))
    assert seen.texts == without.texts
    assert seen.result.text == without.result.text
    (told,) = set(seen.result.notes) - set(without.result.notes)
    return told


def test_the_result_is_formatted_after_the_last_pass_at_the_cost_of_one_run():
    without, seen = watched(bare()), watched(formatting(bare()))
    assert seen.texts[:-1] == without.texts
    assert seen.texts[-1] == seen.result.text
    assert seen.result.text.count(b"[\n    ") == 2
    assert seen.result.counts.runs == without.result.counts.runs + 1
    assert seen.result.counts.check_runs == without.result.counts.check_runs
    assert seen.result.counts.reductions == len(seen.texts)
    assert seen.result.reduced.bytes == len(seen.result.text)
    assert seen.of(Reduced)[-1].where == "formatter"
    assert seen.result.notes == ()


@pytest.mark.parametrize("strategy", [None, "hdd*", "hddh*+polish", "ddmin"])
def test_it_runs_once_whatever_the_strategy(tmp_path: Path, strategy: str | None):
    """Never for candidates, which are many."""
    log = tmp_path / "log"
    watched(formatting(bare(strategy=strategy), TIDY, str(log)))
    assert log.read_text() == "run\n"


def test_two_jobs_give_what_one_gives():
    alone, together = watched(formatting(bare())), watched(formatting(bare(jobs=2)))
    assert together.texts == alone.texts
    assert together.result.text == alone.result.text
    for name in ("runs", "cache_hits", "reductions"):
        assert getattr(together.result.counts, name) == getattr(alone.result.counts, name)


def test_the_formatted_text_is_run_as_a_candidate_and_to_confirm_it(tmp_path: Path):
    log = tmp_path / "log"
    counts = watched(formatting(bare(script=logged(log, TWO_NEEDLES)))).result.counts
    runs = runs_in(log)
    assert len(runs) == counts.runs + counts.check_runs + counts.wasted_runs
    assert runs[-1] == runs[-2]
    assert runs.count(runs[-1]) == 2


def test_a_formatted_text_that_is_uninteresting_is_dropped_with_a_note():
    indented = f'! grep -q "^    " "$1" && {TWO_NEEDLES}'
    assert "not interesting" in note(formatting(bare(script=indented)))


def test_what_is_no_longer_interesting_when_it_is_confirmed_gives_way(tmp_path: Path):
    """Then the text before it is the result, and that is not lost to the formatter either."""
    seen_before = f'grep -q "^    " "$1" && [ -e {tmp_path}/seen ] && exit 1; '
    noted = f'grep -q "^    " "$1" && touch {tmp_path}/seen; {TWO_NEEDLES}'
    seen = watched(formatting(bare(script=seen_before + noted)))
    assert seen.texts[-1].count(b"[\n    ") == 2
    assert seen.result.text == seen.texts[-2]
    assert "flaky" in seen.result.notes[0]


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("no-such-formatter", "-"), "'no-such-formatter' was not found on PATH"),
        ("no-such-formatter -", "ended with exit code 127"),
        ("echo 'bad input' >&2; exit 3", "ended with exit code 3 (bad input)"),
        ("cat > /dev/null", "printed nothing"),
        ("kill -9 $$", "killed by signal 9"),
        ("cat; seq 1000 | sed 's/.*/[&]/'", "much larger"),
        ("cat; printf '}'", "syntax errors"),
    ],
)
def test_a_failing_formatter_is_a_note_and_changes_nothing(
    command: str | tuple[str, ...], told: str
):
    assert told in note(commanded(bare(), command))


def test_an_oracle_that_breaks_on_the_formatted_text_is_no_fault_of_the_formatter(tmp_path: Path):
    """It is reported as an error, as always; a note would hide it."""
    of = bare()
    program = tmp_path / "oracle.sh"
    program.write_text('#!/bin/sh\n[ "$(grep -o needle "$1" | wc -l)" -ge 2 ]\n')
    program.chmod(0o755)
    oracle = replace(of.oracle, command=(str(program), "{file}"))
    with pytest.raises(OracleError, match="oracle's command"):
        watched(commanded(replace(of, oracle=oracle), f"rm {program}; cat; echo ' '"))


def test_line_ends_stay_those_of_the_file():
    seen = watched(formatting(bare(text=TEXT.replace(b"\n", b"\r\n"))))
    assert seen.result.text.count(b"[\r\n    ") == 2
    assert seen.result.text.count(b"\r\n") == seen.result.text.count(b"\n")
    assert not watched(formatting(bare(text=TEXT.rstrip()))).result.text.endswith(b"\n")


def test_with_a_region_only_a_change_inside_is_taken():
    start, end = TEXT.index(b'["'), TEXT.index(b"3")
    of = bare(region=(start, end))
    assert "region" in note(formatting(of))
    inside = "import sys; print(sys.stdin.read().replace('[\"', '[ \"'), end='')"
    text = watched(formatting(of, inside)).result.text
    assert text == TEXT[:start] + b'[ "needle"],\n  ' + TEXT[end:]


def test_an_irreducible_file_is_not_formatted(tmp_path: Path):
    """It is the user's own text, as they wrote it."""
    log = tmp_path / "log"
    small = bare(text=b'["needle",\n"needle"]\n', strategy="lines")
    seen = watched(formatting(small, TIDY, str(log)))
    assert seen.result.text == small.text
    assert seen.result.notes == ()
    assert not log.exists()


def test_a_reduction_that_was_cancelled_is_not_formatted(tmp_path: Path):
    log = tmp_path / "log"

    def stop(event) -> None:
        if isinstance(event, Reduced) and event.number == 1:
            running.reduction.cancel()

    running = InThread(formatting(bare(), TIDY, str(log)), on_event=stop)
    assert running.ended_within(PATIENCE)
    assert running.outcome.cancelled
    assert not log.exists()


def test_cancelling_a_formatter_that_hangs_keeps_what_was_reduced(tmp_path: Path):
    begun = tmp_path / "begun"
    running = InThread(commanded(bare(), f"touch {begun}; sleep 60"))
    while not begun.exists():
        assert not running.ended_within(0.01)
    running.reduction.cancel()
    assert running.ended_within(PATIENCE)
    assert running.outcome.cancelled
    assert running.outcome.text == watched(bare()).result.text


def test_the_formatted_text_is_in_the_journal_and_met_again(tmp_path: Path):
    """As if the process had been killed when all was done but the end."""
    of = formatting(bare(journal=tmp_path / "journal", cache=True))
    seen = watched(of)
    assert list(Journal.load(tmp_path / "journal").texts()) == seen.texts
    again = watched(replace(of, resume=True))
    assert again.texts == []
    assert again.result.text == seen.result.text
    assert again.result.counts.runs == 0


def test_nothing_is_resumed_with_another_formatter(tmp_path: Path):
    of = formatting(bare(journal=tmp_path / "journal"))
    watched(of)
    with pytest.raises(JournalError, match="another formatter"):
        Reduction(replace(commanded(of, "cat"), resume=True)).run()


def test_verdicts_are_the_same_with_and_without_a_formatter():
    """So naming one repeats no run."""
    of = bare()
    assert formatting(of).oracle.fingerprint() == of.oracle.fingerprint()
