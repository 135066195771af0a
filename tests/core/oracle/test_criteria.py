"""Each criterion and its "must not"."""

from __future__ import annotations

import pytest

from pollard.oracle import Criteria, OracleError, Verdict
from tests.core.oracle.helpers import outcome, run_once, shell


@pytest.mark.parametrize(
    ("criterion", "held", "failed"),
    [
        ({}, {"exit_code": 0}, {"exit_code": 1}),
        ({}, {"exit_code": 0}, {"exit_code": None, "signal": 11}),
        ({"exit_code": (1, 3)}, {"exit_code": 3}, {"exit_code": 0}),
        ({"signal": (11,)}, {"exit_code": None, "signal": 11}, {"exit_code": None, "signal": 6}),
        ({"stdout": "^a.c$"}, {"stdout": b"x\nabc\n"}, {"stderr": b"abc"}),
        ({"stderr": "ICE"}, {"stderr": b"an ICE\n"}, {"stdout": b"ICE"}),
        ({"output": "ICE"}, {"stdout": b"ICE"}, {"stdout": b"ice"}),
        ({"output": "ICE"}, {"stderr": b"ICE"}, {}),
        ({"stdout": "é"}, {"stdout": "é".encode()}, {"stdout": "é".encode("latin-1")}),
        ({"not_exit_code": (1,)}, {"exit_code": 0}, {"exit_code": 1}),
        ({"not_signal": (9,)}, {"exit_code": 1}, {"exit_code": None, "signal": 9}),
        ({"not_stdout": "a"}, {"stderr": b"a"}, {"stdout": b"a"}),
        ({"not_stderr": "a"}, {"stdout": b"a"}, {"stderr": b"a"}),
        ({"not_output": "a"}, {"stdout": b"b"}, {"stderr": b"a"}),
    ],
)
def test_a_criterion_holds_only_for_what_it_describes(criterion, held, failed):
    criteria = Criteria(**criterion)
    assert criteria.holds(outcome(**held))
    assert not criteria.holds(outcome(**failed))


def test_all_criteria_must_hold_together():
    criteria = Criteria(exit_code=(1,), stdout="a")
    assert criteria.holds(outcome(exit_code=1, stdout=b"a"))
    assert not criteria.holds(outcome(exit_code=1))
    assert not criteria.holds(outcome(stdout=b"a"))


def test_any_criterion_replaces_the_default_exit_code():
    assert Criteria(stdout="a").holds(outcome(exit_code=5, stdout=b"a"))


def test_a_shells_128_plus_n_is_the_signal_n():
    assert Criteria(signal=(11,)).holds(outcome(exit_code=139))
    assert Criteria(exit_code=(139,)).holds(outcome(exit_code=None, signal=11))
    assert not Criteria(not_signal=(11,)).holds(outcome(exit_code=139))


def test_output_is_needed_only_by_criteria_about_it():
    assert not Criteria(exit_code=(1,), signal=(2,), not_signal=(3,)).needs_output
    assert Criteria(not_stderr="a").needs_output


def test_explain_lists_conditions_and_what_was_seen():
    lines = Criteria(exit_code=(1,), not_stderr="bad").explain(outcome(stderr=b"bad"))
    assert lines == [
        "FAILED: exit code must be 1; it was 0",
        "FAILED: stderr must not match /bad/; it did",
    ]


def test_an_invalid_pattern_raises():
    with pytest.raises(OracleError, match="not_output is not a regular expression"):
        Criteria(not_output="(")


@pytest.mark.parametrize(
    ("script", "verdict"),
    [
        ("exit 0", Verdict.UNINTERESTING),
        ("exit 3", Verdict.INTERESTING),
        ("echo syntax error >&2; exit 3", Verdict.INVALID),
        ("sleep 60", Verdict.TIMEOUT),
    ],
)
def test_the_four_verdicts(script, verdict):
    oracle = shell(
        script,
        criteria=Criteria(exit_code=(3,)),
        invalid=Criteria(output="syntax error"),
        timeout=0.3 if verdict is Verdict.TIMEOUT else 60,
    )
    assert run_once(oracle).verdict is verdict


def test_the_signal_of_a_real_process_is_seen():
    run = run_once(shell("kill -SEGV $$", criteria=Criteria(signal=(11,))))
    assert (run.verdict, run.signal, run.exit_code) == (Verdict.INTERESTING, 11, None)


def test_empty_invalid_criteria_never_hold():
    assert run_once(shell("exit 0", invalid=Criteria())).verdict is Verdict.INTERESTING
