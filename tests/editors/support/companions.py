"""A workspace with a file, and two files beside it of which its oracle needs one."""

from __future__ import annotations

from pathlib import Path

from tests.editors.support.workspaces import Scene

_TOML = """
checks = 1
[oracles.needle]
command = "grep -q needle {file} && grep -q 'keep me' a.part"
files = ["*.part"]
reduce_files = true
"""
PART = "not me\nkeep me\nnor me\n"


def companions_scene(folder: Path) -> Scene:
    """Make the workspace; the file shrinks to `needle`, and `a.part` to `keep me`."""
    folder.mkdir()
    (folder / "pollard.toml").write_text(_TOML)
    (folder / "a.part").write_text(PART)
    (folder / "b.part").write_text("nobody needs me\n")
    file = folder / "case.txt"
    file.write_text("first line\nthe needle\nthe third line\n")
    return Scene(folder, file, file.read_bytes())
