"""A reduction keeps the original's failure, says when it changed, and keeps the others that it met."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest

from pollard import other_failures
from pollard.events import PassEnded, Started
from pollard.oracle import CommandOracle, Criteria, SameFailure, Signature, Verdict, VerdictCache
from pollard.reduction import Reduction
from pollard.syntax.grammars.languages import find
from tests.core.reductions import achieved, plan, watched

pytestmark = pytest.mark.usefixtures("no_leftovers")

# The failure depends on what is left: a TypeError as long as there are two numbers, a KeyError with
# one, and a ValueError with none.
PROGRAM = r"""
case $(tr -dc 0-9 < "$1" | wc -c) in 0) kind=ValueError;; 1) kind=KeyError;; *) kind=TypeError;; esac
echo "Traceback (most recent call last):" >&2
echo "  File \"case.py\", line 4, in load" >&2
echo "$kind: broken by $(cat "$1")" >&2
exit 1
"""
TEXT = b"[1, 2, 3, 4]\n"


def _plan(degree: str = "kind", **options):
    oracle = CommandOracle(
        ("/bin/sh", "-c", PROGRAM, "sh", "{file}"),
        criteria=Criteria(stderr="broken by"),
        same_failure=SameFailure(degree),
    )
    return plan(text=TEXT, oracle=oracle, **options)


def test_the_kind_of_failure_stays_by_default():
    seen = watched(_plan())
    assert seen.result.text.count(b",") == 1
    (started,) = seen.of(Started)
    assert started.failure.kind == "TypeError"
    assert seen.result.original_failure.kind == seen.result.failure.kind == "TypeError"
    assert seen.result.counts.other_failures > 0


def test_other_failures_are_kept_with_their_smallest_text():
    result = watched(_plan()).result
    found = {each.failure.kind: each.text.strip() for each in result.others}
    assert found["ValueError"] == b""
    assert found["KeyError"].isdigit()


def test_without_comparison_the_criteria_decide_and_the_change_is_told():
    result = watched(_plan("off")).result
    assert result.text.strip() == b""
    assert (result.original_failure.kind, result.failure.kind) == ("TypeError", "ValueError")


def test_strict_keeps_more_than_kind():
    strict, kind = watched(_plan("strict")).result, watched(_plan()).result
    assert strict.failure.message == strict.original_failure.message
    assert len(strict.text) >= len(kind.text)


def test_jobs_change_neither_texts_nor_other_failures():
    one, four = watched(_plan()), watched(_plan(jobs=4, cache=False))
    assert one.texts == four.texts
    assert achieved(one.result) == achieved(four.result)
    assert one.result.others == four.result.others


def test_remembered_verdicts_serve_every_degree():
    once, again = watched(_plan()), watched(_plan())
    assert again.result.counts.runs == 0
    assert again.texts == once.texts
    assert again.result.others == once.result.others
    assert watched(_plan("off")).result.text.strip() == b""


def test_a_cache_of_an_earlier_version_gets_the_column_that_it_lacks(tmp_path: Path):
    path = tmp_path / "verdicts.sqlite3"
    with contextlib.closing(sqlite3.connect(path)) as old:
        old.execute(
            "CREATE TABLE verdict (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE,"
            " verdict TEXT NOT NULL, seconds REAL NOT NULL)"
        )
    failure = Signature("ValueError", frames=("load", "main"))
    with VerdictCache("f", "a", directory=tmp_path) as cache:
        cache.put(b"x", Verdict.INTERESTING, failure=failure)
        assert cache.warnings == []
    with VerdictCache("f", "a", directory=tmp_path) as cache:
        assert (cache.get(b"x"), cache.failure(b"x")) == (Verdict.INTERESTING, failure)


def test_other_failures_can_be_loaded_beside_the_journal(tmp_path: Path):
    result = watched(_plan(journal=tmp_path / "journal")).result
    assert tuple(other_failures.load(tmp_path / "journal")) == result.others
    watched(_plan("off", journal=tmp_path / "journal"))
    assert other_failures.load(tmp_path / "journal") == []
    assert other_failures.load(tmp_path / "nowhere") == []


def test_the_smallest_text_of_another_failure_can_be_reduced_next():
    first = watched(_plan()).result
    other = next(each for each in first.others if each.failure.kind == "KeyError")
    again = Reduction(plan(text=other.text, oracle=_plan().oracle)).run()
    assert again.original_failure.kind == again.failure.kind == "KeyError"


TRACEBACK = r"""
echo "Traceback (most recent call last):"
echo "  File \"$1\", line 2, in f"
echo "KeyError: 1"
"""
FAILING_LINE = {
    "a traceback": (TRACEBACK, "KeyError", True),
    "a diagnostic": (
        "echo \"$1:2:5: W0612: Unused variable 'x' (unused-variable)\"",
        "W0612",
        False,
    ),
}


@pytest.mark.parametrize("what", FAILING_LINE)
def test_a_statement_that_failed_is_tried_alone_and_none_that_was_only_reported(what):
    """A linter runs nothing, so that no values make one statement fail as the program does."""
    script, pattern, is_tried = FAILING_LINE[what]
    oracle = CommandOracle(
        ("/bin/sh", "-c", script, "sh", "{file}"), criteria=Criteria(stdout=pattern)
    )
    text = b"def f(a):\n    x = a[1]\n    return x\n\n\nf({})\n"
    seen = watched(plan(text=text, oracle=oracle, grammar=find("python"), filename="x.py"))
    named = [each for each in seen.of(PassEnded) if each.statistics.name == "named"]
    assert any(each.statistics.candidates for each in named) == is_tried
