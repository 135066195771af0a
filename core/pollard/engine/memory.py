"""The memory of one reduction, so that nothing is tried twice in vain.

`KnownTexts` knows whole texts. A text has one verdict and one number of syntax errors, so a text that
was refused is hidden from then on: the oracle runs for the same candidates in the same order, and the
parser for fewer. The papers' preprocessing hides from the minimisers what cannot be removed
(hddh-2021, section III); this also hides what earlier rounds, other passes and the search for units
have tried.

`Attempts` knows pieces of a text. A step that failed on a piece fails again as long as the text that
the piece depends on is still there. Nobody knows which text that is, but the less is left of the
whole, the likelier it has gone. So attempts are kept with the weight that the whole text had then.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from pollard.engine.learning import InvalidEdits

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.tree.document import Document


# An entry takes some 100 bytes; the oldest are forgotten first.
_MAX_ENTRIES = 200_000

# Shorter pieces of a text occur in many places.
_MIN_DISTINCTIVE_BYTES = 32
# Between the pieces of a group.
_SEPARATOR = b"\0"


def digest(text: bytes) -> bytes:
    """Return the key by which a text is remembered."""
    return blake2b(text, digest_size=16).digest()


class KnownTexts:
    """The texts that were judged, and what is known of the syntax errors of others.

    Disabled, it only counts texts: everything is tried and parsed again.
    """

    def __init__(self, *, enabled: bool = True) -> None:
        self.enabled = enabled
        self._refused: dict[bytes, bool] = {}
        self._min_errors: dict[bytes, int] = {}
        self._max_errors: dict[bytes, int] = {}

    def __len__(self) -> int:
        """Return how many different texts were judged."""
        return len(self._refused)

    def note(self, key: bytes, *, refused: bool) -> None:
        """Record that a text was judged, and whether it was refused."""
        self._refused[key] = refused

    def is_known(self, key: bytes) -> bool:
        """Return whether a text was judged."""
        return key in self._refused

    def is_refused(self, key: bytes) -> bool:
        """Return whether the oracle is known to refuse a text."""
        return self.enabled and self._refused.get(key, False)

    def knows_more_errors(self, key: bytes, limit: int) -> bool:
        """Return whether a text is known to have more than `limit` syntax errors."""
        return self._min_errors.get(key, 0) > limit

    def finds_more_errors(
        self, document: Document, key: bytes, limit: int, *, roughly: bool = False
    ) -> bool:
        """Return whether a document has more than `limit` syntax errors; parse it if need be.

        The errors may be counted `roughly`, as good as an incremental reparse.
        """
        known = self._max_errors.get(key)
        if known is not None and known <= limit:
            return False
        more = document.has_more_errors_than(limit, roughly=roughly)
        if self.enabled and document.is_certain:
            if more:
                _remember(self._min_errors, key, limit + 1)
            else:
                _remember(self._max_errors, key, limit)
        return more


def _remember(memory: dict[Any, Any], key: object, value: object) -> None:
    memory[key] = value
    while len(memory) > _MAX_ENTRIES:
        del memory[next(iter(memory))]


def branch_key(text: bytes, branch: Branch) -> bytes:
    """Return the key under which attempts on a branch are remembered, which depends on its text.

    The key of a short text also holds the branch's shape and its place among its siblings, counted from
    the end, which tells equal elements of a list apart.
    """
    piece = text[branch.start : branch.end]
    if len(piece) >= _MIN_DISTINCTIVE_BYTES:
        return piece
    place = len(branch.siblings) - branch.index
    return piece + repr((place, branch.shape)).encode()


class Attempts:
    """The steps that were tried on pieces of the text, each with the weight of the whole text then.

    Most pieces are as long as none that was tried, which is known before a piece is hashed.
    """

    def __init__(self) -> None:
        self._weights: dict[bytes, int] = {}
        self._lengths: dict[str, set[int]] = {}

    def note(self, step: str, piece: bytes, weight: int) -> None:
        """Note that a step is tried on a piece of a text that weighs `weight` bytes."""
        self._weights[_attempt_key(step, piece)] = weight
        self._lengths.setdefault(step, set()).add(len(piece))

    def knows(self, step: str, piece: bytes, max_weight: float) -> bool:
        """Return whether a step was tried on a piece of a text of at most `max_weight` bytes."""
        return self.has_length(step, len(piece)) and self.was_made(
            _attempt_key(step, piece), max_weight
        )

    def was_made(self, attempt: bytes, max_weight: float) -> bool:
        """Do what `knows` does, for the key of an attempt."""
        weight = self._weights.get(attempt)
        return weight is not None and weight <= max_weight

    def forget(self) -> None:
        """Forget all attempts, since pieces may be needed no more for what they were."""
        self._weights.clear()
        self._lengths.clear()

    def has_length(self, step: str, length: int) -> bool:
        """Return whether a step was tried on a piece of so many bytes."""
        return length in self._lengths.get(step, ())

    def carry(self, old: bytes, new: bytes) -> None:
        """Apply the attempts on one piece to the piece that it became."""
        for step, lengths in self._lengths.items():
            weight = self._weights.get(_attempt_key(step, old)) if len(old) in lengths else None
            if weight is not None:
                self._weights.setdefault(_attempt_key(step, new), weight)
                lengths.add(len(new))


class GroupAttempts:
    """Attempts of one step on groups of pieces, which are numbered; `keys` has a key for each."""

    def __init__(self, attempts: Attempts, step: str, keys: Sequence[bytes]) -> None:
        self._attempts = attempts
        self._step = step
        self._keys = keys
        self._single: dict[int, bytes] = {}

    def note(self, group: Iterable[int], weight: int) -> None:
        """Note that the step is tried on a whole group; the text weighs `weight` bytes."""
        self._attempts.note(self._step, self._joined(group), weight)

    def knows(self, group: Collection[int], max_weight: float) -> bool:
        """Return whether it was tried on the whole group in a text of at most `max_weight` bytes."""
        separators = (len(group) - 1) * len(_SEPARATOR)
        length = sum(len(self._keys[place]) for place in group) + separators
        return self._attempts.has_length(self._step, length) and self._attempts.knows(
            self._step, self._joined(group), max_weight
        )

    def knows_alone(self, place: int, max_weight: float) -> bool:
        """Do what `knows` does for a group of one piece, but faster."""
        piece = self._keys[place]
        if not self._attempts.has_length(self._step, len(piece)):
            return False
        if place not in self._single:
            self._single[place] = _attempt_key(self._step, piece)
        return self._attempts.was_made(self._single[place], max_weight)

    def _joined(self, group: Iterable[int]) -> bytes:
        return _SEPARATOR.join(self._keys[place] for place in sorted(group))


def _attempt_key(step: str, piece: bytes) -> bytes:
    """Return a short key of an attempt, since a piece can be as long as the text."""
    return blake2b(piece, digest_size=16, person=step.encode()).digest()


@dataclass(slots=True)
class Memory:
    """What the passes of one reduction learn and share.

    `every_unit_tried` is set by the first pass that tried to remove each unit of the tree: most of
    what is left is needed from then on. `next_threshold`, in bytes, is where `heaviest` continues
    after `heavy`; None before the first stage. `progress` has, for each accepted text, the runs
    until then and the weight of its region.
    """

    texts: KnownTexts = field(default_factory=KnownTexts)
    invalid: InvalidEdits = field(default_factory=InvalidEdits)
    attempts: Attempts = field(default_factory=Attempts)
    every_unit_tried: bool = False
    next_threshold: int | None = None
    progress: list[tuple[int, int]] = field(default_factory=list)
