"""Entries: names in lists of what is exported, which go with what they name.

In Erlang, in Haskell and at the end of a JavaScript module, all that others may use stands in such a
list. Taken for a use like any other, an entry would tie the whole list to each function in it.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from pollard.passes.prune import Removing, Units
from pollard.syntax.identifiers import words
from pollard.syntax.kinds import EXPORT, has_kind
from pollard.syntax.sizes import size
from pollard.syntax.units import removals
from pollard.syntax.usage import Uses

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pollard.passes.subject import Subject
    from pollard.syntax.branches import Branch
    from pollard.syntax.edits import Edit
    from pollard.syntax.layout import Layout
    from pollard.syntax.units import Unit

# Besides the name an entry has at most as much again and so many bytes: another name, a number.
_MORE = 12
_WORDS = 3


class Entries:
    """Finds the entries of names in the subject's document as it is now."""

    def __init__(self, subject: Subject) -> None:
        self._document = subject.document
        self._root = subject.root
        self._units = Units(subject)
        self._found: dict[bytes, Mapping[int, Unit]] = {}
        self.may_exist = has_kind(subject.document, EXPORT)
        """Whether the languages of the document have lists of exports."""

    def of(self, name: bytes) -> Mapping[int, Unit]:
        """Return the units that go with a name, each by the offset of the name in it."""
        if not self.may_exist:
            return {}
        if name not in self._found:
            places = self._document.words.get(name, ())
            entries = [(place, self._entry(name, place)) for place in places]
            units = dict(self._units.of([entry for _, entry in entries if entry]))
            self._found[name] = {
                place: (entry, units[entry]) for place, entry in entries if entry in units
            }
        return self._found[name]

    def _entry(self, name: bytes, place: int) -> Branch | None:
        """Return the outermost element of a list of exports that is hardly more than the name."""
        branch, is_exported = self._root, False
        while branch.children:
            index = bisect_right(branch.children, place, key=lambda child: child.start) - 1
            if index < 0 or branch.children[index].end <= place:
                return None
            branch = branch.children[index]
            is_exported = is_exported or EXPORT.search(branch.node.type) is not None
            if is_exported and self._is_little_more(branch, name) and _is_element(branch):
                return branch
        return None

    def _is_little_more(self, branch: Branch, name: bytes) -> bool:
        text = self._document.text[branch.start : branch.end]
        return size(text) <= 2 * len(name) + _MORE and words(text).total() <= _WORDS


def _is_element(branch: Branch) -> bool:
    """Tell whether there is another one of its kind beside it, with a separator between them."""
    if branch.is_token:
        return False
    for side in (-1, 1):
        separator, other = branch.sibling(side), branch.sibling(2 * side)
        if separator and separator.is_token and other and other.node.type == branch.node.type:
            return True
    return False


class RemovingNamed(Removing):
    """Writes the edits that remove units with the entries of what only they define."""

    def __init__(self, subject: Subject, units: Sequence[Unit], layout: Layout) -> None:
        super().__init__(units, layout)
        self._branches = [branch for branch, _ in units]
        self._text = layout.text
        self._entries = Entries(subject)
        self._uses = Uses(subject.document, self._branches, self._entries.of)

    def __call__(self, places: Sequence[int]) -> Iterator[Edit]:
        """Yield the edits that remove the units at `places`, then those of the entries."""
        yield from super().__call__(places)
        if not self._entries.may_exist:
            return
        gone = [self._branches[place] for place in places]
        entries = {
            place: unit
            for name in self._uses.lost(frozenset(places))
            for place, unit in self._entries.of(name).items()
            if not any(branch.start <= place < branch.end for branch in gone)
        }
        yield from removals([entries[place] for place in sorted(entries)], self._text)
