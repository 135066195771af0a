"""Hiding: what was refused once is not handed out again.

The papers' preprocessing hides from the minimisers what cannot be removed (hddh-2021, section III;
Picireny does it to nodes that are equal to their minimal replacement). Here a branch without a unit
and without a smaller replacement never reaches a minimiser, and this is the rest: each iteration of a
`*` asks for what earlier ones, earlier passes, or the search for units had asked for. A text has one
verdict and one number of syntax errors, so what is hidden changes nothing but the costs: the oracle
runs for the same candidates in the same order, and the parser for fewer.

What was tried in vain, and how much text there was then.

A step that failed on a piece of the text fails again as long as what it depends on is still there.
Nobody knows what that is; but the less of the text is left, the likelier it has gone.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.tree.document import Document


# Shorter pieces of a text are found in many places.
_TELLING = 32


def trace(text: bytes, branch: Branch) -> bytes:
    """Return what a branch is remembered by: its text, if that is short with its kind and place.

    Its place among its siblings, counted from the end, tells equal elements of a list apart.
    """
    piece = text[branch.start : branch.end]
    if len(piece) >= _TELLING:
        return piece
    place = len(branch.siblings) - branch.index
    return piece + repr((place, branch.shape)).encode()


class Attempts:
    """Remembers steps by their name and the piece of text that they were tried on."""

    def __init__(self) -> None:
        self._weights: dict[bytes, int] = {}
        self._steps: set[str] = set()

    def note(self, step: str, text: bytes, weight: int) -> None:
        """Take note that a step is tried on `text`; all of the text weighs so many bytes now."""
        self._weights[attempt(step, text)] = weight
        self._steps.add(step)

    def knows(self, step: str, text: bytes, most: float) -> bool:
        """Tell whether a step was tried on `text` when all of the text weighed at most `most`."""
        return self.has(attempt(step, text), most)

    def carry(self, before: bytes, now: bytes) -> None:
        """Take what was tried on a piece over to what it has become."""
        for step in self._steps:
            weight = self._weights.get(attempt(step, before))
            if weight is not None:
                self._weights.setdefault(attempt(step, now), weight)

    def has(self, made: bytes, most: float) -> bool:
        """Tell the same of an `attempt` that was written down before."""
        then = self._weights.get(made)
        return then is not None and then <= most


class GroupAttempts:
    """Attempts of one step on groups of pieces, of which there is a trace at each place."""

    def __init__(self, attempts: Attempts, step: str, traces: Sequence[bytes]) -> None:
        self._attempts = attempts
        self._step = step
        self._traces = traces
        self._alone = [attempt(step, trace) for trace in traces]

    def note(self, group: Iterable[int], weight: int) -> None:
        """Take note that the step is tried on all of a group; all of the text weighs so much now."""
        self._attempts.note(self._step, self._joined(group), weight)

    def knows(self, group: Iterable[int], most: float) -> bool:
        """Tell whether it was tried on all of a group when the text weighed at most `most`."""
        return self._attempts.knows(self._step, self._joined(group), most)

    def knows_alone(self, place: int, most: float) -> bool:
        """Tell the same of a single piece, more quickly."""
        return self._attempts.has(self._alone[place], most)

    def _joined(self, group: Iterable[int]) -> bytes:
        return b"\0".join(self._traces[place] for place in sorted(group))


def attempt(step: str, text: bytes) -> bytes:
    """Return what an attempt is kept by: pieces of a text can be as long as the text."""
    return blake2b(text, digest_size=16, person=step.encode()).digest()


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
        """Return what `find` found for a text and a place (`pollard.syntax.branches.replacements`)."""
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
