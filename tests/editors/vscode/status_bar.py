"""Pollard's item in the status bar: its text, its tooltip, and the list that a click opens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.editors.vscode.quick_input import QuickInput
from tests.editors.vscode.waiting import TIMEOUT_SECONDS, wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


class StatusItem:
    """The item, which is hidden if there is nothing to show."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def _item(self) -> Locator:
        return self.page.locator('.statusbar-item[id^="pollard.pollard"]').first

    @property
    def shown(self) -> bool:
        return self._item.count() > 0 and self._item.is_visible()

    @property
    def text(self) -> str:
        """Its text without the icon; empty if it is hidden."""
        texts = self._item.all_inner_texts() if self.shown else []
        return " ".join(" ".join(texts).split())

    @property
    def icon(self) -> str:
        """The name of its icon and animation, such as `sync~spin`; empty if there is none."""
        if not self.shown:
            return ""
        classes: list[str] = self._item.locator(".codicon").evaluate_all(
            "icons => icons.slice(0, 1).flatMap((icon) => [...icon.classList])"
        )
        names = [name.removeprefix("codicon-") for name in classes]
        shape = [name for name in names if name != "codicon" and not name.startswith("modifier")]
        return "~".join([*shape[:1], *["spin"] * ("modifier-spin" in names)])

    def wait(self, part: str, icon: str | None = None, seconds: float = TIMEOUT_SECONDS) -> str:
        """Wait until its text contains `part` and its icon is `icon`; return the text."""
        wait_for(
            f"{icon or ''} {part!r} in the status bar",
            lambda: part in self.text and icon in (None, self.icon),
            seen=lambda: f"{self.icon} {self.text}",
            seconds=seconds,
        )
        return self.text

    def tooltip(self) -> str:
        """Hover over it and return the tooltip."""
        hover = self.page.locator(".workbench-hover:not(.hidden)")

        def appears() -> bool:
            self.page.mouse.move(600, 300)
            self._item.hover()
            self.page.wait_for_timeout(900)  # the editor's own delay before it shows one
            return hover.count() > 0 and bool(hover.first.inner_text().strip())

        wait_for("the tooltip of the status bar's item", appears, seen=lambda: self.text)
        return str(hover.first.inner_text())

    def click(self) -> QuickInput:
        """Open its list."""
        self._item.click()
        opened = QuickInput(self.page)
        wait_for("the list of the status bar's item", lambda: opened.rows())
        return opened
