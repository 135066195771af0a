"""Permits come from `Trust` alone, and only what runs nothing gets one without consent."""

from __future__ import annotations

import dataclasses
from dataclasses import replace

import pytest

from pollard.oracle import CommandOracle
from pollard_server.trust import ONCE, Permit
from pollard_server.trust.trust import SEAL
from tests.server.trust.asking import NEVER, EditorTools, answered, request


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


def test_only_an_oracle_that_runs_nothing_at_all_needs_no_consent(oracle):
    """Neither a command nor a formatter can come with the permit of an editor's own diagnostics."""
    client, trust = answered()
    asking = CommandOracle((), diagnoser=EditorTools())
    assert trust.permit_without_command(asking, NEVER).oracle is asking
    for other in (
        oracle,
        replace(oracle, diagnoser=EditorTools()),
        replace(asking, formatter=("rm",)),
    ):
        with pytest.raises(TypeError):
            trust.permit_without_command(other, NEVER)
    assert client.questions == []
