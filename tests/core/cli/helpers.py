"""Starting the real `pollard` process; inputs and oracles that its tests share."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from pollard.cli.main import run

POLLARD = [sys.executable, "-m", "pollard"]
_PATIENCE = 60.0

# Interesting while the file contains the word.
NEEDLE = ["grep", "-q", "needle"]
SCRIPT = '#!/bin/sh\ngrep -q needle "$1"\n'

JSON = json.dumps({"first": [1, 2, {"b": "needle"}], "rest": list(range(20))}, indent=1) + "\n"
# Takes more than a hundred runs if five of its lines are needed.
MANY = (
    "[\n"
    + ",\n".join(
        f'  ["needle", {n}]' if n % 8 == 5 else f'  [{n}, "{n}", [{n}]]' for n in range(40)
    )
    + "\n]\n"
)
PYTHON = "import os\n\n\ndef f(a):\n    return a\n\n\ndef g(b):\n    return 'needle'\n\n\nf(1)\n"
TEXT = "".join(f"line {number} of the text\n" for number in range(20)) + "the needle\n"


def pollard(*arguments, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run pollard to its end, without a terminal.

    This happens in this process, since most of the time of another one is that of its imports. The
    file descriptors are redirected nevertheless, so that devices and child processes see the same.
    """
    words = [str(argument) for argument in arguments]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        with _in_folder(cwd), _redirected(out, errors):
            code = run(words)
        return subprocess.CompletedProcess(words, code, _text(out), _text(errors))


def pollard_process(*arguments, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run pollard to its end in a process of its own, with pipes for its output."""
    return subprocess.run(
        [*POLLARD, *map(str, arguments)],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=_PATIENCE,
        check=False,
        stdin=subprocess.DEVNULL,
    )


@contextlib.contextmanager
def _in_folder(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextlib.contextmanager
def _redirected(out: IO[bytes], errors: IO[bytes]) -> Iterator[None]:
    """Let the three standard streams be an empty file and these two."""
    before = sys.stdin, sys.stdout, sys.stderr
    kept = [os.dup(number) for number in range(3)]
    with contextlib.ExitStack() as streams:
        for number, file in enumerate(
            (streams.enter_context(Path(os.devnull).open("rb")), out, errors)
        ):
            os.dup2(file.fileno(), number)
        sys.stdin = streams.enter_context(open(0, closefd=False))
        sys.stdout = streams.enter_context(open(1, "w", closefd=False))
        sys.stderr = streams.enter_context(open(2, "w", closefd=False))
        try:
            yield
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            sys.stdin, sys.stdout, sys.stderr = before
            for number, descriptor in enumerate(kept):
                os.dup2(descriptor, number)
                os.close(descriptor)


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()


def started(*arguments, cwd: Path, command=POLLARD) -> subprocess.Popen[str]:
    """Start pollard, in a session of its own."""
    return subprocess.Popen(
        [*command, *map(str, arguments)],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Wait for the end; return exit code and standard error."""
    _, errors = process.communicate(timeout=_PATIENCE)
    return process.returncode, errors


def on_terminal(*arguments, cwd: Path, typed: str = "", **environment: str) -> tuple[int, str]:
    """Run pollard on a pseudo-terminal, where `typed` waits; return its exit code and output."""
    ours, theirs = pty.openpty()
    os.write(ours, typed.encode())
    variables = {"TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **environment}
    inherited = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    process = subprocess.Popen(
        [*POLLARD, *map(str, arguments)],
        cwd=cwd,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**inherited, **variables},
    )
    os.close(theirs)
    drawn = b""
    with contextlib.suppress(OSError):  # a pseudo-terminal without a writer ends so on Linux
        while chunk := os.read(ours, 1 << 16):
            drawn += chunk
    os.close(ours)
    return process.wait(_PATIENCE), drawn.decode("utf-8", "replace")


def wait_for(process: subprocess.Popen[str], condition) -> None:
    """Wait for the condition; fail if pollard ends before."""
    stop = time.monotonic() + _PATIENCE
    while not condition():
        assert process.poll() is None, f"pollard has ended: {ended(process)}"
        assert time.monotonic() < stop, "what the test waits for did not happen"
        time.sleep(0.01)


def lines_in(file: Path) -> int:
    """Return the number of lines of a file; 0 if it does not exist."""
    with contextlib.suppress(FileNotFoundError):
        return file.read_bytes().count(b"\n")
    return 0


def script(path: Path, text: str = SCRIPT) -> Path:
    """Write an executable script."""
    path.write_text(text)
    path.chmod(0o755)
    return path


def hanging_after(runs: int, log: Path) -> str:
    """Return an oracle that hangs after `runs` runs, and logs one line per run."""
    return (
        f'#!/bin/sh\necho run >> {log}\n[ "$(wc -l < {log})" -gt {runs} ] && sleep 60\n'
        '[ "$(grep -c needle "$1")" -ge 5 ]\n'
    )
