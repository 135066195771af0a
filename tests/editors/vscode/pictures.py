"""Pictures of the window: kept of every test that takes one, and the best shown in the docs.

`POLLARD_PICTURES=FOLDER` keeps them there. `POLLARD_PICTURES_REFRESH=1` also puts those that the
extension's README shows into editors/vscode/images.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.editors.vscode.packaging import SOURCE

if TYPE_CHECKING:
    from playwright.sync_api import Page

#: What the README of the extension shows: the part of the window, as x, y, width and height.
SHOWN = {
    "configure": (290, 0, 910, 420),
    "history": (352, 36, 848, 686),
    "lightbulb": (352, 36, 848, 560),
    "reducing": (0, 400, 1200, 350),
}
SHOWN_BYTES = 90_000


class Pictures:
    """Where the pictures of a run go."""

    def __init__(self, folder: Path) -> None:
        self.folder = Path(os.environ.get("POLLARD_PICTURES") or folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def take(self, page: Page, name: str) -> Path:
        """Keep what the window shows as NAME.png."""
        file = self.folder / f"{name}.png"
        page.screenshot(path=str(file), animations="disabled", caret="hide")
        if name in SHOWN and os.environ.get("POLLARD_PICTURES_REFRESH"):
            _show(page, name)
        return file


def _show(page: Page, name: str) -> None:
    x, y, width, height = SHOWN[name]
    file = SOURCE / "images" / f"{name}.png"
    page.screenshot(
        path=str(file),
        clip={"x": x, "y": y, "width": width, "height": height},
        animations="disabled",
        caret="hide",
    )
    if file.stat().st_size > SHOWN_BYTES:
        pytest.fail(f"{file} has more than {SHOWN_BYTES} bytes: show less in it", pytrace=False)
