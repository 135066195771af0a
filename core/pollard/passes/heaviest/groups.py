"""Groups of neighbouring units, and what their failures say about other groups.

The list minimiser of the pass `heaviest`. It knows the unit behind each number that it gets, so it can
use the units' weights, names and earlier failures to decide what to try and what to leave for later.

A group that failed holds something that is needed, but nobody knows which of its units that is. So
each of them is suspected in proportion to its weight.
"""

from __future__ import annotations

import math
from collections import Counter
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from pollard.engine.memory import GroupAttempts, branch_key
from pollard.engine.needed import REMOVE_STEP
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from pollard.engine.subject import Subject
    from pollard.passes.heaviest.listed import NamedUnits
    from pollard.search.first import First

    Group = frozenset[int]


class Failures:
    """Groups of units that could not go; `sizes` holds the weight of each unit in bytes.

    Each group is assumed to hold one needed unit: each of its units with a probability proportional to
    its weight.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        self._sizes = sizes
        self._weights: dict[Group, int] = {}
        self._by_place: dict[int, list[Group]] = {}

    def __bool__(self) -> bool:
        return bool(self._weights)

    def add(self, group: Group) -> None:
        """Record a group that failed."""
        if group not in self._weights:
            self._weights[group] = sum(self._sizes[place] for place in group)
            for place in group:
                self._by_place.setdefault(place, []).append(group)

    def chance(self, group: Group) -> float:
        """Return the probability that `group` holds no needed unit of any failed group.

        1 if it shares nothing with a failed group, 0 if it contains one.
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


T = TypeVar("T")

# A group is tried if its expected saving, weight times chance, is at least this part of the threshold.
_MIN_EXPECTED_PART = 0.6


class _GroupStep(NamedTuple):
    """A group to try, and the place where it begins."""

    place: int
    group: Group


class Groups:
    """Minimises a list of units by groups that weigh at least `threshold` bytes, the last first.

    A group consists of neighbours that no other unit uses, or of a unit and its users.

    A group that is unlikely to go is left for a later stage, unless `try_unlikely` is set. A failed
    group is tried again once the text has shrunk by `retry_factor`.
    """

    def __init__(
        self,
        subject: Subject,
        named: NamedUnits,
        threshold: int,
        retry_factor: float,
        *,
        try_unlikely: bool,
    ) -> None:
        text, units = subject.document.text, named.units
        self._subject = subject
        self._threshold = threshold
        self._retry_factor = retry_factor
        self._try_unlikely = try_unlikely
        self._retry_weight = 0.0
        keys = [branch_key(text, branch) for branch, _ in units]
        self._attempts = GroupAttempts(subject.memory.attempts, REMOVE_STEP, keys)
        self._sizes = [size(text[branch.start : branch.end]) for branch, _ in units]
        self._sees_all_uses = not subject.document.hides_uses
        self._uses = named.uses

    def __call__(self, items: Sequence[T], first: First[tuple[T, ...]], /) -> tuple[T, ...]:
        """Return the remaining items.

        Each group is tried once. After a success the first group tried is twice as heavy, and twice
        that after the next.
        """
        present, stop = dict(enumerate(items)), len(self._sizes)
        min_weight = self._threshold
        failures = Failures(self._sizes)
        while True:
            tried: list[_GroupStep] = []
            steps = _recording(self._steps(frozenset(present), stop, failures, min_weight), tried)
            hit = first(_without(present, step.group) for step in steps)
            failed = tried[: None if hit is None else hit.index]
            for step in failed:
                self._attempts.note(step.group, self._subject.weight)
                failures.add(step.group)
            if hit is None:
                return tuple(present.values())
            accepted = tried[hit.index]
            stop = accepted.place
            present = {
                place: item for place, item in present.items() if place not in accepted.group
            }
            min_weight = 2 * (min_weight if hit.index == 0 else self._threshold)

    def _steps(
        self, present: Group, stop: int, failures: Failures, min_weight: int
    ) -> Iterator[_GroupStep]:
        """Yield groups of `present` units before `stop`; the first weighs `min_weight` bytes.

        No group contains a failed one, since its needed unit would be in both. After the very first
        failure all other units are tried together: all that is needed may be in the failed group.
        """
        self._retry_weight = self._subject.weight * self._retry_factor
        assumed = Failures(self._sizes)  # the stream is read ahead, so these are not facts yet
        seen = (failures, assumed)
        steps = self._of_weight(self._threshold, present, stop, seen)
        if min_weight > self._threshold:
            steps = chain(islice(self._of_weight(min_weight, present, stop, seen), 1), steps)
        for step in steps:
            is_first_failure = not any(seen)
            yield step
            assumed.add(step.group)
            if is_first_failure and (rest := self._rest(present, step, seen)):
                yield rest
                assumed.add(rest.group)

    def _of_weight(
        self, min_weight: int, present: Group, stop: int, seen: Iterable[Failures]
    ) -> Iterator[_GroupStep]:
        """Yield promising groups that weigh `min_weight` bytes, from the last to the first."""
        neighbours: set[int] = set()
        weight = 0
        for place in sorted((place for place in present if place < stop), reverse=True):
            group = self._with_users(place, present, neighbours if self._sees_all_uses else ())
            if group is None:
                continue
            if group - neighbours == {place}:
                neighbours.add(place)
                weight += self._sizes[place]
                if weight < min_weight:
                    continue
                group, neighbours, weight = frozenset(neighbours), set(), 0
            if self._weight(group) >= min_weight and self._is_promising(group, seen):
                yield _GroupStep(place, group)

    def _rest(
        self, present: Group, kept: _GroupStep, seen: Iterable[Failures]
    ) -> _GroupStep | None:
        """Return all units that can go without `kept`; None if they are unlikely to."""
        if self._try_unlikely:
            return None
        found: set[int] = set()
        for place in present - kept.group:
            group = self._with_users(place, present)
            if group is not None and not group & kept.group:
                found |= group
        is_heavy = self._weight(found) >= self._threshold
        rest = frozenset(found)
        return _GroupStep(kept.place, rest) if is_heavy and self._is_promising(rest, seen) else None

    def _with_users(self, place: int, present: Group, going: Collection[int] = ()) -> Group | None:
        """Return a unit and all its users, when the units `going` go as well.

        None if one of them is known to be needed, or is used outside of the list.
        """
        if self._is_needed(place):
            return None
        group = self._uses.closure(place, present, going)
        if group is None or any(self._is_needed(other) for other in group if other != place):
            return None
        return group

    def _is_needed(self, place: int) -> bool:
        return self._attempts.knows_alone(place, self._retry_weight)

    def _is_promising(self, group: Group, seen: Iterable[Failures]) -> bool:
        """Return whether to try a group, none of whose units is known to be needed."""
        if len(group) > 1 and self._attempts.knows(group, self._retry_weight):
            return False
        chance = math.prod(failures.chance(group) for failures in seen)
        if self._try_unlikely:
            return chance > 0
        return chance * self._weight(group) >= self._threshold * _MIN_EXPECTED_PART

    def _weight(self, group: Iterable[int]) -> int:
        return sum(self._sizes[place] for place in group)


def _recording(items: Iterable[T], read: list[T]) -> Iterator[T]:
    """Yield the items; append each to `read` when it is read."""
    for item in items:
        read.append(item)
        yield item


def _without(present: dict[int, T], group: Group) -> tuple[T, ...]:
    return tuple(item for place, item in present.items() if place not in group)
