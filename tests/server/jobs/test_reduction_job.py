"""A reduction between two rounds: the user's actions in between affect the next round."""

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


def calls_to_new_round(reducing: ReductionJob) -> list[str]:
    """Record the calls to a new round when it becomes the current one."""
    round_ = mock.MagicMock()
    reducing._set_round(round_)
    return [name for name, _, _ in round_.method_calls]


def test_a_round_starts_running(reducing: ReductionJob) -> None:
    assert calls_to_new_round(reducing) == []


def test_a_round_starts_paused_after_an_earlier_pause(reducing: ReductionJob) -> None:
    reducing.pause()
    assert calls_to_new_round(reducing) == ["pause"]


@pytest.mark.parametrize("paused", [False, True])
def test_a_stop_while_the_round_was_made_stops_it(reducing: ReductionJob, paused: bool) -> None:
    """It is not paused first, because a paused round would wait for ever."""
    if paused:
        reducing.pause()
    reducing.stop()
    assert calls_to_new_round(reducing) == ["stop", "pause"][: 1 + paused]


def test_typing_while_the_round_was_made_is_a_foreign_change(reducing: ReductionJob) -> None:
    reducing._on_foreign_change(ForeignChange.CHANGED)
    assert calls_to_new_round(reducing) == ["on_foreign_change"]
