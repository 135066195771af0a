"""The contents of one file: the texts of its reduction, and the pieces of a binary one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pollard.errors import Cancelled
from pollard.events import Counts, PassEnded, Progress, Reduced
from pollard.file_tree import shown
from pollard.syntax.encodings.encoding import encoding_of

if TYPE_CHECKING:
    from pollard.events import Event, Result
    from pollard.project.standing import Standing

# So many that their number hardly adds runs, and that what remains is one of them at most too large.
_MAX_PIECES = 256
_HEAD_BYTES = 8192


class TextsOfFile:
    """Brings the texts of one file, as they are accepted, into the best tree."""

    def __init__(self, standing: Standing, path: bytes) -> None:
        self._standing = standing
        self._path = path
        self._counts = Counts()
        self._base = standing.best
        standing.begin(shown(path), lambda: self._counts)

    def on_event(self, event: Event) -> None:
        """Take note of an event of the reduction of the file."""
        if isinstance(event, Progress):
            self._counts = event.counts
            self._standing.on_run(event.where)
        elif isinstance(event, Reduced):
            self._counts = event.counts
            self.accept(event.text)
        elif isinstance(event, PassEnded):
            self._standing.pass_ended(event.statistics)

    def finish(self, result: Result) -> None:
        """Take over the result. Raises `Cancelled` if the reduction of the file was cancelled."""
        self._counts = result.counts
        if result.cancelled:
            raise Cancelled("The reduction was cancelled.")
        self.accept(result.text)

    def accept(self, text: bytes) -> None:
        """Make the tree with this text the best one."""
        if text != self._standing.best[self._path].content:
            entry = replace(self._base[self._path], content=text)
            self._standing.accept({**self._base, self._path: entry})


def is_binary(content: bytes) -> bool:
    """Return whether a file is no text: it has a zero byte early on, and is not UTF-16 or UTF-32."""
    head = content[:_HEAD_BYTES]
    return b"\0" in head and not encoding_of(head).codec.startswith(("utf-16", "utf-32"))


def pieces_of(content: bytes) -> list[memoryview]:
    """Divide a content into pieces of equal length, but for the last; nothing is copied."""
    length, view = -(-len(content) // _MAX_PIECES), memoryview(content)
    return [view[start : start + length] for start in range(0, len(content), length)]
