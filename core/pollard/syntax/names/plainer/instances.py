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
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


_OPENINGS = (b"<", b"[")


def instantiated(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each generic type, the edits that put its arguments in the place of its parameters."""
    known = conventions(document.language)
    parts = [*nodes(document.root)]
    for part in parts:
        parameters = child_in(part, known.fields.type_parameter_lists)
        if parameters is not None and _is_list(parameters, document.text):
            yield _edits(part, parameters, parts, document)


def _is_list(node: Node, text: bytes) -> bool:
    return text.startswith(_OPENINGS, node.start_byte)


def _edits(
    generic: Node, parameters: Node, parts: Sequence[Node], document: Document
) -> list[Edit]:
    """Return the edits for a generic type; none if it is used with several arguments or with none."""
    text, language = document.text, document.language
    names = {text_of(leaf, text) for leaf in defining(generic, text, language)}
    lists = [
        part.next_sibling
        for part in parts
        if text_of(part, text) in names and part.next_sibling and _is_list(part.next_sibling, text)
    ]
    arguments = [each for each in lists if each.byte_range != parameters.byte_range]
    if len({text_of(each, text) for each in arguments}) != 1:
        return []
    values = dict(
        zip(
            (
                next(iter(parameter_names(child, text, language)), b"")
                for child in parameters.named_children
            ),
            (text_of(child, text) for child in arguments[0].named_children),
            strict=False,
        )
    )
    keyword = parameters.prev_sibling
    is_first = (
        keyword is not None and not keyword.is_named and keyword.start_byte == generic.start_byte
    )
    start = generic.start_byte if is_first else parameters.start_byte
    uses = [
        leaf
        for leaf in leaves(generic)
        if text_of(leaf, text) in values
        and is_identifier(leaf, language)
        and not start <= leaf.start_byte < parameters.end_byte
    ]
    filled = [Edit(*leaf.byte_range, values[text_of(leaf, text)]) for leaf in uses]
    gone = [Edit(*each.byte_range) for each in arguments]
    return sorted([Edit(start, parameters.end_byte), *filled, *gone])
