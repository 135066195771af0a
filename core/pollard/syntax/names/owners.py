"""Owners: which unit of a tree defines a name, for each place where one is defined.

Grammars' fields tell of names that are given (`pollard.syntax.names.identifiers`), queries of more
(`pollard.syntax.names.marks`), and what an import names is defined by it in any case. Of several units
around a name the innermost one defines it, or a larger one that does nothing else.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from pollard.syntax.names.identifiers import assigning
from pollard.syntax.names.kinds import IMPORT
from pollard.syntax.names.leaves import Names, field_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping

    from tree_sitter import Node

    from pollard.syntax.branches.branches import Branch

    Span = tuple[int, int]


_ORIGINS = frozenset({"module_name", "path", "source", "scope"})
# A name in such a node, or in a unit of such a kind, is one of something defined elsewhere.
_PATH = re.compile("scoped|qualified|expression$|call|invocation|member|access")
_MENTION = re.compile(
    "insert|select|from|update|delete|join|where|expression$|call|invocation|type$"
)
# After a name: it is the first part of a path.
_SEPARATORS = (b".", b"::", b"\\")
_LAST_WORD = re.compile(rb"\w+(?=\W*\Z)")
_NAMING = frozenset({"name", "declarator", "pattern", "alias"})


class Owners:
    """Finds the owners of names, told which of them a query calls defined, and by what."""

    def __init__(self, names: Names, marks: Mapping[int, Span]) -> None:
        self._names = names
        self._marks = marks

    def find(self) -> dict[int, Branch | None]:
        """Map offsets of names to the units that define them, None where they are only mentioned."""
        units = self._names.units
        owners: dict[int, Branch | None] = dict(self._listed())
        for branch in reversed(self._names.branches):
            if branch in units and branch.children:
                nodes = [*self._names.defining(branch), *self._first_assigned(branch)]
                for node in nodes:
                    owner = self._whole(branch) if self._defines(branch, node) else None
                    owners.setdefault(node.start_byte, owner)
        owners.update(list(self._marked(owners)))
        return dict(self._imported()) | owners

    def _first_assigned(self, branch: Branch) -> Iterator[Node]:
        """Yield the names that get their first value from a branch."""
        for node in assigning(branch.trunk, self._names.text):
            first = self._names.by_name.get(self._names.text[node.start_byte : node.end_byte])
            if first and first[0].start == node.start_byte:
                yield node

    def _marked(self, owners: Container[int]) -> Iterator[tuple[int, Branch]]:
        """Yield offsets of names that only a mark calls defined, and the units that do."""
        for leaf in self._names.leaves:
            span = self._marks.get(leaf.start)
            if span is not None and leaf.start not in owners:
                around = (unit for unit in self._names.above(leaf) if _has(unit, span))
                yield from ((leaf.start, unit) for unit in islice(around, 1))

    def _listed(self) -> Iterator[tuple[int, Branch]]:
        """Yield offsets of the names that are declared one beside the other; they are the units."""
        for leaf in self._names.leaves:
            if (
                leaf in self._names.units
                and self._names.is_listed(leaf)
                and (_is_named_by(leaf) or is_imported(leaf))
                and not _is_from(leaf)
            ):
                yield leaf.start, leaf

    def _whole(self, branch: Branch) -> Branch:
        """Return what is declared with its type, or an import, where that declares nothing else."""
        while (above := branch.parent) is not None and above in self._names.units:
            imports = IMPORT.search(above.node.type) is not None
            if imports and (_has_other_imports(above, branch) or self._lends_more(above, branch)):
                break
            if not imports and (
                field_of(branch) not in _NAMING or len(self._names.defining(above)) > 1
            ):
                break
            branch = above
        return branch

    def _imported(self) -> Iterator[tuple[int, Branch]]:
        """Yield offsets of the names that imports define without telling fields; their units."""
        for branch in self._names.branches:
            if branch in self._names.units and branch.children and IMPORT.search(branch.node.type):
                owner = self._whole(branch)
                yield from ((start, owner) for start in self._lent_by(branch))
                last = _LAST_WORD.search(self._names.name(branch))
                if last and not self._names.within((branch.start, branch.end)):
                    yield branch.start + last.start(), owner

    def _lends_more(self, above: Branch, branch: Branch) -> bool:
        return self._lent_by(above) != self._lent_by(branch)

    def _lent_by(self, branch: Branch) -> list[int]:
        """Return the offsets of the names that an import brings, if any has a name of its own."""
        names = self._names.within((branch.start, branch.end))
        here = (leaf for leaf in names if not _is_from(leaf))
        return [leaf.start for leaf in here if not self._goes_on(leaf.end)]

    def _goes_on(self, end: int) -> bool:
        return self._names.text.startswith(_SEPARATORS, end)

    def _defines(self, owner: Branch, leaf: Node) -> bool:
        """Whether the name in a leaf is no mere mention: part of a path, or of what is asked for."""
        if self._goes_on(leaf.end_byte):
            return False
        above = leaf.parent
        path = above is not None and _PATH.search(above.type)
        mention = any(map(_MENTION.search, (owner.node.type, owner.trunk.type)))
        return is_imported(owner) or not (path or mention)


def is_imported(branch: Branch) -> bool:
    """Tell whether a branch is an import, or one of its parts."""
    around = (branch, branch.parent, branch.parent.parent if branch.parent else None)
    return any(one is not None and IMPORT.search(one.node.type) for one in around)


def _has_other_imports(above: Branch, branch: Branch) -> bool:
    """Tell whether there are more of them, as in Go's lists, where names stand only in strings."""
    others = (child for child in above.children if child is not branch and not child.is_token)
    return any(IMPORT.search(other.node.type) for other in others)


def _is_named_by(leaf: Branch) -> bool:
    """Whether a name is in a field for names, or all of a node that has one."""
    inner = any(leaf.node.child_by_field_name(field) is not None for field in _NAMING)
    return inner or field_of(leaf) in _NAMING


def _has(branch: Branch, span: Span) -> bool:
    return branch.start <= span[0] and span[1] <= branch.end


def _is_from(leaf: Branch) -> bool:
    """Whether a name in an import tells where from."""
    above = leaf.parent
    return field_of(leaf) in _ORIGINS or (above is not None and field_of(above) in _ORIGINS)
