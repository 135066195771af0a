"""Places where a content cannot stand, so that no run is needed to find out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.plainer.resultless import returns_in

if TYPE_CHECKING:
    from tree_sitter import Node

    from pollard.syntax.names.inlinable import Inlinable
    from pollard.syntax.tree.document import Document

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
    """Return whether a text is an object of no method around it, or a literal that would be called."""
    is_called = document.text.startswith(b"(", target.end_byte)
    is_literal = is_called and bool(_LITERAL.match(new))
    return is_literal or new in conventions(document.language).tokens.receivers
