"""An oracle without a command: a front end says what its own tools report about a candidate."""

from __future__ import annotations

import pytest

from pollard.errors import Cancelled, OracleError
from pollard.executors import check_oracle, open_executor, open_tree_executor
from pollard.oracle import CancelToken, CommandOracle, Criteria, Health, Verdict
from pollard.settings.usual_tools import oracle_for_diagnostics

WANTED = "editor:MySpelling(word) Unknown …"


class Tools:
    """A `Diagnoser` whose answers a test chooses; it records how long it may wait."""

    name = "An editor"
    fingerprint = "one session"

    def __init__(self, answer):
        self.answer = answer
        self.waits = []

    def diagnose(self, text, *, wait_seconds, is_cancelled):
        self.waits.append(wait_seconds)
        if is_cancelled():
            raise Cancelled("The run was cancelled.")
        return self.answer(text)


def spelling(text):
    """A diagnostic whose source has a blank, and another with the same code."""
    message = "Unknown 'mispeled'" if b"mispeled" in text else "fine"
    source = "My Spelling" if b"mispeled" in text else "Other"
    return [{"source": source, "code": "word", "message": message}]


def oracle_of(tools):
    return CommandOracle((), name=WANTED, criteria=Criteria(diagnostic=(WANTED,)), diagnoser=tools)


def test_a_diagnostic_counts_by_its_source_code_and_message():
    with open_executor(oracle_of(Tools(spelling)), "a.py") as executor:
        assert executor.run(b"a mispeled word").verdict is Verdict.INTERESTING
        assert executor.run(b"a word").verdict is Verdict.UNINTERESTING


def test_candidates_wait_longer_the_slower_the_tools_are_and_checks_wait_longest():
    tools = Tools(spelling)
    with open_executor(oracle_of(tools), "a.py") as executor:
        executor.run(b"hay")
        for _ in range(6):
            executor.run(b"mispeled")
        executor.run(b"hay")
        executor.run(b"hay", capture=True)
    assert tools.waits[0] == tools.waits[-1] == 10.0
    assert tools.waits[-2] < 10.0


def test_no_answer_is_a_time_out():
    with open_executor(oracle_of(Tools(lambda _: None)), "a.py") as executor:
        assert executor.run(b"mispeled").verdict is Verdict.TIMEOUT


def test_a_cancelled_run_has_no_verdict():
    cancelled = CancelToken()
    with open_executor(oracle_of(Tools(spelling)), "a.py") as executor:
        cancelled.set()
        with pytest.raises(Cancelled):
            executor.run(b"mispeled", cancelled=cancelled)


def test_a_failed_check_names_who_was_asked_and_what_it_reported():
    checked = check_oracle(oracle_of(Tools(spelling)), "a.py", b"hay", runs=1)
    assert checked.health is Health.UNINTERESTING
    shown = checked.describe()
    assert "command: none; An editor is asked for its own diagnostics" in shown
    assert "it answered after" in shown
    assert "it reported Other(word) fine" in shown
    assert "sandbox" not in shown


def test_a_flaky_diagnostic_is_measured_without_remedies():
    """They would need a command."""
    answers = iter(range(100))
    tools = Tools(lambda _: spelling(b"mispeled" if next(answers) % 2 else b""))
    checked = check_oracle(oracle_of(tools), "a.py", b"mispeled", runs=4, on_step=lambda _: None)
    assert checked.health is Health.FLAKY
    assert checked.flakiness is not None
    assert checked.flakiness.attempts == ()


def test_several_files_are_refused():
    with pytest.raises(OracleError, match="only be asked about a single file"):
        open_tree_executor(oracle_of(Tools(spelling)), None)


def test_outside_of_an_editor_a_clear_sentence_says_what_to_do(tmp_path):
    """On the command line, and beside a command, which does not know what the editor reports."""
    advice = "is one that only an editor knows, which cannot be asked here; name the tool"
    with pytest.raises(OracleError, match=advice):
        oracle_for_diagnostics([WANTED], tmp_path / "a.py")
    with pytest.raises(OracleError, match=advice):
        CommandOracle(("true",), criteria=Criteria(diagnostic=(WANTED,)))
