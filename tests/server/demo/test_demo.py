"""The demo is a real reduction, leaves nothing behind, and is legible on every terminal."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from lsprotocol import types as lsp

from pollard.errors import PollardError
from pollard_server.demo.editor import Changed, News, drive
from pollard_server.demo.script import FAILURE, FILENAME, FUNCTION, count_lines, script
from pollard_server.protocol.notifications import ProgressParams

_DEMO = """
import sys
from rich.console import Console
from pollard_server.demo import run
sys.exit(run(Console(), jobs=int(sys.argv[1])))
"""
_COLOURS = ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "COLUMNS", "LINES")
_PATIENCE_SECONDS = 120
_GRACE_SECONDS = 2.0


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder for the demo's files; the test fails if a file or a process of it is left."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    yield folder
    stop = time.monotonic() + _GRACE_SECONDS
    while (alive := _processes_of(folder)) and time.monotonic() < stop:
        time.sleep(0.02)  # a killed process takes a moment to be gone
    assert not alive, f"processes survived the demo: {alive}"
    assert list(folder.iterdir()) == []


def _processes_of(folder: Path) -> list[psutil.Process]:
    """Return the processes with their state in a folder: the demo's server and its oracle runs."""
    inside = f"{folder.resolve()}{os.sep}"
    return [
        process
        for process in psutil.process_iter(["environ"])
        if (process.info["environ"] or {}).get("POLLARD_STATE_DIR", "").startswith(inside)
    ]


def _server_of(folder: Path) -> psutil.Process:
    return next(each for each in _processes_of(folder) if "pollard_server" in each.cmdline())


def _environment(tmp: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _COLOURS}
    return {**kept, "TMPDIR": str(tmp), "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8"}


class _Terminal:
    """The demo in a pseudo-terminal."""

    def __init__(self, tmp: Path, **environment: str) -> None:
        self._controller, terminal = os.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", _DEMO, "1"],
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            env={**_environment(tmp), "COLUMNS": "100", "LINES": "30", **environment},
            start_new_session=True,
        )
        os.close(terminal)
        self.seen = b""

    def read_until(self, met: Callable[[bytes], object]) -> None:
        """Read until the output meets a condition, or to its end."""
        stop = time.monotonic() + _PATIENCE_SECONDS
        while not met(self.seen) and (chunk := self._read()):
            self.seen += chunk
            assert time.monotonic() < stop, self.seen[-2000:]

    def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def end(self) -> int:
        """Read the rest and return the exit code."""
        self.read_until(lambda _: False)
        os.close(self._controller)
        assert b"Traceback" not in self.seen
        return self.process.wait(_PATIENCE_SECONDS)

    def _read(self) -> bytes:
        try:
            return os.read(self._controller, 65536)
        except OSError:  # how Linux says that the other end was closed
            return b""


def _states(seen: bytes) -> set[bytes]:
    return set(re.findall(rb"(\d+) of \d+ lines", seen))


@pytest.mark.exhaustive
def test_without_a_terminal_the_demo_prints_lines_and_a_far_smaller_script(
    tmp_path: Path, temporary: Path
) -> None:
    """Runs the whole demo, checks its figures, and runs its result once more."""
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
    question, _, rest = demo.stdout.partition('The demo answers "Run once".')
    assert "[Run once]  [Always in this workspace]  [No]" in question
    assert f"{sys.executable} -I -S '{{file}}'" in question
    assert len(re.findall(r"^ *\d+ bytes +\d+ runs  ", rest, re.MULTILINE)) > 10
    assert "pollard reduce FILE -- COMMAND" in rest
    assert "pollard serve" in rest

    _, _, rest = rest.partition(f"What matters of {FILENAME}:\n")
    left = textwrap.dedent(rest.partition("It still dies")[0]).strip() + "\n"
    assert f"def {FUNCTION}(" in left
    assert "del " in left
    assert "for " in left
    assert count_lines(left.encode()) <= 30
    result = tmp_path / FILENAME
    result.write_text(left)
    ran = subprocess.run(
        [sys.executable, "-I", "-S", result], capture_output=True, text=True, check=False
    )
    assert f", in {FUNCTION}\n" in ran.stderr
    assert ran.stderr.rstrip().endswith(FAILURE)


def test_on_a_terminal_the_script_shrinks_visibly_until_it_is_stopped(
    temporary: Path,
) -> None:
    """The screen shows several texts; Ctrl-C ends the demo at once with the best one."""
    terminal = _Terminal(temporary)
    terminal.read_until(lambda seen: len(_states(seen)) >= 5)
    terminal.interrupt()
    assert terminal.end() == 130
    assert len(_states(terminal.seen)) >= 5
    assert b"\x1b[" in terminal.seen
    assert b'An editor asks first; here "Run once" allowed' in terminal.seen
    assert b"The best so far" in terminal.seen


def test_ctrl_c_before_the_server_has_begun_ends_the_demo(temporary: Path) -> None:
    terminal = _Terminal(temporary)
    terminal.read_until(lambda seen: b"starting the language server" in seen)
    terminal.interrupt()
    assert terminal.end() == 130
    assert b"Stopped before the first reduction." in terminal.seen


def test_ctrl_c_while_the_event_loop_is_made_waits_until_there_is_one(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python would print a traceback for an event loop that is closed half-made."""
    make = asyncio.new_event_loop

    def interrupted() -> asyncio.AbstractEventLoop:
        signal.raise_signal(signal.SIGINT)
        return make()

    monkeypatch.setattr("asyncio.events.new_event_loop", interrupted)
    assert drive(lambda _: None, jobs=1) is None


@pytest.mark.exhaustive
def test_a_second_ctrl_c_does_not_wait_for_the_server(temporary: Path) -> None:
    """Even if the server no longer answers, nothing is left behind."""
    terminal = _Terminal(temporary)
    terminal.read_until(lambda seen: len(_states(seen)) >= 2)
    _server_of(temporary).suspend()
    terminal.interrupt()
    time.sleep(0.1)  # two signals at the same time would be one
    terminal.interrupt()
    assert terminal.end() == 130
    assert b"Stopped" in terminal.seen


@pytest.mark.exhaustive
def test_without_colours_none_are_shown(temporary: Path) -> None:
    terminal = _Terminal(temporary, NO_COLOR="1")
    terminal.read_until(lambda seen: len(_states(seen)) >= 2)
    terminal.interrupt()
    assert terminal.end() == 130
    assert not re.search(rb"\x1b\[[\d;]*3\d[\d;]*m", terminal.seen)


@pytest.mark.exhaustive
def test_a_terminal_that_cannot_move_its_cursor_gets_lines(temporary: Path) -> None:
    terminal = _Terminal(temporary, TERM="dumb")
    terminal.read_until(lambda seen: seen.count(b" bytes ") >= 3)
    terminal.interrupt()
    assert terminal.end() == 130
    assert b"\x1b" not in terminal.seen


def test_a_reader_that_has_seen_enough_ends_the_demo(temporary: Path) -> None:
    """As in `pollard demo | head`."""
    with subprocess.Popen(
        [sys.executable, "-m", "pollard", "demo"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=_environment(temporary),
    ) as demo:
        assert demo.stdout is not None
        assert demo.stderr is not None
        demo.stdout.readline()
        demo.stdout.close()
        assert demo.stderr.read() == b""
        assert demo.wait(_PATIENCE_SECONDS) in {1, 141}, "what rich or the command line makes of it"


def test_a_server_that_is_not_there_is_one_sentence(temporary: Path) -> None:
    with pytest.raises(PollardError, match=r"cannot be started: /nowhere/python: .*; install"):
        drive(lambda _: None, command=["/nowhere/python"])


def test_a_server_that_ends_at_once_is_reported_with_its_last_line(temporary: Path) -> None:
    program = "import sys; print('first', file=sys.stderr); sys.exit('no module named x')"
    with pytest.raises(PollardError, match=r"ended too early \(exit status 1: no module named x\)"):
        drive(lambda _: None, command=[sys.executable, "-c", program])


def test_a_server_that_talks_nonsense_is_one_sentence(temporary: Path) -> None:
    """The server speaks another protocol and exits."""
    program = "print('Content-Length: 7\\r\\n\\r\\n{]nope!', flush=True)"
    with pytest.raises(PollardError, match="ended too early"):
        drive(lambda _: None, command=[sys.executable, "-c", program])


def test_a_server_that_dies_in_the_middle_is_one_sentence(temporary: Path) -> None:
    def kill(news: News) -> None:
        if isinstance(news, Changed):
            with contextlib.suppress(StopIteration):
                _server_of(temporary).kill()

    with pytest.raises(PollardError, match=r"ended too early \(exit status -9"):
        drive(kill, jobs=1)


def test_an_error_in_the_listener_ends_the_server(temporary: Path) -> None:
    def fail(news: News) -> None:
        if isinstance(news, Changed):
            raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        drive(fail, jobs=1)


def test_after_consent_the_buffer_shrinks_edit_by_edit(temporary: Path) -> None:
    """Consent comes first; every edit shrinks the text; the last text is the result."""
    told: list[News] = []

    def listen(news: News) -> None:
        told.append(news)
        changes = sum(isinstance(each, Changed) for each in told)
        if isinstance(news, Changed) and changes == 3:  # once: a second signal would not wait
            signal.raise_signal(signal.SIGINT)

    figures = drive(listen, jobs=1)
    assert isinstance(figures, ProgressParams)
    assert figures.state == "stopped"
    texts = [news.text for news in told if isinstance(news, Changed)]
    first = next(place for place, news in enumerate(told) if isinstance(news, Changed))
    assert any(isinstance(news, lsp.ShowMessageRequestParams) for news in told[:first])
    sizes = [len(text) for text in (script(), *texts)]
    assert sizes == sorted(set(sizes), reverse=True)
    assert figures.bytes == len(texts[-1])


def test_the_users_own_signal_handlers_are_put_back(temporary: Path) -> None:
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(PollardError):
        drive(lambda _: None, command=["/nowhere/python"])
    assert signal.getsignal(signal.SIGINT) is before


def test_nothing_is_shared_with_the_users_own_reductions(
    temporary: Path, own_directories: Path
) -> None:
    """The demo leaves no verdict, record or consent behind."""
    drive(lambda news: isinstance(news, Changed) and signal.raise_signal(signal.SIGINT), jobs=1)
    assert [path for path in own_directories.rglob("*") if path.is_file()] == []
