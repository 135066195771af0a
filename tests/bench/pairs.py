"""A strategy beside the other reducers that were measured on the same case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.bench.measure import size_at
from tests.bench.rivals import RivalResult
from tests.bench.table import Row


@dataclass(frozen=True)
class Pair:
    """Our result on a case, and the smallest of the others; `others` has all of them."""

    row: Row
    others: Sequence[RivalResult]

    @property
    def best(self) -> RivalResult:
        """The smallest result of the others; of those with that size, the one with the fewest runs."""
        return min(self.others, key=lambda one: (self.size_of(one), one.runs))

    @property
    def size(self) -> int:
        """The size of that result; the input's if none of the others found anything smaller."""
        return self.size_of(self.best)

    @property
    def until_then(self) -> int:
        """The runs after which it was found."""
        return next(runs for runs, size in self.best.points if size == self.size)

    @property
    def meanwhile(self) -> int:
        """The smallest size that any of the others had after as many runs as ours took."""
        return min(size_at(one.points, self.row.runs) for one in self.others)

    @property
    def is_smaller_or_equal(self) -> bool:
        """Whether ours is not larger than any other."""
        return self.row.size <= self.size

    @property
    def is_tenth(self) -> bool | None:
        """Whether ours took at most a tenth of its runs; None if it was stopped too early to tell."""
        if self.row.runs * 10 <= self.best.runs:
            return True
        return None if self.best.is_cut_off else False

    def size_of(self, one: RivalResult) -> int:
        """Return the size of a result; of one that found nothing, the input's."""
        return self.row.before_size if one.size is None else one.size


def pairs(
    rows: Sequence[Row], others: Sequence[RivalResult], strategy: str = "default"
) -> list[Pair]:
    """Return the cases on which both the strategy and another reducer were measured."""
    own = [row for row in rows if row.strategy == strategy and row.is_usual]
    found = [Pair(row, [one for one in others if one.case == row.case]) for row in own]
    return [pair for pair in found if pair.others]
