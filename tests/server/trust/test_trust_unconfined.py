"""Where nothing confines what an oracle executes, the user is asked once more."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from pollard.oracle import CommandOracle
from pollard_server.trust import ALWAYS, NO, ONCE, NotAllowed, Trust
from tests.server.trust.asking import FakeClient

NEVER = threading.Event()
RISK = "This command executes the file."


@pytest.fixture
def oracle(tmp_path):
    (tmp_path / "check.sh").write_text("exit 0\n")
    return CommandOracle(("sh", "{workspace}/check.sh", "{file}"), workspace=tmp_path)


def request(client, oracle, *, risk=RISK, trust=None, trial=False):
    trust = trust or Trust(client)
    return trust.request(oracle, "pollard.toml", "a.sh", NEVER, risk=risk, trial=trial)


def test_the_second_question_tells_the_risk(oracle):
    client = FakeClient([ONCE, ONCE])
    assert request(client, oracle).oracle is oracle
    assert client.questions[1] == f"{RISK} Run it all the same?"


def test_without_a_risk_there_is_one_question(oracle):
    client = FakeClient([ONCE])
    request(client, oracle, risk="")
    assert len(client.questions) == 1


@pytest.mark.parametrize("answer", [NO, None])
def test_a_second_no_is_a_no(oracle, answer):
    client = FakeClient([ALWAYS, answer])
    with pytest.raises(NotAllowed, match="did not allow"):
        request(client, oracle)
    again = FakeClient([ONCE, ONCE])
    request(again, oracle)
    assert len(again.questions) == 2  # the first "always" did not count either


def test_both_consents_can_be_standing(oracle):
    request(FakeClient([ALWAYS, ALWAYS]), oracle)
    later = FakeClient()
    request(later, oracle)
    assert later.questions == []


def test_a_standing_consent_from_a_time_with_a_sandbox_does_not_cover_the_risk(oracle):
    request(FakeClient([ALWAYS]), oracle, risk="")
    later = FakeClient([ONCE, ONCE])
    for _ in range(2):
        request(later, oracle)
    assert [RISK in question for question in later.questions] == [True, True]


def test_both_are_revoked_and_pinned_together(oracle):
    trust = Trust(FakeClient([ALWAYS, ALWAYS]))
    request(None, oracle, trust=trust)
    changed = FakeClient([NO])
    with pytest.raises(NotAllowed):
        request(changed, replace(oracle, command=("sh", "{file}")))
    trust.forget(oracle)
    later = FakeClient([ONCE, ONCE])
    request(later, oracle)
    assert len(later.questions) == 2


def test_files_that_change_during_the_second_question_need_consent(oracle):
    request(FakeClient([ALWAYS]), oracle, risk="")
    client = FakeClient([ONCE, NO])
    script = oracle.workspace / "check.sh"
    client.before_answer = lambda: script.write_text("exit 1\n")
    with pytest.raises(NotAllowed):
        request(client, oracle)
    assert "check.sh" in client.questions[1]  # the whole question again, for what it is now


def test_a_trial_answers_both_questions_for_the_request_after_it(oracle):
    client = FakeClient([ONCE, ONCE])
    trust = Trust(client)
    for trial in (True, False):
        request(client, oracle, trust=trust, trial=trial)
    assert len(client.questions) == 2
