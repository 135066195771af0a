"""Text edits applied as an LSP client does it, written independently of the server's own modules.

It works on the encoded text, code unit by code unit.
"""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types as lsp

_CODECS = {
    lsp.PositionEncodingKind.Utf8: ("utf-8", 1),
    lsp.PositionEncodingKind.Utf16: ("utf-16-le", 2),
    lsp.PositionEncodingKind.Utf32: ("utf-32-le", 4),
}


def apply_edits(
    text: str, edits: Sequence[lsp.TextEdit], encoding: lsp.PositionEncodingKind
) -> str:
    """Return the text after all edits, whose positions are those of `text`; they must not overlap."""
    codec, width = _CODECS[encoding]
    data = text.encode(codec, "surrogatepass")
    spans = [
        (_place(text, edit.range.start, encoding), _place(text, edit.range.end, encoding), edit)
        for edit in edits
    ]
    end = 0
    for start, stop, edit in spans:
        assert end <= start <= stop, f"{edit} overlaps the one before it or is out of order"
        end = stop
    for start, stop, edit in reversed(spans):
        data = data[:start] + edit.new_text.encode(codec, "surrogatepass") + data[stop:]
    assert len(data) % width == 0
    return data.decode(codec, "surrogatepass")


def lines_of(text: str) -> list[tuple[str, str]]:
    """Return the lines, each as its text and its line end, found character by character."""
    lines, line, index = [], "", 0
    while index < len(text):
        end = "\r\n" if text[index : index + 2] == "\r\n" else text[index]
        if end in ("\n", "\r", "\r\n"):
            lines.append((line, end))
            line = ""
        else:
            line += end
        index += len(end)
    return [*lines, (line, "")]


def _place(text: str, position: lsp.Position, encoding: lsp.PositionEncodingKind) -> int:
    """Return the offset in bytes of the encoded text."""
    codec, width = _CODECS[encoding]
    lines = lines_of(text)
    if position.line >= len(lines):
        return len(text.encode(codec, "surrogatepass"))
    before = "".join(content + end for content, end in lines[: position.line])
    content = lines[position.line][0]
    length = len(content.encode(codec, "surrogatepass"))
    return len(before.encode(codec, "surrogatepass")) + min(position.character * width, length)
