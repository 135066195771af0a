"""What only a search that forks can meet: processes that die, and forks that fail."""

from __future__ import annotations

import contextlib
import os
import signal

import pytest

from pollard.speculation import coordinator as coordinator_module
from pollard.speculation import forking
from pollard.speculation.coordinator import SearchDied
from pollard.speculation.modes import Copying
from tests.core.speculation.support import figures, nothing_left, plan, reduced, speculating


@pytest.fixture(autouse=True)
def _forking(monkeypatch: pytest.MonkeyPatch) -> None:
    speculating(monkeypatch, Copying.FORKED)


def _has_needle(text: bytes) -> bool:
    return b"needle" in text


def test_a_search_that_dies_is_reported_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as one that the kernel kills when memory runs out."""

    def die_at_once(self: object) -> None:
        real, carrier = self._real, self._carrier  # type: ignore[attr-defined]
        if real in carrier._pids and real.question is not None:
            with contextlib.suppress(ProcessLookupError):  # killed before, and its parent knows
                os.kill(carrier._pids[real], signal.SIGKILL)
        return format_(self)

    format_ = coordinator_module.Coordinator._format
    monkeypatch.setattr(coordinator_module.Coordinator, "_format", die_at_once)
    with nothing_left(), pytest.raises(SearchDied, match="go on with --resume"):
        reduced(plan(_has_needle, 4))


def test_a_reduction_goes_on_without_shadows_if_none_can_be_forked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def no_descriptor() -> None:
        raise OSError("too many open files")

    monkeypatch.setattr(forking, "new_connection", no_descriptor)
    assert figures(plan(_has_needle, 4)) == figures(plan(_has_needle, 1))
