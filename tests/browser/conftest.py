"""A browser for all tests, and a page that notices all that it should not do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pollard.report.html.page import page as html_page
from pollard.report.report_model import Report
from tests.editors.support.browser import chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Opener = Callable[..., "Page"]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Opener]:
    """Opens a report as a file; no page may complain, fail, or ask for anything but itself."""
    noticed: list[str] = []

    def open_page(report: Report, scheme: str = "light", **options) -> Page:
        file = tmp_path / "report.html"
        file.write_text(html_page(report), encoding="utf-8")
        context = browser.new_context(color_scheme=scheme, **options)
        context.set_default_timeout(20_000)
        page = context.new_page()
        page.on("console", lambda message: noticed.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: noticed.append(f"error: {error}"))
        page.on(
            "request",
            lambda request: request.url == file.as_uri() or noticed.append(f"to {request.url}"),
        )
        page.goto(file.as_uri())
        return page

    yield open_page
    for context in browser.contexts:
        context.close()
    assert noticed == []
