"""A consent covers what the user was asked about, and nothing that differs from it."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace

import pytest

from pollard.oracle import Criteria
from pollard_server.trust import ALWAYS, NO, ONCE, Consent, NotAllowed, pin
from tests.server.trust.asking import answered, consents, request


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


@pytest.mark.parametrize(("given", "wanted"), [(None, "tidy"), ("tidy", "other"), ("tidy", None)])
def test_a_consent_covers_only_its_formatter(oracle, given, wanted):
    client, trust = answered(ALWAYS, NO)
    permit = request(trust, replace(oracle, formatter=given))
    assert permit.oracle.formatter == given
    assert trust.state(replace(oracle, formatter=wanted)) is Consent.NEEDED
    with pytest.raises(NotAllowed):
        request(trust, replace(oracle, formatter=wanted))
    assert len(client.questions) == 2


def test_a_moved_workspace_needs_new_consent(oracle, workspace, tmp_path):
    client, trust = answered(ALWAYS, ONCE)
    request(trust, oracle)
    shutil.move(workspace, tmp_path / "elsewhere")
    request(trust, replace(oracle, workspace=tmp_path / "elsewhere"))
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
