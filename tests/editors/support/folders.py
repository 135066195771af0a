"""A workspace with a folder to reduce, of which two files are needed."""

from __future__ import annotations

from pathlib import Path

from tests.editors.support.workspaces import Scene

_TOML = """
checks = 1
[oracles.needle]
command = ["sh", "{workspace}/oracle.sh", "{file}"]
"""
_SCRIPT = """
sleep 0.05
grep -q needle "$1" && grep -q 'keep me' lib/part.txt
"""
SMALL = {"case.txt": "needle", "lib/part.txt": "keep me"}


def folder_scene(folder: Path) -> Scene:
    """Make a workspace with the folder `project`; the scene's file is the main file in it."""
    root = folder / "project"
    (root / "lib").mkdir(parents=True)
    (folder / "pollard.toml").write_text(_TOML)
    (folder / "oracle.sh").write_text(_SCRIPT)
    file = root / "case.txt"
    file.write_text("first line\nthe needle\nthe third line\n")
    (root / "lib" / "part.txt").write_text("keep me\nnot me\n")
    for number in range(6):
        (root / "lib" / f"other{number}.txt").write_text(f"text {number}\n" * 4)
    return Scene(folder, file, file.read_bytes())


def contents(folder: Path) -> dict[str, str]:
    """Return the files in a folder with their texts."""
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
