"""What failed groups say of other groups: each has something that is needed, nobody knows where."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    Group = frozenset[int]


class Failures:
    """Groups of units that could not go, `sizes` telling what each unit weighs.

    In each of them one unit is thought to be needed, any with a probability that is as its weight.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        self._sizes = sizes
        self._weights: dict[Group, int] = {}
        self._by_place: dict[int, list[Group]] = {}

    def __bool__(self) -> bool:
        return bool(self._weights)

    def add(self, group: Group) -> None:
        """Take note of a group that failed."""
        if group not in self._weights:
            self._weights[group] = sum(self._sizes[place] for place in group)
            for place in group:
                self._by_place.setdefault(place, []).append(group)

    def chance(self, group: Group) -> float:
        """Return how likely it is that `group` has nothing that is needed in a group that failed.

        1 if it has nothing of any of them, 0 if it has all of one.
        """
        shared: Counter[Group] = Counter()
        for place in group:
            for failed in self._by_place.get(place, ()):
                shared[failed] += self._sizes[place]
        chance = 1.0
        for failed, weight in shared.items():
            if weight >= self._weights[failed]:
                return 0.0
            chance *= 1 - weight / self._weights[failed]
        return chance
