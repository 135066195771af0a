"""Pictures of the window, for a look at what a test saw, for the extension's README and for docs.

`POLLARD_PICTURES=FOLDER` keeps them in FOLDER. `POLLARD_PICTURES_REFRESH=1` also replaces the
README's pictures in editors/vscode/images, and docs/squiggle.png.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.editors.vscode.packaging import SOURCE

if TYPE_CHECKING:
    from playwright.sync_api import Page

_IMAGES = SOURCE / "images"
_DOCS = SOURCE.parents[1] / "docs"
#: The pictures that users see, each with its part of the window: x, y, width and height.
SHOWN = {
    "configure": (_IMAGES / "configure.png", (290, 0, 910, 420)),
    "presets": (_IMAGES / "presets.png", (290, 0, 910, 420)),
    "history": (_IMAGES / "history.png", (352, 36, 848, 686)),
    "lightbulb": (_IMAGES / "lightbulb.png", (352, 36, 848, 560)),
    "reducing": (_IMAGES / "reducing.png", (0, 400, 1200, 350)),
    "squiggle-ruff": (_DOCS / "squiggle.png", (352, 36, 848, 290)),
}
SHOWN_BYTES = 90_000


class Pictures:
    """Saves pictures into a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = Path(os.environ.get("POLLARD_PICTURES") or folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def take(self, page: Page, name: str) -> Path:
        """Save a picture of the window as NAME.png."""
        file = self.folder / f"{name}.png"
        page.screenshot(path=str(file), animations="disabled", caret="hide")
        if name in SHOWN and os.environ.get("POLLARD_PICTURES_REFRESH"):
            _show(page, name)
        return file


def _show(page: Page, name: str) -> None:
    file, (x, y, width, height) = SHOWN[name]
    page.screenshot(
        path=str(file),
        clip={"x": x, "y": y, "width": width, "height": height},
        animations="disabled",
        caret="hide",
    )
    if file.stat().st_size > SHOWN_BYTES:
        pytest.fail(f"{file} has more than {SHOWN_BYTES} bytes: show less in it", pytrace=False)
