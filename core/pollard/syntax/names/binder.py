"""Binding: which unit of a tree defines the name that stands at a place.

The fields of a grammar tell most definitions (`pollard.syntax.names.definitions`), the queries of its
package tell more, and whatever name an import mentions is defined by it. Of several units around a name
the innermost one defines it, or a larger one that does nothing else.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from pollard.syntax.grammars.languages import grammar_of, queries
from pollard.syntax.grammars.patterns import Patterns
from pollard.syntax.names.definitions import assigning

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from tree_sitter import Language, Node

    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.grammars.patterns import Captures
    from pollard.syntax.names.names import Names
    from pollard.syntax.tree.document import Document

    Span = tuple[int, int]


# What follows the first part of a path.
_SEPARATORS = (b".", b"::", b"\\")
_LAST_WORD = re.compile(rb"\w+(?=\W*\Z)")


class Binder:
    """Binds the places of names to the units that define them."""

    def __init__(self, names: Names) -> None:
        self._names = names

    def bound(self) -> dict[int, Branch | None]:
        """Map offsets of names to the units that define them, None where they are only mentioned."""
        units = self._names.units
        found: dict[int, Branch | None] = dict(self._listed())
        for branch in reversed(self._names.branches):
            if branch in units and branch.children:
                for node in [*self._names.defining(branch), *self._first_assigned(branch)]:
                    unit = self._whole(branch) if self._defines(branch, node) else None
                    found.setdefault(node.start_byte, unit)
        found.update(list(self._queried(found)))
        return dict(self._imported()) | found

    def _first_assigned(self, branch: Branch) -> Iterator[Node]:
        """Yield the names that get their first value from a branch."""
        text = self._names.text
        for node in assigning(branch.trunk, text, self._names.language_of(branch)):
            first = self._names.by_name.get(text[node.start_byte : node.end_byte])
            if first and first[0].start == node.start_byte:
                yield node

    def _queried(self, known: Container[int]) -> Iterator[tuple[int, Branch]]:
        """Yield offsets of names that only a query calls defined, and the units that define them."""
        queried = queried_definitions(self._names.document)
        for leaf in self._names.leaves:
            span = queried.get(leaf.start)
            if span is not None and leaf.start not in known:
                around = (u for u in self._names.above(leaf) if _contains(u, span))
                unit = next(around, None)
                yield from [(leaf.start, unit)] if unit is not None else ()

    def _listed(self) -> Iterator[tuple[int, Branch]]:
        """Yield offsets of names that are units in a list of definitions: each defines itself."""
        for leaf in self._names.leaves:
            if (
                leaf in self._names.units
                and self._names.is_listed(leaf)
                and (self._is_named_by(leaf) or self._names.is_imported(leaf))
                and not self._is_origin(leaf)
            ):
                yield leaf.start, leaf

    def _is_named_by(self, leaf: Branch) -> bool:
        """Return whether a name is in a field for names, or is all of a node that has one."""
        naming = self._names.conventions_of(leaf).fields.names
        inner = any(leaf.node.child_by_field_name(field) is not None for field in naming)
        return inner or field_of(leaf) in naming

    def _whole(self, branch: Branch) -> Branch:
        """Return the definition with its type, or the whole import, if that defines nothing else."""
        naming = self._names.conventions_of(branch).fields.names
        while (above := branch.parent) is not None and above in self._names.units:
            if self._names.is_import(above):
                more = self._brought_by(above) != self._brought_by(branch)
                if more or self._has_other_imports(above, branch):
                    break
            elif field_of(branch) not in naming or len(self._names.defining(above)) > 1:
                break
            branch = above
        return branch

    def _has_other_imports(self, above: Branch, branch: Branch) -> bool:
        """Return whether there are several, as in Go's lists, where names stand only in strings."""
        others = (child for child in above.children if child is not branch and not child.is_token)
        return any(map(self._names.is_import, others))

    def _imported(self) -> Iterator[tuple[int, Branch]]:
        """Yield offsets of the names that imports define without any field, and the imports."""
        for branch in self._names.branches:
            if branch in self._names.units and branch.children and self._names.is_import(branch):
                unit = self._whole(branch)
                yield from ((start, unit) for start in self._brought_by(branch))
                last = _LAST_WORD.search(self._names.name(branch))
                if last and not self._names.within((branch.start, branch.end)):
                    yield branch.start + last.start(), unit

    def _brought_by(self, branch: Branch) -> list[int]:
        """Return the offsets of the names that an import brings into the text."""
        names = self._names.within((branch.start, branch.end))
        here = (leaf for leaf in names if not self._is_origin(leaf))
        return [leaf.start for leaf in here if not self._continues(leaf.end)]

    def _is_origin(self, leaf: Branch) -> bool:
        """Return whether a name in an import tells where the import is from."""
        origins = self._names.conventions_of(leaf).fields.origins
        above = leaf.parent
        return field_of(leaf) in origins or (above is not None and field_of(above) in origins)

    def _continues(self, end: int) -> bool:
        return self._names.text.startswith(_SEPARATORS, end)

    def _defines(self, unit: Branch, leaf: Node) -> bool:
        """Return whether a name is defined, not a part of a path or a mere mention."""
        if self._continues(leaf.end_byte):
            return False
        kinds, above = self._names.conventions_of(unit).kinds, leaf.parent
        path = above is not None and above.type in kinds.paths
        mention = not kinds.mentions.isdisjoint((unit.node.type, unit.trunk.type))
        return self._names.is_imported(unit) or not (path or mention)


def field_of(branch: Branch) -> str | None:
    """Return the field of its parent that a branch is in, if it is in one."""
    if branch.parent is None:
        return None
    above = branch.parent.trunk
    for index, child in enumerate(above.children):
        if child.byte_range == branch.node.byte_range:
            return above.field_name_for_child(index)
    return None


def _contains(branch: Branch, span: Span) -> bool:
    return branch.start <= span[0] and span[1] <= branch.end


def queried_definitions(document: Document) -> dict[int, Span]:
    """Map the offsets of the names that a grammar's own queries call defined to what defines them.

    That is a span (start, end) around the name, or the name's own. A `locals` query captures names as
    `local.definition`, a `tags` query as `name` beside a `definition.*`. They know what no field tells:
    that a parameter of JavaScript is a definition, say.
    """
    if document.language is None:
        return {}
    return {
        name.start_byte: whole.byte_range
        for patterns in _patterns(document.language)
        for _, _, captures in patterns.matches(document.root, document.text)
        for name, whole in _captured(captures)
    }


def _captured(captures: Captures) -> Iterator[tuple[Node, Node]]:
    wholes = [nodes for name, nodes in captures.items() if name.startswith("definition.")]
    for name, nodes in captures.items():
        if name.startswith("local.definition"):
            yield from zip(nodes, nodes, strict=True)
        if name == "name" and wholes:
            yield from ((node, wholes[0][0]) for node in nodes)


@cache
def _patterns(language: Language) -> tuple[Patterns, ...]:
    grammar = grammar_of(language)
    sources = (queries(grammar, "locals"), queries(grammar, "tags")) if grammar else ()
    return tuple(Patterns(source, language) for source in sources if source)
