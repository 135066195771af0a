"""Variables that begin with a value to which others are added, and plain assignments in their place.

`int x = 0;` and `x += f();` become `int x = f();`, where the second stood.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import (
    child_in,
    end_with_semicolon,
    nodes,
    statement_around,
    text_of,
)
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


# After a variable and before what changes it, as in `x += 1`.
_ADDING = re.compile(rb"\s*[-+*/%&|^.~<>?]{1,3}=(?!=)\s*")


def with_plain_assignments(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each variable that is changed by an operator, the edits that assign the value alone.

    The statement that gave the variable its first value goes, and what declares it there stands where
    the variable is changed.
    """
    text, changes = document.text, conventions(document.language).kinds.changes
    first: dict[bytes, tuple[Node, int]] = {}
    for node in nodes(document.root):
        name, value = _assigned(node, document)
        if name is not None and value is not None:
            first[text_of(name, text)] = statement_around(node, document.language), value.start_byte
        elif node.type in changes and node.named_children:
            target = node.named_children[0]
            adding = _ADDING.match(text, target.end_byte)
            if adding and text_of(target, text) in first:
                statement, start = first.pop(text_of(target, text))
                gone = Edit(statement.start_byte, end_with_semicolon(statement, text))
                plain = text[statement.start_byte : start]
                yield [gone, Edit(node.start_byte, adding.end(), plain)]


def _assigned(node: Node, document: Document) -> tuple[Node | None, Node | None]:
    """Return what a node declares or assigns, and its value, unless an operator comes before that."""
    known = conventions(document.language)
    name = child_in(node, known.fields.names | known.fields.assigned)
    value = child_in(node, known.fields.values - known.fields.types)
    if name is None or value is None or _ADDING.match(document.text, name.end_byte):
        return None, None
    return name, value
