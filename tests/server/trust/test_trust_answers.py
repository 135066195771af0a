"""A command runs only after a clear yes, for as long as the user said."""

from __future__ import annotations

import json
import os
from dataclasses import replace

import pytest

from pollard.journal import state_directory
from pollard_server.trust import ALWAYS, NO, ONCE, Consent, NotAllowed, pin
from tests.server.trust.asking import Asking, answered, consents, request


def test_the_question_says_what_runs_where_it_comes_from_and_for_which_text(oracle):
    client, trust = answered(ONCE)
    request(trust, oracle)
    (question,) = client.questions
    for part in (
        "{workspace}/oracle.sh",
        "/ws/pollard.toml",
        "versions of a.c",
        "'crash'",
        "exit_code = [1]",
        "config.h",
        str(oracle.workspace),
    ):
        assert part in question
    assert client.logged == [question]


def test_the_question_shows_the_formatter_and_the_consent_names_it(oracle):
    client, trust = answered(ALWAYS)
    request(trust, replace(oracle, formatter=("tidy", "--name={file}", "a b\u202e")))
    (question,) = client.questions
    assert "formatter" in question
    assert "tidy '--name={file}' 'a b<U+202E>'" in question
    (consent,) = consents()
    assert json.loads(consent.read_text())["formatter"] == "tidy '--name={file}' 'a b\u202e'"


def test_once_is_valid_for_one_request_and_not_stored(oracle):
    client, trust = answered(ONCE, ONCE)
    assert request(trust, oracle).oracle is oracle
    assert trust.state(oracle) is Consent.NEEDED
    request(trust, oracle)
    assert len(client.questions) == 2
    assert consents() == []


def test_always_is_valid_in_later_sessions_without_a_question(oracle):
    _, trust = answered(ALWAYS)
    assert trust.state(oracle) is Consent.NEEDED
    request(trust, oracle)
    assert trust.state(oracle) is Consent.GIVEN
    later_client, later = answered()
    assert later.state(oracle) is Consent.GIVEN
    permit = request(later, replace(oracle, timeout=3.0, runs_required=(2, 3)))
    assert permit.oracle.timeout == 3.0
    assert later_client.questions == []


def test_a_consent_is_private_and_readable_for_people(oracle):
    _, trust = answered(ALWAYS)
    request(trust, oracle)
    (file,) = consents()
    assert file.name == f"{pin(oracle)}.json"
    written = json.loads(file.read_text())
    assert written["command"] == "'{workspace}/oracle.sh' '{file}'"
    assert written["workspace"] == str(oracle.workspace)
    if os.name == "posix":
        assert file.stat().st_mode & 0o777 == 0o600
        assert file.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    "answer",
    [
        NO,
        None,
        "always in this workspace",
        "Run once ",
        "Yes",
        "",
        True,
        1,
        {"title": ALWAYS},
        [ONCE],
        (ALWAYS,),
        ALWAYS.encode(),
    ],
)
def test_anything_but_a_clear_yes_is_a_no(oracle, answer):
    _, trust = answered(answer)
    with pytest.raises(NotAllowed, match="did not allow"):
        request(trust, oracle)
    assert trust.state(oracle) is Consent.REFUSED
    assert consents() == []


def test_an_editor_that_fails_to_ask_has_not_agreed(oracle):
    _, trust = answered(RuntimeError("method not found"))
    with pytest.raises(NotAllowed, match="cannot ask you"):
        request(trust, oracle)


def test_an_editor_that_exits_during_the_question_gives_no_consent(oracle):
    client, trust = answered()
    asking = Asking(trust, oracle)
    client.next_question().cancel()
    assert isinstance(asking.error(), NotAllowed)


def test_an_explicit_request_asks_again_after_a_refusal(oracle):
    _, trust = answered(NO, ONCE)
    with pytest.raises(NotAllowed):
        request(trust, oracle)
    request(trust, oracle)
    assert trust.state(oracle) is Consent.NEEDED


def test_a_revoked_consent_is_requested_again(oracle):
    client, trust = answered(ALWAYS, ONCE)
    request(trust, oracle)
    trust.forget(oracle)
    assert trust.state(oracle) is Consent.NEEDED
    request(trust, oracle)
    assert len(client.questions) == 2


def test_a_consent_that_cannot_be_stored_is_valid_once_with_a_warning(oracle, monkeypatch):
    client, trust = answered(ALWAYS, ALWAYS)
    state_directory().parent.mkdir(parents=True, exist_ok=True)
    state_directory().write_text("a file is in the way")
    assert request(trust, oracle)
    (sentence,) = client.shown
    assert "could not be kept" in sentence
    request(trust, oracle)
    assert len(client.questions) == 2
