"""A reduction that is killed while its search runs ahead goes on with all that was run."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.core.cli.helpers import MANY, ended, lines_in, pollard, script, started, wait_for
from tests.core.speculation.support import nothing_left

_JOBS = 4
# A run takes so long that the search gets processes of its own. It is logged at its end: there are
# few that are killed between their line in the log and their verdict.
_ORACLE = """#!/bin/sh
sleep 0.06
[ "$(grep -o needle "$1" | wc -l)" -ge 5 ]
code=$?
cksum < "$1" >> {log}
exit $code
"""
_RUNS_BEFORE, _MAX_REPEATED = 60, 15


def _folder(parent: Path, name: str) -> Path:
    folder = parent / name
    folder.mkdir()
    (folder / "bug.json").write_text(MANY)
    script(folder / "oracle", _ORACLE.format(log=folder / "log"))
    return folder


@pytest.mark.exhaustive
def test_resume_after_kill_9_reuses_what_shadows_ran(tmp_path: Path) -> None:
    whole, killed = _folder(tmp_path, "whole"), _folder(tmp_path, "killed")
    assert pollard("reduce", "bug.json", "-j1", "--", "./oracle", cwd=whole).returncode == 0
    arguments = ("bug.json", f"-j{_JOBS}", "--", "./oracle")
    with nothing_left():
        process = started("reduce", *arguments, cwd=killed)
        wait_for(process, lambda: lines_in(killed / "log") > _RUNS_BEFORE)
        process.kill()
        ended(process)
    done = pollard("reduce", "--resume", *arguments, cwd=killed)
    assert done.returncode == 0, done.stderr
    assert (killed / "bug.reduced.json").read_bytes() == (whole / "bug.reduced.json").read_bytes()
    runs = Counter((killed / "log").read_text().splitlines())
    del runs[max(runs, key=lambda text: runs[text])]  # the original, which both have checked
    repeated = sum(times - 1 for times in runs.values())
    assert repeated <= _MAX_REPEATED
