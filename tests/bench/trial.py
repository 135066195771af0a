"""Runs a rival on a case, in a directory of its own, and counts every run of the oracle.

The rival calls a wrapper of the oracle, which logs each run and keeps each interesting candidate.
So all reducers have the same kind of curve, and one that has to be stopped still has a result: the
smallest interesting text.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from pollard.syntax.tree.document import Document
from pollard.syntax.tree.sizes import size
from tests.bench.cases import Case
from tests.bench.measure import Curve
from tests.bench.rivals import NOTHING, Rival, RivalResult

_MARK = "POLLARD_BENCH_TRIAL"

# Reducers pass a path, or call it where the candidate is, or give it the candidate on its input.
_WRAPPER = """\
#!/bin/sh
echo run >> '{log}'
d=$(mktemp -d) || exit 2
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
if [ -f "$1" ]; then cp "$1" "$d/{name}"
elif [ -f '{name}' ]; then cp '{name}' "$d/{name}"
else cat > "$d/{name}"; fi
size=$(LC_ALL=C tr -d ' \\t\\n\\r\\v\\f' < "$d/{name}" | wc -c)
/bin/sh '{oracle}' "$d/{name}" < /dev/null > /dev/null 2>&1
code=$?
[ $code = 0 ] && echo "$size" >> '{log}' && cp "$d/{name}" '{kept}/'"$size"
exit $code
"""


@dataclass(frozen=True)
class Log:
    """What the wrapper logged: how many runs began, and each new smallest size."""

    runs: int
    curve: Curve

    @classmethod
    def read(cls, file: Path, before: int) -> Log:
        """Read the log of a case whose input has `before` bytes without white space."""
        runs, curve = 0, [(0, before)]
        for line in file.read_text().splitlines() if file.is_file() else []:
            if line == "run":
                runs += 1
            elif int(line) < curve[-1][1]:
                curve.append((runs, int(line)))
        return cls(runs, curve)


def trial(rival: Rival, case: Case, limit: float) -> RivalResult:
    """Let a rival reduce a case for at most `limit` seconds."""
    before = size(case.text)
    with tempfile.TemporaryDirectory(prefix="trial-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        file = folder / "work" / case.path.name
        file.parent.mkdir()
        file.write_bytes(case.text)
        began = time.monotonic()
        ended = _run(rival.command(case, file, _wrapper(folder, case)), file.parent, limit)
        seconds = time.monotonic() - began
        log = Log.read(folder / "log", before)
        left = log.curve[-1][1]
        smallest = folder / "kept" / str(left)
        text = smallest.read_bytes() if smallest.is_file() else case.text
    return RivalResult(
        case=case.name,
        tool=rival.full_name(),
        input_non_whitespace=str(before),
        output_non_whitespace=str(left) if left < before else NOTHING,
        oracle_runs=str(log.runs),
        seconds=f"{seconds:.0f}",
        ended=ended,
        curve=" ".join(f"{runs}:{left}" for runs, left in [*log.curve, (log.runs, left)]),
        more_errors=str(more_errors(case, text)),
    )


def more_errors(case: Case, text: bytes) -> int:
    """Return how many syntax errors more than the input a text has, 0 if it does not have more."""
    language = case.grammar.language
    return max(Document(text, language).errors - Document(case.text, language).errors, 0)


def _wrapper(folder: Path, case: Case) -> Path:
    test = folder / "test"
    kept = folder / "kept"
    kept.mkdir()
    names = {"log": folder / "log", "kept": kept, "name": case.path.name, "oracle": case.script}
    text = _WRAPPER.format_map(names)
    test.write_text(text)
    test.chmod(0o755)
    return test


def _run(command: list[str], folder: Path, limit: float) -> str:
    """Run a rival, kill all that it started, and return how it ended."""
    scratch = folder.parent / "tmp"
    scratch.mkdir()
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, "TMPDIR": str(scratch), _MARK: str(folder)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        code = process.wait(limit)
    except subprocess.TimeoutExpired:
        return f"stopped at {limit:g} s"
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        _end_all(str(folder))
    return "by itself" if code == 0 else f"exit code {code}"


def _end_all(mark: str) -> None:
    """Kill processes that left the group: all with this trial's mark in their environment."""
    while family := [process for process in psutil.process_iter() if _is_marked(process, mark)]:
        for process in family:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(family, timeout=2)


def _is_marked(process: psutil.Process, mark: str) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE and process.environ().get(_MARK) == mark
    except (psutil.Error, OSError):
        return False
