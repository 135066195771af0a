"""Statements that return a value, or add one to a variable."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document

# Assignments that read the variable first.
_ADDING = re.compile("augmented|operator_assignment|compound_assignment")
# A variable, a sign and what is added.
_PARTS = 3


def value_start(statement: Node, document: Document) -> int:
    """Return where the value begins that a statement returns or adds to a variable, or it begins."""
    returns = conventions(document.language).kinds.returns
    for node in _beginning(statement):
        named = node.named_children
        if named and node.type in returns:
            return named[0].start_byte
        if _adds(node):
            return named[-1].start_byte
    return statement.start_byte


def adding_part(statement: Node) -> Node | None:
    """Return the part of a statement that adds a value to a variable by one sign such as `+=`."""
    adding = filter(_adds, _beginning(statement))
    return next((node for node in adding if node.child_count == _PARTS), None)


def _adds(node: Node) -> bool:
    return len(node.named_children) > 1 and _ADDING.match(node.type) is not None


def _beginning(statement: Node) -> Iterator[Node]:
    """Yield the nodes with which a statement begins, itself first."""
    inner = statement
    while inner.children:
        yield inner
        inner = inner.children[0]
