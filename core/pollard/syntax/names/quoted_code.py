"""Code in a string: what `exec("f(1)")` runs, and the statements that it can replace."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import child_in, nodes, text_of
from pollard.syntax.tree.document import Document

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node


_QUOTED = re.compile(rb"\w{0,2}(\"\"\"|'''|[\"'`])(.*)\1", re.DOTALL)
_ESCAPE = re.compile(rb"\\(.)", re.DOTALL)
_ESCAPED = {b"n": b"\n", b"t": b"\t", b"r": b"\r"}
# A text without any of these is a word, a number or a sentence.
_CODE = re.compile(rb"\w[\w\s]*[(\[.=;{]")
_MAX_STRINGS = 4


def quoted_code(document: Document) -> Iterator[tuple[bytes, Node]]:
    """Yield the code of strings in the document's own language, each with a node it can replace.

    That is the innermost statement around the string, then the whole text. Only the longest four
    strings that parse are taken.
    """
    found: dict[bytes, Node] = {}
    for node in nodes(document.root):
        code = _code_in(text_of(node, document.text)) if _is_string(node) else None
        if code is not None:
            found.setdefault(code, node)
    longest = sorted(found, key=lambda code: -len(code))[:_MAX_STRINGS]
    for code in longest:
        if not Document(code, document.language).errors:
            statement = _statement_around(found[code], document)
            yield code, statement
            if statement != document.root:
                yield code, document.root


def _is_string(node: Node) -> bool:
    return node.is_named and "string" in node.type


def _code_in(text: bytes) -> bytes | None:
    """Return what a string's quotes enclose, without escapes, if it may be code."""
    quoted = _QUOTED.fullmatch(text)
    if quoted is None:
        return None
    code = _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), quoted[2])
    return code if _CODE.search(code) else None


def _statement_around(node: Node, document: Document) -> Node:
    """Return the innermost node around a string that is a child of a body or of the root."""
    bodies = conventions(document.language).fields.bodies
    while (above := node.parent) is not None and above != document.root:
        if above.parent is not None and child_in(above.parent, bodies) == above:
            break
        node = above
    return node
