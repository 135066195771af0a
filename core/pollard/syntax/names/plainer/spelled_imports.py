"""Imports of one name by its path, and the edits that spell the path out where the name is used.

`use std::rc::Rc; fn f(x: Rc<u8>) {}` becomes `fn f(x: std::rc::Rc<u8>) {}`, which needs no import.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import is_identifier, leaves, nodes
from pollard.syntax.names.replaceable import identifiers
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


def spelled_out(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each import of one name by its path, the edits that put the path in its places."""
    known = conventions(document.language)
    imports = [node for node in nodes(document.root) if node.type in known.kinds.imports]
    places = identifiers(document) if imports else {}
    for node in imports:
        path = _path(node, document)
        name = path.split(max(known.tokens.path_separators, key=path.rfind))[-1]
        uses = [
            Edit(start, end, path)
            for start, end in places.get(name, ())
            if not node.start_byte <= start < node.end_byte
            and not document.text[:start].endswith(known.tokens.path_separators)
        ]
        if path and uses:
            yield [Edit(*node.byte_range), *uses]


def _path(node: Node, document: Document) -> bytes:
    """Return the path that an import has between its keyword and its end, if it is all that it has."""
    if not node.named_child_count:
        return b""
    start, last = node.named_children[0].start_byte, node.named_children[-1]
    *_, leaf = leaves(last)
    path = document.text[start : last.end_byte]
    separators = conventions(document.language).tokens.path_separators
    is_path = any(separator in path for separator in separators) and not path.split()[1:]
    return path if is_path and is_identifier(leaf, document.language) else b""
