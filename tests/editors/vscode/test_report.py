"""*Open Report* shows a page about the reduction; here in a tab, as in every remote window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.editors.vscode.steps import reduce_file, wait_done
from tests.editors.vscode.waiting import wait_for
from tests.editors.vscode.workbench import Window
from tests.examples import rarely

if TYPE_CHECKING:
    from playwright.sync_api import Frame

pytestmark = pytest.mark.editors


def _page(window: Window) -> Frame:
    """Wait for the tab's page, which is in a frame in a frame."""

    def found() -> Frame | None:
        frames = window.page.frames
        return next((one for one in frames if one.locator("#step-facts").count()), None)

    return wait_for("the page of the report", found)


@pytest.mark.parametrize("way", ["button", *rarely("palette", "action")])
def test_the_page_is_shown_in_a_tab(window: Window, way: str) -> None:
    reduce_file(window)
    wait_done(window)
    if way == "button":
        window.notifications.press("runs,", "Open Report")
    elif way == "palette":
        window.pollard("Open Report")
    else:
        window.act("Open report")
    page = _page(window)
    assert page.locator("h1").inner_text() == window.file.name
    assert page.locator("#result pre").inner_text().strip() == window.text.strip()
    first = page.locator("#step-facts").inner_text()
    page.get_by_role("button", name="Next").click()
    wait_for("the next step", lambda: page.locator("#step-facts").inner_text() != first)
