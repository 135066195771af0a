"""An Emacs in a pseudo-terminal: tests press real keys, and query it through its server."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import signal
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")

PACKAGE = Path(__file__).parents[3] / "editors" / "emacs"
_OBSERVE = Path(__file__).parent
_ROWS, _COLUMNS = 45, 110
_LIMIT_SECONDS = 240.0
_POLL_SECONDS = 0.2
_FINAL_STATES = ("done", "stopped", "failed")

_INIT = """
(setq inhibit-startup-screen t make-backup-files nil auto-save-default nil create-lockfiles nil
      ring-bell-function #'ignore)
(add-to-list 'load-path "{observe}")
(require 'observe)
(setq server-socket-dir "{sockets}" server-name "emacs")
(server-start)
"""
# Native compilation of all loaded files would take most of the time of each test.
_EARLY = "(setq native-comp-deferred-compilation nil native-comp-jit-compilation nil)\n"
#: A user's init file, apart from the paths.
_USER = """
(add-to-list 'load-path "{package}")
(require 'pollard)
(setq pollard-server-command {command})
"""


class Emacs:
    """Emacs in a terminal, with the package loaded as its README says.

    `home` is a new folder for its init file; `sockets` is a folder with a short path.
    """

    def __init__(
        self,
        program: str,
        home: Path,
        sockets: Path,
        server: list[str],
        environment: Mapping[str, str],
        *,
        init: str = "",
    ) -> None:
        self._sockets, self._answers = sockets, home / "answers"
        self._answers.mkdir(parents=True)
        (home / ".emacs.d").mkdir()
        (home / ".emacs.d" / "early-init.el").write_text(_EARLY)
        command = "'(" + " ".join(json.dumps(word) for word in server) + ")"
        text = _INIT.format(observe=_OBSERVE, sockets=sockets)
        text += _USER.format(package=PACKAGE, command=command) + init
        (home / ".emacs.d" / "init.el").write_text(text)
        self._number = 0
        self._screen = bytearray()
        extra = {"HOME": str(home), "TERM": "linux", "LC_ALL": "C.UTF-8"}
        self._start([program, "-nw"], {**environment, **extra}, home)
        self.wait("(featurep 'pollard)", "Emacs to start and load pollard.el")

    def _start(self, command: list[str], environment: dict[str, str], folder: Path) -> None:
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0))
        try:
            self._process = subprocess.Popen(
                command,
                stdin=slave,
                stdout=slave,
                stderr=slave,
                env=environment,
                cwd=folder,
                start_new_session=True,
                preexec_fn=_take_terminal,
            )
        finally:
            os.close(slave)
        self._master = master
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self._master, 65536)
            except OSError:  # Emacs has ended
                return
            if not data:
                return
            self._screen += data

    def keys(self, keys: str) -> None:
        """Press keys: ESC before a key stands for Meta, a control character for Ctrl."""
        os.write(self._master, keys.encode())

    def command(self, name: str) -> None:
        """Call a command by its name, with Meta-x."""
        self.keys(f"\x1bx{name}\r")

    def ask(self, expression: str) -> Any:
        """Return the value of a Lisp expression; None if it is nil or Emacs does not answer now."""
        self._number += 1
        file = self._answers / f"{self._number}.json"
        lisp = f"(observe-answer {json.dumps(str(file))} (lambda () {expression}))"
        client = ["emacsclient", "--socket-name", str(self._sockets / "emacs"), "--eval", lisp]
        try:
            subprocess.run(client, capture_output=True, timeout=20, check=False)
        except subprocess.TimeoutExpired:
            return None
        if not file.exists():
            return None
        answer = json.loads(file.read_text())
        assert "error" not in answer, f"{expression}: {answer['error']}"
        return answer["value"]

    def wait(self, expression: str, what: str, limit: float = _LIMIT_SECONDS) -> Any:
        """Return the value of an expression once it is neither nil nor an empty list."""
        return self.until(lambda: self.ask(expression), what, limit)

    def until(self, look: Callable[[], T], what: str, limit: float = _LIMIT_SECONDS) -> T:
        """Return what `look` returns once that is true; fail after `limit` seconds."""
        stop = time.monotonic() + limit
        while not (seen := look()):
            assert self._process.poll() is None, f"Emacs has ended: {self.recent_output()}"
            assert time.monotonic() < stop, f"waited in vain for {what}; {self.recent_output()}"
            time.sleep(_POLL_SECONDS)
        return seen

    def recent_output(self) -> str:
        """Return recent messages, the prompt and the screen, for error messages."""
        messages = self.ask('(with-current-buffer "*Messages*" (buffer-string))')
        prompt = self.ask("(observe-prompt)")
        tail = self._screen_tail()
        return f"asked: {prompt!r}; messages: {str(messages)[-1500:]}; screen: {tail!r}"

    def _screen_tail(self) -> str:
        return bytes(self._screen[-800:]).decode(errors="replace")

    def open(self, file: Path) -> None:
        """Visit a file with real keys, and wait until it is in the window."""
        self.keys("\x18\x06\x01\x0b" + f"{file}\r")  # C-x C-f, then C-a C-k to clear the input
        name = json.dumps(file.name)
        self.wait(f"(eq (window-buffer) (observe-buffer {name}))", f"{file.name} to be shown")

    def answer(self, prompt: str, answer: str) -> None:
        """Wait for a prompt with this text in the minibuffer, then answer it."""
        self.until_prompt(prompt)
        self.keys(f"{answer}\r")

    def until_prompt(self, prompt: str) -> None:
        """Wait for a prompt with this text in the minibuffer."""
        what = f"the question {prompt!r}"
        self.until(lambda: prompt in str(self.ask("(observe-prompt)")), what)

    def quit_prompt(self) -> None:
        """Press C-g until no prompt is open: while Emacs serves a client, C-g ends that instead."""

        def look() -> bool:
            self.keys("\x07")
            time.sleep(_POLL_SECONDS)
            return self.ask("(if (observe-prompt) 'open 'closed)") == "closed"

        self.until(look, "the prompt to close")

    def until_state(self, file: Path, state: str) -> None:
        """Wait until the reduction of a file has `state`; fail if it ends in another one."""

        def look() -> bool:
            seen = self.state(file.name)
            assert seen in (None, state) or seen not in _FINAL_STATES, (
                f"it is {seen}; {self.recent_output()}"
            )
            return seen == state

        self.until(look, f"the reduction to be {state}")

    def windows(self) -> str:
        """Return the texts of all windows."""
        return "\n".join(self.ask("(observe-windows)").values())

    def messages(self) -> str:
        """Return the messages of this session."""
        return str(self.ask('(with-current-buffer "*Messages*" (buffer-string))'))

    def text(self, name: str) -> str:
        """Return the text of the buffer that visits `name`."""
        return str(self.ask(f"(observe-text {json.dumps(name)})"))

    def state(self, name: str) -> str | None:
        """Return the state of the last reduction of `name`."""
        state = self.ask(f"(observe-state {json.dumps(name)})")
        return None if state is None else str(state)

    def saved(self, file: Path) -> bytes:
        """Save the selected buffer with real keys, and return the file's bytes."""
        self.keys("\x18\x13")
        name = json.dumps(file.name)
        self.wait(f"(not (buffer-modified-p (observe-buffer {name})))", f"{file.name} to be saved")
        return file.read_bytes()

    def close(self) -> None:
        """End Emacs without asking, and its server with it."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        os.close(self._master)


def _take_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
