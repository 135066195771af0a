"""Variables that get a value where they are declared, which others add to or replace.

`int x = 0;` and `x += f();` become `int x = f();`, where the second stood, and so do `int x;` and
`x = f();`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import (
    child_in,
    end_with_semicolon,
    leaves,
    nodes,
    statement_around,
    text_of,
)
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


# After a variable and before what changes it, as in `x += 1`, or gives it another value.
_ADDING = re.compile(rb"\s*[-+*/%&|^.~<>?]{1,3}=(?!=)\s*")
_SETTING = re.compile(rb"\s*:?=(?![=>])\s*")
_VALUE_FOLLOWS = b" = "


class _FirstValue(NamedTuple):
    """The statement that declares a variable or gives it its first value, and what precedes a value."""

    name: bytes
    statement: Node
    before: bytes


def with_plain_assignments(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each variable that changes after its declaration, the edits that leave the change.

    The statement that declared the variable or gave it its first value goes, and what declares it there
    stands where the variable is changed.
    """
    text = document.text
    first_values: dict[bytes, _FirstValue] = {}
    for node in nodes(document.root):
        changed = _changed(node, first_values, document)
        if changed is not None:
            first, end = changed
            del first_values[first.name]
            old = first.statement
            gone = Edit(old.start_byte, end_with_semicolon(old, text))
            yield [gone, Edit(node.start_byte, end, first.before)]
        elif (found := _first_value(node, document)) is not None:
            first_values[found.name] = found


def _changed(
    node: Node, first_values: Mapping[bytes, _FirstValue], document: Document
) -> tuple[_FirstValue, int] | None:
    """Return the first value of the variable that a node changes, and where the new one starts."""
    text, known = document.text, conventions(document.language)
    if node.type not in known.kinds.changes or not node.named_children:
        return None
    target = node.named_children[0]
    first = first_values.get(text_of(target, text))
    if first is None:
        return None
    sign = _ADDING.match(text, target.end_byte)
    # What is only assigned needs no declaration, and that in another block may be one for others, too.
    is_near = statement_around(node, document.language).parent == first.statement.parent
    if sign is None and is_near and first.before.rstrip(b" :=") != first.name:
        sign = _SETTING.match(text, target.end_byte)
    return (first, sign.end()) if sign else None


def _first_value(node: Node, document: Document) -> _FirstValue | None:
    """Return how a variable begins if a node declares or assigns one, but not after an operator."""
    text, known = document.text, conventions(document.language)
    field = child_in(node, known.fields.names | known.fields.assigned)
    if field is None or _ADDING.match(text, field.end_byte):
        return None
    statement = statement_around(node, document.language)
    value = child_in(node, known.fields.values - known.fields.types)
    if value is not None:
        before = text[statement.start_byte : value.start_byte]
        return _FirstValue(text_of(field, text), statement, before)
    *_, name = leaves(field)
    declared = text_of(statement, text).rstrip(b"; ")
    type_after = child_in(node, known.fields.types)
    last = name if type_after is None or type_after.end_byte < name.end_byte else type_after
    is_at_end = statement.start_byte + len(declared) == last.end_byte
    if not is_at_end or name.start_byte == statement.start_byte:
        return None
    return _FirstValue(text_of(name, text), statement, declared + _VALUE_FOLLOWS)
