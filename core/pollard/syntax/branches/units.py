"""Units: a branch with the tokens beside it that must go together for the file to parse.

What an extended grammar writes as `(',' x)*`, `('else' s)?` or `('=' e)?` is a run of siblings in
the tree: a branch with the token before it, after it, or both. The smallest such run whose removal
passes the syntax guard is the branch's *unit*. This recovers what picireny-2016 (section 3) reads
from the quantifiers of an ANTLR grammar.
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


_BRACKETS = {"(": ")", "[": "]", "{": "}"}


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
    """Return how far the branch's unit may reach, likeliest first.

    A token between two siblings is probably a separator, so the reach that includes it comes first:
    a person would remove `, b` from `[a, b]`, though JavaScript accepts `[a, ]` too.
    """
    if branch.is_token:
        return [Reach.ALONE, *([Reach.AFTER] if _is_empty_pair(branch) else [])]
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


def _is_empty_pair(branch: Branch) -> bool:
    """Return whether a token and the next one are brackets with nothing between them."""
    after = branch.sibling(1)
    closing = _BRACKETS.get(branch.node.type)
    return closing is not None and after is not None and after.node.type == closing


def _is_token(branch: Branch, offset: int) -> bool:
    sibling = branch.sibling(offset)
    return sibling is not None and sibling.is_token


def removal(branch: Branch, reach: Reach) -> Edit:
    """Return the edit that removes a branch with the tokens within reach."""
    if reach is Reach.ALONE:
        return Edit(branch.start, branch.end)
    first, last = branch.sibling(reach.left) or branch, branch.sibling(reach.right) or branch
    return Edit(first.start, last.end)


def adapted(reach: Reach, old: Branch, new: Branch) -> Reach:
    """Return how far a branch's unit reaches once siblings were removed, and `old` became `new`.

    A unit that included the separator before it includes the one after it once the branch is the
    first of its list, and the other way round. The only element left includes none.
    """
    if reach is Reach.BEFORE and old.sibling(-2) and not new.sibling(-2):
        return Reach.AFTER if _is_token(new, 1) and new.sibling(2) else Reach.ALONE
    if reach is Reach.AFTER and old.sibling(2) and not new.sibling(2):
        return Reach.BEFORE if _is_token(new, -1) and new.sibling(-2) else Reach.ALONE
    return reach


Unit = tuple["Branch", Reach]


class Removals:
    """Makes the edits that remove any subset of some units, which are in order.

    Neighbours in a list go as one run, with the separators between them and one beside them, so that
    exactly one separator stays between the elements that stay.
    """

    def __init__(self, units: Sequence[Unit], text: bytes) -> None:
        self._units = units
        self._borders = [
            place
            for place, pair in enumerate(pairwise(units), 1)
            if not _are_neighbours(*pair, text)
        ]

    def __call__(self, places: Sequence[int]) -> Iterator[Edit]:
        """Yield the edits that remove the units at `places`, in order."""
        for first, end in _intervals(places):
            low = bisect.bisect_right(self._borders, first)
            high = bisect.bisect_left(self._borders, end)
            for start, stop in pairwise((first, *self._borders[low:high], end)):
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


_WITH_SEPARATOR = (Reach.BEFORE, Reach.AFTER)


def _are_neighbours(last: Unit, unit: Unit, text: bytes) -> bool:
    """Return whether two units are neighbours, so that they can go as one run."""
    (before, before_reach), (branch, reach) = last, unit
    if before.parent is not branch.parent:
        return False
    if before_reach is reach is Reach.ALONE:
        return branch.index == before.index + 1 and not text[before.end : branch.start].strip()
    if before_reach not in _WITH_SEPARATOR or reach not in _WITH_SEPARATOR:
        return False
    between = branch.siblings[before.index + 1 : branch.index]
    return all(sibling.is_token for sibling in between)


def _run_removal(run: Sequence[Unit]) -> list[Edit]:
    """Return the edits that remove a run of neighbours, with one separator beside them."""
    (first, reach), (last, _) = run[0], run[-1]
    if len(run) == 1:
        return [removal(first, reach)]
    if reach is Reach.ALONE:  # a separate edit for the last: its line may have more text
        return [Edit(first.start, run[-2][0].end), removal(last, reach)]
    if reach is Reach.BEFORE:
        return [Edit(removal(first, reach).start, last.end)]
    if _is_token(last, 1) and last.sibling(2):
        return [Edit(first.start, removal(last, Reach.AFTER).end)]
    return [Edit(first.start, last.end)]


class UnitFinder:
    """Finds the units of a level's branches within a budget of parsed bytes.

    `accepts` returns whether the guard accepts the text after an edit, which costs one parse of `cost`
    bytes. Until `budget` bytes are parsed, each branch is tested. After that, branches of the same
    `shape` are assumed to have the same unit. A wrong guess only costs a candidate that the guard
    rejects.
    """

    def __init__(self, accepts: Callable[[Edit], bool], cost: int, budget: int) -> None:
        self._accepts = accepts
        self._cost = cost
        self._bytes_left = budget
        self._by_shape: dict[tuple[int, ...], Reach | None] = {}

    def reach(self, branch: Branch) -> Reach | None:
        """Return how far the unit of a branch reaches; None if its removal never parses."""
        shape = branch.shape
        if shape in self._by_shape and self._bytes_left <= 0:
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
            self._bytes_left -= self._cost
            if self._accepts(removal(branch, reach)):
                return reach
        return None
