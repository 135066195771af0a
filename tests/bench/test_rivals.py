"""Rivals are counted like pollard, stopped with all that they started, and named if they are missing.

The reducers here are small scripts: what matters is how they call the oracle and how they end.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

import psutil
import pytest

from tests.bench import rivals
from tests.bench.__main__ import main
from tests.bench.cases import Case
from tests.bench.rivals import NOTHING, RIVALS, Rival, RivalResult
from tests.bench.trial import trial

_LIMIT = 20.0


@pytest.fixture
def case(tmp_path: Path) -> Case:
    """Interesting if it has an `x`; a path with a blank, since corpora may lie anywhere."""
    folder = tmp_path / "a case"
    folder.mkdir()
    folder.joinpath("input.c").write_text("a b c x d\n")
    folder.joinpath("oracle.sh").write_text('grep -q x "$1"\n')
    return Case("some", "C", folder / "input.c", "it has an x")


def _tried(tmp_path: Path, case: Case, script: str, limit: float = _LIMIT) -> RivalResult:
    program = tmp_path / "reducer"
    version = '[ "$1" = --version ] && echo "This is Some 1.2.3." && exit'
    program.write_text(f"#!/bin/sh\n{version}\nfile=$1 test=$2\n{script}\n")
    program.chmod(0o755)
    return trial(
        Rival("Some", str(program), "", lambda _case, file, test: (file, test)), case, limit
    )


@pytest.mark.parametrize(
    "call",
    [
        'echo "x  y" > other.c; "$test" "$PWD/other.c"',
        'mkdir w; cd w; echo "x  y" > input.c; "$test"',
        'rm "$file"; echo "x  y" | "$test"',
    ],
    ids=["path", "working directory", "standard input"],
)
def test_a_candidate_is_taken_from_where_the_reducer_puts_it(
    tmp_path: Path, case: Case, call: str
) -> None:
    tried = _tried(tmp_path, case, call)
    assert (tried.size, tried.runs, tried.ended) == (2, 1, "by itself")
    assert tried.tool == "Some 1.2.3"


def test_every_run_counts_and_only_interesting_texts_are_results(
    tmp_path: Path, case: Case
) -> None:
    """An uninteresting text is smaller, and a larger one comes last: neither is the result."""
    calls = ['echo "a b c x" > t', "echo b > t", "echo ax > t", "echo aaax > t"]
    tried = _tried(tmp_path, case, "\n".join(f'{call}; "$test" "$PWD/t"' for call in calls))
    assert tried.points == [(0, 5), (1, 4), (3, 2), (4, 2)]
    assert (tried.size, tried.runs) == (2, 4)


@pytest.mark.parametrize(("text", "more"), [("int x;", "0"), ("int x = (", "1")])
def test_syntax_errors_are_counted_in_the_smallest_text(
    tmp_path: Path, case: Case, text: str, more: str
) -> None:
    """Only what it has more than the input, which parses here."""
    case.path.write_text("int x; int other;\n")
    calls = [f'echo "{each}" > t; "$test" "$PWD/t"' for each in (text, "int x; int a;")]
    tried = _tried(tmp_path, case, "\n".join(calls))
    assert (tried.size, tried.more_errors) == (len(text.replace(" ", "")), more)


def test_the_reducer_is_told_the_verdict(tmp_path: Path, case: Case) -> None:
    script = '"$test" "$file" || exit 3; echo b > t; "$test" "$PWD/t" && exit 4; exit 0'
    assert _tried(tmp_path, case, script).ended == "by itself"


def test_what_found_nothing_or_failed_is_told_as_that(tmp_path: Path, case: Case) -> None:
    tried = _tried(tmp_path, case, '"$test" "$file"; exit 7')
    assert (tried.output_non_whitespace, tried.size) == (NOTHING, None)
    assert tried.ended == "exit code 7"
    assert tried.is_cut_off


def test_at_the_limit_all_that_it_started_is_ended(tmp_path: Path, case: Case) -> None:
    """Also what has left its process group; the best until then is the result."""
    mark = f"98.{os.getpid()}"
    script = f'echo x > t; "$test" "$PWD/t"; setsid sleep {mark} & sleep {mark}'
    tried = _tried(tmp_path, case, script, limit=1.0)
    assert (tried.size, tried.ended) == (1, "stopped at 1 s")
    assert not [left for left in psutil.process_iter() if mark in _arguments(left)]


def _arguments(process: psutil.Process) -> list[str]:
    with contextlib.suppress(psutil.Error):
        return process.cmdline()
    return []


def test_what_is_missing_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    monkeypatch.setenv("PATH", "/nowhere")
    said = rivals.missing(RIVALS)
    assert said.startswith("Not installed: Picire (`pip install picire")
    assert "C-Vise (`apt-get install cvise`)" in said
    assert said.endswith(".")
    assert rivals.missing([]) == ""


def test_without_any_rival_the_command_fails_and_says_why(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tests.bench.cases.corpus", list)
    monkeypatch.setattr("tests.bench.page.corpus", list)
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    monkeypatch.setenv("PATH", "/nowhere")
    assert main(["figure3", "--rivals", "creduce", "--out", str(tmp_path)]) == 1
    assert "Not installed: C-Reduce (`apt-get install creduce`)." in capsys.readouterr().out


def test_each_rival_is_called_with_one_worker(case: Case) -> None:
    """Shrink Ray and the C reducers would use all processors; Picire uses one if it is not told."""
    file, test = Path("/t/work/input.c"), Path("/t/test")
    called = {r.program: " ".join(map(str, r.arguments(case, file, test))) for r in RIVALS}
    assert called["creduce"] == called["cvise"] == "--n 1 /t/test input.c"
    assert called["shrinkray"].startswith("--parallelism 1 ")
    assert "--parallel" not in called["picire"]
