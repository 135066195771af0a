"""How often steps of a kind were accepted: what was learnt steers what is tried first."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from pollard.engine.subject import Subject


class Odds:
    """Counts, for each kind of step, the texts that were tried and those that were accepted."""

    def __init__(self) -> None:
        self._tried: Counter[Hashable] = Counter()
        self._accepted: Counter[Hashable] = Counter()

    @contextmanager
    def counting(self, step: Hashable, subject: Subject) -> Iterator[None]:
        """Count what is tried meanwhile as steps of a kind."""
        tried, accepted = subject.tried, subject.reductions
        yield
        self._tried[step] += subject.tried - tried
        self._accepted[step] += subject.reductions - accepted

    def note(self, step: Hashable, *, accepted: bool) -> None:
        """Count one step of a kind."""
        self._tried[step] += 1
        self._accepted[step] += accepted

    def is_likelier(self, step: Hashable, other: Hashable) -> bool:
        """Tell whether a kind was accepted, and more often than another (rule of succession)."""
        return self._accepted[step] > 0 and self._share(step) > self._share(other)

    def chance(self, step: Hashable, failed: int = 0) -> float:
        """Return how much of a kind's chance is left, from 1 on, if so many more had failed by now."""
        return min(1.0, 2 * self._share(step, failed))

    def _share(self, step: Hashable, failed: int = 0) -> float:
        return (self._accepted[step] + 1) / (self._tried[step] + failed + 2)
