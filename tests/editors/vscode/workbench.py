"""A window of the editor with a folder open: what a user sees, clicks and types."""

from __future__ import annotations

import json
import re
import time
import urllib.parse
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import TimeoutError as NotInTime

from tests.editors.vscode.code_server import CodeServer
from tests.editors.vscode.notifications import Notifications
from tests.editors.vscode.probe_client import Probe, find_probe
from tests.editors.vscode.quick_input import QuickInput
from tests.editors.vscode.status_bar import StatusItem
from tests.editors.vscode.waiting import wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Page

_LOAD_SECONDS = 120.0
_LIST_SECONDS = 3.0
# Keeps the first line of every message, because some disappear by themselves.
_REMEMBER = """
window.pollardMessages = [];
const keep = () => {
  for (const one of document.querySelectorAll('.notification-list-item-message')) {
    if (!window.pollardMessages.includes(one.innerText)) window.pollardMessages.push(one.innerText);
  }
};
new MutationObserver(keep).observe(document, {childList: true, subtree: true});
"""
_CATEGORY = "Pollard: "


class Window:
    """A window that has a folder and a file in it open."""

    def __init__(
        self,
        page: Page,
        server: CodeServer,
        folder: Path,
        workspace: Path | None = None,
        *,
        shared: bool = False,
    ) -> None:
        """`folder` is the first one of the file `workspace`, if that is opened."""
        self.page = page
        self.shared = shared
        self.server = server
        self.folder = folder
        self._opened = {"folder": folder} if workspace is None else {"workspace": workspace}
        self.input = QuickInput(page)
        self.notifications = Notifications(page)
        self.status = StatusItem(page)
        self.file = folder
        self._probe: Probe | None = None

    @property
    def probe(self) -> Probe:
        if self._probe is None:
            self._probe = find_probe(self.server, self.folder)
        return self._probe

    @property
    def uri(self) -> str:
        """The document's URI, as extensions and the server see it."""
        return self.file.as_uri()

    @property
    def text(self) -> str:
        """The exact text of the buffer."""
        return self.probe.text(self.uri)

    # Opening

    def open(self, file: Path) -> Window:
        """Load the page with the folder and this file; wait until the file can be edited."""
        self.file = file
        remote = f"vscode-remote://127.0.0.1:{self.server.port}{urllib.parse.quote(str(file))}"
        query = urllib.parse.urlencode(
            {**self._opened, "payload": json.dumps([["openFile", remote]])}
        )
        self.page.add_init_script(_REMEMBER)
        self.page.goto(f"{self.server.url}/?{query}", wait_until="commit")
        self._wait_for_editor()
        self._wait_for_folders()
        self.ready()
        return self

    def move(self, folder: Path, file: Path) -> Window:
        """Leave all that is open, and open another folder and file, with another server."""
        for _ in range(2):  # a menu or an input, and what is below it
            self.press("Escape")
        self.probe.ask("leave")
        self.page.evaluate("window.pollardMessages = []")
        self.file = file
        self.probe.ask("enter", folder=str(folder), file=str(file))
        self.ready()
        return self

    def ready(self) -> None:
        """Wait until the file is in the active editor and the extension host has it."""
        self._wait_for_editor()
        wait_for(
            f"{self.file.name} to be the active editor",
            lambda: (self.probe.ask("active") or {}).get("uri") == self.uri,
            seen=lambda: self.probe.ask("documents"),
        )

    def _wait_for_editor(self) -> None:
        editor = self.page.locator(".editor-instance .view-line").first
        wait_for("an editor", editor.is_visible, seconds=_LOAD_SECONDS, seen=self.page.url.__str__)

    def _wait_for_folders(self) -> None:
        """Load the page again as long as it says that no folder is open.

        On a busy machine the editor sometimes opens a workspace without the folders of its file.
        """
        nothing = self.page.get_by_text("No Folder Opened")

        def has_folders() -> bool:
            with suppress(NotInTime):
                nothing.wait_for(state="hidden", timeout=1_000 * _LIST_SECONDS)
                return True
            self.page.reload(wait_until="commit")
            self._wait_for_editor()
            return False

        wait_for("the folders of the workspace", has_folders, seconds=_LOAD_SECONDS)

    def reopen(self) -> None:
        """Load the page again, as after a crash of the browser: a new extension host."""
        last = self.probe
        self.page.reload(wait_until="commit")
        self._probe = find_probe(self.server, self.folder, last)
        self.ready()

    # Commands

    def palette(self, title: str) -> None:
        """Run a command of the palette by its full title, such as `Pollard: Stop`."""

        def offered() -> bool:
            self.commands(title)
            stop = time.monotonic() + _LIST_SECONDS
            while self.input.focused != title and time.monotonic() < stop:
                self.page.wait_for_timeout(50)
            if self.input.focused == title:
                return True
            self.input.close()  # the list is fixed when it opens
            return False

        wait_for(f"the command {title!r}", offered, seen=self.pollard_commands)
        self.input.accept()
        wait_for("the palette to close", lambda: not self.input.value.startswith(">"))

    def pollard(self, command: str) -> None:
        """Run one of Pollard's commands from the palette."""
        self.palette(_CATEGORY + command)

    def commands(self, part: str = _CATEGORY) -> list[str]:
        """Open the palette and return the commands whose title contains `part`."""
        if not (self.input.shown and self.input.value == f">{part}"):
            self.page.keyboard.press("F1")
            wait_for("the palette", lambda: self.input.shown and self.input.value.startswith(">"))
            self.input.type(f">{part}")
        return [row for row in self.input.rows() if part in row]

    def pollard_commands(self) -> set[str]:
        """Return Pollard's commands that the palette offers now, without their category."""
        before: list[str] = []

        def same_twice() -> bool:
            nonlocal before
            had, before = before, self.commands()
            self.page.wait_for_timeout(300)
            return had == before != []

        wait_for("the palette to list Pollard's commands", same_twice, seen=self.input.rows)
        self.input.close()
        return {row.removeprefix(_CATEGORY) for row in before}

    # The editor

    def focus(self) -> None:
        """Focus the editor, without moving the cursor."""
        self.palette("View: Focus Active Editor Group")
        wait_for("the editor to have the keyboard", lambda: not self.input.shown)

    def select(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Select the text between two positions, each a line and a column from 0."""
        assert self.probe.ask("select", uri=self.uri, start=start, end=end)
        wait_for("the selection", lambda: "selected" in self.statusbar or start == end)

    def go_to_end(self) -> None:
        """Move the cursor to the end of the buffer.

        A busy window may type keys before it carries out the shortcut that came before them.
        """

        def is_there() -> bool:
            self.press("Control+End")
            return bool((self.probe.ask("active") or {}).get("atEnd"))

        wait_for("the cursor at the end", is_there)

    def type(self, keys: str) -> None:
        """Type at full speed into the focused element."""
        self.page.keyboard.type(keys)

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def save(self) -> bytes:
        """Save the file; return its bytes on disk."""
        self.press("Control+s")
        wait_for("the file to be saved", lambda: not self._document["dirty"])
        return self.file.read_bytes()

    @property
    def _document(self) -> dict[str, Any]:
        found: dict[str, Any] = self.probe.ask("document", uri=self.uri)
        return found

    def show_file(self) -> None:
        """Close anything that covers the window, and bring the file's tab to the front."""
        for cover in self.page.locator(".monaco-modal-editor-block .codicon-close").all():
            cover.click()
        self.page.locator(f'.tab[data-resource-name="{self.file.name}"]').first.click()
        self.ready()

    def squiggles(self) -> int:
        """Return how many pieces of text are underlined as errors."""
        return self.page.locator(".squiggly-error").count()

    # Menus

    def menu(self) -> list[str]:
        """Open the context menu at the cursor; return its entries."""
        self.press("Shift+F10")
        entries = self.page.locator(".context-view .monaco-menu .action-menu-item .action-label")
        wait_for("the context menu", lambda: entries.count() > 0)
        return [text for text in entries.all_inner_texts() if text.strip()]

    def choose(self, entry: str, before: Callable[[], object] = bool) -> None:
        """Choose an entry of the context menu; call `before` once the menu is open."""
        assert entry in (entries := self.menu()), f"the context menu has only {entries}"
        before()
        shown = self.page.locator(".context-view .action-label", has_text=_exactly(entry))

        def chosen() -> bool:
            if shown.count():
                shown.first.click()
                self.page.wait_for_timeout(300)
            return not shown.count()

        # The editor ignores clicks in the first tenth of a second after the menu has opened.
        wait_for(f"{entry!r} to be chosen", chosen)

    def act(self, title: str, before: Callable[[], object] = bool) -> None:
        """Choose a code action; call `before` once the list is open."""
        self.wait_for_action(title)
        before()
        self.page.locator(".action-widget .title", has_text=_exactly(title)).first.click()

    def wait_for_action(self, title: str) -> list[str]:
        """Open the list of code actions until the server offers this one; return the whole list."""

        def offered() -> list[str]:
            if not self.actions():
                self.press("Alt+F9")  # see `ACTIONS_KEY`
                with suppress(NotInTime):  # there are none yet
                    rows = self.page.locator(".action-widget .monaco-list-row")
                    rows.first.wait_for(timeout=1_000 * _LIST_SECONDS)
            elif title not in self.actions():
                self.press("Escape")
            return self.actions() if title in self.actions() else []

        return wait_for(f"the code action {title!r}", offered, seen=self.actions)

    def actions(self) -> list[str]:
        """Return the visible code actions that are enabled."""
        rows = self.page.locator(
            ".action-widget .monaco-list-row.action:not(.option-disabled) .title"
        )
        return rows.all_inner_texts()

    @property
    def statusbar(self) -> str:
        """The whole text of the status bar."""
        return " ".join(self.page.locator(".statusbar").inner_text().split())

    def show_log(self, part: str) -> None:
        """Show Pollard's log and wait until it contains `part`.

        A window that has just opened sometimes ignores that an extension shows its log.
        """

        def shown() -> bool:
            if not self.output:
                self.pollard("Show Log")
                self.page.wait_for_timeout(1_000 * _LIST_SECONDS)
            return part in self.output

        wait_for(f"{part!r} in the log", shown, seen=lambda: self.output)

    @property
    def output(self) -> str:
        """The text of the output panel."""
        shown = self.probe.ask("documents")
        return "".join(one["text"] for one in shown if one["uri"].startswith("output:"))


def _exactly(text: str) -> re.Pattern[str]:
    return re.compile(f"^{re.escape(text)}$")
