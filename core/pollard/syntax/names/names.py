"""The names of a document: what defines each of them, where that is visible, and what uses it.

Names are compared as texts, within the function that defines them, or everywhere. Comments and strings
use nothing. Wrong guesses only cost runs of the oracle.
"""

from __future__ import annotations

import bisect
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from pollard.syntax.branches.units import removal
from pollard.syntax.names.binder import Binder, field_of
from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import defining, leaves, with_fields
from pollard.syntax.names.spelling import is_word, word_at

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from tree_sitter import Language, Node

    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.branches.units import Reach, Unit
    from pollard.syntax.names.conventions import Conventions
    from pollard.syntax.tree.document import Document

    Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Definition:
    """A unit that defines `names`, which have this meaning inside of `scope` (start, end).

    An import, or what is local to a function, is of no use by itself.
    """

    unit: Unit
    names: frozenset[bytes]
    scope: Span
    is_local_or_import: bool

    @property
    def span(self) -> Span:
        """What its removal takes away (start, end)."""
        gone = removal(*self.unit)
        return gone.start, gone.end


class Names:
    """The names in a document, given its branches level by level and the units among them."""

    def __init__(
        self, document: Document, branches: Sequence[Branch], units: Iterable[Unit]
    ) -> None:
        self.document = document
        self.text = document.text
        self.branches = branches
        self.units: Mapping[Branch, Reach] = dict(units)
        self._uses: dict[Branch, list[Branch]] = {}

    @cached_property
    def leaves(self) -> list[Branch]:
        """The leaves that are names, in order."""
        found = [branch for branch in self.branches if self._is_name(branch)]
        return sorted(found, key=lambda leaf: leaf.start)

    @cached_property
    def _starts(self) -> list[int]:
        return [leaf.start for leaf in self.leaves]

    @cached_property
    def by_name(self) -> Mapping[bytes, Sequence[Branch]]:
        """The leaves, in order, that each name has."""
        found: dict[bytes, list[Branch]] = {}
        for leaf in self.leaves:
            found.setdefault(self.name(leaf), []).append(leaf)
        return found

    def name(self, branch: Branch) -> bytes:
        """Return a branch's text."""
        return self.text[branch.start : branch.end]

    def language_of(self, branch: Branch) -> Language | None:
        """Return the language of the tree that a branch is in."""
        return branch.home_in(self.document).language

    def conventions_of(self, branch: Branch) -> Conventions:
        """Return how the language of a branch names things."""
        return conventions(self.language_of(branch))

    def _is_name(self, branch: Branch) -> bool:
        node = branch.trunk
        return (
            not branch.children
            and node.is_named
            and node.type not in self.conventions_of(branch).kinds.texts
            and is_word(self.name(branch), self.document.language)
        )

    def defining(self, branch: Branch) -> list[Node]:
        """Return the leaves by which a branch defines something for the text around it."""
        return defining(branch.trunk, self.text, self.language_of(branch))

    def within(self, span: Span) -> Sequence[Branch]:
        """Return the names inside a span, in order."""
        return self.leaves[
            bisect.bisect_left(self._starts, span[0]) : bisect.bisect_left(self._starts, span[1])
        ]

    def called(self, names: Iterable[bytes], scope: Span) -> list[Branch]:
        """Return the leaves inside a scope that have one of the names, in order."""
        found = (leaf for name in names for leaf in self.by_name.get(name, ()))
        inside = (leaf for leaf in found if leaf.is_within(scope))
        return sorted(inside, key=lambda leaf: leaf.start)

    def above(self, leaf: Branch) -> Iterator[Branch]:
        """Yield the units around a name, the innermost first; the key of a value is none."""
        branch: Branch | None = leaf
        keys = self.conventions_of(leaf).fields.keys
        if leaf.parent and leaf.index == 0 and field_of(leaf) in keys:
            branch = leaf.parent
        while branch is not None:
            if branch in self.units:
                yield branch
            branch = branch.parent

    def is_listed(self, branch: Branch) -> bool:
        """Return whether a comma is beside a branch."""
        beside = (branch.sibling(-1), branch.sibling(1))
        return any(one is not None and self.name(one) == b"," for one in beside)

    def is_import(self, branch: Branch) -> bool:
        """Return whether a branch is an import."""
        return branch.node.type in self.conventions_of(branch).kinds.imports

    def is_imported(self, branch: Branch) -> bool:
        """Return whether a branch is an import, or one of its parts."""
        return is_imported(branch, self.document)

    def is_function(self, branch: Branch) -> bool:
        """Return whether a branch has a body, and parameters or what may have them."""
        node = branch.trunk
        parameters = self.conventions_of(branch).fields.parameters
        return node.child_by_field_name("body") is not None and any(
            node.child_by_field_name(field) is not None for field in parameters
        )

    @cached_property
    def definitions(self) -> list[Definition]:
        """All definitions, in the order of the text."""
        starts: dict[Branch, set[int]] = {}
        for start, unit in self._bound.items():
            if unit is not None:
                starts.setdefault(unit, set()).add(start)
        found = [self._definition(unit, own) for unit, own in starts.items()]
        return sorted(found, key=lambda definition: definition.unit[0].start)

    @cached_property
    def _bound(self) -> Mapping[int, Branch | None]:
        return Binder(self).bound()

    def _definition(self, branch: Branch, own: set[int]) -> Definition:
        """Return what a unit defines, with what smaller definitions in it define for its outside."""
        also = {leaf.start_byte for leaf in self.defining(branch)}
        starts = own | {start for start in also if self._bound.get(start) is not None}
        scope = self._scope(branch)
        is_local = scope != (0, len(self.text)) or self.is_imported(branch)
        names = frozenset(word_at(self.text, start, self.document.language) for start in starts)
        return Definition((branch, self.units[branch]), names, scope, is_local)

    def _scope(self, branch: Branch) -> Span:
        """Return the span of the nearest function around; of all of the text if there is none."""
        above = branch.parent
        while above is not None:
            if self.is_function(above):
                return above.start, above.end
            above = above.parent
        return 0, len(self.text)

    @cached_property
    def _by_defined_name(self) -> Mapping[bytes, Sequence[Definition]]:
        found: dict[bytes, list[Definition]] = {}
        for definition in self.definitions:
            for name in definition.names:
                found.setdefault(name, []).append(definition)
        return found

    def definitions_of(self, names: Iterable[bytes]) -> list[Definition]:
        """Return the definitions of any of the names, in the order of the text."""
        found = {one: None for name in names for one in self._by_defined_name.get(name, ())}
        return sorted(found, key=lambda definition: definition.unit[0].start)

    def uses(self, definition: Definition) -> list[Branch]:
        """Return the leaves outside of a definition that have one of its names and its meaning."""
        branch = definition.unit[0]
        if branch not in self._uses:
            hidden = [definition.span, *self._shadowing(definition)]
            self._uses[branch] = [
                leaf
                for leaf in self.called(definition.names, definition.scope)
                if not any(start < leaf.end and leaf.start < end for start, end in hidden)
            ]
        return self._uses[branch]

    def _shadowing(self, definition: Definition) -> Iterator[Span]:
        """Yield the scopes inside of a definition's own where all its names mean something else."""
        start, end = definition.scope
        for other in self.definitions_of(definition.names):
            inside = start <= other.scope[0] and other.scope[1] <= end
            if inside and other.scope != definition.scope and definition.names <= other.names:
                yield other.scope


def is_imported(branch: Branch, document: Document) -> bool:
    """Return whether a branch is an import, or one of its parts."""
    around = (branch, branch.parent, branch.parent.parent if branch.parent else None)
    return any(
        one is not None
        and one.node.type in conventions(one.home_in(document).language).kinds.imports
        for one in around
    )


def identifiers(
    document: Document, declared: Collection[bytes] = frozenset()
) -> dict[bytes, list[Span]]:
    """Return where each name stands (start, end) in a document's own tree, in the order of the text.

    What is `declared` is a name in any kind of leaf but strings and comments: C's grammar takes
    `int32_t` for a keyword. Islands are leaves of the tree, and not names.
    """
    found: dict[bytes, list[Span]] = {}
    kinds, text = conventions(document.language).kinds, document.text
    for leaf in leaves(document.root):
        name = text[leaf.start_byte : leaf.end_byte]
        if not name or not leaf.is_named:
            continue
        if leaf.type in kinds.identifiers or (name in declared and leaf.type not in kinds.texts):
            found.setdefault(name, []).append(leaf.byte_range)
    return found


def declared_names(document: Document) -> frozenset[bytes]:
    """Return the names that anything in a document's own tree declares, parameters and locals too."""
    known, text = conventions(document.language), document.text
    declaring = known.fields.names | known.fields.assigned
    found: set[bytes] = set()
    stack = [(document.root, False)]
    while stack:
        node, named = stack.pop()
        if named and not node.child_count and node.is_named and node.type not in known.kinds.texts:
            name = text[node.start_byte : node.end_byte]
            found |= {name} if is_word(name) else set()
        for field, child in with_fields(node):
            inherited = field is None and (named or node.type in known.kinds.parameters)
            stack.append((child, field in declaring or inherited))
    return frozenset(found)
