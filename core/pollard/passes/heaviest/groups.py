"""Groups of neighbouring units, and what their failures say about other groups.

The list minimiser of the pass `heaviest`. It knows the unit behind each number that it gets, so it can
use the units' weights, names and earlier failures to decide what to try and what to leave for later.

A group that failed holds something that is needed, but nobody knows which of its units that is. So
each of them is suspected in proportion to its weight.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain, islice, takewhile
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from pollard.engine.memory import GroupAttempts, branch_key
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence

    from pollard.engine.learning import AcceptanceRates
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
# The first entries of a branch's shape, its kind of unit: language, own kind, kind of its parent.
_SHAPE_ENTRIES_FOR_KIND = 3
# Kinds of steps, beside the kinds of units: all units but those of a failed group ...
_REST = "rest"
# ... the last units of a level, and the first ones, even if others use them.
_TAIL = "tail"
_HEAD = "head"
# If head and tail both fail and share at most this part, what is needed is in two places at least.
_MAX_SHARED_PART = 0.25


class _GroupStep(NamedTuple):
    """A group to try, the place where it begins, and its kinds.

    `is_informative` says whether its failure counts against its kinds. In a group of several units
    nobody knows which kind to blame.
    """

    place: int
    group: Group
    kinds: tuple[Hashable, ...]
    is_informative: bool


class Groups:
    """Minimises a list of units by groups that weigh at least `threshold` bytes, the last first.

    A group consists of neighbours that no other unit uses, or of a unit and its users. Where uses keep
    much, the last and the first units of the list are tried too: equal names may mean different
    things, and what makes a program fail is often in one place.

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
        self._attempts = GroupAttempts(subject.memory.attempts, "remove", keys)
        self._sizes = [size(text[branch.start : branch.end]) for branch, _ in units]
        self._kinds = [branch.shape[:_SHAPE_ENTRIES_FOR_KIND] for branch, _ in units]
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
            for step in [*failed, *self._distant_ends(failed)]:
                self._attempts.note(step.group, self._subject.weight)
                failures.add(step.group)
                self._learn(step, accepted=False)
            if hit is None:
                return tuple(present.values())
            accepted = tried[hit.index]
            self._learn(accepted, accepted=True)
            stop = accepted.place
            present = {
                place: item for place, item in present.items() if place not in accepted.group
            }
            min_weight = 2 * (min_weight if hit.index == 0 else self._threshold)

    def _learn(self, step: _GroupStep, *, accepted: bool) -> None:
        if accepted or step.is_informative:
            for kind in step.kinds:
                self._subject.memory.rates.note(kind, accepted=accepted)

    def _distant_ends(self, failed: Sequence[_GroupStep]) -> Sequence[_GroupStep]:
        """Return head and tail if both failed and hardly overlap: their failures count twice."""
        ends = [step for step in failed if step.kinds in ((_TAIL,), (_HEAD,))]
        if len(ends) < len((_TAIL, _HEAD)):
            return ()
        first, second = (step.group for step in ends)
        max_shared = _MAX_SHARED_PART * min(self._weight(first), self._weight(second))
        return ends if self._weight(first & second) <= max_shared else ()

    def _steps(
        self, present: Group, stop: int, failures: Failures, min_weight: int
    ) -> Iterator[_GroupStep]:
        """Yield groups of `present` units before `stop`; the first weighs `min_weight` bytes.

        No group contains a failed one, since its needed unit would be in both. After the very first
        failure all other units are tried together: all that is needed may be in the failed group.
        """
        self._retry_weight = self._subject.weight * self._retry_factor
        forecast = _Forecast(self._subject.memory.rates, failures, self._sizes)
        steps = self._of_weight(self._threshold, present, stop, forecast)
        if min_weight > self._threshold:
            steps = chain(islice(self._of_weight(min_weight, present, stop, forecast), 1), steps)
        ends = self._ends(present, stop, min_weight, failures)
        heaviest = sorted([*islice(steps, 1), *ends], key=lambda step: -self._weight(step.group))
        for step in chain(heaviest, steps):
            is_first_failure = not forecast.has_failures
            yield step
            forecast.assume_failed(step)
            if is_first_failure and (rest := self._rest(present, step, forecast)):
                yield rest
                forecast.assume_failed(rest)

    def _ends(
        self, present: Group, stop: int, min_weight: int, failures: Failures
    ) -> list[_GroupStep]:
        """Return the tail and the head of `min_weight` bytes, if uses keep some of their units.

        After a tail, the walk continues before it. After a head, which is far from where the walk is,
        it continues where it was.
        """
        found: list[_GroupStep] = []
        for kind, places in ((_TAIL, sorted(present, reverse=True)), (_HEAD, sorted(present))):
            if self._subject.memory.rates.chance(kind) < _MIN_EXPECTED_PART:
                continue
            group = self._first_of(places, min_weight)
            kept = any((self._with_users(place, present) or present) - group for place in group)
            if kept and self._is_worth(group, failures.chance(group)):
                place = min(group) if kind == _TAIL else stop
                found.append(_GroupStep(place, group, (kind,), is_informative=True))
        return found

    def _first_of(self, places: Iterable[int], min_weight: int) -> Group:
        """Return the first units that weigh `min_weight` bytes; none if one is known to be needed."""
        found: list[int] = []
        weight = 0
        for place in takewhile(lambda place: not self._is_needed(place), places):
            found.append(place)
            weight += self._sizes[place]
            if weight >= min_weight:
                return frozenset(found)
        return frozenset()

    def _of_weight(
        self, min_weight: int, present: Group, stop: int, forecast: _Forecast
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
            if self._weight(group) >= min_weight:
                step = _GroupStep(place, group, self._kinds_of(group), len(group) == 1)
                if self._is_promising(step, forecast):
                    yield step

    def _rest(self, present: Group, kept: _GroupStep, forecast: _Forecast) -> _GroupStep | None:
        """Return all units that can go without `kept`; None if they are unlikely to."""
        if self._try_unlikely or self._subject.memory.rates.chance(_REST) < _MIN_EXPECTED_PART:
            return None
        found: set[int] = set()
        for place in present - kept.group:
            group = self._with_users(place, present)
            if group is not None and not group & kept.group:
                found |= group
        rest = _GroupStep(kept.place, frozenset(found), (_REST,), is_informative=True)
        is_heavy = self._weight(found) >= self._threshold
        return rest if is_heavy and self._is_promising(rest, forecast) else None

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

    def _is_promising(self, step: _GroupStep, forecast: _Forecast) -> bool:
        """Return whether to try a group, none of whose units is known to be needed."""
        return self._is_worth(step.group, forecast.chance(step))

    def _is_worth(self, group: Group, chance: float) -> bool:
        if len(group) > 1 and self._attempts.knows(group, self._retry_weight):
            return False
        if self._try_unlikely:
            return chance > 0
        return chance * self._weight(group) >= self._threshold * _MIN_EXPECTED_PART

    def _weight(self, group: Iterable[int]) -> int:
        return sum(self._sizes[place] for place in group)

    def _kinds_of(self, group: Group) -> tuple[Hashable, ...]:
        return tuple({self._kinds[place] for place in group})


class _Forecast:
    """Chances of the next steps of a stream, assuming that all steps yielded so far fail."""

    def __init__(self, rates: AcceptanceRates, failures: Failures, sizes: Sequence[int]) -> None:
        self._rates = rates
        self._known = failures
        self._assumed = Failures(sizes)
        self._assumed_by_kind: Counter[Hashable] = Counter()

    @property
    def has_failures(self) -> bool:
        """Whether anything failed before the stream or is assumed to have failed in it."""
        return bool(self._known) or bool(self._assumed)

    def assume_failed(self, step: _GroupStep) -> None:
        """Record a step that was yielded."""
        self._assumed.add(step.group)
        if step.is_informative:
            self._assumed_by_kind.update(step.kinds)

    def chance(self, step: _GroupStep) -> float:
        """Return how likely a step is to be accepted; 1 if nothing is known of it."""
        by_kind = min(self._rates.chance(kind, self._assumed_by_kind[kind]) for kind in step.kinds)
        return by_kind * self._known.chance(step.group) * self._assumed.chance(step.group)


def _recording(items: Iterable[T], read: list[T]) -> Iterator[T]:
    """Yield the items; append each to `read` when it is read."""
    for item in items:
        read.append(item)
        yield item


def _without(present: dict[int, T], group: Group) -> tuple[T, ...]:
    return tuple(item for place, item in present.items() if place not in group)
