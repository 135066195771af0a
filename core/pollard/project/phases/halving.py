"""Which items of a hierarchy are needed: halves of the heaviest groups first.

Each group whose removal fails is halved. If one half can go, the other cannot go as well, since their
group could not: it is halved without a test. If k of n items are needed, whatever else is there, about
2·k·log2(n/k) + k tests find them.

A test is a question to a function of type `First`: can these items go as well? Whoever answers keeps
in mind what has gone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pollard.search.first import First

T = TypeVar("T")

# If less than one group of so many can go, halving them costs more than it saves.
_MIN_PART_GONE = 3


@dataclass(frozen=True, slots=True)
class Part(Generic[T]):
    """An item, or a folder of parts. `weight` decides which are tried first."""

    items: frozenset[T]
    weight: int
    parts: tuple[Part[T], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class _Group(Generic[T]):
    """Parts to remove together; `twin` is the other half of what was one group."""

    parts: tuple[Part[T], ...]
    items: frozenset[T] = field(init=False)
    twin: _Group[T] | None = None

    def __post_init__(self) -> None:
        union = frozenset[T]().union(*(part.items for part in self.parts))
        object.__setattr__(self, "items", union)


def removable(
    parts: Sequence[Part[T]], first: First[frozenset[T]], *, in_vain: int | None = None
) -> frozenset[T]:
    """Remove groups of the hierarchy, from the largest to the smallest; return what is removed.

    What is left is needed if removals do not depend on each other; `without_each` makes sure otherwise.
    It stops early if hardly any of so many groups of a size can go: the others were tried `in_vain`.
    """
    removed: frozenset[T] = frozenset()
    groups = [_Group(_sorted(parts))] if parts else []
    while groups:
        gone = _level(groups, first)
        removed = removed.union(*(group.items for group in groups if group in gone))
        if in_vain is not None and len(groups) >= max(in_vain, _MIN_PART_GONE * len(gone) + 1):
            break
        groups = [half for group in groups if group not in gone for half in _halves(group)]
    return removed


def _level(groups: list[_Group[T]], first: First[frozenset[T]]) -> set[_Group[T]]:
    """Try once to remove each group; return those that are removed."""
    gone: set[_Group[T]] = set()
    start = 0
    while True:
        tried = [n for n in range(start, len(groups)) if groups[n].twin not in gone]
        hit = first(groups[n].items for n in tried)
        if hit is None:
            return gone
        gone.add(groups[tried[hit.index]])
        start = tried[hit.index] + 1


def without_each(items: Sequence[T], first: First[frozenset[T]]) -> frozenset[T]:
    """Remove single items until none can go; return what is removed.

    At most n tests if none can go, and O(n^2) in the worst case.
    """
    left = list(items)
    while (hit := first(frozenset([item]) for item in left)) is not None:
        # Those before the hit come last, since another removal may have made theirs possible.
        left = left[hit.index + 1 :] + left[: hit.index]
    return frozenset(items).difference(left)


def with_others(groups: Sequence[frozenset[T]], first: First[frozenset[T]]) -> frozenset[T]:
    """Try once to remove each group of items; return what is removed."""
    removed: frozenset[T] = frozenset()
    left = list(groups)
    while (hit := first(iter(left))) is not None:
        removed |= hit.candidate
        left = left[hit.index + 1 :]
    return removed


def _sorted(parts: Iterable[Part[T]]) -> tuple[Part[T], ...]:
    return tuple(sorted(parts, key=lambda part: -part.weight))


def _halves(group: _Group[T]) -> Iterator[_Group[T]]:
    """Yield the halves of a group that cannot go; a single folder is opened first."""
    parts = group.parts
    while len(parts) == 1 and parts[0].parts:
        parts = _sorted(parts[0].parts)
    if len(parts) == 1:
        return
    middle = (len(parts) + 1) // 2
    yield (former := _Group(parts[:middle]))
    yield _Group(parts[middle:], twin=former)
