"""The classes of a program that a statement needs to raise its error."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import child_in, is_in, leaves, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


def classes_of(statement: Node, document: Document) -> dict[bytes, Node]:
    """Return the parts of a program's top that are the classes which a statement names, by their names.

    So are the classes that these name, such as their bases. One around the statement is none.
    """
    classes = _classes(document)
    found: dict[bytes, Node] = {}
    waiting = deque([statement])
    while waiting:
        node = waiting.popleft()
        for name in [text_of(leaf, document.text) for leaf in leaves(node)]:
            if name in classes.keys() - found.keys() and not is_in(statement, classes[name]):
                found[name] = classes[name]
                waiting.append(classes[name])
    return found


def _classes(document: Document) -> dict[bytes, Node]:
    """Return what defines a name at the top, with a body but no parameters."""
    fields = conventions(document.language).fields
    found = {}
    for child in document.root.named_children:
        for node in (child, *child.named_children):
            name, body = child_in(node, fields.names), child_in(node, fields.bodies)
            if name is not None and body is not None and not child_in(node, fields.parameter_lists):
                found[text_of(name, document.text)] = child
    return found
