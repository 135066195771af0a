"""How likely a text is to be interesting, judged by the answers so far."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable


# Positions in a question from here on count as one.
_LAST_POSITION = 4
# A rate counts as much as this many answers, until there are more answers of the kind itself.
_WEIGHT = 4.0
_FIRST_RATE = 0.2


class Chances:
    """Rates of interesting texts: in all, in each pass, and at each position in its questions.

    A rate with few answers is close to the next more general one.
    """

    def __init__(self) -> None:
        self._tried: Counter[Hashable] = Counter()
        self._interesting: Counter[Hashable] = Counter()

    def note(self, name: str, position: int, *, interesting: bool) -> None:
        """Count the verdict on a text of the pass `name`."""
        for kind in _kinds(name, position):
            self._tried[kind] += 1
            self._interesting[kind] += interesting

    def chance(self, name: str, position: int) -> float:
        """Return the probability that a text is interesting; above 0 and below 1."""
        rate = _FIRST_RATE
        for kind in _kinds(name, position):
            rate = (self._interesting[kind] + _WEIGHT * rate) / (self._tried[kind] + _WEIGHT)
        return rate


def _kinds(name: str, position: int) -> tuple[Hashable, ...]:
    """Return what a text belongs to, from the most general kind to the most special one."""
    return (), name, (name, min(position, _LAST_POSITION))
