"""The demo editor's one buffer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard_server.text.positions import Lines

if TYPE_CHECKING:
    from lsprotocol import types as lsp


class Buffer:
    """A text and its version, which grows by one with each change."""

    def __init__(self, uri: str, text: str) -> None:
        self.uri = uri
        self.version = 1
        self.text = text

    def apply(self, change: lsp.TextDocumentEdit, encoding: lsp.PositionEncodingKind) -> bool:
        """Apply an edit if it is for this text and no other; tell whether it was."""
        document = change.text_document
        if (document.uri, document.version) != (self.uri, self.version):
            return False
        lines, text = Lines(self.text), self.text
        places = [
            (
                lines.offset(edit.range.start, encoding),
                lines.offset(edit.range.end, encoding),
                getattr(edit, "new_text", ""),
            )
            for edit in change.edits
        ]
        places.sort(key=lambda place: place[:2])
        # From the end, since all positions are those of the text before the change.
        for start, end, new in reversed(places):
            text = text[:start] + new + text[end:]
        self.text, self.version = text, self.version + 1
        return True
