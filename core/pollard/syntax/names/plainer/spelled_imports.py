"""Imported names, and the edits that spell out what they mean where they are used.

`use std::rc::Rc; fn f(x: Rc<u8>) {}` becomes `fn f(x: std::rc::Rc<u8>) {}`, and in C the headers go
from `#include <stdint.h>` and `uint32_t x;`, which becomes `unsigned x;`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import is_identifier, leaves, nodes, text_of
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


def without_headers(document: Document) -> Iterator[list[Edit]]:
    """Yield the edits that spell out what the standard headers define, and drop all headers, then one.

    Nothing in languages whose data does not say what headers define.
    """
    known = conventions(document.language)
    if not known.header_names:
        return
    headers = [node for node in nodes(document.root) if node.type in known.kinds.headers]
    places = ((leaf, text_of(leaf, document.text)) for leaf in leaves(document.root))
    spelled = [
        Edit(*leaf.byte_range, known.header_names[name])
        for leaf, name in places
        if name in known.header_names
    ]
    if not spelled or not headers:
        return
    yield [*(Edit(*header.byte_range) for header in headers), *spelled]
    if len(headers) > 1:
        yield from ([Edit(*header.byte_range), *spelled] for header in headers)


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
