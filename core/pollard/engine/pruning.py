"""Pruning: take units away, or put minimal replacements in the place of branches.

One level of HDD (hddh-2021, figure 2, lines 5 and 6): a list minimiser on the level's units, and the
tree without what it did not keep. `prune` removes; `replace` stands in the smallest fragment where
removing is impossible or was not interesting (hdd-2006's syntactically correct replacement).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.engine.levels import Level
from pollard.syntax.branches.units import Removals, UnitFinder, adapted, reaches, removal
from pollard.syntax.layout.layout import Layout
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pollard.engine.levels import MovedOn
    from pollard.engine.subject import Subject
    from pollard.search.combine import Minimiser
    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.branches.replacements import Replacements
    from pollard.syntax.branches.units import Reach, Unit

    Writer = Callable[[Sequence[Unit], Layout], Callable[[Sequence[int]], Iterable[Edit]]]


# Up to so many bytes are parsed to find the units of one level exactly: about 25 ms of work. Even the
# smallest reparse costs as much as parsing `_PARSE_COST` bytes. In longer texts a level is found by
# shape: an oracle that takes a millisecond would otherwise wait for the parser.
_PARSE_BUDGET = 2_000_000
_PARSE_COST = 8_000
_LONG = 32_000


def prune(
    subject: Subject,
    branches: Sequence[Branch],
    minimise: Minimiser,
    *,
    units: Units | None = None,
    moved_on: MovedOn = lambda _: None,
) -> list[Branch]:
    """Remove the units of `branches` that are not needed; return the branches that are left.

    `units` finds them; `moved_on` is told of accepted edits, as by a `Level`.
    """
    units = units or Units(subject)
    units.look_again()
    found = units.of(branches)
    return remove(subject, branches, found, minimise, moved_on)


def remove(
    subject: Subject,
    branches: Sequence[Branch],
    units: Sequence[Unit],
    minimise: Minimiser,
    moved_on: MovedOn = lambda _: None,
    writer: Writer | None = None,
) -> list[Branch]:
    """Remove those of the units of `branches` that `minimise` finds not needed; return what is left.

    The minimiser gets the places of the units in their list. The writer is `Removing` unless given.
    """
    written = writer or Removing
    return Level(subject, branches, units, written, adapted, moved_on).minimise(minimise)


class Units:
    """Finds the units of branches of the subject's document as it was at the last look.

    Up to `budget` bytes are parsed to find those of one document exactly. In long texts they are found
    by shape, and what was learnt about shapes is kept when the document changes.
    """

    def __init__(self, subject: Subject, budget: int = _PARSE_BUDGET) -> None:
        self._subject = subject
        self._budget = budget
        self._rest_here()
        self._finder = self._new_finder()

    def look_again(self) -> None:
        """Go over to the document as it is now."""
        if self._base is not self._subject.document:
            self.go_on()

    def go_on(self) -> None:
        """Go over to the document as it is now, and to another level, with a new budget."""
        self._rest_here()
        if not self.is_long:
            self._finder = self._new_finder()

    def of(self, branches: Iterable[Branch]) -> list[Unit]:
        """Return the units, all inside the region, of those branches that have one."""
        span = self.layout.span
        return [
            (branch, reach)
            for branch in branches
            if branch.is_within(span)
            and (reach := self._finder.reach(branch)) is not None
            and _contains(span, removal(branch, reach))
        ]

    def likely(self, branches: Iterable[Branch]) -> list[Unit]:
        """Return the units of those inside the region as they mostly are; the parser is not asked."""
        inside = (branch for branch in branches if branch.is_within(self.layout.span))
        return [(branch, reaches(branch)[0]) for branch in inside]

    def _rest_here(self) -> None:
        self._base = self._subject.document
        self.layout = Layout(self._base, self._subject.span)

    @property
    def is_long(self) -> bool:
        """Whether the document is so long that its units are found by shape."""
        return len(self._base.text) >= _LONG

    def _new_finder(self) -> UnitFinder:
        cost = max(len(self._base.text), _PARSE_COST)
        return UnitFinder(self._accepts, cost, 0 if self.is_long else self._budget)

    def _accepts(self, edit: Edit) -> bool:
        return self._subject.fits(self._base, self.layout.tidy((edit,)))


class Removing:
    """Writes the edits that remove units and bring back to the left what they had indented.

    A block that is not all inside the layout's region stays where it is.
    """

    def __init__(self, units: Sequence[Unit], layout: Layout) -> None:
        self._removals = Removals(units, layout.text)
        self._outdents = {
            place: edits
            for place, unit in enumerate(units)
            if (edits := tuple(_outdents(*unit, layout)))
        }

    def __call__(self, places: Sequence[int]) -> Iterator[Edit]:
        """Yield the edits that remove the units at `places`, in order."""
        yield from self._removals(places)
        for place in self._outdents.keys() & places:
            yield from self._outdents[place]


def removing(units: Sequence[Unit], layout: Layout) -> list[Edit]:
    """Return the edits that remove all of the units."""
    return list(Removing(units, layout)(range(len(units))))


def _outdents(branch: Branch, reach: Reach, layout: Layout) -> Iterator[Edit]:
    """Bring the only sibling that is left to the left, as the block of `if c: block`."""
    if branch.index + reach.left:
        return
    block = branch.sibling(1 + reach.right)
    if block is None or block is not branch.siblings[-1] or not block.is_within(layout.span):
        return
    gone = removal(branch, reach)
    if b"\n" in layout.text[gone.end : block.start]:
        yield from layout.outdented(block.start, block.end, gone.start, whole=True)


def replace(
    subject: Subject,
    branches: Sequence[Branch],
    minimise: Minimiser,
    replacements: Replacements,
    worth: Callable[[Branch, bytes], bool] = lambda _branch, _new: True,
) -> list[Branch]:
    """Replace branches by minimal fragments where that is interesting; return the level after it.

    All first proposals go to the minimiser at once, then the second ones of those that are left.
    Only what `worth` says yes to, given a branch and the new text, is tried.
    """
    level = list(branches)
    for choice in range(2):
        base = subject.document
        items = [
            (branch, proposals[choice])
            for branch in level
            if branch.is_within(subject.span)
            and len(proposals := replacements.proposals(base, branch)) > choice
            and worth(branch, proposals[choice])
        ]
        level = Level(subject, level, items, _replacing).minimise(minimise)
    return level


def _replacing(
    items: Sequence[tuple[Branch, bytes]], _: Layout
) -> Callable[[Sequence[int]], Iterable[Edit]]:
    edits = [Edit(branch.start, branch.end, new) for branch, new in items]
    return lambda places: (edits[place] for place in places)


def _contains(span: tuple[int, int], edit: Edit) -> bool:
    return span[0] <= edit.start and edit.end <= span[1]
