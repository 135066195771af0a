"""What was tried in vain, and how much text there was then.

A step that failed on a piece of the text fails again as long as what it depends on is still there.
Nobody knows what that is; but the less of the text is left, the likelier it has gone.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pollard.syntax.branches import Branch

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
