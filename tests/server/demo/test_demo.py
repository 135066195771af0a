"""The demo: what a newcomer sees first has to be real, clean and legible anywhere."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from rich.console import Console

from pollard.demo.script import FAILURE, FILENAME, FUNCTION, oracle, plan, script
from pollard.demo.view import View, count_lines
from pollard.events import Counts, Reduced
from pollard.oracle import Runner, Verdict

_DEMO = """
import sys
from rich.console import Console
from pollard.demo import run
sys.exit(run(Console(), jobs=int(sys.argv[1])))
"""
_COLOURS = ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "COLUMNS", "LINES")
_PATIENCE_SECONDS = 120


def _environment(tmp: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _COLOURS}
    return {**kept, "TMPDIR": str(tmp), "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8"}


def _python(file: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-I", "-S", file], capture_output=True, text=True, check=False
    )


def test_the_bundled_script_fails_as_the_demo_says(tmp_path: Path) -> None:
    file = tmp_path / FILENAME
    file.write_bytes(script())
    ran = _python(file)
    assert ran.returncode == 1
    assert f", in {FUNCTION}\n" in ran.stderr
    assert ran.stderr.rstrip().endswith(FAILURE)


def test_the_bundled_script_is_worth_reducing() -> None:
    text = script().decode()
    assert 100 <= count_lines(script()) <= 180
    assert text.count("\nclass ") >= 2
    assert text.count("def ") >= 10


@pytest.mark.parametrize(
    "other",
    [
        b"def settle():\n    1 / 0\nsettle()\n",
        b"def other():\n    d = {1: 1}\n    for k in d:\n        del d[k]\nother()\n",
        b"def settle():\n    raise RuntimeError('dictionary')\nsettle()\n",
        b"print('in settle\\nRuntimeError: dictionary changed size during iteration')\n",
        b"",
    ],
    ids=["another error", "another function", "another text", "on standard output", "empty"],
)
def test_the_demo_does_not_slip_to_another_failure(other: bytes) -> None:
    with Runner(oracle(), FILENAME) as runner:
        assert runner.run(script()).verdict is Verdict.INTERESTING
        assert runner.run(other).verdict is Verdict.UNINTERESTING


def test_the_demo_never_answers_from_the_cache() -> None:
    assert plan().cache is False


def test_without_a_terminal_the_demo_prints_lines_and_a_far_smaller_script(
    tmp_path: Path, no_leftovers: None
) -> None:
    """The real thing from start to end: its own figures, its result run once more, no leftovers."""
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    demo = subprocess.run(
        [sys.executable, "-c", _DEMO, "2"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=_environment(temporary),
        check=False,
    )
    assert (demo.returncode, demo.stderr) == (0, "")
    assert "\x1b" not in demo.stdout
    assert "\r" not in demo.stdout
    assert len(re.findall(r"^ *\d+ bytes +\d+ runs  ", demo.stdout, re.MULTILINE)) > 10
    assert "pollard reduce FILE -- COMMAND" in demo.stdout

    _, _, rest = demo.stdout.partition(f"What matters of {FILENAME}:\n")
    left = textwrap.dedent(rest.partition("It still dies")[0]).strip() + "\n"
    assert f"def {FUNCTION}(" in left
    assert "del " in left
    assert "for " in left
    assert count_lines(left.encode()) <= 30
    result = tmp_path / FILENAME
    result.write_text(left)
    ran = _python(result)
    assert f", in {FUNCTION}\n" in ran.stderr
    assert ran.stderr.rstrip().endswith(FAILURE)
    assert list(temporary.iterdir()) == []


def test_on_a_terminal_the_script_shrinks_before_the_eyes_until_it_is_stopped(
    tmp_path: Path, no_leftovers: None
) -> None:
    """Several states of the text are seen; Ctrl-C then ends it at once with the best so far."""
    controller, terminal = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", _DEMO, "1"],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env={**_environment(tmp_path), "COLUMNS": "100", "LINES": "30"},
        start_new_session=True,
    )
    os.close(terminal)
    seen = b""
    states: set[bytes] = set()
    interrupted = False
    stop = time.monotonic() + _PATIENCE_SECONDS
    while chunk := _read(controller):
        seen += chunk
        states |= set(re.findall(rb"(\d+) of \d+ lines", seen))
        if len(states) >= 5 and not interrupted:
            interrupted = True
            process.send_signal(signal.SIGINT)
        assert time.monotonic() < stop, seen[-2000:]
    os.close(controller)
    assert process.wait() == 130
    assert len(states) >= 5
    assert b"\x1b[" in seen
    assert b"The best so far" in seen
    assert b"Traceback" not in seen
    assert list(tmp_path.iterdir()) == []


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65536)
    except OSError:  # how Linux says that the other end was closed
        return b""


def _drawn(view: View, height: int) -> list[str]:
    console = Console(width=72, height=height, force_terminal=False, color_system=None)
    with console.capture() as capture:
        console.print(view)
    return capture.get().splitlines()


def test_the_view_fits_the_terminal_and_keeps_the_latest_cut_in_sight() -> None:
    lines = [f"number_{line} = {line}\n" for line in range(200)]
    original = "".join(lines).encode()
    view = View(FILENAME, original)
    assert len(_drawn(view, 20)) < 20
    assert "number_0" in "\n".join(_drawn(view, 20))
    del lines[120:130]
    view(Reduced("".join(lines).encode(), 1, "hddh level 3", Counts(runs=7, seconds=2.0)))
    drawn = "\n".join(_drawn(view, 20))
    assert len(drawn.splitlines()) < 20
    assert "190 of 200 lines" in drawn
    assert "number_119" in drawn
    assert "number_130" in drawn
    assert "hddh level 3" in drawn
    assert "7 runs" in drawn


def test_the_view_survives_terminals_of_any_height() -> None:
    for height in (1, 2, 5, 500):
        assert _drawn(View(FILENAME, script()), height)


def test_the_view_can_be_drawn_in_ascii_alone() -> None:
    view = View(FILENAME, script())
    view(Reduced(script()[100:], 1, "hddh level 3", Counts(runs=7, seconds=2.0)))
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="strict")
    Console(file=stream, width=40, height=20, force_terminal=True).print(view)
    stream.flush()
    assert "hddh level 3" in stream.buffer.getvalue().decode("ascii")
