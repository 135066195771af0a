"""Proofs: cold runs of texts that a search accepted by warm ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Disproved(Exception):
    """A cold run and a warm one disagree about `text`, which was accepted."""

    def __init__(self, text: bytes) -> None:
        super().__init__("A cold run and a warm one disagree about an accepted text.")
        self.text = text


class Proofs:
    """Proves the 1st, 2nd, 4th, 8th, ... accepted text of a search.

    So few cold runs are needed, and a wrong verdict costs at most as many acceptances as went before.
    `proved` is the latest text that a cold run confirmed; at first the original. The texts and their
    order do not depend on the number of jobs, so neither do the proofs.
    """

    def __init__(self, original: bytes, holds: Callable[[bytes], bool]) -> None:
        """`holds` runs a text cold, and returns whether it shows the failure."""
        self.proved = original
        self._holds = holds
        self._accepted = 0

    def accepted(self, text: bytes) -> None:
        """Prove the next accepted text if it is its turn. Raises `Disproved`, and what `holds` does."""
        self._accepted += 1
        if self._accepted & (self._accepted - 1) == 0:
            self.prove(text)

    def prove(self, text: bytes) -> None:
        """Prove a text. Raises `Disproved`, and what `holds` does."""
        if not self._holds(text):
            raise Disproved(text)
        self.proved = text
