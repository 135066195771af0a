"""What a program begins with: what opens it, its imports, and the names that they define."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import assigned, defined, nodes, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


# In JavaScript, Lua and Ruby a function imports.
_REQUIRING = re.compile(rb"[^\n]*\brequire\b[^\n]*")


def importing(document: Document) -> list[Node]:
    """Return the statements that import something, such as `import a` or `const a = require("a")`."""
    text, kinds = document.text, conventions(document.language).kinds
    return [
        child
        for child in document.root.named_children
        if child.type in kinds.imports or _REQUIRING.fullmatch(text_of(child, text))
    ]


def imported_names(document: Document) -> frozenset[bytes]:
    """Return the names that the imports of a document define."""
    text, language = document.text, document.language
    parts = (node for each in importing(document) for node in nodes(each))
    found = (defined(node, text, language) | assigned(node, text, language) for node in parts)
    return frozenset().union(*found)


def program_starts(document: Document) -> list[Node]:
    """Return what opens a program, such as `<?php`, and what decides how all of it is read."""
    known, text = conventions(document.language), document.text
    return [
        child
        for child in document.root.children
        if child.type in known.kinds.program_starts
        or text.startswith(known.tokens.pragmas, child.start_byte)
    ]
