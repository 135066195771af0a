"""Groups of units that go together, by their weight and their uses, and what of that failed before.

A list minimiser for the pass `heaviest`: it knows the units behind the numbers that it is given.

What failed groups say of other groups: each has something that is needed, nobody knows where.
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
    from pollard.passes.heaviest.listed import Named
    from pollard.search.first import First

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


T = TypeVar("T")

# What a group is expected to take away, its weight times its chance, is at least so much of the
# threshold; what promises less is left for a later stage.
_LEAST_GAIN = 0.6
# So much of a branch's shape says what kind of unit it is: language, its kind and that of its parent.
_KIND = 3
# All that can go without a group, as a kind of step.
_REST = "rest"
# All to the end of a level, and all from its beginning, whatever uses it.
_TAIL = "tail"
_HEAD = "head"
# Where both of them are needed and share no more than this, what is needed is far apart.
_APART = 0.25


class _Step(NamedTuple):
    """A group that is tried, where it begins, and of what kinds it is.

    `is_telling` says whether its failure tells something of its kinds: a group of units of many kinds
    has failed because of one of them.
    """

    place: int
    group: Group
    kinds: tuple[Hashable, ...]
    is_telling: bool


class Groups:
    """Minimises a list of units by groups that weigh `threshold` bytes at least, from the last on.

    A group has neighbours of which nothing else is in use, or a unit with all that uses it. Where that
    keeps much, all to the end or from the beginning is tried as well: names only tell what may be in
    use, and what makes a program fail is often all in one place. What is `unlikely` to go, by what
    failed before, is left for later, unless this is the last chance.
    """

    def __init__(
        self,
        subject: Subject,
        named: Named,
        threshold: int,
        again: float,
        *,
        unlikely: bool,
    ) -> None:
        text, units = subject.document.text, named.units
        self._subject = subject
        self._threshold = threshold
        self._again = again
        self._unlikely = unlikely
        self._most = 0.0
        traces = [branch_key(text, branch) for branch, _ in units]
        self._attempts = GroupAttempts(subject.memory.attempts, "remove", traces)
        self._sizes = [size(text[branch.start : branch.end]) for branch, _ in units]
        self._kinds = [branch.shape[:_KIND] for branch, _ in units]
        self._is_read = not subject.document.hides_uses
        self._uses = named.uses

    def __call__(self, items: Sequence[T], first: First[tuple[T, ...]], /) -> tuple[T, ...]:
        """Return the places of the units that stay.

        Every group is tried once; after one that could go, first one twice as heavy.
        """
        present, stop, least = dict(enumerate(items)), len(self._sizes), self._threshold
        failures = Failures(self._sizes)
        while True:
            asked: list[_Step] = []
            steps = _noted(self._steps(frozenset(present), stop, failures, least), asked)
            hit = first(_without(present, step.group) for step in steps)
            failed = asked[: None if hit is None else hit.index]
            for step in [*failed, *self._far_apart(failed)]:
                self._attempts.note(step.group, self._subject.weight)
                failures.add(step.group)
                self._learn(step, accepted=False)
            if hit is None:
                return tuple(present.values())
            gone = asked[hit.index]
            self._learn(gone, accepted=True)
            stop = gone.place
            present = {place: item for place, item in present.items() if place not in gone.group}
            least = 2 * (least if hit.index == 0 else self._threshold)

    def _learn(self, step: _Step, *, accepted: bool) -> None:
        if accepted or step.is_telling:
            for kind in step.kinds:
                self._subject.memory.rates.note(kind, accepted=accepted)

    def _far_apart(self, failed: Sequence[_Step]) -> Sequence[_Step]:
        """Return both ends if they failed and hardly overlap: that counts twice, both will again."""
        ends = [step for step in failed if step.kinds in ((_TAIL,), (_HEAD,))]
        if len(ends) < len((_TAIL, _HEAD)):
            return ()
        one, other = (step.group for step in ends)
        least = min(self._weight(one), self._weight(other))
        return ends if self._weight(one & other) <= _APART * least else ()

    def _steps(self, present: Group, stop: int, failures: Failures, least: int) -> Iterator[_Step]:
        """Yield groups of those `present` that begin before `stop`.

        None has all of one that has failed: what is needed in that is in this one too. The very first
        weighs at least `least`. After the first failure of all, all that is needed may be in that.
        """
        self._most = self._subject.weight * self._again
        prospects = _Prospects(self._subject.memory.rates, failures, self._sizes)
        steps = self._of_weight(self._threshold, present, stop, prospects)
        if least > self._threshold:
            steps = chain(islice(self._of_weight(least, present, stop, prospects), 1), steps)
        ends = self._ends(present, stop, least, failures)
        heaviest = sorted([*islice(steps, 1), *ends], key=lambda step: -self._weight(step.group))
        for step in chain(heaviest, steps):
            alone = not prospects.has_failures
            yield step
            prospects.fail(step)
            if alone and (rest := self._rest(present, step, prospects)):
                yield rest
                prospects.fail(rest)

    def _ends(self, present: Group, stop: int, least: int, failures: Failures) -> list[_Step]:
        """Return what weighs `least` to the end and from the beginning, where names forbid that.

        A tail begins the rest of the walk; a head is far from it, which goes on where it was.
        """
        found: list[_Step] = []
        for kind, places in ((_TAIL, sorted(present, reverse=True)), (_HEAD, sorted(present))):
            if self._subject.memory.rates.chance(kind) < _LEAST_GAIN:
                continue
            group = self._first_of(places, least)
            kept = any((self._closed(place, present) or present) - group for place in group)
            if kept and self._is_worth(group, failures.chance(group)):
                place = min(group) if kind == _TAIL else stop
                found.append(_Step(place, group, (kind,), is_telling=True))
        return found

    def _first_of(self, places: Iterable[int], least: int) -> Group:
        """Return the first units that weigh `least` together; none if one of them is needed."""
        found: list[int] = []
        weight = 0
        for place in takewhile(lambda place: not self._is_needed(place), places):
            found.append(place)
            weight += self._sizes[place]
            if weight >= least:
                return frozenset(found)
        return frozenset()

    def _of_weight(
        self, least: int, present: Group, stop: int, prospects: _Prospects
    ) -> Iterator[_Step]:
        beside: set[int] = set()
        weight = 0
        for place in sorted((place for place in present if place < stop), reverse=True):
            closed = self._closed(place, present, beside if self._is_read else ())
            if closed is None:
                continue
            if closed - beside == {place}:
                beside.add(place)
                weight += self._sizes[place]
                if weight < least:
                    continue
                closed, beside, weight = frozenset(beside), set(), 0
            if self._weight(closed) >= least:
                step = _Step(place, closed, self._kinds_of(closed), len(closed) == 1)
                if self._is_promising(step, prospects):
                    yield step

    def _rest(self, present: Group, kept: _Step, prospects: _Prospects) -> _Step | None:
        """Return all else together that can go without a group; None if there is little hope for it."""
        if self._unlikely or self._subject.memory.rates.chance(_REST) < _LEAST_GAIN:
            return None
        found: set[int] = set()
        for place in present - kept.group:
            closed = self._closed(place, present)
            if closed is not None and not closed & kept.group:
                found |= closed
        rest = _Step(kept.place, frozenset(found), (_REST,), is_telling=True)
        heavy = self._weight(found) >= self._threshold
        return rest if heavy and self._is_promising(rest, prospects) else None

    def _closed(self, place: int, present: Group, going: Collection[int] = ()) -> Group | None:
        """Return a unit with all that goes with it, where others are going as well.

        None if one of them is known to be needed.
        """
        if self._is_needed(place):
            return None
        closed = self._uses.closure(place, present, going)
        if closed is None or any(self._is_needed(other) for other in closed if other != place):
            return None
        return closed

    def _is_needed(self, place: int) -> bool:
        return self._attempts.knows_alone(place, self._most)

    def _is_promising(self, step: _Step, prospects: _Prospects) -> bool:
        """Tell whether a group, none of which is needed by itself, is to be tried."""
        return self._is_worth(step.group, prospects.chance(step))

    def _is_worth(self, group: Group, chance: float) -> bool:
        if len(group) > 1 and self._attempts.knows(group, self._most):
            return False
        if self._unlikely:
            return chance > 0
        return chance * self._weight(group) >= self._threshold * _LEAST_GAIN

    def _weight(self, group: Iterable[int]) -> int:
        return sum(self._sizes[place] for place in group)

    def _kinds_of(self, group: Group) -> tuple[Hashable, ...]:
        return tuple({self._kinds[place] for place in group})


class _Prospects:
    """What a stream may still hope for, if all that it has yielded so far should have failed."""

    def __init__(self, odds: AcceptanceRates, failures: Failures, sizes: Sequence[int]) -> None:
        self._odds = odds
        self._before = failures
        self._now = Failures(sizes)
        self._failed: Counter[Hashable] = Counter()

    @property
    def has_failures(self) -> bool:
        """Whether anything has failed, before the stream or in it."""
        return bool(self._before) or bool(self._now)

    def fail(self, step: _Step) -> None:
        """Take note of a step that was yielded."""
        self._now.add(step.group)
        if step.is_telling:
            self._failed.update(step.kinds)

    def chance(self, step: _Step) -> float:
        """Return how likely a step is to be accepted, as against one of which nothing is known."""
        alike = min(self._odds.chance(kind, self._failed[kind]) for kind in step.kinds)
        return alike * self._before.chance(step.group) * self._now.chance(step.group)


def _noted(items: Iterable[T], noted: list[T]) -> Iterator[T]:
    """Yield the items, each when it is asked for, and take note of them."""
    for item in items:
        noted.append(item)
        yield item


def _without(present: dict[int, T], group: Group) -> tuple[T, ...]:
    return tuple(item for place, item in present.items() if place not in group)
