"""Parts of a page that a program writes, between two comments that name it."""

from __future__ import annotations

from pathlib import Path


def read(file: Path, name: str) -> str:
    """Return what stands between the comments `name` in a page; raises ValueError if they do not."""
    _, found, rest = file.read_text(encoding="utf-8").partition(_opening(name))
    inner, closed, _ = rest.partition(_closing(name))
    if not (found and closed):
        raise ValueError(f"{file} has no block {name}")
    return inner.strip()


def rewrite(file: Path, name: str, text: str) -> None:
    """Put a text between the comments `name` of a page."""
    page = file.read_text(encoding="utf-8")
    start = page.index(_opening(name)) + len(_opening(name))
    end = page.index(_closing(name), start)
    file.write_text(f"{page[:start]}\n{text.strip()}\n{page[end:]}", encoding="utf-8")


def _opening(name: str) -> str:
    return f"<!-- {name}: written by a program, see below -->"


def _closing(name: str) -> str:
    return f"<!-- end of {name} -->"
