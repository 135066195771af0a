"""How often steps of a kind were accepted: what was learnt steers what is tried first."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.passes.subject import Subject


class Odds:
    """Counts, for each kind of step, the texts that were tried and those that were accepted."""

    def __init__(self) -> None:
        self._tried: Counter[str] = Counter()
        self._accepted: Counter[str] = Counter()

    @contextmanager
    def counting(self, step: str, subject: Subject) -> Iterator[None]:
        """Count what is tried meanwhile as steps of a kind."""
        tried, accepted = subject.tried, subject.reductions
        yield
        self._tried[step] += subject.tried - tried
        self._accepted[step] += subject.reductions - accepted

    def is_likelier(self, step: str, other: str) -> bool:
        """Tell whether a kind was accepted, and more often than another (rule of succession)."""
        return self._accepted[step] > 0 and self._share(step) > self._share(other)

    def _share(self, step: str) -> float:
        return (self._accepted[step] + 1) / (self._tried[step] + 2)
