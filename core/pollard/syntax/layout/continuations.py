"""Lines that a backslash continues: where one line has room for what is left, they are joined."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from pollard.syntax.tree.document import Document

_MAX_COLUMNS = 88
_CONTINUED = re.compile(rb"(?:[^\\\r\n]|\\(?!\r?\n))*(?:\\\r?\n(?:[^\\\r\n]|\\(?!\r?\n))*)+")
_BREAK = re.compile(rb"\\\r?\n[ \t]*")
_BLANKS = re.compile(rb"[ \t]+")


def joined_lines(document: Document, span: tuple[int, int]) -> list[Edit]:
    """Return edits in `span` that join lines at the backslash that ends them, if the whole is short.

    They do not ask the tree: inside strings, and in some languages, a backslash means something else.
    """
    text = document.text
    return [
        Edit(*found.span(), b"" if _is_beside_blanks(text, *found.span()) else b" ")
        for line in _CONTINUED.finditer(text, *span)
        if len(_BLANKS.sub(b" ", _BREAK.sub(b"", line[0]))) <= _MAX_COLUMNS
        for found in _BREAK.finditer(text, *line.span())
    ]


def _is_beside_blanks(text: bytes, start: int, end: int) -> bool:
    return (
        not text[:start].strip()
        or text[start - 1 : start] in b" \t"
        or text[end : end + 1] in b"\r\n"
    )
