"""A reduction between two rounds: what the user did meanwhile affects the next round."""

from __future__ import annotations

from typing import Any
from unittest import mock

import pytest

from pollard_server.jobs.reduction_job import ReductionJob
from pollard_server.streaming import ForeignChange
from pollard_server.streaming.stream import Snapshot


@pytest.fixture
def reducing() -> ReductionJob:
    """A reduction whose thread was not started, for a document of one line."""
    services, document, arguments = mock.MagicMock(), mock.MagicMock(), mock.MagicMock()
    document.snapshot, arguments.range = Snapshot(1, "abc\n"), None
    parts: tuple[Any, Any, Any] = services, document, arguments
    return ReductionJob(*parts, None, lambda _: None, lambda _, __: None)


def entered(reducing: ReductionJob) -> list[str]:
    """The calls to a round that was being made, when it begins."""
    round_ = mock.MagicMock()
    reducing._set_round(round_)
    return [name for name, _, _ in round_.method_calls]


def test_a_round_starts_running(reducing: ReductionJob) -> None:
    assert entered(reducing) == []


def test_a_round_starts_paused_after_an_earlier_pause(reducing: ReductionJob) -> None:
    reducing.pause()
    assert entered(reducing) == ["pause"]


@pytest.mark.parametrize("paused", [False, True])
def test_a_stop_while_the_round_was_made_stops_it(reducing: ReductionJob, paused: bool) -> None:
    """It is not paused first: a paused round would wait for ever."""
    if paused:
        reducing.pause()
    reducing.stop()
    assert entered(reducing) == ["stop", "pause"][: 1 + paused]


def test_typing_while_the_round_was_made_is_a_foreign_change(reducing: ReductionJob) -> None:
    reducing._on_foreign_change(ForeignChange.CHANGED)
    assert entered(reducing) == ["on_foreign_change"]
