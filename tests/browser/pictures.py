"""Makes the pictures of docs/reports.md from the page on a real reduction, that of the demo's script.

Run it from a checkout in which pollard is installed:  python -m tests.browser.pictures
It needs Chromium.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.editors.support.browser import chromium

_ROOT = Path(__file__).resolve().parents[2]
_SCRIPT = _ROOT / "server" / "pollard_server" / "demo" / "orders.py.txt"
_FAILURE = "dictionary changed size during iteration"
_WIDTH, _HEIGHT = 860, 700
_PARTS = {
    "report-curve.png": "#curves figure",
    "report-steps.png": "#steps-section",
}


def main() -> None:
    """Reduce the demo's script, open the page, and take its pictures."""
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        page = browser.new_page(viewport={"width": _WIDTH, "height": _HEIGHT}, color_scheme="light")
        page.goto(_report(Path(name)).as_uri())
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        for picture, part in _PARTS.items():
            page.locator(part).first.screenshot(path=_ROOT / "docs" / picture)


def _report(folder: Path) -> Path:
    """Reduce the script in a folder, and return the page."""
    shutil.copyfile(_SCRIPT, folder / "orders.py")
    options = ("-q", "--no-cache", "-j1", "--stderr", _FAILURE, "--report", "report.html")
    command = [sys.executable, "-m", "pollard", "reduce", "orders.py", *options]
    subprocess.run([*command, "--", "python3", "{file}"], cwd=folder, check=True)
    return folder / "report.html"


if __name__ == "__main__":
    main()
