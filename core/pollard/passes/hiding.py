"""Hiding: what was refused once is not handed out again.

The papers' preprocessing hides from the minimisers what cannot be removed (hddh-2021, section III;
Picireny does it to nodes that are equal to their minimal replacement). Here a branch without a unit
and without a smaller replacement never reaches a minimiser, and this is the rest: each iteration of a
`*` asks for what earlier ones, earlier passes, or the search for units had asked for. A text has one
verdict and one number of syntax errors, so what is hidden changes nothing but the costs: the oracle
runs for the same candidates in the same order, and the parser for fewer.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pollard.syntax.document import Document

# So many texts are remembered, at some 100 bytes each; the oldest are forgotten first.
_MOST = 200_000


def digest(text: bytes) -> bytes:
    """Return what stands for a text where texts are remembered."""
    return blake2b(text, digest_size=16).digest()


class Hiding:
    """What became of texts: which the oracle refused, and which had too many syntax errors.

    Switched off it remembers nothing, and everything is tried again.
    """

    def __init__(self, *, enabled: bool = True) -> None:
        self.enabled = enabled
        self._refused: dict[bytes, None] = {}
        self._broken: dict[bytes, int] = {}
        self._whole: dict[bytes, int] = {}
        self._kinds: dict[tuple[bytes, tuple[int, ...]], int | None] = {}

    def key(self, text: bytes) -> bytes:
        """Return what a text is remembered by."""
        return digest(text) if self.enabled else b""

    def kind(
        self, text: bytes, place: tuple[int, ...], find: Callable[[], int | None]
    ) -> int | None:
        """Return what `find` found for a text and a place (`pollard.syntax.replacements.Kinds`)."""
        key = self.key(text), place
        if key not in self._kinds:
            self._kinds[key] = find()
            _shorten(self._kinds)
        return self._kinds[key]

    def is_refused(self, key: bytes) -> bool:
        """Tell whether the oracle was seen to refuse a text."""
        return key in self._refused

    def refuse(self, keys: Iterable[bytes]) -> None:
        """Remember texts that the oracle refused."""
        if self.enabled:
            self._refused.update(dict.fromkeys(keys))
            _shorten(self._refused)

    def is_broken(self, key: bytes, most: int) -> bool:
        """Tell whether a text was seen to have more than `most` syntax errors."""
        return self._broken.get(key, -1) >= most

    def breaks(self, document: Document, key: bytes, most: int, *, roughly: bool = False) -> bool:
        """Tell whether a document has more than `most` syntax errors; parse it if need be.

        In a long one they may be counted `roughly`, as in an incremental reparse, which is faster.
        """
        known = self._whole.get(key)
        if known is not None and known <= most:
            return False
        broken = document.has_more_errors_than(most, roughly=roughly)
        if self.enabled and document.is_certain:
            memory = self._broken if broken else self._whole
            memory[key] = most
            _shorten(memory)
        return broken


def _shorten(memory: dict[Any, Any]) -> None:
    while len(memory) > _MOST:
        del memory[next(iter(memory))]
