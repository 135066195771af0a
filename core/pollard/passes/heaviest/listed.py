"""Entries: names in lists of what is exported, and forward declarations, which go with what they name.

In Erlang, in Haskell and at the end of a JavaScript module, all that others may use stands in such a
list. Taken for a use like any other, an entry would tie the whole list to each function in it. Units of
Pascal or Ada and packages of VHDL announce the functions that their bodies have: neither goes alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.engine.pruning import Removing, Units
from pollard.syntax.branches.branches import child_at
from pollard.syntax.branches.units import removals
from pollard.syntax.names.conventions import (
    conventions,
    may_have,
    may_have_forward_declarations,
)
from pollard.syntax.names.definitions import defining
from pollard.syntax.names.spelling import word_places, words
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
        self._forward: dict[Branch, frozenset[int]] = {}
        self.may_exist = may_have(subject.document, "exports") or may_have_forward_declarations(
            subject.document
        )
        """Whether there may be lists of exports or forward declarations in the document."""

    def of(self, name: bytes) -> Mapping[int, Unit]:
        """Return the units that go with a name, each by the offset of the name in it."""
        if not self.may_exist:
            return {}
        if name not in self._found:
            places = word_places(self._document).get(name, ())
            entries = [(place, self._entry(name, place)) for place in places]
            units = dict(self._units.of([entry for _, entry in entries if entry]))
            self._found[name] = {
                place: (entry, units[entry]) for place, entry in entries if entry in units
            }
        return self._found[name]

    def _entry(self, name: bytes, place: int) -> Branch | None:
        """Return the outermost element of a list of exports that is hardly more than the name.

        Or what declares it without a body.
        """
        is_exported = False
        branch = child_at(self._root, place)
        while branch is not None:
            kinds = conventions(branch.home_in(self._document).language).kinds
            is_exported = is_exported or branch.node.type in kinds.exports
            if is_exported and self._is_little_more(branch, name) and _is_element(branch):
                return branch
            if branch.node.type in kinds.forward_declarations and place in self._announced(branch):
                return branch
            branch = child_at(branch, place)
        return None

    def _announced(self, branch: Branch) -> frozenset[int]:
        """Return where the names are that a branch declares if it ends without a body."""
        if branch not in self._forward:
            text, node = self._document.text, branch.node
            is_forward = text.endswith(b";", 0, branch.end) and not node.child_by_field_name("body")
            language = branch.home_in(self._document).language
            names = defining(node, text, language) if is_forward else ()
            self._forward[branch] = frozenset(name.start_byte for name in names)
        return self._forward[branch]

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


class Named:
    """Units of the subject's document as it is now: who uses what they define, and its entries."""

    def __init__(self, subject: Subject, units: Sequence[Unit]) -> None:
        self.document = subject.document
        self.units = units
        self.entries = Entries(subject)
        branches = [branch for branch, _ in units]
        self.uses = Uses(subject.document, branches, self.entries.of)


def removing_named(subject: Subject, named: Named) -> Writer:
    """Return what writes the edits that remove units with the entries of what only they define.

    `named` has the units that are removed first; later ones are those of the subject's document then.
    """

    def writer(units: Sequence[Unit], layout: Layout) -> RemovingNamed:
        now = named if named.document is subject.document else Named(subject, units)
        return RemovingNamed(now, layout)

    return writer


class RemovingNamed(Removing):
    """Writes the edits that remove units with the entries of what only they define."""

    def __init__(self, named: Named, layout: Layout) -> None:
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
        going = {
            place: unit
            for name in self._named.uses.lost(frozenset(places))
            for place, unit in entries.of(name).items()
            if not any(branch.start <= place < branch.end for branch in gone)
        }
        yield from removals([going[place] for place in sorted(going)], self._text)
