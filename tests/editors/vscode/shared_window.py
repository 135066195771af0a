"""One window for many tests: to open another takes longer than most tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from tests.editors.vscode.code_server import CodeServer
from tests.editors.vscode.workbench import Window

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext


class SharedWindow:
    """A window of a workspace whose first folder stays, while the second is that of a test.

    The editor restarts its extensions when the first folder changes, but not for another one.
    """

    def __init__(self, browser: BrowserContext, editor: CodeServer, home: Path) -> None:
        self._browser = browser
        self._editor = editor
        self._home = home
        self._window: Window | None = None
        self._opened = 0

    @property
    def window(self) -> Window:
        """The window; a new one after a failed test, which closes its page."""
        if self._window is None or self._window.page.is_closed():
            self._opened += 1
            self._window = self._open(self._home / str(self._opened))
        return self._window

    def _open(self, home: Path) -> Window:
        first = home / "first"
        first.mkdir(parents=True)
        file = first / "nothing.txt"
        file.write_text("nothing\n")
        workspace = home / "shared.code-workspace"
        workspace.write_text(json.dumps({"folders": [{"path": str(first)}]}))
        window = Window(self._browser.new_page(), self._editor, first, workspace, shared=True)
        return window.open(file)
