"""Groups of units, neighbours or users of each other, that are worth a run together."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from pollard.passes.attempts import trace
from pollard.syntax.identifiers import Uses
from pollard.syntax.sizes import size

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pollard.passes.subject import Subject
    from pollard.search.first import First
    from pollard.syntax.units import Unit

T = TypeVar("T")


class Groups:
    """Minimises a list of units by groups that weigh `threshold` bytes at least, from the last on.

    A group has neighbours of which nothing else is in use, or a unit with all that uses it.
    """

    def __init__(
        self, subject: Subject, units: Sequence[Unit], threshold: int, again: float
    ) -> None:
        text = subject.document.text
        self._subject = subject
        self._again = again
        self._traces = [trace(text, branch) for branch, _ in units]
        self._weights = [size(text[branch.start : branch.end]) for branch, _ in units]
        self._uses = Uses(text, [branch.node for branch, _ in units])
        self._threshold = threshold

    def __call__(self, items: Sequence[T], first: First[tuple[T, ...]], /) -> tuple[T, ...]:
        """Return the places of the units that stay.

        Every group is tried once; after one that could go, first one twice as heavy.
        """
        rest, stop, least = tuple(items), len(self._traces), self._threshold
        places = dict(enumerate(items))
        failed: list[frozenset[int]] = []
        while True:
            present = frozenset(place for place, item in places.items() if item in rest)
            groups = list(self._groups(present, stop, failed, least))
            hit = first(
                tuple(item for place, item in places.items() if place in present - group)
                for _, group in groups
            )
            for _, group in groups[: len(groups) if hit is None else hit.index]:
                self._note(group)
                failed.append(group)
            if hit is None:
                return rest
            rest, stop = hit.candidate, groups[hit.index][0]
            least = 2 * least if hit.index == 0 else 2 * self._threshold

    def _groups(
        self,
        present: frozenset[int],
        stop: int,
        failed: Sequence[frozenset[int]],
        least: int,
    ) -> Iterator[tuple[int, frozenset[int]]]:
        """Yield groups of those `present` that begin before `stop`, each with where it begins.

        None has all of one that has failed: what is needed in that is in this one too. The very first
        group weighs at least `least`.
        """
        tried = list(failed)
        if least > self._threshold:
            for place, group in islice(self._of_weight(least, present, stop, tried), 1):
                tried.append(group)
                yield place, group
        yield from self._of_weight(self._threshold, present, stop, tried)

    def _of_weight(
        self, least: int, present: frozenset[int], stop: int, tried: list[frozenset[int]]
    ) -> Iterator[tuple[int, frozenset[int]]]:
        group: frozenset[int] = frozenset()
        for place in sorted(present, reverse=True):
            closed = self._closed(place, present) if place < stop else None
            if closed is None:
                continue
            beside = closed - group == {place}
            if beside:
                group = closed = group | closed
            if self._weight(closed) >= least:
                if not any(closed >= one for one in tried) and not self._is_known(closed):
                    tried.append(closed)
                    yield place, closed
                group = frozenset() if beside else group

    def _closed(self, place: int, present: frozenset[int]) -> frozenset[int] | None:
        """Return a unit with all that uses it; None if one of them is known to be needed."""
        if self._is_needed(place):
            return None
        closed = self._uses.closure(place, present)
        return None if closed is None or any(map(self._is_needed, closed)) else closed

    def _is_needed(self, place: int) -> bool:
        return self._knows(self._traces[place])

    def _is_known(self, group: frozenset[int]) -> bool:
        return self._knows(self._joined(group))

    def _note(self, group: frozenset[int]) -> None:
        self._subject.attempts.note("remove", self._joined(group), self._subject.weight)

    def _knows(self, text: bytes) -> bool:
        most = self._subject.weight * self._again
        return self._subject.attempts.knows("remove", text, most)

    def _weight(self, group: Iterable[int]) -> int:
        return sum(self._weights[place] for place in group)

    def _joined(self, group: Iterable[int]) -> bytes:
        return b"\0".join(self._traces[place] for place in sorted(group))
