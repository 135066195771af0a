"""Results and notifications as editors get them: keys, values, bounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from pollard.oracle import Check, CommandOracle, Health, OtherFailure, Run, Signature, Verdict
from pollard_server.protocol import notifications, results
from pollard_server.protocol.conversion import to_json
from pollard_server.protocol.notifications import CheckedParams, ProgressParams
from pollard_server.protocol.results import HistoryReport
from tests.server.records.making import ORIGINAL, TEXTS, URI, begun, event, records, reduced

PROGRESS = ProgressParams(
    id="reduction-1", uri=URI, state="reducing", bytes=3, original_bytes=9, pass_="hddh level 5"
)


def checked(*runs: Run, health: Health = Health.INTERESTING) -> CheckedParams:
    oracle = CommandOracle(command=("gcc",), name="gcc", workspace=Path("/"))
    return CheckedParams.of(
        "check-1", URI, b"", Check(oracle, health, runs, 1.0, error="No such program.")
    )


def run(**known) -> Run:
    return Run(**{"verdict": Verdict.INTERESTING, "exit_code": 1, "signal": None, **known})


def test_progress_has_the_documented_keys() -> None:
    assert to_json(PROGRESS) == {
        "id": "reduction-1",
        "uri": URI,
        "state": "reducing",
        "bytes": 3,
        "originalBytes": 9,
        "files": None,
        "result": None,
        "runs": 0,
        "rate": 0.0,
        "guarded": 0,
        "cacheHits": 0,
        "invalid": 0,
        "timeouts": 0,
        "otherFailures": 0,
        "reductions": 0,
        "pass": "hddh level 5",
        "seconds": 0.0,
        "message": "",
        "originalFailure": None,
        "failure": None,
        "failureChanged": False,
        "comparison": [],
        "originalFrequency": None,
        "frequency": None,
        "others": [],
        "companions": [],
    }


def test_a_status_report_consists_of_progress() -> None:
    assert to_json(results.StatusReport((PROGRESS,))) == {"reductions": [to_json(PROGRESS)]}


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (results.ReduceStarted("reduction-1", URI), {"id": "reduction-1", "uri": URI}),
        (results.CheckStarted("check-1", URI), {"id": "check-1", "uri": URI}),
        (results.Ids(("reduction-1",)), {"ids": ["reduction-1"]}),
        (results.Ids(()), {"ids": []}),
        (results.Restored("000001", 0, 39), {"record": "000001", "number": 0, "bytes": 39}),
        (
            results.Restored(None, None, None),
            {"record": None, "number": None, "bytes": None},
        ),
        (results.OtherChosen("000001", 2, 9), {"record": "000001", "number": 2, "bytes": 9}),
        (results.HistoryText("a\n"), {"text": "a\n"}),
    ],
)
def test_results_have_the_documented_keys(result, expected) -> None:
    assert to_json(result) == expected


def test_a_check_reports_the_outcome_and_output_of_each_run() -> None:
    first = run(stdout=b"ok \xff", stderr=b"error: x\n", seconds=0.12345)
    second = run(verdict=Verdict.TIMEOUT, exit_code=None, signal=9, timed_out=True)
    found = to_json(checked(first, second))
    assert found["runs"] == [
        {
            "verdict": "interesting",
            "exitCode": 1,
            "signal": None,
            "seconds": 0.123,
            "stdout": "ok \ufffd",
            "stderr": "error: x\n",
            "truncated": False,
        },
        {
            "verdict": "timeout",
            "exitCode": None,
            "signal": 9,
            "seconds": 0.0,
            "stdout": "",
            "stderr": "",
            "truncated": False,
        },
    ]
    assert (found["oracle"], found["health"], found["interesting"]) == ("gcc", "interesting", True)
    assert "2" in found["description"]


def test_a_check_that_could_not_start_says_why_and_has_no_runs() -> None:
    found = to_json(checked(health=Health.BROKEN))
    assert (found["runs"], found["description"]) == ([], "No such program.")
    assert (found["health"], found["interesting"]) == ("could not start", False)


def test_of_much_output_the_end_is_sent() -> None:
    (sent,) = checked(run(stderr=b"x" * notifications.MAX_OUTPUT_CHARACTERS + b"end")).runs
    assert sent.truncated
    assert len(sent.stderr) == notifications.MAX_OUTPUT_CHARACTERS
    assert sent.stderr.endswith("xend")


def test_history_reports_size_time_and_pass_of_each_reduction() -> None:
    place = records()
    record = begun(place, strategy="default", region=(1, 5), language="c")
    reduced(record, TEXTS)
    record.finish(
        "finished", others=[OtherFailure(Signature("NameError", where="line 1"), b"ab", 3)]
    )
    (found,) = to_json(HistoryReport.of(place.all()))["records"]
    steps = found.pop("steps")
    assert steps[-1] == {
        "number": 3,
        "bytes": len(TEXTS[-1]),
        "runs": 30,
        "seconds": 1.5,
        "pass": "hddh level 3",
    }
    assert len(steps) == 3
    assert found == {
        "id": record.id,
        "status": "finished",
        "started": record.started,
        "oracle": "gcc",
        "strategy": "default",
        "continues": None,
        "language": "c",
        "region": [1, 5],
        "originalBytes": len(ORIGINAL),
        "bytes": len(TEXTS[-1]),
        "runs": 30,
        "seconds": 1.5,
        "others": [
            {"number": 1, "description": "NameError, raised on line 1", "bytes": 2, "runs": 3}
        ],
    }


def test_history_is_bounded_and_keeps_the_newest() -> None:
    place = records()
    record = begun(place)
    for number in range(1, results.MAX_STEPS + 6):
        record.add_step(event(number, b"x"))
    others = [record.keep_before_restore(b"%d" % number) for number in range(3)]
    found = HistoryReport.of([record, *place.all() * 6]).records
    assert len(found) == results.MAX_RECORDS
    assert found[-1].id == others[-1].id
    steps = HistoryReport.of([record]).records[0].steps
    assert (len(steps), steps[-1].number) == (results.MAX_STEPS, results.MAX_STEPS + 5)
