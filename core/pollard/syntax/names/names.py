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


# What stands before a member, and before the end of a range.
_MEMBER_SIGNS, _RANGE, _MAX_SIGN = (b".", b"->"), b"..", 2
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
        """Return the naming conventions of a branch's language."""
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
        siblings = (branch.sibling(-1), branch.sibling(1))
        separators = self.conventions_of(branch).tokens.separators
        return any(each is not None and self.text_of(each) in separators for each in siblings)

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
        found = [self._definition(unit, own_starts) for unit, own_starts in starts.items()]
        return sorted(found, key=lambda definition: definition.unit[0].start)

    @cached_property
    def _unit_by_offset(self) -> Mapping[int, Branch | None]:
        return _units_by_offset(self)

    def _definition(self, branch: Branch, own_starts: set[int]) -> Definition:
        """Return what a unit defines, and what smaller definitions in it define for the outside."""
        inner = {leaf.start_byte for leaf in self.defining(branch)}
        starts = own_starts | {
            start for start in inner if self._unit_by_offset.get(start) is not None
        }
        scope = self._scope(branch)
        is_local = scope != (0, len(self.text)) or is_imported(branch, self.document)
        names = frozenset(word_at(self.text, start, self.document.language) for start in starts)
        return Definition((branch, self.units[branch]), names, scope, is_local)

    def _scope(self, branch: Branch) -> Span:
        """Return the span of the nearest function around; of all of the text if there is none.

        A member of a type is used wherever that is, even if a parameter has the type.
        """
        above = None if _is_typed_member(self, branch) else branch.parent
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
        by_name = self._by_defined_name
        found = {each: None for name in names for each in by_name.get(name, ())}
        return sorted(found, key=lambda definition: definition.unit[0].start)

    def uses(self, definition: Definition) -> list[Branch]:
        """Return the places outside of a definition that have one of its names with its meaning.

        A variable in a function hides others of its name there, but no member of that name.
        """
        branch = definition.unit[0]
        if branch not in self._uses:
            shadowing = [*self._shadowing(definition)]
            shadows = self._shadows_all(definition)
            self._uses[branch] = [
                leaf
                for leaf in self.leaves_named(definition.names, definition.scope)
                if not _overlaps(leaf, definition.span)
                if not self._is_heading(leaf)
                if not (
                    shadows
                    if self._is_member(leaf)
                    else any(_overlaps(leaf, each) for each in shadowing)
                )
            ]
        return self._uses[branch]

    def _is_heading(self, leaf: Branch) -> bool:
        above = leaf.parent
        return above is not None and above.node.type in self.conventions_of(leaf).kinds.headings

    def _is_member(self, leaf: Branch) -> bool:
        """Return whether a name is one of a member, which no variable of that name shadows."""
        if field_of(leaf) in self.conventions_of(leaf).fields.members:
            return True
        before = self.text[max(leaf.start - _MAX_SIGN, 0) : leaf.start]
        return before.endswith(_MEMBER_SIGNS) and not before.endswith(_RANGE)

    def _shadows_all(self, definition: Definition) -> bool:
        """Return whether a definition is visible in a part of the scope of another one of its names."""
        return any(
            _contains_span(other.scope, definition.scope) and other.scope != definition.scope
            for other in self.definitions_of(definition.names)
        )

    def _shadowing(self, definition: Definition) -> Iterator[Span]:
        """Yield the scopes inside a definition's scope where all its names mean something else."""
        for other in self.definitions_of(definition.names):
            inside = _contains_span(definition.scope, other.scope)
            if inside and other.scope != definition.scope and definition.names <= other.names:
                yield other.scope


def _overlaps(leaf: Branch, span: Span) -> bool:
    return span[0] < leaf.end and leaf.start < span[1]


def _contains_span(outer: Span, inner: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _units_by_offset(names: Names) -> dict[int, Branch | None]:
    """Map offsets of names to the units that define them, None where they are just mentioned."""
    units = names.units
    found: dict[int, Branch | None] = dict(_defined_in_lists(names))
    for branch in reversed(names.branches):
        if branch in units and branch.children:
            for node in [*names.defining(branch), *_first_assigned(names, branch)]:
                unit = _widened(names, branch) if _defines(names, branch, node) else None
                found.setdefault(node.start_byte, unit)
    found.update(list(_defined_by_queries(names, found)))
    return dict(_defined_by_imports(names)) | found


def _first_assigned(names: Names, branch: Branch) -> Iterator[Node]:
    """Yield the names that get their first value from a branch."""
    text = names.text
    for node in assigning(branch.inner_node, text, names.language_of(branch)):
        first = names.leaves_by_name.get(text[node.start_byte : node.end_byte])
        if first and first[0].start == node.start_byte:
            yield node


def _defined_by_queries(names: Names, known: Container[int]) -> Iterator[tuple[int, Branch]]:
    """Yield offsets of names that only a query calls defined, and the units that define them."""
    queried = queried_definitions(names.document)
    for leaf in names.leaves:
        span = queried.get(leaf.start)
        if span is not None and leaf.start not in known:
            around = (u for u in names.units_around(leaf) if _contains(u, span))
            unit = next(around, None)
            yield from [(leaf.start, unit)] if unit is not None else ()


def _defined_in_lists(names: Names) -> Iterator[tuple[int, Branch]]:
    """Yield offsets of names that are units in a list of definitions: each defines itself."""
    for leaf in names.leaves:
        if (
            leaf in names.units
            and (names.is_in_list(leaf) or _is_typed_member(names, leaf))
            and (_is_named_by(names, leaf) or is_imported(leaf, names.document))
            and not _is_origin(names, leaf)
        ):
            yield leaf.start, leaf


def _is_typed_member(names: Names, leaf: Branch) -> bool:
    return leaf.node.type in names.conventions_of(leaf).kinds.typed_members


def _is_named_by(names: Names, leaf: Branch) -> bool:
    """Return whether a name is in a field for names, or its node has such a field."""
    naming = names.conventions_of(leaf).fields.names
    return child_in(leaf.node, naming) is not None or field_of(leaf) in naming


def _widened(names: Names, branch: Branch) -> Branch:
    """Return the largest unit around, such as an import or one with a type, that defines no more."""
    naming = names.conventions_of(branch).fields.names
    while (above := branch.parent) is not None and above in names.units:
        is_all = field_of(branch) in naming or _has_only_a_keyword_before(names, branch)
        if names.is_import(above):
            defines_more = _imported_offsets(names, above) != _imported_offsets(names, branch)
            if defines_more or _has_other_imports(names, above, branch):
                break
        elif not is_all or len(names.defining(above)) > 1:
            break
        branch = above
    return branch


def _has_only_a_keyword_before(names: Names, branch: Branch) -> bool:
    """Return whether a word such as `let` is all that is beside a branch, but for a semicolon."""
    siblings = branch.siblings
    return (
        branch.index == 1
        and names.text_of(siblings[0]).isalpha()
        and all(each.is_token for each in siblings if each is not branch)
    )


def _has_other_imports(names: Names, above: Branch, branch: Branch) -> bool:
    """Return whether an import holds other imports, as in Go's lists, whose names are in strings."""
    others = (child for child in above.children if child is not branch and not child.is_token)
    return any(map(names.is_import, others))


def _defined_by_imports(names: Names) -> Iterator[tuple[int, Branch]]:
    """Yield offsets of the names that imports define without any field, and the imports."""
    for branch in names.branches:
        if branch in names.units and branch.children and names.is_import(branch):
            unit = _widened(names, branch)
            yield from ((start, unit) for start in _imported_offsets(names, branch))
            last = _LAST_WORD.search(names.text_of(branch))
            if last and not names.leaves_within((branch.start, branch.end)):
                yield branch.start + last.start(), unit


def _imported_offsets(names: Names, branch: Branch) -> list[int]:
    """Return the offsets of the names that an import brings into the text."""
    leaves = names.leaves_within((branch.start, branch.end))
    imported = (leaf for leaf in leaves if not _is_origin(names, leaf))
    return [leaf.start for leaf in imported if not _is_path_prefix(names, leaf.end)]


def _is_origin(names: Names, leaf: Branch) -> bool:
    """Return whether a name in an import says where the import is from."""
    origins = names.conventions_of(leaf).fields.origins
    above = leaf.parent
    return field_of(leaf) in origins or (above is not None and field_of(above) in origins)


def _is_path_prefix(names: Names, end: int) -> bool:
    """Return whether a path continues after a name that ends at an offset."""
    known = conventions(names.document.language)
    return names.text.startswith(known.tokens.path_separators, end)


def _defines(names: Names, unit: Branch, leaf: Node) -> bool:
    """Return whether a unit defines a name, which is no part of a path and not just mentioned."""
    if _is_path_prefix(names, leaf.end_byte):
        return False
    kinds, above = names.conventions_of(unit).kinds, leaf.parent
    if unit.inner_node.type in kinds.defining_lists:
        return True  # Elixir's `def f(x)` looks like a call in a call
    is_in_path = above is not None and above.type in kinds.paths
    is_mention = not kinds.mentions.isdisjoint((unit.node.type, unit.inner_node.type))
    return is_imported(unit, names.document) or not (is_in_path or is_mention)


def _contains(branch: Branch, span: Span) -> bool:
    return branch.start <= span[0] and span[1] <= branch.end
