"""Units: what one edit can take away from around a branch and leave a file that parses.

An extended grammar's `(',' x)*`, `('else' s)?` or `('=' e)?` shows in the tree as a run of siblings:
the branch with the token before it, or after it, or with both. The smallest such run whose removal
passes the syntax guard is the branch's unit. That recovers what picireny-2016 (section 3) reads from
the quantifiers of an ANTLR grammar.
"""

from __future__ import annotations

import bisect
import enum
from itertools import pairwise
from typing import TYPE_CHECKING

from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pollard.syntax.branches.branches import Branch


class Reach(enum.Enum):
    """Which neighbouring tokens go with a branch."""

    ALONE = (0, 0)
    BEFORE = (-1, 0)
    AFTER = (0, 1)
    BOTH = (-1, 1)

    def __init__(self, left: int, right: int) -> None:
        self.left = left
        self.right = right


def reaches(branch: Branch) -> list[Reach]:
    """Return the runs around a branch that may be its unit, likeliest first.

    A token with a sibling on its other side is taken for a separator and goes first: `[a, b]` without
    `, b` is what a person would write, though JavaScript accepts `[a, ]` too.
    """
    if branch.is_token:
        return [Reach.ALONE]
    before, after = _is_token(branch, -1), _is_token(branch, 1)
    likely: list[Reach] = []
    if before and branch.sibling(-2):
        likely.append(Reach.BEFORE)
    elif after and branch.sibling(2):
        likely.append(Reach.AFTER)
    possible = [
        Reach.ALONE,
        *([Reach.BEFORE] if before else []),
        *([Reach.AFTER] if after else []),
        *([Reach.BOTH] if before and after else []),
    ]
    return likely + [reach for reach in possible if reach not in likely]


def _is_token(branch: Branch, offset: int) -> bool:
    sibling = branch.sibling(offset)
    return sibling is not None and sibling.is_token


def removal(branch: Branch, reach: Reach) -> Edit:
    """Return the edit that removes a branch with the tokens within reach."""
    if reach is Reach.ALONE:
        return Edit(branch.start, branch.end)
    first, last = branch.sibling(reach.left) or branch, branch.sibling(reach.right) or branch
    return Edit(first.start, last.end)


def adapted(reach: Reach, before: Branch, now: Branch) -> Reach:
    """Return how far the unit of a branch reaches now that siblings of it may have gone.

    What took the separator before it takes the one after it once it is the first of its list, and
    the other way round; what is alone in it takes none.
    """
    if reach is Reach.BEFORE and before.sibling(-2) and not now.sibling(-2):
        return Reach.AFTER if _is_token(now, 1) and now.sibling(2) else Reach.ALONE
    if reach is Reach.AFTER and before.sibling(2) and not now.sibling(2):
        return Reach.BEFORE if _is_token(now, -1) and now.sibling(-2) else Reach.ALONE
    return reach


Unit = tuple["Branch", Reach]


class Removals:
    """Writes the edits that remove any of many units (in order) of a text at once.

    Neighbours in a list go as one run, with the separators between them and one beside them, so that
    the elements that stay are still separated once. Which units are neighbours is found out once.
    """

    def __init__(self, units: Sequence[Unit], text: bytes) -> None:
        self._units = units
        self._breaks = [
            place for place, pair in enumerate(pairwise(units), 1) if not _continues(*pair, text)
        ]

    def __call__(self, places: Sequence[int]) -> Iterator[Edit]:
        """Yield the edits that remove the units at `places`, in order."""
        for first, end in _intervals(places):
            low = bisect.bisect_right(self._breaks, first)
            high = bisect.bisect_left(self._breaks, end)
            for start, stop in pairwise((first, *self._breaks[low:high], end)):
                yield from _run_removal(self._units[start:stop])


def removals(units: Sequence[Unit], text: bytes) -> list[Edit]:
    """Return the edits that remove all of the units."""
    return list(Removals(units, text)(range(len(units))))


def _intervals(places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the runs of consecutive numbers in `places` as (first, last + 1)."""
    first = end = -1
    for place in places:
        if place != end:
            if end > first:
                yield first, end
            first = place
        end = place + 1
    if end > first:
        yield first, end


_SEPARATED = (Reach.BEFORE, Reach.AFTER)


def _continues(last: Unit, unit: Unit, text: bytes) -> bool:
    (before, before_reach), (branch, reach) = last, unit
    if before.parent is not branch.parent:
        return False
    if before_reach is reach is Reach.ALONE:
        return branch.index == before.index + 1 and not text[before.end : branch.start].strip()
    if before_reach not in _SEPARATED or reach not in _SEPARATED:
        return False
    between = branch.siblings[before.index + 1 : branch.index]
    return all(sibling.is_token for sibling in between)


def _run_removal(run: Sequence[Unit]) -> list[Edit]:
    (first, reach), (last, _) = run[0], run[-1]
    if len(run) == 1:
        return [removal(first, reach)]
    if reach is Reach.ALONE:  # the last by itself: something may be left of its line
        return [Edit(first.start, run[-2][0].end), removal(last, reach)]
    if reach is Reach.BEFORE:
        return [Edit(removal(first, reach).start, last.end)]
    if _is_token(last, 1) and last.sibling(2):
        return [Edit(first.start, removal(last, Reach.AFTER).end)]
    return [Edit(first.start, last.end)]


class UnitFinder:
    """Finds the units of a level's branches, with as few parses as the size of the text demands.

    `accepts` tells whether the guard lets the text with some edits made pass: one parse. Up to
    `budget` bytes are parsed to ask it for every branch; beyond, branches of the same shape (their
    kind and their neighbours' kinds) are taken to behave alike. Wrong guesses cost nothing but
    guarded candidates: the guard has the last word on each candidate.
    """

    def __init__(self, accepts: Callable[[Edit], bool], cost: int, budget: int) -> None:
        self._accepts = accepts
        self._cost = cost
        self._left = budget
        self._by_shape: dict[tuple[int, ...], Reach | None] = {}

    def reach(self, branch: Branch) -> Reach | None:
        """Return how far the unit of a branch reaches; None if its removal never parses."""
        shape = branch.shape
        if shape in self._by_shape and self._left <= 0:
            return self._by_shape[shape]
        found = self._try(branch, self._by_shape.get(shape))
        self._by_shape.setdefault(shape, found)
        return found

    def _try(self, branch: Branch, guess: Reach | None) -> Reach | None:
        candidates = reaches(branch)
        if guess in candidates:
            candidates.remove(guess)
            candidates.insert(0, guess)
        for reach in candidates:
            self._left -= self._cost
            if self._accepts(removal(branch, reach)):
                return reach
        return None
