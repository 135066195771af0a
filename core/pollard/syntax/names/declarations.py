"""Declarations: which units of a tree define names, and where those names are used.

Names are compared as texts, within the function that the declaration is in, or everywhere. Comments
and strings use nothing. As all of that only steers a search, a wrong guess costs runs, never
correctness.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from pollard.syntax.branches.units import removal
from pollard.syntax.grammars.spelling import word_at
from pollard.syntax.names.leaves import Names
from pollard.syntax.names.owners import Owners, is_imported

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tree_sitter import Language

    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.branches.units import Unit

    Span = tuple[int, int]


_PARAMETERS = ("parameters", "parameter", "declarator")


@dataclass(frozen=True, slots=True)
class Declaration:
    """A unit that defines `names`, which mean that inside of `scope` (start, end).

    `is_lent` says that it is of no use by itself: an import, or what is local to a function.
    """

    unit: Unit
    names: frozenset[bytes]
    scope: Span
    is_lent: bool

    @property
    def span(self) -> Span:
        """What goes with it (start, end)."""
        gone = removal(*self.unit)
        return gone.start, gone.end


class Declarations(Names):
    """The declarations of a tree, given as its branches level by level with their units.

    `marks` tell of which names a query calls them defined, and by what (`pollard.syntax.names.marks`).
    """

    def __init__(
        self,
        text: bytes,
        branches: Sequence[Branch],
        units: Iterable[Unit],
        marks: Mapping[int, Span],
        language: Language | None,
    ) -> None:
        super().__init__(text, branches, units, language)
        self._marks = marks
        self._uses: dict[Branch, list[Branch]] = {}

    def uses(self, declaration: Declaration) -> list[Branch]:
        """Return the leaves, outside of a declaration, that have a name of it and its meaning."""
        branch = declaration.unit[0]
        if branch not in self._uses:
            hidden = [declaration.span, *self._shadowed(declaration)]
            self._uses[branch] = [
                leaf
                for leaf in self.called(declaration.names, declaration.scope)
                if not any(start < leaf.end and leaf.start < end for start, end in hidden)
            ]
        return self._uses[branch]

    def _shadowed(self, declaration: Declaration) -> Iterator[Span]:
        """Yield the scopes inside of a declaration's own where all its names mean something else."""
        start, end = declaration.scope
        for other in self.of(declaration.names):
            inside = start <= other.scope[0] and other.scope[1] <= end
            if inside and other.scope != declaration.scope and declaration.names <= other.names:
                yield other.scope

    def of(self, names: Iterable[bytes]) -> list[Declaration]:
        """Return the declarations that define one of the names, in the order of the text."""
        found = {one: None for name in names for one in self._defining.get(name, ())}
        return sorted(found, key=lambda declaration: declaration.unit[0].start)

    @cached_property
    def _defining(self) -> dict[bytes, list[Declaration]]:
        found: dict[bytes, list[Declaration]] = {}
        for declaration in self.all:
            for name in declaration.names:
                found.setdefault(name, []).append(declaration)
        return found

    @cached_property
    def all(self) -> list[Declaration]:
        """All declarations, in the order of the text."""
        starts: dict[Branch, set[int]] = {}
        for start, owner in self._owners.items():
            if owner is not None:
                starts.setdefault(owner, set()).add(start)
        found = [self._declaration(owner, own) for owner, own in starts.items()]
        return sorted(found, key=lambda declaration: declaration.unit[0].start)

    def _declaration(self, owner: Branch, own: set[int]) -> Declaration:
        """Return what an owner declares, with what smaller declarations in it do for the outside."""
        also = {leaf.start_byte for leaf in self.defining(owner)}
        starts = own | {start for start in also if self._owners.get(start) is not None}
        scope = self._scope(owner)
        lent = scope != (0, len(self.text)) or is_imported(owner)
        names = frozenset(word_at(self.text, start, self.language) for start in starts)
        return Declaration((owner, self.units[owner]), names, scope, lent)

    @cached_property
    def _owners(self) -> Mapping[int, Branch | None]:
        return Owners(self, self._marks).find()

    def _scope(self, owner: Branch) -> Span:
        """Return the span of the nearest function around; of all of the text if there is none."""
        above = owner.parent
        while above is not None:
            if is_function(above):
                return above.start, above.end
            above = above.parent
        return 0, len(self.text)


def is_function(branch: Branch) -> bool:
    """Tell whether a branch has parameters and a body, or something that may have parameters."""
    node = branch.trunk
    return node.child_by_field_name("body") is not None and any(
        node.child_by_field_name(field) is not None for field in _PARAMETERS
    )
