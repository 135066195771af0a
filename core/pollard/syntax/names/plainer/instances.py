"""Generic types that are used with the same arguments everywhere, and the plain type of these.

`template <class T> struct S { T x; }; S<int> s;` becomes `struct S { int x; }; S s;`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import (
    child_in,
    defining,
    is_identifier,
    leaves,
    nodes,
    parameter_names,
    text_of,
)
from pollard.syntax.tree.edits import Edit, outermost

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


_OPENINGS = (b"<", b"[")
# Stands before the parameters, and goes with them.
_TEMPLATE = b"template"


def instantiated(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each generic type, the edits that put its arguments in the place of its parameters."""
    known = conventions(document.language)
    parts = [*nodes(document.root)]
    generics = []
    for part in parts:
        parameters = child_in(part, known.fields.type_parameter_lists)
        if parameters is not None and _is_list(parameters, document.text):
            generics.append(_Generic(part, parameters, document))
    for generic in generics:
        yield generic.edits(parts, [other for other in generics if other.node != generic.node])


def _is_list(node: Node, text: bytes) -> bool:
    return text.startswith(_OPENINGS, node.start_byte)


class _Generic:
    """A definition with a list of type parameters."""

    def __init__(self, node: Node, parameters: Node, document: Document) -> None:
        self.node = node
        self.parameters = parameters
        self._document = document
        text, language = document.text, document.language
        self.names = [
            next(iter(parameter_names(child, text, language)), b"")
            for child in parameters.named_children
        ]

    def edits(self, parts: Sequence[Node], others: Sequence[_Generic]) -> list[Edit]:
        """Return the edits for a generic type; none if it gets several arguments or none.

        In `impl<T> S<T>` it gets a parameter of something else. That gets the argument, too: the one of
        another place, or else the shortest type.
        """
        text, language = self._document.text, self._document.language
        names = {text_of(leaf, text) for leaf in defining(self.node, text, language)}
        arguments = [
            part.next_sibling
            for part in parts
            if text_of(part, text) in names
            and part.next_sibling
            and self._is_other(part.next_sibling)
        ]
        passed = {
            id(each): (each, other) for each in arguments for other in others if other.passes(each)
        }
        given = {text_of(each, text) for each in arguments if id(each) not in passed}
        if len(given) > 1 or not arguments:
            return []
        example = next((each for each in arguments if id(each) not in passed), None)
        shortest = conventions(language).tokens.shortest_types[:1]
        values = (
            [text_of(child, text) for child in example.named_children]
            if example is not None
            else [*shortest * len(self.names)]
        )
        if not values:
            values = self.names  # they stay those of what surrounds the type
            passed = {}
        edits = [Edit(*each.byte_range) for each in arguments]
        edits += self._filled(self.names, values)
        for each, other in passed.values():
            edits += other._filled([text_of(child, text) for child in each.named_children], values)
        return outermost([*dict.fromkeys(edits)])

    def _is_other(self, node: Node) -> bool:
        is_own = node.byte_range == self.parameters.byte_range
        return not is_own and _is_list(node, self._document.text)

    def passes(self, arguments: Node) -> bool:
        """Return whether a list of arguments in this definition consists of all its parameters."""
        text = self._document.text
        given = [text_of(child, text) for child in arguments.named_children]
        start, end = self.node.byte_range
        return start <= arguments.start_byte < end and sorted(given) == sorted(self.names)

    def _filled(self, names: Sequence[bytes], values: Sequence[bytes]) -> list[Edit]:
        """Return the edits that put values in the place of the parameters, and remove their list."""
        text, language = self._document.text, self._document.language
        by_name = dict(zip(names, values, strict=False))
        keyword = self.parameters.prev_sibling
        is_first = (
            keyword is not None
            and not keyword.is_named
            and keyword.start_byte == self.node.start_byte
            and text_of(keyword, text) == _TEMPLATE
        )
        start = self.node.start_byte if is_first else self.parameters.start_byte
        uses = [
            leaf
            for leaf in leaves(self.node)
            if text_of(leaf, text) in by_name
            and is_identifier(leaf, language)
            and not start <= leaf.start_byte < self.parameters.end_byte
        ]
        filled = [Edit(*leaf.byte_range, by_name[text_of(leaf, text)]) for leaf in uses]
        return [Edit(start, self.parameters.end_byte), *filled]
