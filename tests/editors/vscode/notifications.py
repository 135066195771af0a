"""Messages with buttons: the toasts at the lower right, and dialogs in the middle."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.editors.vscode.waiting import wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


class Notifications:
    """The messages that are shown now."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def _all(self) -> Locator:
        return self.page.locator(
            ".notifications-toasts .notification-list-item, .monaco-dialog-box"
        )

    def texts(self) -> list[str]:
        """Return the visible messages, newest first, with the names of their buttons."""
        return [" ".join(text.split()) for text in self._all.all_inner_texts()]

    def history(self) -> list[str]:
        """Return all messages since the page was loaded, oldest first."""
        history: list[str] = self.page.evaluate("window.pollardMessages")
        return history

    def _about(self, part: str) -> Locator:
        return self._all.filter(has_text=part)

    def wait(self, part: str) -> str:
        """Wait for a message that contains `part`; return its text."""
        wait_for(f"a message with {part!r}", lambda: self.has(part), seen=self.history)
        return next((text for text in self.texts() if part in text), part)

    def wait_alone(self, part: str) -> str:
        """Wait until the only visible message contains `part`; return its text.

        A message that is shown twice, because the folder was opened and then because a command was
        chosen, disappears for a moment in between.
        """

        def alone() -> str:
            shown = self.texts()
            return shown[0] if len(shown) == 1 and part in shown[0] else ""

        return wait_for(f"one message, with {part!r}", alone, seen=self.texts)

    def has(self, part: str) -> bool:
        return self._about(part).count() > 0

    def buttons(self, part: str) -> list[str]:
        """Return the buttons of the message that contains `part`."""
        shown = self._about(part).first.locator(".monaco-button")
        return wait_for(
            f"the buttons of a message with {part!r}",
            lambda: [name for name in shown.all_inner_texts() if name.strip()],
            seen=self.history,
        )

    def press(self, part: str, button: str) -> None:
        """Click a button of the message that contains `part`."""
        self.wait(part)
        exactly = re.compile(rf"^\s*{re.escape(button)}\s*$")
        found = self._about(part).first.locator(".monaco-button", has_text=exactly).first
        wait_for(f"a button {button!r}", found.is_visible, seen=self.texts)
        found.click()
