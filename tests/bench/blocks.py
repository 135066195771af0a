"""Generated parts of a page, each between two comments with its name."""

from __future__ import annotations

from pathlib import Path


def read(file: Path, name: str) -> str:
    """Return the text between the comments `name` of a page; raise ValueError if it has none."""
    _, found, rest = file.read_text(encoding="utf-8").partition(_opening(name))
    inner, closed, _ = rest.partition(_closing(name))
    if not (found and closed):
        raise ValueError(f"{file} has no block {name}")
    return inner.strip()


def rewrite(file: Path, name: str, text: str) -> None:
    """Replace the text between the comments `name` of a page."""
    page = file.read_text(encoding="utf-8")
    start = page.index(_opening(name)) + len(_opening(name))
    end = page.index(_closing(name), start)
    file.write_text(f"{page[:start]}\n{text.strip()}\n{page[end:]}", encoding="utf-8")


def _opening(name: str) -> str:
    return f"<!-- {name}: written by a program, see below -->"


def _closing(name: str) -> str:
    return f"<!-- end of {name} -->"
