"""Proofs: cold runs of texts that a search accepted by warm ones."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable


class Disproved(Exception):
    """A cold run and a warm one disagree about `text`, which was accepted.

    `take_back` undoes what was counted since.
    """

    def __init__(self, text: bytes, take_back: Callable[[], None] = lambda: None) -> None:
        super().__init__("A cold run and a warm one disagree about an accepted text.")
        self.text = text
        self.take_back = take_back


class Proof(Protocol):
    """A cold run that may still be in progress."""

    def is_over(self) -> bool:
        """Return whether `holds` need not wait."""

    def holds(self) -> bool:
        """Wait; return whether the text shows the failure. Raises what the run does."""


@dataclass(frozen=True, slots=True)
class _UnsettledText:
    """An accepted text, with its proof if it has one; the functions are those of `Proofs.accepted`."""

    text: bytes
    proof: Proof | None
    keep: Callable[[], None]
    take_back: Callable[[], None]


class Proofs:
    """Proves the 1st, 2nd, 4th, 8th, ... accepted text of a search, while that goes on.

    So few cold runs are needed, and a wrong verdict costs at most as many acceptances as went before.
    `proved` is the latest text that a cold run confirmed; at first the original. The texts and their
    order do not depend on the number of jobs, so neither do the proofs. Nor does anything depend on how
    long they take: an accepted text is kept once all proofs up to it have succeeded.
    """

    def __init__(self, original: bytes, begin: Callable[[bytes], Proof]) -> None:
        """`begin` begins the proof of a text; proofs must take place in that order."""
        self.proved = original
        self._begin = begin
        self._accepted = 0
        self._waiting: deque[_UnsettledText] = deque()

    def accepted(
        self, text: bytes, keep: Callable[[], None], take_back: Callable[[], None]
    ) -> None:
        """Begin to prove the next accepted text if it is its turn.

        `settle` calls `keep` once it may be kept; `take_back` is what `Disproved` gets.
        """
        self._accepted += 1
        is_due = self._accepted & (self._accepted - 1) == 0
        proof = self._begin(text) if is_due else None
        self._waiting.append(_UnsettledText(text, proof, keep, take_back))

    def settle(self, *, wait: bool = False) -> None:
        """Keep the texts whose proofs are over, and all that follow them; `wait` for all proofs.

        Raises `Disproved` if one failed, and what a run raises.
        """
        while self._waiting:
            first = self._waiting[0]
            if first.proof is not None:
                if not wait and not first.proof.is_over():
                    return
                if not first.proof.holds():
                    self._waiting.clear()
                    raise Disproved(first.text, first.take_back)
                self.proved = first.text
            self._waiting.popleft().keep()

    def last_accepted(self, best: bytes) -> bytes:
        """Return the text that was accepted last, also if it is not kept yet; `best` if all are."""
        return self._waiting[-1].text if self._waiting else best

    def keep_all(self) -> None:
        """Keep all accepted texts, also those that are not proved yet."""
        while self._waiting:
            self._waiting.popleft().keep()
