"""The window: remove two to four neighbours together, where no single unit can go any more.

Vulcan's third reducer (*Local Exhaustive*, OOPSLA 2023), on the units of each node; see
`pollard.search.exhaustive`. Other passes have removed single units before.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, TypeVar

from pollard.engine.declaration import declare
from pollard.engine.pruning import Units, remove
from pollard.passes.papers.hdd import by_level
from pollard.search.first import mapped
from pollard.search.sweeps import exhaustive

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pollard.engine.subject import Subject
    from pollard.search.combine import Minimiser
    from pollard.search.first import First
    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.branches.units import Unit


T = TypeVar("T")

# Lists with more units than this are better minimised by other passes.
_MAX_UNITS = 32


@declare(
    "window",
    runs="7n",
    guarantee="with `*`: nor can two to four neighbours of a short list go",
    source="Vulcan, OOPSLA 2023",
)
def window(subject: Subject) -> None:
    """Remove two, three or four neighbouring units of a node together, on each level.

    Takes at most seven runs for each unit. With `*` no such combination can go from a list of up to 32
    units. Does nothing before every unit was tried by itself.
    """
    if subject.memory.every_unit_tried:
        by_level(subject, [_try_windows])


def _try_windows(subject: Subject, branches: Sequence[Branch]) -> list[Branch]:
    units = Units(subject).of(branches)
    lists = [places for places in _places_by_parent(units) if 1 < len(places) <= _MAX_UNITS]
    return remove(subject, branches, units, _by_lists(lists)) if lists else list(branches)


def _places_by_parent(units: Sequence[Unit]) -> list[list[int]]:
    """Return the places of the units, grouped by their parents."""
    by_parent = groupby(range(len(units)), key=lambda place: id(units[place][0].parent))
    return [list(places) for _, places in by_parent]


def _by_lists(lists: Sequence[Sequence[int]]) -> Minimiser:
    """Return a minimiser for the parts of a list, given by their places, one after the other."""

    def minimise(items: Sequence[T], first: First[tuple[T, ...]], /) -> tuple[T, ...]:
        rest = tuple(items)
        for places in lists:
            part = [items[place] for place in places]
            rest = _part_minimised(rest, part, first)
        return rest

    return minimise


def _part_minimised(
    rest: tuple[T, ...], part: Sequence[T], first: First[tuple[T, ...]]
) -> tuple[T, ...]:
    """Return `rest` with `part`, some of its items, minimised."""

    def with_kept(kept: tuple[T, ...]) -> tuple[T, ...]:
        return tuple(item for item in rest if item in kept or item not in part)

    return with_kept(exhaustive(part, mapped(first, with_kept)))
