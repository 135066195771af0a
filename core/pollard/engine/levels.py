"""One level of a tree under a list minimiser, and branches of a document that has changed.

The minimiser works with numbers; a `Level` knows the branch behind each number and the action on it.
Candidates are edits of one document, the *base*. Each accepted one adds edits. Once writing these costs
more than looking up the branches in the best document, that document becomes the base.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from pollard.engine.subject import Candidate
from pollard.search.combine import weighed
from pollard.search.first import Hit, mapped
from pollard.syntax.branches.branches import locate
from pollard.syntax.tree.edits import Shift
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from pollard.engine.subject import Edits, Subject
    from pollard.search.combine import Minimiser
    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.layout.layout import Layout
    from pollard.syntax.tree.edits import Edit

    Write = Callable[[Sequence[int]], Iterable[Edit]]
    OnMoved = Callable[[Edits], None]


def relocate(subject: Subject, branches: Iterable[Branch], edits: Edits) -> list[Branch]:
    """Return what `branches` of a document became in the subject's, which `edits` made from it."""
    return list(moved(subject, branches, edits).values())


def moved(subject: Subject, branches: Iterable[Branch], edits: Edits) -> dict[Branch, Branch]:
    """Map each of `branches` to what it became in the subject's document, made by `edits`.

    A branch whose text is gone, or whose bytes are no longer a node of their own, is left out. What is
    left of it is for a later round of the pass.
    """
    shift = Shift(edits)
    spans = {branch: (shift.at(branch.start), shift.end_at(branch.end)) for branch in branches}
    wanted = sorted({span for span in spans.values() if span[0] < span[1]})
    found = dict(zip(wanted, locate(subject.root, wanted), strict=True))
    pairs = ((branch, found.get(span)) for branch, span in spans.items())
    return {old: new for old, new in pairs if new is not None}


A = TypeVar("A")

# Looking up a branch costs about as much as carrying one more edit through 16 candidates.
_BRANCHES_PER_EDIT = 16


class Level(Generic[A]):
    """The branches of a level, and `items`: the branches that can be acted on, each with its action.

    `writer` gets the items and the layout of the base. It returns a function from positions in them
    to the edits that carry out their actions. `adapt` gets an action, its old branch and what that
    became in a new base, and returns the action there. `on_moved` gets the edits that made
    each new base from the one before.
    """

    def __init__(
        self,
        subject: Subject,
        branches: Sequence[Branch],
        items: Iterable[tuple[Branch, A]],
        writer: Callable[[Sequence[tuple[Branch, A]], Layout], Write],
        adapt: Callable[[A, Branch, Branch], A] = lambda action, _old, _new: action,
        on_moved: OnMoved = lambda _: None,
    ) -> None:
        self._subject = subject
        self._branches = list(branches)
        self._items = dict(enumerate(items))
        self._writer = writer
        self._adapt = adapt
        self._on_moved = on_moved
        self._kept = tuple(self._items)
        self._edits: tuple[Edit, ...] = ()
        self._write: Write | None = None
        self._use_best_as_base()

    def minimise(self, minimise: Minimiser) -> list[Branch]:
        """Carry out the actions that stay interesting; return the level afterwards."""
        if self._items:
            weighed(minimise, self._weight)(self._kept, self._first)
            self._rebase()
        return self._branches

    def _weight(self, number: int) -> int:
        """Return the present size of an item's branch, 0 if it is gone."""
        if number not in self._items:
            return 0
        branch, _ = self._items[number]
        return size(self._base.text[branch.start : branch.end])

    def _first(self, kept_sets: Iterable[tuple[int, ...]]) -> Hit[tuple[int, ...]] | None:
        if self._base_is_outgrown:
            self._rebase()
        hit = mapped(self._subject.first, self._candidate)(kept_sets)
        if hit is not None:
            self._kept = hit.candidate
            self._edits = self._candidate(hit.candidate).edits
        return hit

    @property
    def _base_is_outgrown(self) -> bool:
        """Whether candidates would be cheaper to write and to parse as edits of the best document."""
        has_many_edits = len(self._edits) * _BRANCHES_PER_EDIT > len(self._branches)
        return has_many_edits or 2 * len(self._subject.document.text) < len(self._base.text)

    def _candidate(self, kept: tuple[int, ...]) -> Candidate:
        staying = set(kept)
        places = [place for place, number in enumerate(self._items) if number not in staying]
        if self._write is None:  # made only when needed: many levels have no candidate
            self._write = self._writer(list(self._items.values()), self._layout)
        return Candidate(self._base, self._layout.tidy(self._write(places)), self._kind(staying))

    def _kind(self, staying: set[int]) -> Hashable:
        """Return the shape and the action of the item newly acted on, if there is only one."""
        if not self._subject.memory.invalid.enabled:
            return None
        newly_gone = [n for n in self._kept if n not in staying and n in self._items]
        if len(newly_gone) != 1:
            return None
        branch, action = self._items[newly_gone[0]]
        return branch.shape, action

    def _rebase(self) -> None:
        """Make the best document the base, and look up the branches in it."""
        if not self._edits:
            return
        relocated = moved(self._subject, self._branches, self._edits)
        self._branches = [relocated[branch] for branch in self._branches if branch in relocated]
        self._items = {
            number: (relocated[branch], self._adapt(action, branch, relocated[branch]))
            for number in self._kept
            if number in self._items
            for branch, action in (self._items[number],)
            if branch in relocated
        }
        self._on_moved(self._edits)
        self._use_best_as_base()

    def _use_best_as_base(self) -> None:
        self._base = self._subject.document
        self._layout = self._subject.layout()
        self._write = None
        self._edits = ()
