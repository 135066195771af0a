"""The branches that a pass has yet to visit, the heaviest first: the queue of Perses and Pardis.

Documents change while branches wait. To look all of them up again after each accepted edit would take
longer than the oracle in long texts; so the queue knows them by their offsets and by the version of
the document that these belong to, and looks a branch up when its turn comes: its offsets are carried
through the edits since, and the tree is searched for a node with just these bytes.
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
    """Where a branch was in some version of the document; places are in the order of their turns."""

    lightness: int  # its tokens, negative
    number: int  # of equals, who came first has the first turn
    version: int
    start: int
    end: int


class Mark(NamedTuple):
    """A moment to which a queue can be taken back as long as the document stays the same."""

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
        self._rest_here()
        self.push(branches)

    def __len__(self) -> int:
        return len(self._heap)

    def push(self, branches: Iterable[Branch]) -> None:
        """Let branches of the document as it is now wait for their turns."""
        for branch in branches:
            heapq.heappush(self._heap, self.place(branch))

    def pop(self) -> Branch | None:
        """Return the heaviest branch, of the first ones of its weight; None if none is left.

        Branches whose text is gone, or is no longer a node of its own, have lost their turn: a later
        iteration meets what became of them.
        """
        while self._heap:
            place = heapq.heappop(self._heap)
            self._popped.append(place)
            branch = self.find(place)
            if branch is not None:
                return branch
        return None

    def pop_first(self) -> list[Branch]:
        """Return the heaviest branch in a list, which is empty if none is left."""
        branch = self.pop()
        return [] if branch is None else [branch]

    def pop_equals(self) -> list[Branch]:
        """Return the heaviest branch, and those of its siblings with the same weight that follow."""
        equals = self.pop_first()
        weight = self._popped[-1].lightness if equals else 0
        while equals and self._heap and self._heap[0].lightness == weight:
            before = self.mark()
            other = self.pop()
            if (
                other is None
                or other.parent is not equals[0].parent
                or self._popped[-1].lightness != weight
            ):
                self.rewind(before)
                break
            equals.append(other)
        return equals

    def mark(self) -> Mark:
        """Return the present moment."""
        return Mark(len(self._popped), self._number)

    def rewind(self, mark: Mark) -> None:
        """Undo all turns and all pushes since a moment."""
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
        """Take note that `edits` made the document of its predecessor."""
        self._shifts.append(Shift(edits))
        self._rest_here()

    def place(self, branch: Branch) -> Place:
        """Return a place by which a branch of the document as it is now can be found later."""
        number = self._number
        self._number += 1
        self._here[number] = branch
        return Place(-leaves(branch.node), number, len(self._shifts), branch.start, branch.end)

    def find(self, place: Place) -> Branch | None:
        """Return the branch that is now where the one of a place has gone to, if any."""
        if place.version == len(self._shifts):
            return self._here[place.number]
        start, end = place.start, place.end
        for shift in self._shifts[place.version :]:
            start, end = shift.at(start), shift.end_at(end)
        return branch_at(self._root, (start, end)) if start < end else None

    def _rest_here(self) -> None:
        self._popped.clear()
        self._here: dict[int, Branch] = {}
        self._root = self._subject.root
