"""Places where a content cannot stand, so that no run is needed to find out, or not as it is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import statement_around
from pollard.syntax.names.plainer.resultless import returns_in

if TYPE_CHECKING:
    from tree_sitter import Node

    from pollard.syntax.names.inlinable import Inlinable
    from pollard.syntax.tree.document import Document

# Between an object and its member.
_TAKING = (b".", b"->", b"::")
_SEMICOLON, _ENDS_OF_STATEMENTS = b";", (b";", b"{", b"}")
# How a value begins that nothing can call.
_LITERAL = re.compile(rb"""[\d"'`{\[]""")


def may_return(content: Inlinable, target: Node | None, document: Document) -> bool:
    """Return whether a content returns nothing from a function, or has its place in one."""
    known = conventions(document.language)
    if not any(True for node in content.nodes for _ in returns_in(node, known)):
        return True
    while target is not None and target.type not in known.kinds.functions:
        target = target.parent
    return target is not None


def is_useless(new: bytes, target: Node, document: Document) -> bool:
    """Return whether a text is an object in the place of a member, or a literal that is called."""
    text = document.text
    is_literal = text.startswith(b"(", target.end_byte) and bool(_LITERAL.match(new))
    is_member = text.endswith(_TAKING, 0, target.start_byte)
    return is_literal or (is_member and new in conventions(document.language).tokens.receivers)


def apart(new: bytes, target: Node, document: Document) -> bytes:
    """Return what replaces a node, after a semicolon if it would continue the statement before it."""
    text, language = document.text, document.language
    starts = statement_around(target, language).start_byte == target.start_byte
    if not starts or not new.startswith(conventions(language).tokens.continuing):
        return new
    before = text[: target.start_byte].rstrip()
    return new if not before or before.endswith(_ENDS_OF_STATEMENTS) else _SEMICOLON + new
