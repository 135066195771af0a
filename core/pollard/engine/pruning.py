"""Pruning: remove units, or put minimal replacements in the place of branches.

One level of HDD (hddh-2021, figure 2, lines 5 and 6): a list minimiser decides which of the level's
units stay. `prune` removes the others; `replace` puts in the smallest fragment where removing is
impossible or was not interesting (the syntactically correct replacement of hdd-2006).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.engine.levels import Level
from pollard.syntax.branches.units import Removals, UnitFinder, adapted, reaches, removal
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pollard.engine.levels import OnMoved
    from pollard.engine.subject import Subject
    from pollard.search.combine import Minimiser
    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.branches.replacements import Replacements
    from pollard.syntax.branches.units import Reach, Unit
    from pollard.syntax.layout.layout import Layout

    Writer = Callable[[Sequence[Unit], Layout], Callable[[Sequence[int]], Iterable[Edit]]]


# To find the units of one level exactly, this many bytes are parsed at most: about 25 ms of work. The
# smallest reparse costs as much as `_MIN_PARSE_COST` bytes. From `_MIN_BYTES_BY_SHAPE` on units are
# found by shape: an oracle that takes a millisecond would otherwise wait for the parser.
_PARSE_BUDGET = 2_000_000
_MIN_PARSE_COST = 8_000
_MIN_BYTES_BY_SHAPE = 32_000


def prune(
    subject: Subject,
    branches: Sequence[Branch],
    minimise: Minimiser,
    *,
    units: Units | None = None,
    on_moved: OnMoved = lambda _: None,
) -> list[Branch]:
    """Remove the units of `branches` that are not needed; return the branches that are left.

    `units` finds them; `on_moved` is passed to the `Level`.
    """
    units = units or Units(subject)
    units.refresh()
    found = units.of(branches)
    return remove(subject, branches, found, minimise, on_moved)


def remove(
    subject: Subject,
    branches: Sequence[Branch],
    units: Sequence[Unit],
    minimise: Minimiser,
    on_moved: OnMoved = lambda _: None,
    writer: Writer | None = None,
) -> list[Branch]:
    """Remove those `units` that `minimise` finds not needed; return the `branches` that are left.

    The minimiser gets the places of the units in their list.
    """
    make_edits = writer or Removing
    return Level(subject, branches, units, make_edits, adapted, on_moved).minimise(minimise)


class Units:
    """Finds the units of branches, in the document that the subject had at the last refresh.

    Up to `budget` bytes are parsed to find those of one level exactly. In long texts they are found by
    shape, and what is known of shapes is kept when the document changes.
    """

    def __init__(self, subject: Subject, budget: int = _PARSE_BUDGET) -> None:
        self._subject = subject
        self._budget = budget
        self._use_present_document()
        self._finder = self._new_finder()

    def refresh(self) -> None:
        """Use the subject's present document."""
        if self._base is not self._subject.document:
            self.next_level()

    def next_level(self) -> None:
        """Use the subject's present document, with a new budget for another level of it."""
        self._use_present_document()
        if not self.is_long:
            self._finder = self._new_finder()

    def of(self, branches: Iterable[Branch]) -> list[Unit]:
        """Return the units of those branches that have one inside the region."""
        span = self.layout.span
        return [
            (branch, reach)
            for branch in branches
            if branch.is_within(span)
            and (reach := self._finder.reach(branch)) is not None
            and _contains(span, removal(branch, reach))
        ]

    def likely(self, branches: Iterable[Branch]) -> list[Unit]:
        """Return the most likely units of branches inside the region, without asking the parser."""
        inside = (branch for branch in branches if branch.is_within(self.layout.span))
        return [(branch, reaches(branch)[0]) for branch in inside]

    def _use_present_document(self) -> None:
        self._base = self._subject.document
        self.layout = self._subject.layout()

    @property
    def is_long(self) -> bool:
        """Whether the document is so long that its units are found by shape."""
        return len(self._base.text) >= _MIN_BYTES_BY_SHAPE

    def _new_finder(self) -> UnitFinder:
        cost = max(len(self._base.text), _MIN_PARSE_COST)
        return UnitFinder(self._accepts, cost, 0 if self.is_long else self._budget)

    def _accepts(self, edit: Edit) -> bool:
        return self._subject.fits(self._base, self.layout.tidy((edit,)))


class Removing:
    """Writes the edits that remove units and outdent the blocks that belonged to them.

    A block that is not entirely inside the layout's region keeps its indentation.
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
    """Yield edits that outdent the only sibling that is left, such as the block of `if c: block`."""
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
    *,
    is_open: Callable[[Branch], bool] = lambda _: True,
    is_worth: Callable[[Branch, bytes], bool] = lambda _branch, _new: True,
) -> list[Branch]:
    """Replace branches by minimal fragments where that is interesting; return the level afterwards.

    The minimiser gets all first proposals, then the second ones for the branches that are left.
    `is_open` returns whether to look for proposals for a branch, which costs parses. `is_worth` gets a
    branch and its new text, and returns whether to try that.
    """
    level = list(branches)
    for choice in range(2):
        base = subject.document
        items = [
            (branch, proposals[choice])
            for branch in level
            if branch.is_within(subject.span)
            and is_open(branch)
            and len(proposals := replacements.proposals(base, branch)) > choice
            and is_worth(branch, proposals[choice])
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
