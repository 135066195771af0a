"""Groups of units that go together, by their weight and their uses, and what of that failed before.

A list minimiser for the pass `heaviest`: it knows the units behind the numbers that it is given.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from pollard.passes.attempts import attempt, trace
from pollard.syntax.sizes import size
from pollard.syntax.usage import Uses

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pollard.passes.subject import Subject
    from pollard.search.first import First
    from pollard.syntax.units import Unit

    Group = frozenset[int]

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
        self._threshold = threshold
        self._again = again
        self._most = 0.0
        self._traces = [trace(text, branch) for branch, _ in units]
        self._alone = [attempt("remove", trace) for trace in self._traces]
        self._sizes = [size(text[branch.start : branch.end]) for branch, _ in units]
        self._uses = Uses(subject.document, [branch for branch, _ in units])

    def __call__(self, items: Sequence[T], first: First[tuple[T, ...]], /) -> tuple[T, ...]:
        """Return the places of the units that stay.

        Every group is tried once; after one that could go, first one twice as heavy.
        """
        present, stop, least = dict(enumerate(items)), len(self._sizes), self._threshold
        failed = _Tried()
        while True:
            asked: list[tuple[int, Group]] = []
            groups = _noted(self._groups(frozenset(present), stop, failed, least), asked)
            hit = first(_without(present, group) for _, group in groups)
            for _, group in asked[: None if hit is None else hit.index]:
                self._note(group)
                failed.add(group)
            if hit is None:
                return tuple(present.values())
            stop, gone = asked[hit.index]
            present = {place: item for place, item in present.items() if place not in gone}
            least = 2 * (least if hit.index == 0 else self._threshold)

    def _groups(
        self, present: Group, stop: int, failed: _Tried, least: int
    ) -> Iterator[tuple[int, Group]]:
        """Yield groups of those `present` that begin before `stop`, each with where it begins.

        None has all of one that has failed: what is needed in that is in this one too. The very first
        weighs at least `least`.
        """
        tried = failed.copy()
        self._most = self._subject.weight * self._again
        if least > self._threshold:
            yield from islice(self._of_weight(least, present, stop, tried), 1)
        yield from self._of_weight(self._threshold, present, stop, tried)

    def _of_weight(
        self, least: int, present: Group, stop: int, tried: _Tried
    ) -> Iterator[tuple[int, Group]]:
        beside: set[int] = set()
        weight = 0
        for place in sorted((place for place in present if place < stop), reverse=True):
            closed = self._closed(place, present)
            if closed is None:
                continue
            if closed - beside == {place}:
                beside.add(place)
                weight += self._sizes[place]
                if weight < least:
                    continue
                closed, beside, weight = frozenset(beside), set(), 0
            if self._weight(closed) >= least and self._is_news(closed, tried):
                tried.add(closed)
                yield place, closed

    def _closed(self, place: int, present: Group) -> Group | None:
        """Return a unit with all that uses it; None if one of them is known to be needed."""
        if self._is_needed(place):
            return None
        closed = self._uses.closure(place, present)
        if closed is None or any(self._is_needed(other) for other in closed if other != place):
            return None
        return closed

    def _is_needed(self, place: int) -> bool:
        return self._subject.attempts.has(self._alone[place], self._most)

    def _is_news(self, group: Group, tried: _Tried) -> bool:
        """Tell whether a group, none of which is needed by itself, is to be tried."""
        known = len(group) > 1 and self._knows(self._joined(group))
        return not known and not tried.has_part_of(group)

    def _note(self, group: Group) -> None:
        self._subject.attempts.note("remove", self._joined(group), self._subject.weight)

    def _knows(self, text: bytes) -> bool:
        return self._subject.attempts.knows("remove", text, self._most)

    def _weight(self, group: Iterable[int]) -> int:
        return sum(self._sizes[place] for place in group)

    def _joined(self, group: Iterable[int]) -> bytes:
        return b"\0".join(self._traces[place] for place in sorted(group))


class _Tried:
    """Groups that were tried, found by the first of their places."""

    def __init__(self, groups: Iterable[Group] = ()) -> None:
        self._by_first: dict[int, list[Group]] = {}
        for group in groups:
            self.add(group)

    def copy(self) -> _Tried:
        """Return the same groups, to add others to."""
        return _Tried(group for groups in self._by_first.values() for group in groups)

    def add(self, group: Group) -> None:
        """Take note of a group."""
        self._by_first.setdefault(min(group), []).append(group)

    def has_part_of(self, group: Group) -> bool:
        """Tell whether one that was tried is all in `group`."""
        return any(group >= one for place in group for one in self._by_first.get(place, ()))


def _noted(items: Iterable[T], noted: list[T]) -> Iterator[T]:
    """Yield the items, each when it is asked for, and take note of them."""
    for item in items:
        noted.append(item)
        yield item


def _without(present: dict[int, T], group: Group) -> tuple[T, ...]:
    return tuple(item for place, item in present.items() if place not in group)
