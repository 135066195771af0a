"""Reports of a reduction: unresolved runs are reported separately, if there are any."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pollard.events import Counts, Measuring, Progress, Result, Size, Started
from pollard.forecast import Outlook
from pollard.oracle import Frequency, OtherFailure, Signature
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


def test_progress_says_which_size_is_expected(reports: ReductionReports) -> None:
    counts = Counts(runs=20, seconds=2.0)
    reports.progress(Progress(900, 1000, "heavy", counts, Outlook(85, 0.5)))
    assert reports.latest.message.endswith("heavy · about 85 B expected")
    reports.progress(Progress(900, 1000, "heavy", counts, Outlook(85, 0.01)))
    assert reports.latest.message.endswith("heavy · likely final")


def test_the_summary_reports_unresolved_runs(reports: ReductionReports) -> None:
    size = Size(9, 8, 3)
    result = Result(b"a\n", size, size, Counts(runs=20, invalid=1), "hdd*", 1)
    reports.done(result, "")
    assert reports.latest.invalid == 1
    assert "20 runs, 1 invalid, " in reports.latest.message


SIZE = Size(9, 8, 3)
VALUE = Signature("ValueError", "no key in …", "load")
SHORTER = Signature("ValueError")
NAME = Signature("NameError", where="line 1")


def result(failure: Signature | None, **more: Any) -> Result:
    return Result(
        b"a\n", SIZE, SIZE, Counts(), "hdd*", 1, original_failure=VALUE, failure=failure, **more
    )


def test_the_originals_failure_is_reported_when_the_search_begins(
    reports: ReductionReports,
) -> None:
    reports.started(Started(SIZE, "python", "hdd*", 1, 1.0, failure=VALUE))
    told = to_json(reports.latest)
    assert told["failure"] == told["originalFailure"]
    assert told["failure"]["description"] == "ValueError, raised in load"
    reports.begin_round(9)
    assert to_json(reports.latest)["failure"] is None


def test_the_end_names_the_failure_if_it_stayed_the_same(reports: ReductionReports) -> None:
    reports.done(result(SHORTER), "")
    told = to_json(reports.latest)
    assert told["message"].endswith("; same failure: ValueError")
    assert told["failure"]["kind"] == told["originalFailure"]["kind"] == "ValueError"
    assert told["comparison"][0] == "the failure is of the same kind:"


def test_the_end_says_that_the_failure_has_changed(reports: ReductionReports) -> None:
    reports.done(result(NAME), "")
    changed = (
        "The failure has changed: was ValueError, raised in load, is NameError, raised on line 1"
    )
    assert reports.latest.message.endswith(changed)


@pytest.mark.parametrize("state", ["done", "stopped", "changes_kept", "undelivered"])
def test_a_change_of_the_failure_is_never_hidden(state: str) -> None:
    """Not every editor shows the message of the end, so a warning says it too, however it ended."""
    messages: list[str] = []
    parts: Any = Client()
    parts.show = lambda _, message: messages.append(message)
    document: Any = SimpleNamespace(uri="file:///a.c", name="a.c")
    reports = ReductionReports(parts, "reduction-1", document, None)
    more = {"done": [""], "undelivered": [None]}.get(state, [])
    getattr(reports, state)(result(NAME), *more)
    assert to_json(reports.latest)["failureChanged"] is True
    assert [message for message in messages if "a.c: The failure has changed" in message]


def test_a_stopped_reduction_whose_failure_is_not_known_reports_no_change(
    reports: ReductionReports,
) -> None:
    reports.stopped(result(None, cancelled=True))
    assert reports.latest.comparison == ()
    assert "failure" not in reports.latest.message


def test_the_end_says_how_often_the_result_fails(reports: ReductionReports) -> None:
    frequencies = {"original_frequency": Frequency(3, 5), "frequency": Frequency(17, 20)}
    reports.done(result(SHORTER, **frequencies), "")
    told = to_json(reports.latest)
    assert told["message"].endswith("; same failure: ValueError; fails in 17 of 20 runs")
    assert told["originalFrequency"] == {"hits": 3, "runs": 5}
    assert told["frequency"] == {"hits": 17, "runs": 20}
    line = "the result fails in 17 of 20 runs, the original in 3 of 5 runs"
    assert told["comparison"][-1] == line


def test_a_measurement_is_announced(reports: ReductionReports) -> None:
    reports.measuring(Measuring("how often the result fails"))
    assert reports.latest.message == "measuring how often the result fails"


def test_other_failures_are_listed(reports: ReductionReports) -> None:
    others = (OtherFailure(NAME, b"a", 3), OtherFailure(Signature("SIGSEGV"), b"ab"))
    reports.done(result(VALUE, others=others), "")
    told = to_json(reports.latest)
    assert told["message"].endswith("; same failure: ValueError; 2 other failures seen")
    assert told["others"] == [
        {"number": 1, "description": "NameError, raised on line 1", "bytes": 1, "runs": 3},
        {"number": 2, "description": "SIGSEGV", "bytes": 2, "runs": 1},
    ]
