"""Reports of a reduction: summary, live display, events, statistics."""

from __future__ import annotations

import json

import pytest

from pollard.events import Counts
from tests.core.cli.helpers import JSON, NEEDLE, TEXT, on_terminal, pollard, started

WORDS = """
    original reduced runs wasted_runs check_runs guarded cache_hits invalid timeouts other_failures
    reductions seconds oracle_seconds wasted_seconds busy_workers strategy jobs interesting interrupted
    ended_by original_failure failure original_frequency frequency others language notes passes version
"""
KEYS = WORDS.split()
ESCAPE = "\x1b"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "bug.json").write_text(JSON)
    return tmp_path


def test_without_a_terminal_there_are_two_plain_lines(folder, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    done = pollard("reduce", "bug.json", "--", *NEEDLE, cwd=folder)
    summary, place = done.stderr.splitlines()
    size = len((folder / "bug.reduced.json").read_bytes())
    assert summary.startswith(f"{len(JSON)} B -> {size} B, ")
    assert " runs, " in summary
    assert place == "written to bug.reduced.json"
    assert done.stdout == ""
    assert ESCAPE not in done.stderr


def test_quiet_prints_errors_only(folder):
    done = pollard("reduce", "bug.json", "--quiet", "--", *NEEDLE, cwd=folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    done = pollard("reduce", "bug.json", "--quiet", "--", "false", cwd=folder)
    assert done.returncode == 3
    assert "not interesting" in done.stderr


def test_a_terminal_shows_the_reduction_live(folder):
    code, drawn = on_terminal("reduce", "bug.json", "-j1", "--", *NEEDLE, cwd=folder)
    assert code == 0
    assert ESCAPE in drawn
    for part in (
        "bug.json: ",
        "json, strategy default, 1 job, timeout 1.0 s",
        f" of {len(JSON)} B",
        " runs · ",
        "/s · ",
        " guarded · ",
        " level ",
        "█",
        " -> ",
        "written to bug.reduced.json",
    ):
        assert part in drawn, drawn
    assert drawn.rindex("\x1b[?25h") > drawn.rindex("\x1b[?25l"), "the cursor must be back"


def test_a_terminal_without_unicode_gets_ascii(folder):
    command = ["reduce", "bug.json", "--", *NEEDLE]
    _, drawn = on_terminal(*command, cwd=folder, PYTHONIOENCODING="ascii")
    assert drawn.isascii()
    assert "###" in drawn


def test_no_color_is_respected(folder):
    _, drawn = on_terminal("reduce", "bug.json", "--", *NEEDLE, cwd=folder, NO_COLOR="1")
    assert "\x1b[32m" not in drawn
    assert " of " in drawn


def test_a_dumb_terminal_gets_lines_only(folder):
    code, drawn = on_terminal("reduce", "bug.json", "--", *NEEDLE, cwd=folder, TERM="dumb")
    assert code == 0
    assert ESCAPE not in drawn
    opening, summary, place = drawn.splitlines()
    assert opening.startswith(f"bug.json: {len(JSON)} B, json, strategy default")
    assert " -> " in summary
    assert "bug.reduced.json" in place


def test_a_terminal_shows_notes(tmp_path):
    (tmp_path / "x.txt").write_text(TEXT)
    _, drawn = on_terminal("reduce", "x.txt", "--", *NEEDLE, cwd=tmp_path)
    assert "no grammar" in drawn
    assert "which fits best" in drawn.replace("\r\n", " ")


def test_events_are_json_lines(folder):
    done = pollard("reduce", "bug.json", "--events", "-j1", "--", *NEEDLE, cwd=folder)
    assert done.returncode == 0
    events = [json.loads(line) for line in done.stdout.splitlines()]
    names = [event["event"] for event in events]
    assert names[0] == "started"
    assert names[-1] == "finished"
    assert set(names) == {"started", "progress", "reduced", "pass", "finished"}
    first, last = events[0], events[-1]
    assert first["file"] == "bug.json"
    assert first["original"]["bytes"] == len(JSON)
    assert (first["language"], first["strategy"], first["jobs"]) == ("json", "default", 1)
    assert set(last) == {"event", "output", *KEYS}
    reduced = [event for event in events if event["event"] == "reduced"]
    assert [event["number"] for event in reduced] == list(range(1, len(reduced) + 1))
    assert {event["output"] for event in events if "output" in event} == {"bug.reduced.json"}
    assert reduced[-1]["bytes"] == last["reduced"]["bytes"]
    assert reduced[-1]["counts"]["reductions"] == len(reduced) == last["reductions"]
    assert "needle" not in done.stdout
    ended = [event for event in events if event["event"] == "pass"]
    for one in last["passes"]:
        rounds = [event for event in ended if event["name"] == one["name"]]
        assert len(rounds) == one["rounds"]
        assert sum(event["runs"] for event in rounds) == one["runs"]


def test_a_closed_pipe_ends_events_quietly(folder):
    process = started("reduce", "bug.json", "--events", "--", *NEEDLE, cwd=folder)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    errors = process.stderr.read()
    assert process.wait() == 141
    assert "Traceback" not in errors
    assert "unexpected" not in errors


def test_statistics_have_the_documented_keys(folder):
    done = pollard("reduce", "bug.json", "-j2", "--stats", "stats.json", "--", *NEEDLE, cwd=folder)
    assert done.returncode == 0
    stats = json.loads((folder / "stats.json").read_text())
    assert list(stats) == KEYS
    result = (folder / "bug.reduced.json").read_text()
    for key, text in (("original", JSON), ("reduced", result)):
        assert set(stats[key]) == {"bytes", "non_whitespace", "tokens"}
        assert stats[key]["bytes"] == len(text)
        assert stats[key]["non_whitespace"] == len("".join(text.split()))
    assert stats["check_runs"] == 3 + 1 + 6, "the original, what the script reads, and the result"
    assert stats["jobs"] == 2
    assert stats["runs"] > 0
    assert stats["reductions"] > 0
    assert stats["strategy"] == "default"
    assert stats["language"] == "json"
    assert stats["interesting"] is True
    assert stats["interrupted"] is False
    assert f"{stats['runs']} runs" in done.stderr


_UNRESOLVED = """\
checks = 1
[oracles.a]
command = 'grep -q needle {file} || exit 9; grep -q thread {file} || sleep 60'
timeout = "300ms"
invalid = { exit_code = 9 }
"""


@pytest.mark.exhaustive
def test_invalid_runs_and_timeouts_are_reported(folder):
    (folder / "pollard.toml").write_text(_UNRESOLVED)
    (folder / "bug.json").write_text('["needle", 7, "thread"]')
    options = ["--stats", "s.json", "--events", "--no-cache", "-j1"]
    done = pollard("reduce", "bug.json", *options, cwd=folder)
    assert done.returncode == 0, done.stderr
    stats = json.loads((folder / "s.json").read_text())
    assert stats["invalid"] > 0
    assert stats["timeouts"] > 0
    said = f"{stats['runs']} runs, {stats['invalid']} invalid, {stats['timeouts']} timed out, "
    assert said in done.stderr
    last = json.loads(done.stdout.splitlines()[-1])
    assert (last["invalid"], last["timeouts"]) == (stats["invalid"], stats["timeouts"])


def test_absent_invalid_runs_and_timeouts_are_not_mentioned(folder):
    done = pollard("reduce", "bug.json", "--", *NEEDLE, cwd=folder)
    assert "invalid" not in done.stderr
    assert "timed out" not in done.stderr


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        (Counts(), ()),
        (Counts(invalid=1), ("1 invalid",)),
        (Counts(timeouts=2, runs=3), ("2 timed out",)),
        (Counts(invalid=3, timeouts=2), ("3 invalid", "2 timed out")),
    ],
)
def test_words_for_unresolved_runs(counts, words):
    assert counts.unresolved == words


@pytest.mark.exhaustive
def test_the_live_display_shows_invalid_runs_and_timeouts(folder):
    (folder / "pollard.toml").write_text(_UNRESOLVED)
    (folder / "bug.json").write_text('["needle", 7, "thread"]')
    code, drawn = on_terminal("reduce", "bug.json", "-j1", "--no-cache", cwd=folder)
    assert code == 0
    assert " invalid · " in drawn
    assert " timed out · " in drawn
    assert "0 timed out" not in drawn


FAILING = ("--stderr", "Error", "-j1", "--", "sh", "{dir}/fail.sh", "{file}")
FAIL = """
case $(grep -o needle "$1" | wc -l) in 0) kind=KeyError;; *) kind=ValueError;; esac
echo "Traceback (most recent call last):" >&2
echo "  File \\"case.py\\", line 4, in load" >&2
echo "$kind: no needle" >&2
exit 1
"""


def test_the_end_compares_the_failures_and_lists_others_which_can_be_reduced(folder):
    (folder / "fail.sh").write_text(FAIL)
    fail = ("reduce", "bug.json", "--with", "fail.sh", "--stats", "stats.json")
    done = pollard(*fail, *FAILING, cwd=folder)
    assert done.returncode == 0
    assert "the failure is the same: ValueError, raised in load" in done.stderr
    assert "1 other failure seen; reduce one with --other N:" in done.stderr
    stats = json.loads((folder / "stats.json").read_text())
    assert stats["failure"]["kind"] == stats["original_failure"]["kind"] == "ValueError"
    (other,) = stats["others"]
    assert other["kind"] == "KeyError"

    again = pollard(*fail, "--other", "1", *FAILING, cwd=folder)
    assert again.returncode in (0, 1)
    stats = json.loads((folder / "stats.json").read_text())
    assert stats["original_failure"]["kind"] == "KeyError"
    assert stats["original"]["bytes"] == other["bytes"]


def test_there_is_no_other_failure_to_reduce(folder):
    done = pollard("reduce", "bug.json", "--other", "2", "--", *NEEDLE, cwd=folder)
    assert done.returncode == 2
    assert "--other 2: the last reduction of bug.json has none" in done.stderr


def test_a_degree_that_does_not_exist_is_a_usage_error(folder):
    done = pollard("reduce", "bug.json", "--same-failure", "maybe", "--", *NEEDLE, cwd=folder)
    assert done.returncode == 2
    assert "kind" in done.stderr
