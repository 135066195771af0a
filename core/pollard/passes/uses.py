"""Couples by name: a declaration with all that uses it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.passes.couples import Couple
from pollard.syntax.edits import Edit
from pollard.syntax.sizes import size
from pollard.syntax.slots import supertypes
from pollard.syntax.units import removal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pollard.passes.couples import Found
    from pollard.passes.orphans import Orphans
    from pollard.syntax.branches import Branch
    from pollard.syntax.declarations import Declaration

#: A declaration with more uses than this is left alone.
MOST_USES = 64

_LITERALS = (b"0", b"()")
_INSTANCES = 3
# What follows a name whose meaning is only a part of what is said.
_TAILS = (b"(", b"[", b"<", b"{", b".", b"::", b"->", b"?.")


def declared(found: Found, orphans: Orphans) -> Iterator[Couple]:
    """Yield, for each declaration in use, it without its uses: first taken away, then replaced."""
    stand_ins = StandIns(found)
    for declaration in found.names.all:
        group = _alike(found, declaration)
        uses = _elsewhere(found.names.uses(declaration), group)
        if not 1 < len(uses) + len(group) <= MOST_USES:
            continue
        gone = Couple(tuple(one.unit for one in group))
        for removed in (True, False):
            couple = without_uses(found, gone, uses, stand_ins, removed=removed)
            if couple is not None:
                yield couple + orphans.of(couple)


def without_uses(
    found: Found, gone: Couple, uses: Iterable[Branch], stand_ins: StandIns, *, removed: bool
) -> Couple | None:
    """Return what goes with its uses; `removed` or else replaced. None if one can be neither.

    Where the innermost unit around a use has what it uses, or weighs more than half of all, the use
    is replaced nevertheless.
    """
    most = size(found.document.text) // 2
    names = {found.names.name(leaf) for leaf in uses}
    for leaf in uses:
        unit = next(found.names.above(leaf), None) if removed else None
        if unit is not None and _takes_too_much(found, unit, gone, most):
            unit = None
        new = None if unit else stand_ins.of(leaf, names)
        if unit is not None:
            gone += Couple((found.unit(unit),))
        elif new is not None:
            gone += Couple((), (new,))
        else:
            return None
    return gone


def _takes_too_much(found: Found, unit: Branch, gone: Couple, most: int) -> bool:
    edit = removal(*found.unit(unit))
    inside = any(edit.start <= other.start and other.end <= edit.end for other, _ in gone.units)
    return inside or size(found.document.text[edit.start : edit.end]) > most


class StandIns:
    """Finds what may stand in the place of a name: a literal, or another name of its kind."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self._kinds: dict[int, list[bytes]] = {}
        for leaf in found.names.leaves:
            self._kinds.setdefault(leaf.trunk.kind_id, []).append(found.names.name(leaf))
        for texts in self._kinds.values():
            texts[:] = sorted(dict.fromkeys(texts), key=lambda text: (len(text), text))
        self._known: dict[tuple[tuple[int, ...], int, bytes], bool] = {}

    def of(self, leaf: Branch, names: frozenset[bytes] | set[bytes]) -> Edit | None:
        """Return the edit that puts something else than the names in a leaf's place.

        What is called, indexed or asked for a part goes with the call; what parses first is taken.
        """
        place = leaf
        while self._is_head(place) and place.parent is not None:
            place = place.parent
        texts = list(self._texts(leaf, names))
        edits = (Edit(b.start, b.end, text) for b in dict.fromkeys((place, leaf)) for text in texts)
        return next((edit for edit in edits if self._fits(leaf, edit)), None)

    def _is_head(self, branch: Branch) -> bool:
        after = branch.sibling(1)
        if after is None or branch.index:
            return False
        return self._found.document.text.startswith(_TAILS, after.start)

    def _texts(self, leaf: Branch, names: frozenset[bytes] | set[bytes]) -> Iterator[bytes]:
        own = leaf.trunk.kind_id
        home = leaf.home_in(self._found.document)
        above = supertypes(own, home.language)
        near = [
            text
            for kind, texts in self._kinds.items()
            if kind != own and above & supertypes(kind, home.language)
            for text in texts[:1]
        ]
        alike = [text for text in self._kinds.get(own, ()) if text not in names][:_INSTANCES]
        yield from (text for text in (*_LITERALS, *near, *alike) if text not in names)

    def _fits(self, leaf: Branch, edit: Edit) -> bool:
        key = (leaf.shape, edit.end - leaf.end, edit.new)
        if key not in self._known:
            edits = self._found.layout.tidy((edit,))
            self._known[key] = self._found.subject.fits(self._found.document, edits)
        return self._known[key]


def _alike(found: Found, declaration: Declaration) -> list[Declaration]:
    """Return all declarations of no other names: a function, say, with its prototypes."""
    return [
        other
        for other in found.names.of(declaration.names)
        if other.names <= declaration.names and other.scope == declaration.scope
    ]


def _elsewhere(uses: Iterable[Branch], group: Sequence[Declaration]) -> list[Branch]:
    spans = [one.span for one in group]
    return [leaf for leaf in uses if not any(leaf.is_within(span) for span in spans)]
