"""The answer to a trial also allows one run request for the same command with any criteria."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pollard.oracle import CommandOracle, Criteria
from pollard_server.trust import ALWAYS, NO, ONCE, NotAllowed, Trust
from tests.server.trust.asking import NEVER, answered


@pytest.fixture
def tried(tmp_path: Path) -> CommandOracle:
    (tmp_path / "check.sh").write_text("exit 1\n")
    (tmp_path / "more.h").write_text("1\n")
    return CommandOracle(
        ("{workspace}/check.sh", "{file}"),
        name="trial",
        files=(Path("more.h"),),
        workspace=tmp_path,
    )


def chosen(oracle: CommandOracle, **more) -> CommandOracle:
    """The definition that is written into the settings after the trial."""
    return replace(oracle, name="check", criteria=Criteria(exit_code=(1,)), **more)


def request(trust: Trust, oracle: CommandOracle, *, trial: bool = False):
    return trust.request(oracle, "the editor", "a.c", NEVER, trial=trial)


def test_the_question_says_what_the_consent_covers(tried: CommandOracle) -> None:
    client, trust = answered(ONCE)
    request(trust, tried, trial=True)
    (question,) = client.questions
    assert "on a.c, and then, many times, on versions of it?" in question
    assert "you will choose what makes a run interesting" in question
    assert "check.sh" in question
    assert "exit_code" not in question


def test_one_answer_is_enough_for_the_trial_and_one_request(tried: CommandOracle) -> None:
    client, trust = answered(ONCE, NO)
    request(trust, tried, trial=True)
    assert request(trust, chosen(tried)).oracle == chosen(tried)
    with pytest.raises(NotAllowed):
        request(trust, chosen(tried))
    assert len(client.questions) == 2


def test_always_is_a_standing_consent_to_the_configured_oracle(tried: CommandOracle) -> None:
    client, trust = answered(ALWAYS)
    request(trust, tried, trial=True)
    for _ in range(2):
        request(trust, chosen(tried))
    request(Trust(client), chosen(tried))
    assert len(client.questions) == 1


def test_a_second_trial_of_a_command_asks_again_unless_always_was_chosen(
    tried: CommandOracle,
) -> None:
    client, trust = answered(ONCE, ALWAYS)
    for _ in range(3):
        request(trust, tried, trial=True)
    assert len(client.questions) == 2
    request(trust, chosen(tried))
    assert len(client.questions) == 2


@pytest.mark.parametrize(
    "change",
    [
        lambda oracle: replace(oracle, command=("{workspace}/check.sh", "{file}", "more")),
        lambda oracle: replace(oracle, stdin=True),
        lambda oracle: replace(oracle, files=()),
        lambda oracle: replace(oracle, workspace=oracle.workspace.parent),
    ],
    ids=["command", "stdin", "files", "workspace"],
)
def test_any_other_difference_needs_consent(tried: CommandOracle, change) -> None:
    client, trust = answered(ALWAYS, NO)
    request(trust, tried, trial=True)
    with pytest.raises(NotAllowed):
        request(trust, change(chosen(tried)))
    assert len(client.questions) == 2


@pytest.mark.parametrize("name", ["check.sh", "more.h"])
def test_files_changed_since_the_trial_need_consent(tried: CommandOracle, name: str) -> None:
    client, trust = answered(ONCE, NO)
    request(trust, tried, trial=True)
    (tried.workspace / name).write_text("something else\n")
    with pytest.raises(NotAllowed):
        request(trust, chosen(tried))
    assert len(client.questions) == 2


def test_no_allows_nothing(tried: CommandOracle) -> None:
    client, trust = answered(NO, NO)
    for oracle, trial in ((tried, True), (chosen(tried), False)):
        with pytest.raises(NotAllowed):
            request(trust, oracle, trial=trial)
    assert len(client.questions) == 2


def test_withdrawn_trust_takes_the_answer_back(tried: CommandOracle) -> None:
    client, trust = answered(ALWAYS, NO)
    request(trust, tried, trial=True)
    trust.trusted = False
    trust.trusted = True
    with pytest.raises(NotAllowed):
        request(trust, chosen(tried))
    assert len(client.questions) == 2


def test_a_plain_yes_allows_no_other_criteria(tried: CommandOracle) -> None:
    """Only a trial's question says that the criteria are chosen later."""
    client, trust = answered(ONCE, NO)
    request(trust, tried)
    with pytest.raises(NotAllowed):
        request(trust, chosen(tried))
    assert len(client.questions) == 2
