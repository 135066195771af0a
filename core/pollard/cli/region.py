"""Lines on the command line (`--lines 10:80`) and the bytes that they are."""

from __future__ import annotations

import re

import click

from pollard.syntax.document import Document

_SPAN = re.compile(r"\s*(\d*)\s*(:?)\s*(\d*)\s*")


def region(lines: str | None, text: bytes) -> tuple[int, int] | None:
    """Return the bytes (start, end) of the lines `A:B`, `A:`, `:B` or `A`; None for None.

    Lines count from 1 and both ends are included. Raises click.UsageError for others.
    """
    if lines is None:
        return None
    match = _SPAN.fullmatch(lines)
    if match is None or not (match[1] or match[3]):
        raise click.UsageError(
            f"--lines must be A:B, A:, :B or A with line numbers, not {lines!r}."
        )
    document = Document(text)
    last = document.line_count - (text.endswith(b"\n") or not text)
    begin = int(match[1] or 1)
    end = int(match[3] or last) if match[2] else begin
    if not 1 <= begin <= end <= last:
        count = "1 line" if last == 1 else f"{last} lines"
        raise click.UsageError(f"--lines {lines} is out of range: the file has {count}.")
    return document.lines(begin, end)
