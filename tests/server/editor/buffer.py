"""An open document as an editor keeps it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field


@dataclass
class Buffer:
    """The present text and version, the undo history, and the texts that the server's edits made.

    `typed` are the texts that the user typed and did not undo; they must not get lost.
    """

    uri: str
    language: str
    version: int
    text: str
    step: int = 1
    undone: list[str] = field(default_factory=list)
    from_server: list[str] = field(default_factory=list)
    typed: list[str] = field(default_factory=list)
    pending: asyncio.TimerHandle | None = None
    is_open: bool = True

    def change_to(self, text: str) -> None:
        """Replace the text; `undo` restores the old one."""
        self.undone.append(self.text)
        self._set(text)

    def extend_change(self, text: str) -> None:
        """Replace the text as part of the previous change, with which it is undone."""
        self._set(text)

    def undo(self) -> None:
        """Undo the last change, the user's or the server's."""
        self._set(self.undone.pop())

    def _set(self, text: str) -> None:
        self.text = text
        self.version += self.step

    @property
    def lost(self) -> list[str]:
        """The typed texts that the buffer no longer has."""
        return [key for key in self.typed if key not in self.text]
