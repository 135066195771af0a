"""Suggested criteria hold for the run that they come from, and for smaller files."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from pollard.oracle import Criteria, Outcome
from pollard.oracle.criteria import pattern_of, suggestions
from pollard.oracle.failures.selection import read_signature
from pollard.settings import CriteriaSettings
from pollard.settings.problems import Origin
from pollard.settings.structure import structure

PYTHON = b"""Traceback (most recent call last):
  File "/tmp/pollard-abc/orders.py", line 131, in <module>
    main()
RuntimeError: dictionary changed size during iteration
"""
GCC = b"""input.c: In function 'f':
input.c:12:9: internal compiler error: Segmentation fault
   12 | #pragma omp for simd collapse(2)
      |         ^~~
0x7f3b4c2 diagnostic_impl(rich_location*, int)
Please submit a full bug report, with preprocessed source.
"""
ESBUILD = b"""\x1b[31m\xe2\x9c\x98 [ERROR] panic: Internal error (while parsing "cart.js")
  debug.Stack (runtime/debug/stack.go:24)
1 error
"""
JSC = b"""<stdin>:3
  x = 1 +;
SyntaxError: Unexpected token ';'
    at wrapSafe (node:internal/modules/cjs/loader:1378:20)
"""


def outcome(stderr: bytes = b"", *, code: int | None = 1, signal: int | None = None, **more):
    return Outcome(exit_code=code, signal=signal, stderr=stderr, **more)


@pytest.mark.parametrize(
    ("printed", "message"),
    [
        (PYTHON, "RuntimeError: dictionary changed size during iteration"),
        (GCC, "internal compiler error: Segmentation fault"),
        (ESBUILD, r'✘ \[ERROR\] panic: Internal error \(while parsing "cart\.js"\)'),
        (JSC, "SyntaxError: Unexpected token ';'"),
    ],
    ids=["python", "gcc", "esbuild", "node"],
)
def test_the_failures_message_comes_first(printed: bytes, message: str) -> None:
    best = suggestions(outcome(printed))[0]
    assert best.definition == {"stderr": message}
    assert message in best.detail


def test_a_signal_comes_before_lines_also_from_a_shell() -> None:
    for run in (outcome(GCC, code=None, signal=11), outcome(GCC, code=139)):
        assert suggestions(run)[0].definition == {"signal": "SIGSEGV"}


def test_the_exit_code_is_always_suggested() -> None:
    for code in (0, 1, 200):
        found = [dict(each.definition) for each in suggestions(outcome(code=code))]
        assert {"exit_code": code} in found


def test_a_timeout_suggests_nothing() -> None:
    assert suggestions(outcome(PYTHON, code=None, signal=9, timed_out=True)) == []


def test_quotes_of_the_file_are_left_out() -> None:
    text = b"raise SystemError('assertion failed: bug')\n"
    found = suggestions(outcome(b"    " + text + b"done with it all\n"), text)
    assert [each.title for each in found] == ["It exits with 1", "It prints: done with it all"]


@pytest.mark.parametrize(
    ("printed", "title", "pattern"),
    [
        (
            PYTHON,
            "The same failure: RuntimeError, raised on line 131",
            "RuntimeError: dictionary changed size during iteration",
        ),
        (JSC, "The same failure: SyntaxError", "SyntaxError: Unexpected token ';'"),
    ],
    ids=["python", "node"],
)
def test_the_failure_comes_first_then_the_exit_code(printed, title, pattern) -> None:
    run = outcome(printed)
    found = suggestions(run, b"main()\n", read_signature(run, Criteria()))
    assert found[0].title.startswith(title.partition(",")[0])
    assert found[0].definition == {"stderr": pattern}
    assert found[1].definition == {"exit_code": 1}
    assert not any("/tmp" in each.title or "main()" in each.title for each in found)


@pytest.mark.parametrize("message", ["x", "3"])
def test_a_line_that_only_has_the_message_in_it_is_not_the_failure(message: str) -> None:
    """A short message is in many lines; such a line would keep the wrong failure."""
    printed = (
        f'Traceback (most recent call last):\n  File "a.py", line 4, in <module>\n    fail()\n'
        f"ValueError: {message}\n"
    )
    run = outcome(printed.encode(), stdout=b"line of text 1\n")
    found = suggestions(run, b"fail()\n", read_signature(run, Criteria()))
    assert [*found[0].definition] == ["stderr"]
    assert found[0].definition["stderr"].startswith("ValueError")


def test_a_signal_without_a_message_is_suggested_once() -> None:
    run = outcome(code=None, signal=11)
    found = suggestions(run, b"", read_signature(run, Criteria()))
    assert [each.definition for each in found] == [{"signal": "SIGSEGV"}]


def test_at_most_three_lines_are_suggested_and_none_with_a_path() -> None:
    printed = b"".join(b"something %c happened\n" % letter for letter in b"abcdefgh")
    found = suggestions(outcome(b"see /tmp/abc/input.c for more\n" + printed))
    assert len([each for each in found if "stderr" in each.definition]) == 3
    assert not any("/tmp" in each.title for each in found)


def test_lines_with_equal_patterns_are_suggested_once() -> None:
    run = outcome(b"bad thing 1\nbad thing 2\n", stdout=b"bad thing 3\n")
    patterns = [each.definition for each in suggestions(run) if "exit_code" not in each.definition]
    assert patterns == [{"stderr": r"bad thing [\d.]+"}]


def test_a_title_is_short_and_has_no_control_characters() -> None:
    printed = b"\x1b[31mfatal:\tbad\x1b[0m\n" + b"a" * 300
    titles = [each.title for each in suggestions(outcome(printed))]
    assert "It prints: fatal: bad" in titles
    assert f"It prints: {'a' * 160}…" in titles


def test_lines_with_few_letters_are_left_out() -> None:
    assert all(
        "exit_code" in each.definition
        for each in suggestions(outcome(b"^~~~~\n12 | 3\n----\n/tmp/a/b/c.d\n\n"))
    )


PLACES = st.from_regex(r"(/[a-z]{1,6}){1,3}/[a-z]{1,5}\.[a-z]{1,2}", fullmatch=True)
WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=40)


@example("", "expected\t0", "/a/a.a", "/b/b.b", 0, 1)
@given(WORDS, WORDS, PLACES, PLACES, st.integers(0, 9999), st.integers(0, 9999))
def test_a_pattern_matches_other_paths_and_numbers(before, after, here, there, one, two) -> None:
    line = f"{before} {here} line {one}: {after}"
    assume_one_line(line)
    pattern = pattern_of(line)
    for seen in (line, f"{before} {there} line {two}: {after}"):
        assert re.search(pattern, f"first\n{seen}\nlast", re.MULTILINE)


def assume_one_line(line: str) -> None:
    assume(len(line.splitlines()) == 1)


@given(st.binary(max_size=200), st.binary(max_size=200), st.integers(0, 255))
def test_every_suggestion_holds_for_its_run(out, err, code) -> None:
    run = Outcome(exit_code=code, signal=None, stdout=out, stderr=err)
    for each in suggestions(run, b"some text"):
        settings = structure(CriteriaSettings, each.definition, Origin("a suggestion"))
        assert isinstance(settings, CriteriaSettings)
        assert settings.to_criteria().holds(run)


def test_suggestions_from_a_crash_do_not_hold_for_a_success() -> None:
    fine = outcome(code=0)
    for each in suggestions(outcome(GCC)):
        settings = structure(CriteriaSettings, each.definition, Origin("a suggestion"))
        assert isinstance(settings, CriteriaSettings)
        assert settings.to_criteria() != Criteria()
        assert not settings.to_criteria().holds(fine)
