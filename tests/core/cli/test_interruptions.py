"""Ctrl-C, kill and crashes: the best text is on disk, no process is left, `--resume` continues."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter

import pytest

from tests.core.cli.helpers import (
    MANY,
    ended,
    hanging_after,
    lines_in,
    pollard,
    script,
    started,
    wait_for,
)
from tests.examples import rarely


def counting(log):
    """An oracle that needs five lines with the word, and logs a checksum of each candidate."""
    return f'#!/bin/sh\ncksum < "$1" >> {log}\n[ "$(grep -c needle "$1")" -ge 5 ]\n'


@pytest.fixture
def hanging(tmp_path):
    """A folder with a reduction that gets stuck in its 31st run."""
    (tmp_path / "bug.json").write_text(MANY)
    script(tmp_path / "oracle", hanging_after(30, tmp_path / "log"))
    return tmp_path


def stuck(folder, *options, **how):
    """Start the reduction of `hanging`, and return it when it is stuck."""
    arguments = ("reduce", "bug.json", "-j1", "--timeout", "100s", *options, "--", "./oracle")
    process = started(*arguments, cwd=folder, **how)
    wait_for(process, lambda: lines_in(folder / "log") > 30)
    return process


def test_ctrl_c_while_modules_load_is_no_traceback(tmp_path):
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt\n")
    done = subprocess.run(
        [sys.executable, "-m", "pollard", "languages"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (130, "pollard: interrupted\n")


@pytest.mark.parametrize("name", ["SIGINT", *rarely("SIGTERM", "SIGHUP")])
def test_a_signal_keeps_the_best_so_far(hanging, name, no_leftovers):
    process = stuck(hanging, "--stats", "stats.json")
    process.send_signal(getattr(signal, name))
    code, errors = ended(process)
    assert code == 130
    best = (hanging / "bug.reduced.json").read_text()
    assert "needle" in best
    assert len(best) < len(MANY)
    assert errors == (
        f"interrupted: best so far, {len(best)} B, is in bug.reduced.json; go on with --resume\n"
    )
    stats = json.loads((hanging / "stats.json").read_text())
    assert stats["interrupted"] is True
    assert stats["reduced"]["bytes"] == len(best)
    assert (hanging / "bug.json").read_text() == MANY


def test_an_interruption_says_where_the_original_is(hanging, no_leftovers):
    process = stuck(hanging, "--in-place")
    process.send_signal(signal.SIGINT)
    code, errors = ended(process)
    assert code == 130
    assert "is in bug.json (the original is in bug.orig.json)" in errors
    assert (hanging / "bug.orig.json").read_text() == MANY


def test_a_signal_before_the_search_interrupts_too(tmp_path, no_leftovers):
    """There is nothing to resume yet, so nothing advises to do that."""
    (tmp_path / "bug.json").write_text(MANY)
    script(tmp_path / "oracle", hanging_after(0, tmp_path / "log"))
    process = started("reduce", "bug.json", "--", "./oracle", cwd=tmp_path)
    wait_for(process, lambda: lines_in(tmp_path / "log"))
    process.send_signal(signal.SIGINT)
    assert ended(process) == (130, "interrupted: nothing was reduced yet\n")
    assert not (tmp_path / "bug.reduced.json").exists()


def test_check_can_be_interrupted(tmp_path, no_leftovers):
    (tmp_path / "bug.json").write_text(MANY)
    script(tmp_path / "oracle", hanging_after(0, tmp_path / "log"))
    process = started("check", "bug.json", "--", "./oracle", cwd=tmp_path)
    wait_for(process, lambda: lines_in(tmp_path / "log"))
    process.send_signal(signal.SIGTERM)
    assert ended(process) == (130, "pollard: interrupted\n")


def test_a_second_signal_ends_a_reduction_that_does_not_stop(hanging, no_leftovers):
    """Cancelling does nothing here, which stands for a reduction that is stuck."""
    deaf = (
        "import pollard.reduction as module; from pollard.cli.main import main; "
        "module.Reduction.cancel = lambda self: open('cancelled', 'w').close(); main()"
    )
    process = stuck(hanging, command=[sys.executable, "-c", deaf])
    process.send_signal(signal.SIGINT)
    wait_for(process, (hanging / "cancelled").exists)
    process.send_signal(signal.SIGINT)
    code, errors = ended(process)
    assert code == 130
    assert "interrupted again" in errors
    assert "needle" in (hanging / "bug.reduced.json").read_text()


def test_nohup_keeps_a_reduction_going_without_its_terminal(hanging, no_leftovers):
    process = stuck(hanging, command=["nohup", sys.executable, "-m", "pollard"])
    process.send_signal(signal.SIGHUP)
    process.send_signal(signal.SIGTERM)
    code, _ = ended(process)
    assert code == 130


@pytest.mark.parametrize("place", [["--in-place"], *rarely([])])
def test_resume_after_kill_9_gives_the_same_result_without_repeated_runs(tmp_path, place):
    """Checksums identify candidates; only the killed run may be repeated."""
    results, logs = [], []
    for name in ("whole", "killed"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "bug.json").write_text(MANY)
        script(folder / "oracle", counting(folder / "log"))
        arguments = ("reduce", "bug.json", "-j1", *place, "--", "./oracle")
        resume = []
        if name == "killed":
            process = started(*arguments, cwd=folder)
            wait_for(process, lambda log=folder / "log": lines_in(log) > 30)
            process.kill()
            ended(process)
            changed = folder / ("bug.json" if place else "bug.reduced.json")
            assert changed.read_text().count("needle") >= 5, "the best so far must be on disk"
            assert len(changed.read_text()) < len(MANY)
            resume = ["--resume"]
        done = pollard(arguments[0], *resume, *arguments[1:], cwd=folder)
        assert done.returncode == 0, done.stderr
        results.append((folder / ("bug.json" if place else "bug.reduced.json")).read_bytes())
        logs.append(Counter((folder / "log").read_text().splitlines()))
        assert (folder / ("bug.orig.json" if place else "bug.json")).read_text() == MANY
    assert results[0] == results[1]
    whole, killed = logs
    assert set(whole) == set(killed), "the same candidates are tried"
    extra = killed - whole
    original = next(iter(whole))
    assert extra.pop(original) == 3 + 1, "the original is checked, and the script heard, once more"
    assert sum(extra.values()) <= 1
    assert not (tmp_path / "killed" / "bug.orig.1.json").exists()


@pytest.mark.exhaustive
def test_two_reductions_of_one_file_at_once_do_not_mix_their_journals(hanging, no_leftovers):
    """The first one is killed after the second has ended, and resumed as if it had been alone."""
    process = stuck(hanging)
    meanwhile = ("reduce", "bug.json", "-o", "other.json", "--", "grep", "-q", "needle")
    assert pollard(*meanwhile, cwd=hanging).returncode == 0
    resume = ("reduce", "bug.json", "--resume", "-j1", "--timeout", "100s")
    running = pollard(*resume, "--", "./oracle", cwd=hanging)
    assert (running.returncode, running.stderr) == (
        2,
        "pollard: The reduction that this would go on with still runs; wait for its end.\n",
    )
    best = (hanging / "bug.reduced.json").read_text()
    process.kill()
    ended(process)
    (hanging / "log").write_text("run\n" * 20)  # its next ten runs do not hang
    process = stuck(hanging, "--resume")
    process.send_signal(signal.SIGINT)
    code, errors = ended(process)
    assert code == 130, errors
    resumed = (hanging / "bug.reduced.json").read_text()
    assert len(resumed) <= len(best)
    assert resumed.count("needle") >= 5


@pytest.mark.exhaustive
def test_two_reductions_in_place_at_once_lose_nothing(tmp_path, no_leftovers):
    """One of them finds that the other has changed the file, and leaves it alone."""
    (tmp_path / "bug.json").write_text(MANY)
    slow = '#!/bin/sh\nsleep 0.05\n[ "$(grep -c needle "$1")" -ge 5 ]\n'
    oracle = script(tmp_path / "oracle", slow)
    words = ("reduce", "bug.json", "--in-place", "-j1", "--", oracle)
    processes = [started(*words, cwd=tmp_path) for _ in range(2)]
    ends = [ended(process) for process in processes]
    assert "Traceback" not in str(ends)
    assert 0 in [code for code, _ in ends]
    assert all("changed by somebody else" in errors for code, errors in ends if code == 2), ends
    assert (tmp_path / "bug.orig.json").read_text() == MANY
    for path in (tmp_path / "bug.json", *tmp_path.glob("bug.reduced*.json")):
        assert path.read_text().count("needle") >= 5


def test_resume_without_an_interrupted_reduction_fails(tmp_path):
    (tmp_path / "bug.json").write_text(MANY)
    done = pollard("reduce", "bug.json", "--resume", "--", "true", cwd=tmp_path)
    assert done.returncode == 2
    assert "no interrupted reduction" in done.stderr


def test_resume_with_another_file_or_oracle_fails(hanging):
    process = stuck(hanging)
    process.kill()
    ended(process)
    resume = ("reduce", "bug.json", "--resume", "--timeout", "100s")
    script(hanging / "oracle")
    done = pollard(*resume, "--", "./oracle", cwd=hanging)
    assert done.returncode == 2
    assert "another oracle" in done.stderr
    (hanging / "bug.json").write_text(MANY + "\n")
    done = pollard(*resume, "--", "./oracle", cwd=hanging)
    assert done.returncode == 2
    assert "has changed" in done.stderr
