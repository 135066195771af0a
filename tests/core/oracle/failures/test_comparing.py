"""Candidates are compared with the original's failure; failures of other kinds are collected."""

from __future__ import annotations

from pollard.oracle import OriginalFailure, Run, SameFailure, Signature, Verdict
from pollard.oracle.failures.comparing import OtherFailures, compared

VALUE = Signature("ValueError", "no key in …", "load", ("load",), ending="exit code 1")
SHORTER = Signature("ValueError", "ValueError", "line 1", ending="exit code 1")
NAME = Signature("NameError", "name … is not defined", "line 1", ending="exit code 1")


def test_kind_lets_message_and_frames_go():
    original = OriginalFailure((VALUE,), SameFailure.KIND)
    assert original.admits(SHORTER)
    assert not original.admits(NAME)
    assert not original.admits(None)


def test_strict_asks_for_message_frames_and_ending():
    original = OriginalFailure((VALUE,), SameFailure.STRICT)
    assert original.admits(VALUE)
    assert not original.admits(SHORTER)


def test_off_and_an_unknown_original_admit_everything():
    for original in (OriginalFailure((VALUE,), SameFailure.OFF), OriginalFailure()):
        assert original.admits(NAME)
        assert original.admits(None)


def test_what_is_no_failure_in_the_original_must_be_none_in_a_candidate():
    """A program that prints "wrong total" is not one that dies of it."""
    original = OriginalFailure(is_plain_output=True)
    assert original.admits(None)
    assert not original.admits(NAME)
    assert OriginalFailure(degree=SameFailure.OFF, is_plain_output=True).admits(NAME)


def test_each_of_several_failures_of_the_original_counts():
    original = OriginalFailure((VALUE, NAME))
    assert original.admits(NAME)
    assert not original.differs(SHORTER)
    assert original.differs(Signature("KeyError"))


def test_the_smallest_text_of_each_other_kind_is_kept_in_order_of_appearance():
    others = OtherFailures()
    for failure, text in (
        (NAME, b"four"),
        (Signature("SIGSEGV"), b"x"),
        (NAME, b"two"),
        (NAME, b"owt"),
    ):
        others.add(failure, text)
    assert [(each.failure.kind, each.text, each.runs) for each in others.found] == [
        ("NameError", b"two", 3),
        ("SIGSEGV", b"x", 1),
    ]


def test_a_flood_of_kinds_is_cut_off():
    others = OtherFailures()
    for number in range(1000):
        others.add(Signature(f"error {number}"), b"")
    assert len(others.found) == 100


def test_the_end_compares_both_failures():
    assert compared(None, None) == []
    assert compared(VALUE, VALUE) == ["the failure is the same: ValueError, raised in load"]
    assert compared(VALUE, SHORTER) == [
        "the failure is of the same kind:",
        "  original: ValueError, raised in load (no key in …)",
        "  result:   ValueError, raised on line 1",
    ]
    assert compared(VALUE, NAME)[0] == "THE FAILURE HAS CHANGED:"
    assert compared(VALUE, None)[-1] == "  result:   unknown: neither output nor exit status tells"


HEARD = """\
Traceback (most recent call last):
  File "a.py", line 2, in <module>
    {}[0]
KeyError: 0

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "a.py", line 4, in <module>
    int("")
ValueError: invalid literal for int() with base 10: ''
"""


def showing(failure: Signature | None) -> Run:
    return Run(exit_code=0, signal=None, seconds=0.1, verdict=Verdict.INTERESTING, failure=failure)


def test_another_failure_than_all_that_a_script_read_of_the_original_is_unheard():
    """Of the errors in one output, a smaller text may tell only the first."""
    original = OriginalFailure(heard=VALUE, heard_text=HEARD)
    assert original.is_unheard(showing(NAME))
    assert not original.is_unheard(showing(SHORTER))
    assert not original.is_unheard(showing(Signature("KeyError")))
    assert not original.is_unheard(showing(None))
    assert not OriginalFailure().is_unheard(showing(NAME))


def test_what_is_unheard_depends_on_how_closely_failures_must_agree():
    strict = OriginalFailure(degree=SameFailure.STRICT, heard=VALUE, heard_text=HEARD)
    assert strict.is_unheard(showing(SHORTER))
    assert strict.is_unheard(showing(Signature("KeyError")))
    assert not OriginalFailure(degree=SameFailure.OFF, heard=VALUE).is_unheard(showing(NAME))


def test_runs_that_tell_what_a_script_reads_are_compared_with_what_it_read():
    original = OriginalFailure(heard=VALUE, heard_text=HEARD).as_heard
    assert original.admits(SHORTER)
    assert not original.admits(NAME)
    assert not original.admits(None)
