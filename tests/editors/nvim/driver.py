"""A Neovim that a test types into.

Only fixtures import this module, because no other suite needs pynvim.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pynvim

from tests.editors.nvim.screen import Screen

PLUGIN = Path(__file__).parents[3] / "editors" / "nvim"
TIMEOUT_SECONDS = 90.0
_COLUMNS, _ROWS = 130, 42
_PROMPT = "Type number and <Enter>"
_ASKING = ("c", "rm")  # the modes of a list of choices, in 0.11 and in 0.7
_STEP_SECONDS = 0.02


class Neovim:
    """A Neovim with a screen; the folder `home` gets its configuration and state."""

    def __init__(self, program: str, home: Path, init: str, *arguments: str) -> None:
        home.mkdir(parents=True, exist_ok=True)
        (home / "init.lua").write_text(init)
        names = ("CONFIG", "DATA", "STATE", "CACHE")
        own = [f"XDG_{name}_HOME={home / name.lower()}" for name in names]
        path = f"PATH={Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        options = ["--embed", "-u", str(home / "init.lua"), "-i", "NONE", "-n"]
        argv = ["env", "-u", "NVIM", *own, path, program, *options, *arguments]
        self._nvim = pynvim.attach("child", argv=argv)
        self.screen = Screen(_COLUMNS, _ROWS)
        self._nvim.ui_attach(_COLUMNS, _ROWS, rgb=True, ext_linegrid=True)

    # What the user does

    def keys(self, keys: str) -> None:
        """Press keys, written as in mappings: `<Esc>`."""
        self._nvim.input(keys)

    def command(self, line: str) -> None:
        """Type an Ex command with real keys."""
        self.keys(":" + line.replace("<", "<LT>") + "<CR>")

    def choose(self, title: str) -> None:
        """Wait for the list of `vim.ui.select` and choose an item."""
        item = re.compile(rf"^(\d+)[:.] .*{re.escape(title)}", re.MULTILINE)

        def asked() -> re.Match[str] | None:
            return item.search(self._list()) if self.mode["mode"] in _ASKING else None

        self.wait(asked, f"the choice {title!r}")
        found = item.search(self._list())
        assert found
        self.keys(f"{found[1]}<CR>")
        self.wait(lambda: not asked(), f"the end of the question after {title!r}")

    def accept(self, value: str) -> None:
        """Wait for an input that has this value, and press Enter."""
        self.wait(lambda: self.mode["mode"] == "c" and self.sees(value), f"the input {value!r}")
        self.keys("<CR>")
        self.wait(lambda: self.mode["mode"] != "c", "the end of the input")

    # What the user sees

    @property
    def mode(self) -> dict[str, Any]:
        """The mode; Neovim answers this request even while it waits for a key."""
        mode: dict[str, Any] = self._nvim.api.get_mode()
        self._draw()
        return mode

    @property
    def blocked(self) -> bool:
        """Whether Neovim waits for a key, as it does in a list of choices."""
        return bool(self.mode["blocking"])

    def sees(self, text: str) -> bool:
        """Return whether a text is on the screen."""
        self.mode  # noqa: B018 (reads what was drawn)
        return text in self.screen.text

    def wait(
        self, condition: Callable[[], Any], what: str, seconds: float = TIMEOUT_SECONDS
    ) -> None:
        """Wait until the condition holds; `what` names it in the error message."""
        stop = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > stop:
                message = f"waited {seconds:.0f} s for {what}; on the screen:\n{self._picture()}"
                raise AssertionError(message)
            time.sleep(_STEP_SECONDS)

    def wait_to_see(self, text: str, seconds: float = TIMEOUT_SECONDS) -> None:
        """Wait until a text is on the screen."""
        self.wait(lambda: self.sees(text), f"the text {text!r}", seconds)

    # What only the test sees

    def lua(self, code: str, *arguments: object) -> Any:
        """Run Lua, once Neovim does not wait for a key."""
        if self.blocked:
            self.wait(lambda: not self.blocked, "Neovim to be free, but it waits for a key")
        result = self._nvim.exec_lua(code, *arguments)
        self._draw()
        return result

    @property
    def text(self) -> str:
        """The lines of the current buffer."""
        return "\n".join(self.lua("return vim.api.nvim_buf_get_lines(0, 0, -1, false)"))

    def evaluate(self, expression: str) -> Any:
        """Return the value of a Vim expression."""
        return self.lua("return vim.fn.eval(...)", expression)

    # A reduction

    @property
    def reports(self) -> list[dict[str, Any]]:
        """The data of all `PollardProgress` autocommands so far."""
        reports: list[dict[str, Any]] = self.lua("return _G.reports")
        return reports

    def clear_reports(self) -> None:
        """Forget the reports so far."""
        self.lua("_G.reports = {}")

    @property
    def state(self) -> str:
        """The state in the latest report; empty without one."""
        return str(
            self.lua("return _G.reports[#_G.reports] and _G.reports[#_G.reports].state or ''")
        )

    def wait_for_state(self, *states: str) -> None:
        """Wait until the reduction is in one of these states."""
        self.wait(lambda: self.state in states, f"the state {' or '.join(states)}")

    def wait_to_shrink(self, lines: int) -> None:
        """Wait until the buffer has fewer than `lines` lines."""
        self.wait(lambda: self.evaluate("line('$')") < lines, f"fewer than {lines} lines")

    def written(self) -> bytes:
        """Save the file with real keys, and return its bytes on disk."""
        self.keys("<Esc>")  # the code action of a selection leaves Visual mode on
        self.command("write")
        self.wait(lambda: not self.evaluate("&modified"), "the file to be saved")
        return Path(self.evaluate("expand('%:p')")).read_bytes()

    def close(self) -> None:
        """Quit Neovim without saving, and wait for its end."""
        try:
            self.keys("<C-c><CR>" if self.blocked else "<C-c>")
            if not self.blocked:
                self._nvim.command("qall!")
        except (OSError, EOFError):
            pass  # the expected answer: the connection has ended
        self._nvim.close()

    def _list(self) -> str:
        """The open list of choices; an answered one may still be on the screen above it."""
        above, _, below = self.screen.text.rpartition(_PROMPT)
        is_answered = "\n" in below.strip()  # by now there is another question
        return "" if is_answered else above.rpartition(_PROMPT)[2]

    def _draw(self) -> None:
        pending = self._nvim._session._pending_messages  # they came with the last responses
        while pending:
            _, name, batches = pending.popleft()
            if name == "redraw":
                self.screen.redraw(batches)

    def _picture(self) -> str:
        return "\n".join(f"  |{line}" for line in self.screen.lines if line)
