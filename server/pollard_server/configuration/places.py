"""Where a document is, and which folder is its workspace."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pygls.uris import to_fs_path

if TYPE_CHECKING:
    from collections.abc import Sequence


def path_of(uri: str) -> Path | None:
    """Return the absolute path that a `file:` URI names; None for every other URI."""
    try:
        name = to_fs_path(uri)
    except ValueError:  # no URI at all, such as "file://["
        return None
    path = Path(name) if name else None
    return path if path is not None and path.is_absolute() and "\0" not in str(path) else None


def start_of(path: Path | None, roots: Sequence[Path]) -> Path | None:
    """Return the folder from which a settings file is looked for, None if there is none.

    A text without a path is at home in the first workspace root.
    """
    if path is not None:
        return path.parent
    return roots[0] if roots else None


def innermost(folder: Path, roots: Sequence[Path]) -> Path:
    """Return the innermost root that holds `folder`, else `folder`; all are resolved."""
    resolved = folder.resolve()
    around = [root.resolve() for root in roots if resolved.is_relative_to(root.resolve())]
    return max(around, key=lambda root: len(root.parts), default=resolved)
