"""The queue of Perses and Pardis: the branches that are still to be visited, the heaviest first.

The document changes while branches wait. In a long text, looking all of them up after each accepted
edit would take longer than the oracle. So the queue stores a branch's offsets and the version of the
document that they belong to. When the branch's turn comes, its offsets are carried through the edits
since, and the tree is searched for a node with just these bytes.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, NamedTuple

from pollard.syntax.branches.branches import branch_at
from pollard.syntax.tree.edits import Shift
from pollard.syntax.tree.sizes import leaves

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pollard.engine.subject import Edits, Subject
    from pollard.syntax.branches.branches import Branch


class Place(NamedTuple):
    """The place of a branch in one version of the document; places sort in the order of their turns."""

    lightness: int  # the negative number of tokens
    number: int  # ties: insertion order
    version: int
    start: int
    end: int


class Mark(NamedTuple):
    """A state that the queue can be rewound to as long as the document stays the same."""

    popped: int
    number: int


class Waiting:
    """A priority queue of disjoint branches of the subject's document."""

    def __init__(self, subject: Subject, branches: Iterable[Branch] = ()) -> None:
        self._subject = subject
        self._heap: list[Place] = []
        self._popped: list[Place] = []
        self._number = 0
        self._shifts: list[Shift] = []
        self._use_present_document()
        self.push(branches)

    def __len__(self) -> int:
        return len(self._heap)

    def push(self, branches: Iterable[Branch]) -> None:
        """Add branches of the present document."""
        for branch in branches:
            heapq.heappush(self._heap, self.place(branch))

    def pop(self) -> Branch | None:
        """Return the heaviest branch; None if none is left.

        Branches whose text is gone, or is no longer a node of its own, are skipped: the next round of
        the pass visits what they became.
        """
        while self._heap:
            place = heapq.heappop(self._heap)
            self._popped.append(place)
            branch = self.find(place)
            if branch is not None:
                return branch
        return None

    def pop_first(self) -> list[Branch]:
        """Return a list of the heaviest branch; an empty one if none is left."""
        branch = self.pop()
        return [] if branch is None else [branch]

    def pop_equals(self) -> list[Branch]:
        """Return the heaviest branch and the siblings of the same weight next in the queue."""
        equals = self.pop_first()
        weight = self._popped[-1].lightness if equals else 0
        while equals and self._heap and self._heap[0].lightness == weight:
            mark = self.mark()
            other = self.pop()
            if (
                other is None
                or other.parent is not equals[0].parent
                or self._popped[-1].lightness != weight
            ):
                self.rewind(mark)
                break
            equals.append(other)
        return equals

    def mark(self) -> Mark:
        """Return the present state."""
        return Mark(len(self._popped), self._number)

    def rewind(self, mark: Mark) -> None:
        """Undo all pops and pushes since a state."""
        undone = self._popped[mark.popped :]
        del self._popped[mark.popped :]
        if self._number > mark.number:
            self._heap = [place for place in self._heap if place.number < mark.number]
            heapq.heapify(self._heap)
            self._number = mark.number
        for place in undone:
            if place.number < mark.number:
                heapq.heappush(self._heap, place)

    def on_moved(self, edits: Edits) -> None:
        """Record that `edits` made the present document from the one before."""
        self._shifts.append(Shift(edits))
        self._use_present_document()

    def place(self, branch: Branch) -> Place:
        """Return a place by which a branch of the present document can be found later."""
        number = self._number
        self._number += 1
        self._by_number[number] = branch
        return Place(-leaves(branch.node), number, len(self._shifts), branch.start, branch.end)

    def find(self, place: Place) -> Branch | None:
        """Return what the branch of a place became in the present document, if it is still a branch."""
        if place.version == len(self._shifts):
            return self._by_number[place.number]
        start, end = place.start, place.end
        for shift in self._shifts[place.version :]:
            start, end = shift.at(start), shift.end_at(end)
        return branch_at(self._root, (start, end)) if start < end else None

    def _use_present_document(self) -> None:
        self._popped.clear()
        self._by_number: dict[int, Branch] = {}
        self._root = self._subject.root
