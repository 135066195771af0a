"""The names of a document: what defines each, where the definition is visible, and what uses it.

Names are compared as texts, within the function that defines them, or everywhere. Words in comments and
strings use nothing.

To *bind* a name's place is to find the unit that defines it. The fields of a grammar give most
definitions, the queries of its package some more, and an import defines every name that it mentions. Of
several units around a name the innermost one defines it, or a larger one that does nothing else.
"""

from __future__ import annotations

import bisect
import re
from functools import cached_property
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions, is_word, word_at
from pollard.syntax.names.definitions import (
    Definition,
    assigning,
    child_in,
    defining,
    field_of,
    is_imported,
    queried_definitions,
)

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from tree_sitter import Language, Node

    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.branches.units import Reach, Unit
    from pollard.syntax.names.conventions import Conventions
    from pollard.syntax.tree.document import Document

    Span = tuple[int, int]


_LAST_WORD = re.compile(rb"\w+(?=\W*\Z)")


class Names:
    """The names of a document, given its branches, level by level, and the units among them."""

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
        """The leaves that are names, in the order of the text."""
        found = [branch for branch in self.branches if self._is_name(branch)]
        return sorted(found, key=lambda leaf: leaf.start)

    @cached_property
    def _starts(self) -> list[int]:
        return [leaf.start for leaf in self.leaves]

    @cached_property
    def leaves_by_name(self) -> Mapping[bytes, Sequence[Branch]]:
        """The places of each name, in the order of the text."""
        found: dict[bytes, list[Branch]] = {}
        for leaf in self.leaves:
            found.setdefault(self.text_of(leaf), []).append(leaf)
        return found

    def text_of(self, branch: Branch) -> bytes:
        """Return a branch's text."""
        return self.text[branch.start : branch.end]

    def language_of(self, branch: Branch) -> Language | None:
        """Return the language of the tree that a branch is in."""
        return branch.own_document_in(self.document).language

    def conventions_of(self, branch: Branch) -> Conventions:
        """Return how the language of a branch names things."""
        return conventions(self.language_of(branch))

    def _is_name(self, branch: Branch) -> bool:
        node = branch.inner_node
        return (
            not branch.children
            and node.is_named
            and node.type not in self.conventions_of(branch).kinds.texts
            and is_word(self.text_of(branch), self.document.language)
        )

    def defining(self, branch: Branch) -> list[Node]:
        """Return the leaves by which a branch defines something for the text around it."""
        return defining(branch.inner_node, self.text, self.language_of(branch))

    def leaves_within(self, span: Span) -> Sequence[Branch]:
        """Return the names inside a span, in order."""
        return self.leaves[
            bisect.bisect_left(self._starts, span[0]) : bisect.bisect_left(self._starts, span[1])
        ]

    def leaves_named(self, names: Iterable[bytes], scope: Span) -> list[Branch]:
        """Return the places of any of the names inside a span, in order."""
        found = (leaf for name in names for leaf in self.leaves_by_name.get(name, ()))
        inside = (leaf for leaf in found if leaf.is_within(scope))
        return sorted(inside, key=lambda leaf: leaf.start)

    def units_around(self, leaf: Branch) -> Iterator[Branch]:
        """Yield the units around a name, the innermost first; skip the key of a value."""
        branch: Branch | None = leaf
        keys = self.conventions_of(leaf).fields.keys
        if leaf.parent and leaf.index == 0 and field_of(leaf) in keys:
            branch = leaf.parent
        while branch is not None:
            if branch in self.units:
                yield branch
            branch = branch.parent

    def is_in_list(self, branch: Branch) -> bool:
        """Return whether a separator stands beside a branch."""
        beside = (branch.sibling(-1), branch.sibling(1))
        separators = self.conventions_of(branch).tokens.separators
        return any(one is not None and self.text_of(one) in separators for one in beside)

    def is_import(self, branch: Branch) -> bool:
        """Return whether a branch is an import."""
        return branch.node.type in self.conventions_of(branch).kinds.imports

    def is_function(self, branch: Branch) -> bool:
        """Return whether a branch has a body, and a field that may have parameters."""
        node, known = branch.inner_node, self.conventions_of(branch).fields
        has_body = child_in(node, known.bodies) is not None
        return has_body and child_in(node, known.parameters) is not None

    @cached_property
    def definitions(self) -> list[Definition]:
        """All definitions, in the order of the text."""
        starts: dict[Branch, set[int]] = {}
        for start, unit in self._unit_by_offset.items():
            if unit is not None:
                starts.setdefault(unit, set()).add(start)
        found = [self._definition(unit, own) for unit, own in starts.items()]
        return sorted(found, key=lambda definition: definition.unit[0].start)

    @cached_property
    def _unit_by_offset(self) -> Mapping[int, Branch | None]:
        return _Binder(self).units_by_offset()

    def _definition(self, branch: Branch, own: set[int]) -> Definition:
        """Return what a unit defines, and what smaller definitions in it define for the outside."""
        also = {leaf.start_byte for leaf in self.defining(branch)}
        starts = own | {start for start in also if self._unit_by_offset.get(start) is not None}
        scope = self._scope(branch)
        is_local = scope != (0, len(self.text)) or is_imported(branch, self.document)
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
        """Return the places outside of a definition that have one of its names with its meaning."""
        branch = definition.unit[0]
        if branch not in self._uses:
            hidden = [definition.span, *self._shadowing(definition)]
            self._uses[branch] = [
                leaf
                for leaf in self.leaves_named(definition.names, definition.scope)
                if not any(start < leaf.end and leaf.start < end for start, end in hidden)
            ]
        return self._uses[branch]

    def _shadowing(self, definition: Definition) -> Iterator[Span]:
        """Yield the scopes inside a definition's scope where all its names mean something else."""
        start, end = definition.scope
        for other in self.definitions_of(definition.names):
            inside = start <= other.scope[0] and other.scope[1] <= end
            if inside and other.scope != definition.scope and definition.names <= other.names:
                yield other.scope


class _Binder:
    """Finds the units that define names."""

    def __init__(self, names: Names) -> None:
        self._names = names

    def units_by_offset(self) -> dict[int, Branch | None]:
        """Map offsets of names to the units that define them, None where they are just mentioned."""
        units = self._names.units
        found: dict[int, Branch | None] = dict(self._defined_in_lists())
        for branch in reversed(self._names.branches):
            if branch in units and branch.children:
                for node in [*self._names.defining(branch), *self._first_assigned(branch)]:
                    unit = self._widened(branch) if self._defines(branch, node) else None
                    found.setdefault(node.start_byte, unit)
        found.update(list(self._defined_by_queries(found)))
        return dict(self._defined_by_imports()) | found

    def _first_assigned(self, branch: Branch) -> Iterator[Node]:
        """Yield the names that get their first value from a branch."""
        text = self._names.text
        for node in assigning(branch.inner_node, text, self._names.language_of(branch)):
            first = self._names.leaves_by_name.get(text[node.start_byte : node.end_byte])
            if first and first[0].start == node.start_byte:
                yield node

    def _defined_by_queries(self, known: Container[int]) -> Iterator[tuple[int, Branch]]:
        """Yield offsets of names that only a query calls defined, and the units that define them."""
        queried = queried_definitions(self._names.document)
        for leaf in self._names.leaves:
            span = queried.get(leaf.start)
            if span is not None and leaf.start not in known:
                around = (u for u in self._names.units_around(leaf) if _contains(u, span))
                unit = next(around, None)
                yield from [(leaf.start, unit)] if unit is not None else ()

    def _defined_in_lists(self) -> Iterator[tuple[int, Branch]]:
        """Yield offsets of names that are units in a list of definitions: each defines itself."""
        for leaf in self._names.leaves:
            if (
                leaf in self._names.units
                and self._names.is_in_list(leaf)
                and (self._is_named_by(leaf) or is_imported(leaf, self._names.document))
                and not self._is_origin(leaf)
            ):
                yield leaf.start, leaf

    def _is_named_by(self, leaf: Branch) -> bool:
        """Return whether a name is in a field for names, or its node has such a field."""
        naming = self._names.conventions_of(leaf).fields.names
        return child_in(leaf.node, naming) is not None or field_of(leaf) in naming

    def _widened(self, branch: Branch) -> Branch:
        """Return the unit with the type of what it defines, or the import, if that defines no more."""
        naming = self._names.conventions_of(branch).fields.names
        while (above := branch.parent) is not None and above in self._names.units:
            if self._names.is_import(above):
                more = self._imported_names(above) != self._imported_names(branch)
                if more or self._has_other_imports(above, branch):
                    break
            elif field_of(branch) not in naming or len(self._names.defining(above)) > 1:
                break
            branch = above
        return branch

    def _has_other_imports(self, above: Branch, branch: Branch) -> bool:
        """Return whether an import holds others, as in Go's lists, where names are in strings only."""
        others = (child for child in above.children if child is not branch and not child.is_token)
        return any(map(self._names.is_import, others))

    def _defined_by_imports(self) -> Iterator[tuple[int, Branch]]:
        """Yield offsets of the names that imports define without any field, and the imports."""
        for branch in self._names.branches:
            if branch in self._names.units and branch.children and self._names.is_import(branch):
                unit = self._widened(branch)
                yield from ((start, unit) for start in self._imported_names(branch))
                last = _LAST_WORD.search(self._names.text_of(branch))
                if last and not self._names.leaves_within((branch.start, branch.end)):
                    yield branch.start + last.start(), unit

    def _imported_names(self, branch: Branch) -> list[int]:
        """Return the offsets of the names that an import brings into the text."""
        names = self._names.leaves_within((branch.start, branch.end))
        here = (leaf for leaf in names if not self._is_origin(leaf))
        return [leaf.start for leaf in here if not self._is_path_prefix(leaf.end)]

    def _is_origin(self, leaf: Branch) -> bool:
        """Return whether a name in an import says where the import is from."""
        origins = self._names.conventions_of(leaf).fields.origins
        above = leaf.parent
        return field_of(leaf) in origins or (above is not None and field_of(above) in origins)

    def _is_path_prefix(self, end: int) -> bool:
        """Return whether a path continues after a name that ends at an offset."""
        known = conventions(self._names.document.language)
        return self._names.text.startswith(known.tokens.path_separators, end)

    def _defines(self, unit: Branch, leaf: Node) -> bool:
        """Return whether a unit defines a name, which is no part of a path and not just mentioned."""
        if self._is_path_prefix(leaf.end_byte):
            return False
        kinds, above = self._names.conventions_of(unit).kinds, leaf.parent
        path = above is not None and above.type in kinds.paths
        mention = not kinds.mentions.isdisjoint((unit.node.type, unit.inner_node.type))
        return is_imported(unit, self._names.document) or not (path or mention)


def _contains(branch: Branch, span: Span) -> bool:
    return branch.start <= span[0] and span[1] <= branch.end
