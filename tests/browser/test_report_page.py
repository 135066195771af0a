"""The page of a report in a real browser: inert, readable in dark and light, and usable by keyboard."""

from __future__ import annotations

import io
import re
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import Opener
from tests.core.report.making import HOSTILE, hostile_report, reduced, report

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

_CONTRAST = Path(__file__).with_name("contrast.js").read_text(encoding="utf-8")


def _facts(page: Page) -> str:
    return page.locator("#step-facts").inner_text()


def test_the_page_of_a_real_reduction_shows_result_and_curves(
    opened: Opener, tmp_path: Path
) -> None:
    page = opened(reduced(tmp_path / "journal", cache=False))
    assert page.title() == "case.json: reduced by Pollard"
    assert "needle" in page.locator("#result pre").inner_text()
    curve = page.locator("#curves svg").first.bounding_box()
    assert curve is not None
    assert curve["width"] > 300
    assert page.get_by_role("img").count() == 2


def test_the_keys_step_through_the_changes(opened: Opener) -> None:
    page = opened(report())
    assert _facts(page).startswith("Step 1 of 2: 34 B → 26 B after 3 runs")
    assert page.locator("#step-change").inner_text().strip() == "- one = 1"
    page.keyboard.press("ArrowRight")
    assert _facts(page).startswith("Step 2 of 2")
    assert page.locator("#step-change").inner_text().strip() == "- two = 2"
    page.keyboard.press("ArrowRight")
    assert _facts(page).startswith("Step 2 of 2")
    page.keyboard.press("ArrowLeft")
    assert _facts(page).startswith("Step 1 of 2")


def test_the_buttons_and_the_slider_step_too(opened: Opener) -> None:
    page = opened(report())
    page.get_by_role("button", name="Last").press("Enter")
    assert _facts(page).startswith("Step 2 of 2")
    assert page.get_by_role("button", name="Next").is_disabled()
    page.get_by_role("slider").focus()
    page.keyboard.press("ArrowLeft")
    assert _facts(page).startswith("Step 1 of 2")


def test_everything_that_does_something_can_be_reached_with_the_tab_key(opened: Opener) -> None:
    page = opened(report())
    reached = set()
    for _ in range(20):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.outerHTML.slice(0, 60)"))
    assert any('data-move="next"' in element for element in reached)
    assert any("step-number" in element for element in reached)
    assert any("step-change" in element for element in reached)


def test_a_hostile_text_is_shown_and_does_not_run(opened: Opener) -> None:
    page = opened(hostile_report())
    assert HOSTILE in page.locator("#result pre").inner_text()
    assert HOSTILE in page.locator("#step-change").inner_text()
    page.locator("summary").evaluate_all("all => all.forEach(one => one.click())")
    assert page.evaluate("window.hit") is None
    assert page.locator("img").count() == 0


def test_the_policy_stops_a_script_that_got_into_the_page(opened: Opener, tmp_path: Path) -> None:
    """The second defence: even an element that was not escaped would not run."""
    page = opened(report())
    content = (tmp_path / "report.html").read_text().replace("<main>", f"<main>{HOSTILE}")
    (tmp_path / "other.html").write_text(content)
    other = page.context.new_page()
    other.goto((tmp_path / "other.html").as_uri())
    assert other.evaluate("document.images.length") == 1
    assert other.evaluate("window.hit") is None


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_enough_contrast(opened: Opener, scheme: str) -> None:
    page = opened(report(), scheme)
    page.locator("summary").evaluate_all("all => all.forEach(one => one.click())")
    count, faint = page.evaluate(_CONTRAST)
    assert count > 50
    assert faint == []


def test_dark_and_light_differ(opened: Opener) -> None:
    colour = "getComputedStyle(document.body).backgroundColor"
    assert opened(report()).evaluate(colour) == "rgb(255, 255, 255)"
    assert opened(report(), "dark").evaluate(colour) == "rgb(13, 17, 23)"


def test_paper_has_the_result_and_the_curves_but_no_controls(opened: Opener) -> None:
    page = opened(report(), "dark")
    page.emulate_media(media="print")
    assert page.locator("#result pre").is_visible()
    assert page.locator("#curves svg").first.is_visible()
    assert not page.locator("#stepper").is_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    _, faint = page.evaluate(_CONTRAST)
    assert faint == []
    assert _drawn_characters(page.pdf()) > 300


def _drawn_characters(pdf: bytes) -> int:
    """How many glyphs a PDF draws; Chromium names them in strings of hexadecimal digits."""
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL)
    drawn = 0
    for stream in streams:
        with io.BytesIO(stream) as packed:
            try:
                content = zlib.decompress(packed.read())
            except zlib.error:
                continue
        drawn += sum(len(text) // 4 for text in re.findall(rb"<([0-9A-Fa-f]+)>", content))
    return drawn


def test_without_scripts_all_but_the_stepping_is_there(opened: Opener) -> None:
    page = opened(report(), java_script_enabled=False)
    assert not page.locator("#stepper").is_visible()
    assert page.get_by_text("Stepping through the changes needs scripts.").is_visible()
    assert page.locator("#result pre").is_visible()
    assert page.locator("#curves svg").first.is_visible()


def test_a_narrow_window_needs_no_scrolling_sideways(opened: Opener) -> None:
    page = opened(report(), viewport={"width": 380, "height": 700})
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 380
