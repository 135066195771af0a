"""A request that a language server gets about each candidate, in place of one for diagnostics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pollard.errors import OracleError

#: Stands for the position in `ServerRequest.at`.
MARK = "<^>"


@dataclass(frozen=True, slots=True)
class ServerRequest:
    """The method of a request of the protocol, and where it is made.

    `at` is a text of the file with `<^>` at the position, such as "items.<^>length". The position is in
    the first such text of a candidate, so it follows what the passes move, and a candidate without the
    text is not interesting. "" stands for the file's start.

    Raises `OracleError` unless `at` has one mark and some text, or is empty.
    """

    method: str
    at: str = ""

    def __post_init__(self) -> None:
        if self.at and (self.at.count(MARK) != 1 or self.at == MARK):
            message = (
                f"The place of a request must be a text of the file with {MARK} at the position, as in "
                f'at = "items.{MARK}length", not {self.at!r}.'
            )
            raise OracleError(message)

    def __str__(self) -> str:
        """Describe it in one line."""
        return f"{self.method} at {self.at}" if self.at else self.method

    @property
    def place(self) -> str:
        """The text that a candidate must have."""
        return self.at.replace(MARK, "")

    def params(self, uri: str, text: str) -> dict[str, Any]:
        """Return the parameters for a text that has the place.

        They are those of all requests about a position, a range or a document: servers ignore what
        they do not know. Positions are in UTF-16.
        """
        start = {"line": 0, "character": 0}
        end = _position(text, len(text))
        return {
            "textDocument": {"uri": uri},
            "position": _position(text, text.index(self.place) + self.at.find(MARK))
            if self.at
            else start,
            "range": {"start": start, "end": end},
            "context": {"includeDeclaration": True, "diagnostics": [], "triggerKind": 1},
            "options": {"tabSize": 4, "insertSpaces": True},
            "newName": "renamed",
        }


def _position(text: str, offset: int) -> dict[str, int]:
    above, _, before = text[:offset].rpartition("\n")
    line = above.count("\n") + 1 if "\n" in text[:offset] else 0
    return {"line": line, "character": len(before.encode("utf-16-le")) // 2}
