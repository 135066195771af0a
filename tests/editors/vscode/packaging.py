"""The extension as users install it: the .vsix files that its scripts make."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[3] / "editors" / "vscode"
_SECONDS = 600.0


def thin_vsix() -> Path:
    """Return the .vsix without a server: $POLLARD_VSIX, else a new one."""
    return _given("POLLARD_VSIX") or _make("package")


def bundled_vsix() -> Path:
    """Return this platform's .vsix with the server: $POLLARD_VSIX_BUNDLED, else a new one."""
    return _given("POLLARD_VSIX_BUNDLED") or _make("package:bundled")


def _given(variable: str) -> Path | None:
    if not (name := os.environ.get(variable)):
        return None
    if not (file := Path(name).resolve()).is_file():
        pytest.fail(f"{variable} names {name}, which is no file", pytrace=False)
    return file


def _make(script: str) -> Path:
    """Run a script of package.json and return the .vsix that it made."""
    npm = installed_packages()
    before = {file: file.stat().st_mtime_ns for file in SOURCE.glob("*.vsix")}
    _run([npm, "run", script])
    made = [f for f in SOURCE.glob("*.vsix") if before.get(f) != f.stat().st_mtime_ns]
    if len(made) != 1:
        pytest.fail(f"npm run {script} made {made or 'no .vsix'}", pytrace=False)
    return made[0]


def installed_packages() -> str:
    """Install the packages that build the extension, unless they are there; return npm's path."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.fail("npm was not found, which makes the .vsix: install Node 20", pytrace=False)
    if not (SOURCE / "node_modules").is_dir():
        _run([npm, "ci"])
    return npm


def _run(command: list[str]) -> None:
    done = subprocess.run(
        command,
        cwd=SOURCE,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=_SECONDS,
    )
    if done.returncode != 0:
        output = (done.stdout + done.stderr)[-3000:]
        pytest.fail(f"`{' '.join(command)}` failed in {SOURCE}: {output}", pytrace=False)
