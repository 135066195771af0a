"""Pardis (Gharachorlu, Sumner, "PARDIS: Priority Aware Test Case Reduction", FASE 2019).

Perses minimises whole lists, so light elements of a heavy list are tried before heavier nodes that are
elsewhere: priority inversion. Pardis tries to delete one node at a time, always the heaviest that is
left in the whole tree, and only nodes that the grammar lets go (*nullable* ones; here those that have a
unit). Where that is not interesting the node's children take its place in the queue.
"""

from __future__ import annotations

import sys
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from pollard.engine.declaration import ONE_TREE_MINIMAL, declare
from pollard.engine.levels import Level
from pollard.engine.pruning import Removing, Units, removing
from pollard.engine.subject import Candidate
from pollard.passes.papers.queue import Mark, Waiting
from pollard.search.combine import or_nothing
from pollard.search.ddmin import ddmin
from pollard.search.first import mapped
from pollard.syntax.branches.branches import below
from pollard.syntax.branches.units import adapted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.engine.subject import Subject
    from pollard.search.combine import Minimiser
    from pollard.syntax.branches.units import Unit


# After so many deletions the best document becomes the one that candidates are edits of, or earlier if
# few nodes wait. To look nodes up in a long text after each deletion would take longer than parsing it.
_MOST_EDITS = 64
_WAITING_PER_EDIT = 16


@declare("pardis", runs="n", guarantee=ONE_TREE_MINIMAL, source="pardis-2019")
def pardis(subject: Subject) -> None:
    """Delete single nodes, always the heaviest of the tree that is left."""
    _Pardis(subject).delete_singles()
    subject.memory.every_unit_tried = True


@declare("pardis-hybrid", runs="O(n²)", guarantee=ONE_TREE_MINIMAL, source="pardis-2019")
def pardis_hybrid(subject: Subject, minimise: Minimiser | None = None) -> None:
    """Like `pardis`, but minimise siblings of the same weight as a list.

    `minimise` is ddmin, or nothing at all if one unit is left.
    """
    hybrid = _Pardis(subject)
    while hybrid.delete_singles(lists_apart=True):
        hybrid.delete_list(minimise or or_nothing(ddmin))
    subject.memory.every_unit_tried = True


class _Deletion(NamedTuple):
    candidate: Candidate
    gone: list[Unit]  # all that it deletes
    mark: Mark  # when the node had had its turn, and its children did not wait yet


class _Pardis:
    """`_gone` are the units, in order, of the document `_base` that have been deleted from it."""

    def __init__(self, subject: Subject) -> None:
        subject.level = 0
        self._subject = subject
        self._base = subject.document
        self._gone: list[Unit] = []
        self._waiting = Waiting(subject, below([subject.root], subject.span))
        self._units = Units(subject, sys.maxsize)

    def delete_singles(self, *, lists_apart: bool = False) -> bool:
        """Go on until nothing waits or, if they are kept apart, until a list is next: then True."""
        first = mapped(self._subject.first, attrgetter("candidate"))
        while (hit := first(self._deletions(lists_apart=lists_apart))) is not None:
            self._waiting.rewind(hit.candidate.mark)
            self._gone = hit.candidate.gone
            edits = len(self._gone)
            if edits > _MOST_EDITS or edits * _WAITING_PER_EDIT > len(self._waiting):
                self._rebase()
        self._rebase()
        return len(self._waiting) > 0

    def _rebase(self) -> None:
        if self._gone:
            self._waiting.on_moved(self._deleting(self._gone).edits)
            self._units.refresh()
            self._base, self._gone = self._subject.document, []

    def _deletions(self, *, lists_apart: bool) -> Iterator[_Deletion]:
        """Yield the deletion of the heaviest node, and then the next as if none were interesting."""
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
        """Minimise the list that is next."""
        nodes = self._waiting.pop_equals()
        units = self._units.of(nodes)
        level = Level(self._subject, nodes, units, Removing, adapted, self._waiting.on_moved)
        self._waiting.push(below(level.minimise(minimise), self._subject.span))
        self._base = self._subject.document
        self._units.refresh()
