"""The demo's own folder, which is gone afterwards with all that the server wrote."""

from __future__ import annotations

import contextlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pollard_server.demo.script import FILENAME, script, settings

if TYPE_CHECKING:
    from collections.abc import Iterator

_TEMPORARY = ("TMPDIR", "TEMP", "TMP")


@dataclass(frozen=True, slots=True)
class Workspace:
    """A folder with the script and its settings, and beside it the server's own places."""

    root: Path

    @property
    def folder(self) -> Path:
        """What the editor has opened."""
        return self.root / "workspace"

    @property
    def document(self) -> Path:
        """The script."""
        return self.folder / FILENAME

    @property
    def log(self) -> Path:
        """What the server writes to standard error."""
        return self.root / "server.log"

    def environment(self) -> dict[str, str]:
        """Return the server's environment: it knows of no earlier verdict and leaves none behind."""
        temporary = str(self.root / "tmp")
        given = os.environ.get("PYTHONPATH", "")
        paths = [str(Path(path).absolute()) for path in given.split(os.pathsep) if given]
        return {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(paths),  # the server starts in another folder
            **dict.fromkeys(_TEMPORARY, temporary),
            "POLLARD_STATE_DIR": str(self.root / "state"),
            "POLLARD_CACHE_DIR": str(self.root / "cache"),
        }


@contextlib.contextmanager
def workspace(jobs: int | None) -> Iterator[Workspace]:
    """Make the folder, for so many `jobs` (None: one a core), and remove it at the end."""
    with tempfile.TemporaryDirectory(prefix="pollard-demo-", ignore_cleanup_errors=True) as root:
        made = Workspace(Path(root).resolve())
        made.folder.mkdir()
        (made.root / "tmp").mkdir()
        made.document.write_bytes(script())
        (made.folder / "pollard.toml").write_text(settings(jobs), encoding="utf-8")
        yield made
