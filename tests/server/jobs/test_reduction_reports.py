"""Reports of a reduction: unresolved runs are reported separately, if there are any."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pollard.events import Counts, Progress, Result, Size
from pollard_server.jobs.reduction_reports import ReductionReports
from pollard_server.protocol.conversion import to_json


class Client:
    """Accepts every call and does nothing."""

    def post(self, *_: object) -> None:
        pass

    def __getattr__(self, _: str) -> Any:
        return lambda *_, **__: None


@pytest.fixture
def reports() -> ReductionReports:
    parts: Any = Client()
    document: Any = SimpleNamespace(uri="file:///a.c", name="a.c")
    return ReductionReports(parts, "reduction-1", document, None)


def test_progress_reports_unresolved_runs(reports: ReductionReports) -> None:
    counts = Counts(runs=20, invalid=3, timeouts=2, seconds=2.0)
    reports.progress(Progress(bytes=10, original_bytes=20, where="hdd level 1", counts=counts))
    told = to_json(reports.latest)
    assert (told["runs"], told["invalid"], told["timeouts"]) == (20, 3, 2)
    assert "20 runs · 3 invalid · 2 timed out · 10 runs/s" in told["message"]


def test_without_unresolved_runs_they_are_not_mentioned(reports: ReductionReports) -> None:
    counts = Counts(runs=20, seconds=2.0)
    reports.progress(Progress(bytes=10, original_bytes=20, where="hdd level 1", counts=counts))
    assert "20 runs · 10 runs/s" in reports.latest.message


def test_the_summary_reports_unresolved_runs(reports: ReductionReports) -> None:
    size = Size(9, 8, 3)
    result = Result(b"a\n", size, size, Counts(runs=20, invalid=1), "hdd*", 1)
    reports.done(result, "")
    assert reports.latest.invalid == 1
    assert "20 runs, 1 invalid, " in reports.latest.message
