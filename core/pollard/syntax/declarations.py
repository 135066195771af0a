"""Declarations: which units of a tree define names, and where those names are used.

What defines a name is told by the grammar's fields (`pollard.syntax.identifiers`) and its queries
(`pollard.syntax.marks`); of several units around it the innermost one is its declaration. Names are
compared as texts, within the function that the declaration is in, or everywhere. Comments and strings
use nothing. As all of that only steers a search, a wrong guess costs runs, never correctness.
"""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from pollard.syntax.identifiers import assigning, defining, is_word
from pollard.syntax.units import removal

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from tree_sitter import Node

    from pollard.syntax.branches import Branch
    from pollard.syntax.units import Reach, Unit

    Span = tuple[int, int]

# Leaves of such kinds are texts, not names.
_TEXT = re.compile("comment|string|char|text|content|fragment|literal|regex|escape")
_IMPORT = re.compile("import|using|use_decl|require")
_ORIGINS = frozenset({"module_name", "path", "source", "scope"})
# A name in such a node, or in a unit of such a kind, is one of something defined elsewhere.
_PATH = re.compile("scoped|qualified|expression$|call|member|access")
_MENTION = re.compile("insert|select|from|update|delete|join|where|expression$|call|type$")
_WORD = re.compile(rb"[\w\x80-\xff]+")
_LAST_WORD = re.compile(rb"\w+(?=\W*\Z)")
_NAMING = frozenset({"name", "declarator", "pattern", "alias"})
# The first part of what gives something to a field or a parameter by its name.
_KEYS = frozenset({"name", "key", "field", "label", "designator"})
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


class Declarations:
    """The declarations of a tree, given as its branches level by level with their units.

    `marks` tell of which names a query calls them defined, and by what (`pollard.syntax.marks`).
    """

    def __init__(
        self,
        text: bytes,
        branches: Sequence[Branch],
        units: Iterable[Unit],
        marks: Mapping[int, Span],
    ) -> None:
        self.text = text
        self.units: Mapping[Branch, Reach] = dict(units)
        self._branches = branches
        self._marks = marks
        self._uses: dict[Branch, list[Branch]] = {}

    @cached_property
    def leaves(self) -> list[Branch]:
        """The leaves that are names, in order."""
        found = [branch for branch in self._branches if self._is_name(branch)]
        return sorted(found, key=lambda leaf: leaf.start)

    @cached_property
    def _starts(self) -> list[int]:
        return [leaf.start for leaf in self.leaves]

    @cached_property
    def _by_name(self) -> dict[bytes, list[Branch]]:
        found: dict[bytes, list[Branch]] = {}
        for leaf in self.leaves:
            found.setdefault(self.name(leaf), []).append(leaf)
        return found

    def name(self, branch: Branch) -> bytes:
        """Return a branch's text."""
        return self.text[branch.start : branch.end]

    def _is_name(self, branch: Branch) -> bool:
        node = branch.trunk
        return (
            not branch.children
            and node.is_named
            and not _TEXT.search(node.type)
            and is_word(self.name(branch))
        )

    def within(self, span: Span) -> Sequence[Branch]:
        """Return the names inside a span, in order."""
        return self.leaves[
            bisect.bisect_left(self._starts, span[0]) : bisect.bisect_left(self._starts, span[1])
        ]

    def called(self, names: Iterable[bytes], scope: Span) -> list[Branch]:
        """Return the leaves inside a scope that have one of the names, in order."""
        found = (leaf for name in names for leaf in self._by_name.get(name, ()))
        inside = (leaf for leaf in found if leaf.is_within(scope))
        return sorted(inside, key=lambda leaf: leaf.start)

    def uses(self, declaration: Declaration) -> list[Branch]:
        """Return the leaves, outside of a declaration, that have a name of it and its meaning."""
        branch = declaration.unit[0]
        if branch not in self._uses:
            start, end = declaration.span
            self._uses[branch] = [
                leaf
                for leaf in self.called(declaration.names, declaration.scope)
                if leaf.end <= start or end <= leaf.start
            ]
        return self._uses[branch]

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
        also = {leaf.start_byte for leaf in defining(owner.trunk)}
        starts = own | {start for start in also if self._owners.get(start) is not None}
        scope = self._scope(owner)
        lent = scope != (0, len(self.text)) or _is_imported(owner)
        names = frozenset(_word_at(self.text, start) for start in starts)
        return Declaration((owner, self.units[owner]), names, scope, lent)

    @cached_property
    def _owners(self) -> dict[int, Branch | None]:
        """The innermost unit that defines the name at an offset; None where it is only mentioned."""
        owners: dict[int, Branch | None] = dict(self._listed())
        for branch in reversed(self._branches):
            if branch in self.units and branch.children:
                nodes = [*defining(branch.trunk), *self._first_assigned(branch)]
                for node in nodes:
                    owner = self._whole(branch) if _defines(branch, node) else None
                    owners.setdefault(node.start_byte, owner)
        owners.update(list(self._marked(owners)))
        return dict(self._imported()) | owners

    def _first_assigned(self, branch: Branch) -> Iterator[Node]:
        """Yield the names that get their first value from a branch."""
        for node in assigning(branch.trunk):
            first = self._by_name.get(self.text[node.start_byte : node.end_byte])
            if first and first[0].start == node.start_byte:
                yield node

    def _marked(self, owners: Container[int]) -> Iterator[tuple[int, Branch]]:
        """Yield offsets of names that only a mark calls defined, and the units that do."""
        for leaf in self.leaves:
            span = self._marks.get(leaf.start)
            if span is not None and leaf.start not in owners:
                around = (unit for unit in self.above(leaf) if _has(unit, span))
                yield from ((leaf.start, unit) for unit in islice(around, 1))

    def _listed(self) -> Iterator[tuple[int, Branch]]:
        """Yield offsets of the names that are declared one beside the other; they are the units."""
        for leaf in self.leaves:
            beside = (leaf.sibling(-1), leaf.sibling(1))
            if (
                leaf in self.units
                and any(one is not None and self.name(one) == b"," for one in beside)
                and (_is_named_by(leaf) or _is_imported(leaf))
                and not _is_from(leaf)
            ):
                yield leaf.start, leaf

    def _whole(self, branch: Branch) -> Branch:
        """Return what is declared with its type, or an import, where that declares nothing else."""
        above = branch.parent
        while above in self.units:
            assert above is not None
            imports = _IMPORT.search(above.node.type) is not None
            if imports and self._lent_by(above) != self._lent_by(branch):
                break
            if not imports and (field_of(branch) not in _NAMING or len(defining(above.trunk)) > 1):
                break
            branch, above = above, above.parent
        return branch

    def _imported(self) -> Iterator[tuple[int, Branch]]:
        """Yield offsets of the names that imports define without telling fields; their units."""
        for branch in self._branches:
            if branch in self.units and branch.children and _IMPORT.search(branch.node.type):
                owner = self._whole(branch)
                yield from ((start, owner) for start in self._lent_by(branch))
                last = _LAST_WORD.search(self.name(branch))
                if last and not self.within((branch.start, branch.end)):
                    yield branch.start + last.start(), owner

    def _lent_by(self, branch: Branch) -> list[int]:
        """Return the offsets of the names that an import brings, if any has a name of its own."""
        names = self.within((branch.start, branch.end))
        return [leaf.start for leaf in names if not _is_from(leaf)]

    def above(self, leaf: Branch) -> Iterator[Branch]:
        """Yield the units around a name, the innermost first; none is a mere name of a value."""
        branch: Branch | None = leaf
        if leaf.parent and leaf.index == 0 and field_of(leaf) in _KEYS:
            branch = leaf.parent
        while branch is not None:
            if branch in self.units:
                yield branch
            branch = branch.parent

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


def _is_imported(branch: Branch) -> bool:
    around = (branch, branch.parent, branch.parent.parent if branch.parent else None)
    return any(one is not None and _IMPORT.search(one.node.type) for one in around)


def _is_named_by(leaf: Branch) -> bool:
    """Whether a name is in a field for names, or all of a node that has one."""
    inner = any(leaf.node.child_by_field_name(field) is not None for field in _NAMING)
    return inner or field_of(leaf) in _NAMING


def _has(branch: Branch, span: Span) -> bool:
    return branch.start <= span[0] and span[1] <= branch.end


def _defines(owner: Branch, leaf: Node) -> bool:
    """Whether the name in a leaf is no mere mention: part of a path, or of what is asked for."""
    if _is_imported(owner):
        return True
    above = leaf.parent
    path = above is not None and _PATH.search(above.type)
    return not path and not any(map(_MENTION.search, (owner.node.type, owner.trunk.type)))


def _is_from(leaf: Branch) -> bool:
    """Whether a name in an import tells where from."""
    above = leaf.parent
    return field_of(leaf) in _ORIGINS or (above is not None and field_of(above) in _ORIGINS)


def field_of(branch: Branch) -> str | None:
    """Return the field of its parent that a branch is in, if it is in one."""
    if branch.parent is None:
        return None
    above = branch.parent.trunk
    for index, child in enumerate(above.children):
        if child.byte_range == branch.node.byte_range:
            return above.field_name_for_child(index)
    return None


def _word_at(text: bytes, start: int) -> bytes:
    found = _WORD.match(text, start)
    return found[0] if found else b""
