"""Of the failures that a run printed, the one counts that the criteria mean."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.oracle import Criteria, Outcome
from pollard.oracle.failures.selection import crash_of, read_signature

CHAINED = (Path(__file__).parent / "outputs" / "python-chained.txt").read_bytes()


@pytest.mark.parametrize(
    ("pattern", "kind"),
    [("KeyError", "KeyError"), ("StoreError", "StoreError"), ("Error", "RuntimeError")],
)
def test_only_failures_that_a_pattern_matches_count_and_of_a_chain_the_last(pattern, kind):
    signature = read_signature(outcome(CHAINED), Criteria(stderr=pattern))
    assert signature is not None
    assert signature.kind == kind


def test_a_pattern_that_matches_no_failure_is_exact_by_itself():
    assert read_signature(outcome(CHAINED), Criteria(stderr="direct cause")) is None


def test_a_shells_exit_code_is_the_signal_that_killed_its_program():
    signature = read_signature(outcome(code=139), Criteria(exit_code=(139,)))
    assert signature is not None
    assert (signature.kind, signature.crash) == ("SIGSEGV", True)
    assert crash_of(outcome(code=139)) == signature


def test_an_exception_of_an_interpreter_is_no_crash():
    assert crash_of(outcome(CHAINED)) is None


UNREAD = {
    "Python": b"""Traceback (most recent call last):
  File "x.py", line 1, in <module>
BrokenPipeError: [Errno 32] Broken pipe
""",
    "Python, with an exception that it causes": b"""Traceback (most recent call last):
  File "x.py", line 1, in <module>
BrokenPipeError: [Errno 32] Broken pipe

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "y.py", line 9, in lint
LintError
""",
    "Node": b"""Error: write EPIPE
    at afterWriteDispatched (node:internal/stream_base_commons:161:15)
    at console.log (node:internal/console/constructor:378:26)
""",
    "Rust": b"""thread 'main' (29) panicked at library/std/src/io/stdio.rs:1165:9:
failed printing to stdout: Broken pipe (os error 32)
""",
    "Perl": b"cannot write: Broken pipe at -e line 1.\n",
}


@pytest.mark.parametrize("language", UNREAD)
def test_output_that_nobody_reads_is_no_failure(language):
    """`tool FILE | grep -q TEXT` ends the tool in that way on some runs and not on others."""
    printed = outcome(UNREAD[language], code=0)
    assert read_signature(printed, Criteria()) is None
    assert crash_of(printed) is None
    signature = read_signature(printed, Criteria(stderr="(?i)broken pipe|EPIPE"))
    assert signature is not None
    assert signature.kind


QUOTING = {
    "Python": """  File "o.py", line 1
    print "wrong total"
    ^^^^^^^^^^^^^^^^^^^
SyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)?
""",
    "Node": """o.js:1
"wrong total" + n
                ^

ReferenceError: n is not defined
    at Object.<anonymous> (o.js:1:17)
""",
    "Ruby": """o.rb:1:in `<main>': undefined local variable or method `n' for main:Object (NameError)

"wrong total#{n}"
              ^
""",
    "rustc": """error: argument never used
 --> o.rs:3:33
  |
3 |         println!("wrong total", n)
  |                  -------------  ^ argument never used
""",
    "javac": """V.java:1: error: cannot find symbol
class V { String s = "wrong total" + n; }
                                     ^
""",
    "Babel": """SyntaxError: o.js: Unexpected token (4:14)

  2 | const n = 1;
  3 |
> 4 | "wrong total" n
    |               ^
  5 |
""",
    "esbuild": """✘ [ERROR] Expected ";" but found "n"

    o.js:1:14:
      1 │ "wrong total" n
        ╵               ^
""",
    "bash": """o.sh: line 1: syntax error near unexpected token `)'
o.sh: line 1: `echo "wrong total" )'
""",
    "gawk": """awk: o.awk:1: wrong total: n
awk: o.awk:1:            ^ syntax error
""",
}


@pytest.mark.parametrize("tool", QUOTING)
def test_a_line_that_a_failure_quotes_belongs_to_it(tool):
    quoting = outcome(QUOTING[tool].encode())
    criteria = Criteria(output="wrong total")
    assert criteria.holds(quoting)
    assert read_signature(quoting, criteria) == read_signature(quoting, Criteria(exit_code=(1,)))
    assert read_signature(quoting, criteria) is not None


@given(st.binary() | st.lists(st.sampled_from(CHAINED.splitlines())).map(b"\n".join))
def test_any_bytes_can_be_read(printed):
    read_signature(outcome(printed), Criteria(output="."))
    crash_of(outcome(printed))


def outcome(stderr: bytes = b"", code: int = 1) -> Outcome:
    return Outcome(exit_code=code, signal=None, stderr=stderr)
