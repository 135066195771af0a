"""The paths that URIs of an editor name."""

from __future__ import annotations

from pathlib import Path

from pygls.uris import to_fs_path


def path_of(uri: str) -> Path | None:
    """Return the absolute path that a `file:` URI names; None for every other URI."""
    try:
        name = to_fs_path(uri)
    except ValueError:  # not a URI, such as "file://["
        return None
    path = Path(name) if name else None
    return path if path is not None and path.is_absolute() and "\0" not in str(path) else None
