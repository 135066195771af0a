"""Chromium, started as all tests in a browser need it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-lcd-text",  # pictures are smaller without coloured edges of letters
]


@contextmanager
def chromium() -> Iterator[Browser]:
    """A running Chromium; the test fails if there is none."""
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415  (only these tests need it)
    except ImportError:
        pytest.fail("playwright is missing, which these tests need: pip install playwright")
    names = [os.environ["POLLARD_CHROMIUM"]] if os.environ.get("POLLARD_CHROMIUM") else _CHROMIUM
    path = next((found for name in names if (found := shutil.which(name))), None)
    if path is None:
        pytest.fail("Chromium was not found: install it, or set POLLARD_CHROMIUM", pytrace=False)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=_FLAGS)
        yield running
        running.close()
