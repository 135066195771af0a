"""Perses and Pardis, which visit the heaviest node first, wherever it is in the tree.

**Perses** (Sun, Li, Zhang, Gu, Su, "Perses: Syntax-Guided Program Reduction", ICSE 2018) rewrites the
grammar so that each node is either a list or optional part, which is minimised, or a regular node,
which is replaced by a compatible descendant. A tree-sitter node may be both and is treated as both: its
units are minimised as a list; then what is left of it may be replaced.

**Pardis** (Gharachorlu, Sumner, "PARDIS: Priority Aware Test Case Reduction", FASE 2019). Perses
minimises whole lists, so it tries light elements of a heavy list before heavier nodes elsewhere. The
paper calls that priority inversion. Pardis deletes one node at a time, always the heaviest in the tree
that the grammar lets go (*nullable*; here: that has a unit). If that fails, its children are queued.
"""

from __future__ import annotations

import sys
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from pollard.engine.declaration import ONE_TREE_MINIMAL, declare
from pollard.engine.hoisting import Choice, hoist
from pollard.engine.levels import Level
from pollard.engine.pruning import Removing, Units, prune, removing
from pollard.engine.subject import Candidate
from pollard.passes.papers.hdd import max_candidates
from pollard.passes.papers.queue import Mark, Waiting
from pollard.search.combine import or_nothing
from pollard.search.ddmin import ddmin
from pollard.search.first import mapped
from pollard.syntax.branches.branches import below
from pollard.syntax.branches.units import adapted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pollard.engine.subject import Subject
    from pollard.search.combine import Minimiser
    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.branches.units import Unit

    Step = Callable[[Subject, Sequence[Branch]], list[Branch]]


#: Perses' candidates: descendants at most four steps down, on each path the nearest compatible one, the
#: smallest first; a list may be spliced into the list around it.
COMPATIBLE = Choice(steps=4, alike=False, splice=True, smallest_first=True)


@declare("perses", runs="O(n²)", guarantee=ONE_TREE_MINIMAL, source="perses-2018")
def perses(subject: Subject, minimise: Minimiser | None = None) -> None:
    """Minimise the children of the heaviest node, replace it by a descendant, and queue what is left.

    `minimise` is by default ddmin, which also tries the empty list if one unit is left.
    """
    waiting = Waiting(subject, [subject.root])
    pruning = partial(
        prune,
        minimise=minimise or or_nothing(ddmin),
        units=Units(subject, sys.maxsize),
        on_moved=waiting.on_moved,
    )
    hoisting = partial(
        hoist,
        max_candidates=max_candidates(subject),
        choice=COMPATIBLE,
        on_moved=waiting.on_moved,
    )
    while (node := waiting.pop()) is not None:
        subject.level = node.depth
        waiting.push(filter(_has_parts, _visit(subject, waiting, node, pruning, hoisting)))
    subject.memory.every_unit_tried = True


def _visit(
    subject: Subject, waiting: Waiting, node: Branch, pruning: Step, hoisting: Step
) -> list[Branch]:
    """Minimise a node's children and replace the node; return the branches to visit next."""
    place = waiting.place(node)
    children = pruning(subject, below([node], subject.span))
    rest = waiting.find(place)
    # The root itself cannot be replaced.
    if rest is not None and rest.parent is not None:
        before = subject.document
        replacements = hoisting(subject, [rest])
        if subject.document is not before:
            return replacements
    return children


def _has_parts(branch: Branch) -> bool:
    return branch.node.child_count > 0


# Pardis' candidates are edits of one document, the base. After this many deletions the best document
# becomes the base, or earlier if few nodes wait: looking up all that wait takes longer than a parse.
_MAX_EDITS_OF_BASE = 64
_WAITING_PER_EDIT = 16


@declare("pardis", runs="n", guarantee=ONE_TREE_MINIMAL, source="pardis-2019")
def pardis(subject: Subject) -> None:
    """Delete single nodes, always the heaviest one left in the tree."""
    _Pardis(subject).delete_singles()
    subject.memory.every_unit_tried = True


@declare("pardis-hybrid", runs="O(n²)", guarantee=ONE_TREE_MINIMAL, source="pardis-2019")
def pardis_hybrid(subject: Subject, minimise: Minimiser | None = None) -> None:
    """Do what `pardis` does, but minimise siblings of the same weight as a list.

    `minimise` is by default ddmin, which also tries the empty list if one unit is left.
    """
    search = _Pardis(subject)
    while search.delete_singles(lists_apart=True):
        search.delete_list(minimise or or_nothing(ddmin))
    subject.memory.every_unit_tried = True


class _Deletion(NamedTuple):
    candidate: Candidate
    gone: list[Unit]  # all that it deletes, in order
    mark: Mark  # the queue after the node was popped, before its children were pushed


class _Pardis:
    """The state of Pardis: the queue, the base, and the units that were deleted from it, in order."""

    def __init__(self, subject: Subject) -> None:
        subject.level = 0
        self._subject = subject
        self._base = subject.document
        self._gone: list[Unit] = []
        self._waiting = Waiting(subject, below([subject.root], subject.span))
        self._units = Units(subject, sys.maxsize)

    def delete_singles(self, *, lists_apart: bool = False) -> bool:
        """Delete nodes until none waits; with `lists_apart` only until a list is next: return True."""
        first = mapped(self._subject.first, attrgetter("candidate"))
        while (hit := first(self._deletions(lists_apart=lists_apart))) is not None:
            self._waiting.rewind(hit.candidate.mark)
            self._gone = hit.candidate.gone
            edits = len(self._gone)
            if edits > _MAX_EDITS_OF_BASE or edits * _WAITING_PER_EDIT > len(self._waiting):
                self._rebase()
        self._rebase()
        return len(self._waiting) > 0

    def _rebase(self) -> None:
        if self._gone:
            self._waiting.on_moved(self._deleting(self._gone).edits)
            self._units.refresh()
            self._base, self._gone = self._subject.document, []

    def _deletions(self, *, lists_apart: bool) -> Iterator[_Deletion]:
        """Yield a deletion of each heaviest node in turn, as if the earlier ones had failed."""
        while len(self._waiting):
            start = self._waiting.mark()
            nodes = self._waiting.pop_equals() if lists_apart else self._waiting.pop_first()
            units = self._units.of(nodes)
            if len(units) > 1:
                self._waiting.rewind(start)
                return
            for unit in units:
                gone = sorted([*self._gone, unit], key=lambda each: each[0].start)
                yield _Deletion(self._deleting(gone), gone, self._waiting.mark())
            self._waiting.push(below(nodes, self._units.layout.span))

    def _deleting(self, units: list[Unit]) -> Candidate:
        layout = self._units.layout
        return Candidate(self._base, layout.tidy(removing(units, layout)))

    def delete_list(self, minimise: Minimiser) -> None:
        """Minimise the list that is next in the queue."""
        nodes = self._waiting.pop_equals()
        units = self._units.of(nodes)
        level = Level(self._subject, nodes, units, Removing, adapted, self._waiting.on_moved)
        self._waiting.push(below(level.minimise(minimise), self._subject.span))
        self._base = self._subject.document
        self._units.refresh()
