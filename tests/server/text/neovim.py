"""The steps in which Neovim 0.11 applies the edits of one document, as measured.

It works on lines. Each edit is a step that it may publish. Inserted line ends become its own. An
edit that reaches beyond the last line leaves a line too many, which a further step removes.
"""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types as lsp

from tests.server.text.applier import apply_edits


def steps(
    text: str, edits: Sequence[lsp.TextEdit], encoding: lsp.PositionEncodingKind
) -> list[str]:
    """Return the successive texts of the buffer, including the final one."""
    made = []
    end = "\r\n" if text.count("\n") == text.count("\r\n") > 0 else "\n"
    size = len(text.removesuffix("\n").split("\n"))
    ends = text.endswith("\n")
    for edit in sorted(edits, key=lambda each: _place(each.range.start), reverse=True):
        put_in = edit.new_text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", end)
        beyond = edit.range.end.line >= size
        text = apply_edits(text, [lsp.TextEdit(edit.range, put_in)], encoding)
        if ends and (beyond or not text.endswith("\n")):
            text += end  # the last line's end is not part of any line
        made.append(text)
        if ends and beyond and text.endswith(end + end):
            made.append(text.removesuffix(end))
    return made


def _place(position: lsp.Position) -> tuple[int, int]:
    return position.line, position.character
