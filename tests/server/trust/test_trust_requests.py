"""No oracle gets a permit without the user's clear consent."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from pollard.journal import state_directory
from pollard.oracle import CommandOracle, Criteria
from pollard_server.trust import (
    ALWAYS,
    NO,
    ONCE,
    UNTRUSTED,
    Consent,
    NotAllowed,
    Permit,
    Trust,
    pin,
)
from pollard_server.trust.trust import SEAL
from tests.server.trust.asking import Asking, FakeClient

NEVER = threading.Event()


@pytest.fixture
def workspace(tmp_path):
    folder = tmp_path / "ws"
    folder.mkdir()
    (folder / "oracle.sh").write_text("exit 0\n")
    (folder / "config.h").write_text("#define A\n")
    return folder


@pytest.fixture
def oracle(workspace):
    return CommandOracle(
        ("{workspace}/oracle.sh", "{file}"),
        name="crash",
        criteria=Criteria(exit_code=(1,)),
        files=(Path("config.h"),),
        workspace=workspace,
    )


def request(trust, oracle):
    return trust.request(oracle, "/ws/pollard.toml", "a.c", NEVER)


def answered(*answers):
    client = FakeClient(list(answers))
    return client, Trust(client)


def consents():
    return sorted((state_directory() / "consents").glob("*"))


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


def test_a_refusal_is_over_when_the_oracle_changes(oracle, workspace):
    _, trust = answered(NO)
    with pytest.raises(NotAllowed):
        request(trust, oracle)
    (workspace / "oracle.sh").write_text("exit 1 # better\n")
    assert trust.state(oracle) is Consent.NEEDED


@pytest.mark.parametrize(
    "change",
    [
        {"command": ("{workspace}/oracle.sh", "{file}", "-x")},
        {"command": "{workspace}/oracle.sh {file}"},
        {"criteria": Criteria(exit_code=(1, 2))},
        {"invalid": Criteria()},
        {"stdin": True},
        {"files": ()},
    ],
    ids=lambda change: "-".join(change),
)
def test_a_changed_oracle_needs_new_consent(oracle, change):
    client, trust = answered(ALWAYS, ONCE)
    request(trust, oracle)
    changed = replace(oracle, **change)
    assert trust.state(changed) is Consent.NEEDED
    request(trust, changed)
    assert len(client.questions) == 2


@pytest.mark.parametrize("name", ["oracle.sh", "config.h"])
def test_a_changed_file_of_the_oracle_needs_new_consent(oracle, workspace, name):
    _, trust = answered(ALWAYS, NO)
    request(trust, oracle)
    status = (workspace / name).stat()
    text = (workspace / name).read_text()
    (workspace / name).write_text(text[:-2] + "Z\n")  # the same size
    os.utime(workspace / name, ns=(status.st_atime_ns, status.st_mtime_ns))  # and time
    with pytest.raises(NotAllowed):
        request(trust, oracle)
    assert trust.state(oracle) is not Consent.GIVEN


def test_a_moved_workspace_needs_new_consent(oracle, workspace, tmp_path):
    client, trust = answered(ALWAYS, ONCE)
    request(trust, oracle)
    shutil.move(workspace, tmp_path / "elsewhere")
    request(trust, replace(oracle, workspace=tmp_path / "elsewhere"))
    assert len(client.questions) == 2


def test_a_revoked_consent_is_requested_again(oracle):
    client, trust = answered(ALWAYS, ONCE)
    request(trust, oracle)
    trust.forget(oracle)
    assert trust.state(oracle) is Consent.NEEDED
    request(trust, oracle)
    assert len(client.questions) == 2


def test_files_changed_during_the_question_need_another_question(oracle, workspace):
    client, trust = answered(ALWAYS, NO)
    asked_about = pin(oracle)
    client.before_answer = lambda: (workspace / "oracle.sh").write_text(
        f"rm -rf x{len(client.questions)}\n"
    )
    with pytest.raises(NotAllowed):
        request(trust, oracle)
    assert len(client.questions) == 2
    assert consents() == []
    assert pin(oracle) != asked_about


def test_files_that_never_stop_changing_get_no_permit(oracle, workspace):
    client, trust = answered(*[ALWAYS] * 10)
    client.before_answer = lambda: (workspace / "oracle.sh").write_text(
        f"rm -rf x{len(client.questions)}\n"
    )
    with pytest.raises(NotAllowed, match="again and again"):
        request(trust, oracle)
    assert consents() == []


@pytest.mark.parametrize("said", [False, None, 0, 1, "true", "false", {"trusted": True}])
def test_only_true_counts_as_trusted(oracle, said):
    client = FakeClient([ALWAYS])
    trust = Trust(client, trusted=said)
    assert trust.trusted is False
    assert trust.state(oracle) is Consent.UNTRUSTED
    with pytest.raises(NotAllowed, match=r"is not trusted, .* trust it in your editor"):
        request(trust, oracle)
    trust.trusted = True
    trust.trusted = said
    assert trust.state(oracle) is Consent.UNTRUSTED
    assert client.questions == []


def test_an_untrusted_workspace_runs_no_oracle_despite_earlier_consent(oracle):
    _, trust = answered(ALWAYS)
    request(trust, oracle)
    trust.trusted = False
    with pytest.raises(NotAllowed) as caught:
        request(trust, oracle)
    assert str(caught.value) == UNTRUSTED
    trust.trusted = True
    assert request(trust, oracle).oracle is oracle


def test_trust_lost_while_asked_ends_the_request_before_any_answer(oracle):
    client, trust = answered()
    asking = Asking(trust, oracle)
    client.next_question()
    trust.trusted = False
    assert str(asking.error()) == UNTRUSTED


def test_an_answer_does_not_count_if_trust_was_withdrawn_during_the_question(oracle):
    client, trust = answered()

    def waver():
        trust.trusted = False
        trust.trusted = True

    client.answers, client.before_answer = [ALWAYS], waver
    with pytest.raises(NotAllowed):
        request(trust, oracle)
    assert consents() == []


def test_a_cancelled_request_ends_without_an_answer_and_is_no_refusal(oracle):
    client, trust = answered()
    asking = Asking(trust, oracle)
    future = client.next_question()
    asking.cancelled.set()
    assert isinstance(asking.error(), NotAllowed)
    future.set_result(ALWAYS)  # too late
    assert trust.state(oracle) is Consent.NEEDED
    assert consents() == []


def test_a_cancelled_request_does_not_count_a_yes_that_came_with_it(oracle):
    client, trust = answered(ALWAYS)
    cancelled = threading.Event()
    client.before_answer = cancelled.set
    with pytest.raises(NotAllowed, match="stopped"):
        trust.request(oracle, "/ws/pollard.toml", "a.c", cancelled)
    assert consents() == []


def test_two_jobs_are_one_question_if_the_answer_is_always(oracle):
    client, trust = answered()
    first, second = Asking(trust, oracle), Asking(trust, oracle)
    client.next_question().set_result(ALWAYS)
    assert first.permit().oracle == second.permit().oracle == oracle
    assert len(client.questions) == 1


def test_two_jobs_are_two_questions_one_after_the_other_if_the_answer_is_once(oracle):
    client, trust = answered()
    first, second = Asking(trust, oracle), Asking(trust, oracle)
    question = client.next_question()
    assert client.asked.empty()
    question.set_result(ONCE)
    again = client.next_question()
    assert sorted([first.is_waiting, second.is_waiting]) != [False, False]
    again.set_result(ONCE)
    assert first.permit().oracle == second.permit().oracle == oracle


def test_a_refusal_also_counts_for_a_job_that_waited_for_the_answer(oracle, monkeypatch):
    client, trust = answered()
    first = Asking(trust, oracle)
    question = client.next_question()
    begun = threading.Event()
    now = trust._pins.now
    monkeypatch.setattr(trust._pins, "now", lambda oracle: (begun.set(), now(oracle))[1])
    second = Asking(trust, oracle)
    assert begun.wait(10)
    question.set_result(NO)
    assert isinstance(first.error(), NotAllowed)
    assert isinstance(second.error(), NotAllowed)
    assert len(client.questions) == 1


def test_a_job_that_waits_for_anothers_answer_can_be_cancelled(oracle):
    client, trust = answered()
    first = Asking(trust, oracle)
    question = client.next_question()
    second = Asking(trust, oracle)
    second.cancelled.set()
    assert isinstance(second.error(), NotAllowed)
    question.set_result(ONCE)
    assert first.permit()
    assert len(client.questions) == 1


def test_the_second_job_asks_by_itself_if_the_first_is_cancelled(oracle):
    client, trust = answered()
    first = Asking(trust, oracle)
    client.next_question()
    second = Asking(trust, oracle)
    first.cancelled.set()
    assert isinstance(first.error(), NotAllowed)
    client.next_question().set_result(ONCE)
    assert second.permit()


def test_different_oracles_do_not_wait_for_each_other(oracle):
    client, trust = answered()
    first = Asking(trust, oracle)
    question = client.next_question()
    other = Asking(trust, replace(oracle, stdin=True))
    client.next_question().set_result(ONCE)
    assert other.permit()
    question.set_result(ONCE)
    assert first.permit()


def test_a_consent_that_cannot_be_stored_is_valid_once_with_a_warning(oracle, monkeypatch):
    client, trust = answered(ALWAYS, ALWAYS)
    state_directory().parent.mkdir(parents=True, exist_ok=True)
    state_directory().write_text("a file is in the way")
    assert request(trust, oracle)
    (sentence,) = client.shown
    assert "could not be kept" in sentence
    request(trust, oracle)
    assert len(client.questions) == 2


def test_only_trust_makes_permits(oracle):
    with pytest.raises(TypeError):
        Permit(oracle, "pin")
    with pytest.raises(TypeError):
        Permit(oracle, "pin", object())
    _, trust = answered(ONCE)
    permit = request(trust, oracle)
    with pytest.raises((TypeError, ValueError)):
        dataclasses.replace(permit, oracle=replace(oracle, command="rm -rf /"))
    assert SEAL not in [getattr(permit, field.name) for field in dataclasses.fields(permit)]


def test_the_question_shows_the_formatter_and_the_consent_names_it(oracle):
    client, trust = answered(ALWAYS)
    request(trust, replace(oracle, formatter=("tidy", "--name={file}", "a b\u202e")))
    (question,) = client.questions
    assert "formatter" in question
    assert "tidy '--name={file}' 'a b<U+202E>'" in question
    (consent,) = consents()
    assert json.loads(consent.read_text())["formatter"] == "tidy '--name={file}' 'a b\u202e'"


@pytest.mark.parametrize(("given", "wanted"), [(None, "tidy"), ("tidy", "other"), ("tidy", None)])
def test_a_consent_covers_only_its_formatter(oracle, given, wanted):
    client, trust = answered(ALWAYS, NO)
    permit = request(trust, replace(oracle, formatter=given))
    assert permit.oracle.formatter == given
    assert trust.state(replace(oracle, formatter=wanted)) is Consent.NEEDED
    with pytest.raises(NotAllowed):
        request(trust, replace(oracle, formatter=wanted))
    assert len(client.questions) == 2


class _Tools:
    """What an editor has of its own; never asked here."""

    name, fingerprint = "An editor", None

    def diagnose(self, text, *, wait_seconds, is_cancelled):
        raise AssertionError


def test_only_an_oracle_that_runs_nothing_at_all_needs_no_consent(oracle):
    """Neither a command nor a formatter can come with the permit of an editor's own diagnostics."""
    client, trust = answered()
    asking = CommandOracle((), diagnoser=_Tools())
    assert trust.permit_without_command(asking, NEVER).oracle is asking
    for other in (
        oracle,
        replace(oracle, diagnoser=_Tools()),
        replace(asking, formatter=("rm",)),
    ):
        with pytest.raises(TypeError):
            trust.permit_without_command(other, NEVER)
    assert client.questions == []


def test_without_trust_not_even_the_editor_is_asked():
    _, trust = answered()
    trust.trusted = False
    with pytest.raises(NotAllowed, match="not trusted"):
        trust.permit_without_command(CommandOracle((), diagnoser=_Tools()), NEVER)
