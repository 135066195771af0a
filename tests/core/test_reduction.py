"""One reduction with real processes: what it tells, what it costs, how it ends."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from pollard.errors import PollardError
from pollard.events import Finished, PassEnded, Progress, Reduced, Started
from pollard.oracle import CommandOracle, Criteria
from pollard.passes.strategy import PRESETS
from pollard.reduction import NotInteresting, Reduction
from pollard.syntax.grammars.languages import find
from tests.core.reductions import (
    JSON,
    TWO_NEEDLES,
    achieved,
    logged,
    plan,
    runs_in,
    shell,
    watched,
)

pytestmark = pytest.mark.usefixtures("no_leftovers")


def test_events_come_in_order_and_tell_what_happened():
    seen = watched(plan())
    started, finished = seen.events[0], seen.events[-1]
    assert isinstance(started, Started)
    assert isinstance(finished, Finished)
    assert {type(event) for event in seen.events[1:-1]} == {Progress, Reduced, PassEnded}
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
    assert counts.check_runs == 2 + 4  # and twice as many to confirm the result
    assert counts.reductions == len(seen.texts)
    assert counts.cache_hits >= 0
    assert counts.wasted_runs == counts.invalid == counts.timeouts == 0
    assert counts.seconds >= counts.oracle_seconds > 0
    totals = [event.counts.runs for event in seen.of(Progress)]
    assert totals == list(range(1, counts.runs + 1))
    sizes = [event.bytes for event in seen.of(Progress)]
    assert sizes == sorted(sizes, reverse=True)
    assert seen.of(Progress)[-1].original_bytes == len(JSON)


def test_the_figures_of_the_passes_add_up_to_those_of_the_reduction():
    seen = watched(plan(cache=False))
    passes, counts = seen.result.passes, seen.result.counts
    assert sum(one.runs for one in passes) == counts.runs
    assert sum(one.accepted for one in passes) == counts.reductions
    assert sum(one.guarded for one in passes) == counts.guarded
    assert sum(one.bytes_saved for one in passes) == len(JSON) - len(seen.result.text)
    assert all(one.candidates >= one.runs >= one.accepted for one in passes)
    rounds = [event.statistics.name for event in seen.of(PassEnded)]
    assert {one.name: one.rounds for one in passes} == Counter(rounds)


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


def test_only_the_smallest_goes_past_the_guard():
    """A string without its end is as interesting to `grep`."""
    smallest = watched(plan("grep -q needle $1", strategy="smallest")).result.text
    assert len(smallest) < len(b'"needle"\n')
    assert b"needle" in smallest
    assert watched(plan("grep -q needle $1")).result.text == b'"needle"\n'


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
    assert achieved(together.result) == achieved(alone.result)


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
    oracle = CommandOracle(("no-such-program", "{file}"))
    with pytest.raises(PollardError, match=r"no-such-program.*not found"):
        Reduction(plan(oracle=oracle)).run()


def test_a_script_that_is_not_executable_is_a_clear_error(tmp_path: Path):
    script = tmp_path / "oracle.sh"
    script.write_text("exit 0")
    with pytest.raises(PollardError, match="not executable"):
        Reduction(plan(oracle=CommandOracle((str(script), "{file}")))).run()


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


def test_plain_text_is_reduced_by_lines_and_characters():
    text = b"one\nthe needle\nthree\n"
    seen = watched(plan("grep -q needle $1", text, grammar=None, plain=True, strategy="hddh*"))
    assert seen.result.text == b"needle"
    assert seen.result.strategy == "ddmin"
    assert any("by lines and characters" in note for note in seen.result.notes)


def test_a_text_in_an_unknown_language_is_read_by_the_grammar_that_fits_best():
    text = b"(declare one (two 'needle) ; three\n  [four {five six}] |a b| #t)\n"
    seen = watched(plan("grep -q needle $1", text, grammar=None))
    assert seen.result.text.strip() == b"needle"
    assert seen.result.strategy == "default"
    assert seen.result.notes == (
        "No grammar knows this file: it is parsed with that of scheme, which fits best.",
    )
    assert seen.of(Started)[0].language is None


def test_what_another_language_calls_a_comment_is_reduced_by_lines():
    text = b"keep {\n  ; one two\n  ; the needle\n  ; three\n}\n"
    result = watched(plan("grep -q needle $1", text, grammar=None)).result
    assert result.text.strip() == b"needle"


def test_brackets_and_words_lead_to_less_in_fewer_runs_than_lines_and_characters():
    rows = "".join(
        f"constraint all_different([row{i}, row{i + 1} + {i}]) /\\ f({i}) < {i};\n"
        for i in range(60)
    )
    middle = "predicate p(int: x) =\n  exists(i in 1..x)([needle, i][i] = pin(x));\n"
    text = f"{rows}{middle}{rows}".encode()
    script = 'grep -q "needle.*pin(" $1'
    unknown, plain = (
        watched(plan(script, text, grammar=None, plain=plain)).result for plain in (False, True)
    )
    assert unknown.reduced.bytes <= plain.reduced.bytes + 1
    assert unknown.counts.runs < plain.counts.runs


@pytest.mark.parametrize("text", [b"", b"\n", b" \t\n\r\n", b"\xef\xbb\xbf", b"\0"])
@pytest.mark.parametrize("grammar", [True, False])
def test_next_to_nothing_is_reduced_to_nothing_or_left_as_it_is(text: bytes, grammar: bool):
    options = {} if grammar else {"grammar": None}
    result = watched(plan("exit 0", text, **options)).result
    assert len(result.text) <= len(text)
    if not text:
        assert result.counts.runs == 0
        assert result.original.bytes == result.original.tokens == 0


@pytest.mark.parametrize(("script", "is_told"), [("exit 0", True), ('test -s "$1"', False)])
def test_an_oracle_that_holds_for_an_empty_file_is_called_in_question(script: str, is_told: bool):
    """Mostly it looks at the original, or at nothing."""
    result = watched(plan(script)).result
    assert (result.text.strip() == b"") == is_told
    assert any("An empty file is interesting" in note for note in result.notes) == is_told


@pytest.mark.parametrize(
    ("script", "more", "is_told"),
    [
        ("grep -q needle $1", 1_000, True),
        ("grep needle $1", 1_000, False),
        ("grep -q needle $1", 0, False),
    ],
    ids=["silent", "printing", "short"],
)
def test_a_script_that_prints_nothing_is_called_in_question_for_a_long_file(script, more, is_told):
    text = JSON.replace(b'"second"', b'"second' + b"x" * more + b'"')
    notes = watched(plan(script, text)).result.notes
    assert any("The command prints nothing" in note for note in notes) == is_told


def test_only_the_region_changes():
    start, end = JSON.index(b'"second"'), JSON.index(b'"third"')
    result = watched(plan("grep -q needle $1", region=(start, end))).result
    assert result.text.startswith(JSON[:start])
    assert result.text.endswith(JSON[end:])
    assert len(result.text) < len(JSON)


@pytest.mark.exhaustive
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


TRACED = b"""class Ledger:
    def __init__(self, rates):
        self.rates = rates

    def tax(self, order):
        return self.rates[order.region]


for region in ["west", "east"][0:1]:
    Ledger({"east": 1}).tax(Order(region, 12))
"""


def test_a_program_ends_soon_as_the_statement_that_its_traceback_names():
    """The output is that of the first run on the original, as a program prints it."""
    printed = r"""printf 'File "%s", line 9\nFile "%s", line 6\n' "$1" "$1" >&2"""
    script = printed + r"""; grep -q '\[.*west' "$1" """
    options = {"filename": "case.py", "grammar": find("python"), "strategy": "named"}
    seen = watched(plan(script, TRACED, **options))
    assert seen.texts
    assert seen.texts[0] == b'{}["west"]\n'


def test_a_program_ends_soon_as_the_statement_that_prints_its_message():
    """A program may end with a message of its own, and no traceback."""
    text = TRACED.replace(b"return self", b"sys.exit(f'no rate in {order.region}') or self")
    script = "echo 'no rate in west' >&2; grep -q 'exit.*no rate in' \"$1\""
    options = {"filename": "case.py", "grammar": find("python"), "strategy": "named"}
    seen = watched(plan(script, text, **options))
    assert seen.texts
    assert b"Ledger" not in seen.texts[0]


def test_the_traceback_is_that_of_a_run_that_failed(tmp_path):
    """A flaky program prints none where it happens to end well."""
    log = tmp_path / "log"
    printed = r"""printf 'File "%s", line 6\n' "$1" >&2"""
    is_later = f"[ $(wc -l < {log}) -gt 1 ]"
    fails = r"""grep -q '\[.*west' "$1" """
    well_at_first = f"echo >> {log}; {is_later} && {printed} && {fails}"
    limits = {"runs_required": (1, 2)}
    options = {"filename": "case.py", "grammar": find("python"), "strategy": "named"}
    seen = watched(plan(well_at_first, TRACED, limits=limits, **options))
    assert seen.texts
    assert seen.texts[0] == b'{}["west"]\n'
