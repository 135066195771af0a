"""The input box and the pick list at the top of the window: the palette and commands' questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.editors.vscode.waiting import TIMEOUT_SECONDS, wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

_ROW = ".quick-input-list .monaco-list-row"


class QuickInput:
    """The input that is open now, if any."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.widget = page.locator(".quick-input-widget")

    @property
    def shown(self) -> bool:
        return self.widget.is_visible()

    @property
    def box(self) -> Locator:
        return self.widget.locator(".quick-input-box input").first

    @property
    def title(self) -> str:
        return _text(self.widget.locator(".quick-input-title"))

    @property
    def message(self) -> str:
        """The text below the input, such as an error."""
        return _text(self.widget.locator(".quick-input-message"))

    @property
    def hint(self) -> str:
        return self.box.get_attribute("placeholder") or ""

    @property
    def value(self) -> str:
        return self.box.input_value() if self.shown else ""

    def rows(self) -> list[str]:
        """Return the labels of the visible entries."""
        names = self.widget.locator(f"{_ROW} .quick-input-list-row:first-child .label-name")
        return [_clean(text) for text in names.all_inner_texts()] if self.shown else []

    def wait_for_rows(self, label: str, *, without: str) -> QuickInput:
        """Wait until one label is offered and another is not.

        The editor uses one list for all questions, and shows the last one's rows for a moment.
        """
        wait_for(
            f"an entry {label!r} and no {without!r}",
            lambda: label in self.rows() and without not in self.rows(),
            seen=self.rows,
        )
        return self

    @property
    def focused(self) -> str:
        """The label of the entry that Enter takes."""
        name = self.widget.locator(f"{_ROW}.focused .quick-input-list-row:first-child .label-name")
        return _clean(" ".join(name.all_inner_texts()))

    def entries(self) -> list[str]:
        """Return the entries as a screen reader reads them: label, description and detail."""
        labels: list[str] = self.widget.locator(_ROW).evaluate_all(
            "rows => rows.map((row) => row.getAttribute('aria-label') ?? '')"
        )
        return [_clean(label) for label in labels] if self.shown else []

    def wait(self, part: str, seconds: float = TIMEOUT_SECONDS) -> QuickInput:
        """Wait until the open input contains `part` in its title, hint or message."""
        wait_for(
            f"an input about {part!r}",
            lambda: self.shown and part.lower() in self.words.lower(),
            seen=lambda: self.words if self.shown else "no input",
            seconds=seconds,
        )
        return self

    @property
    def words(self) -> str:
        return " | ".join([self.title, self.hint, self.message]) if self.shown else ""

    def type(self, text: str) -> None:
        """Replace the text in the box."""
        self.box.fill(text)

    def accept(self) -> None:
        self.page.keyboard.press("Enter")

    def pick(self, part: str) -> None:
        """Wait for an entry whose label contains `part`, and click the first one."""

        def places() -> list[int]:
            return [place for place, row in enumerate(self.rows()) if part in row]

        place = wait_for(f"an entry {part!r}", places, seen=self.entries)[0]
        self.widget.locator(_ROW).nth(place).click()

    def press(self, part: str) -> None:
        """Press the button whose tooltip contains `part`."""
        self.widget.locator(f'.quick-input-titlebar [aria-label*="{part}"]').first.click()

    def close(self) -> None:
        self.page.keyboard.press("Escape")
        wait_for("the input to close", lambda: not self.shown)


def _text(where: Locator) -> str:
    return _clean(" ".join(where.all_inner_texts()))


def _clean(text: str) -> str:
    return " ".join(text.replace("\xa0", " ").split())
