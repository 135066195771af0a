"""Entries: names in export lists, and forward declarations. They go with what they name.

Erlang, Haskell and JavaScript modules list what they export. Counted as a use like any other, an entry
would tie the whole list to each function in it. In Pascal, Ada and VHDL a function is declared in one
place and has its body in another: neither can go alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.engine.pruning import Removing, Units
from pollard.syntax.branches.branches import child_at
from pollard.syntax.branches.units import removals
from pollard.syntax.names.conventions import conventions, word_places, words
from pollard.syntax.names.definitions import forward_declared
from pollard.syntax.names.presence import export_places
from pollard.syntax.names.uses import Uses
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pollard.engine.pruning import Writer
    from pollard.engine.subject import Subject
    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.branches.units import Unit
    from pollard.syntax.layout.layout import Layout
    from pollard.syntax.tree.edits import Edit


# An entry has at most twice the bytes of its name and these more, for another name or a number.
_MAX_EXTRA_BYTES = 12
_MAX_ENTRY_WORDS = 3


class Entries:
    """Finds the entries of names in the subject's present document."""

    def __init__(self, subject: Subject) -> None:
        self._document = subject.document
        self._root = subject.root
        self._units = Units(subject)
        self._found: dict[bytes, Mapping[int, Unit]] = {}
        self._forward: dict[Branch, frozenset[int]] = {}
        self._places = export_places(subject.document)

    @property
    def may_exist(self) -> bool:
        """Whether there may be lists of exports or forward declarations in the document."""
        return bool(self._places)

    def of(self, name: bytes) -> Mapping[int, Unit]:
        """Map the offset of the name in each of its entries to the unit of the entry."""
        if not self.may_exist:
            return {}
        if name not in self._found:
            entries = [
                (place, self._entry(name, place))
                for place in word_places(self._document).get(name, ())
                if self._places.overlap(place, place + 1)
            ]
            units = dict(self._units.of([entry for _, entry in entries if entry]))
            self._found[name] = {
                place: (entry, units[entry]) for place, entry in entries if entry in units
            }
        return self._found[name]

    def _entry(self, name: bytes, place: int) -> Branch | None:
        """Return the entry around a name at an offset, if there is one.

        It is the outermost element of an export list that is hardly longer than the name, or a
        declaration without a body.
        """
        is_exported = False
        branch = child_at(self._root, place)
        while branch is not None:
            kinds = conventions(branch.own_document_in(self._document).language).kinds
            is_exported = is_exported or branch.node.type in kinds.exports
            if is_exported and self._is_hardly_longer(branch, name) and _is_element(branch):
                return branch
            if branch.node.type in kinds.forward_declarations and place in self._forward_declared(
                branch
            ):
                return branch
            branch = child_at(branch, place)
        return None

    def _forward_declared(self, branch: Branch) -> frozenset[int]:
        """Return the offsets of the names that a branch declares, if it has no body."""
        if branch not in self._forward:
            language = branch.own_document_in(self._document).language
            names = forward_declared(branch.node, self._document.text, language)
            self._forward[branch] = frozenset(name.start_byte for name in names)
        return self._forward[branch]

    def _is_hardly_longer(self, branch: Branch, name: bytes) -> bool:
        text = self._document.text[branch.start : branch.end]
        return (
            size(text) <= 2 * len(name) + _MAX_EXTRA_BYTES
            and words(text).total() <= _MAX_ENTRY_WORDS
        )


def _is_element(branch: Branch) -> bool:
    """Return whether a sibling of the same kind is next to a branch, after one token."""
    if branch.is_token:
        return False
    for side in (-1, 1):
        separator, other = branch.sibling(side), branch.sibling(2 * side)
        if separator and separator.is_token and other and other.node.type == branch.node.type:
            return True
    return False


class NamedUnits:
    """Units of the subject's present document with the uses and entries of what they define."""

    def __init__(self, subject: Subject, units: Sequence[Unit]) -> None:
        self.document = subject.document
        self.units = units
        self.entries = Entries(subject)
        branches = [branch for branch, _ in units]
        self.uses = Uses(subject.document, branches, self.entries.of)


def removing_with_entries(subject: Subject, named: NamedUnits) -> Writer:
    """Return the writer of edits that remove units, and the entries of what only they define.

    `named` is used as long as its document is the subject's; then a new one is made.
    """

    def writer(units: Sequence[Unit], layout: Layout) -> RemovingWithEntries:
        current = named if named.document is subject.document else NamedUnits(subject, units)
        return RemovingWithEntries(current, layout)

    return writer


class RemovingWithEntries(Removing):
    """Writes the edits that remove units, and the entries of what only they define."""

    def __init__(self, named: NamedUnits, layout: Layout) -> None:
        super().__init__(named.units, layout)
        self._named = named
        self._text = layout.text

    def __call__(self, places: Sequence[int]) -> Iterator[Edit]:
        """Yield the edits that remove the units at `places`, then those of the entries."""
        yield from super().__call__(places)
        entries = self._named.entries
        if not entries.may_exist:
            return
        gone = [self._named.units[place][0] for place in places]
        lost_entries = {
            place: unit
            for name in self._named.uses.lost(frozenset(places))
            for place, unit in entries.of(name).items()
            if not any(branch.start <= place < branch.end for branch in gone)
        }
        yield from removals([lost_entries[place] for place in sorted(lost_entries)], self._text)
