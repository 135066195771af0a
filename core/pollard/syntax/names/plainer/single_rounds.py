"""Loops that count, and one round in their place.

`for (int i = 0; i < 3; i++) f(i);` becomes `int i = 0; f(i);`. Where a later round gives the variable a
value that does not depend on the one before, as in `for (i = 0;; i = 4) f(i);`, that is tried first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import child_in, nodes, text_of
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.syntax.tree.document import Document

_FIRST = ("initializer", "init", "initialize")
_NEXT = ("update", "increment")
_ASSIGNMENT, _END = "assign", b";"


def with_single_rounds(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each loop that counts, the edits that leave a first value and the body."""
    bodies, text = conventions(document.language).fields.bodies, document.text
    for node in nodes(document.root):
        body, first = child_in(node, bodies), child_in(node, _FIRST)
        if body is None or first is None:
            continue
        following = child_in(node, _NEXT)
        for start in (following, first):
            if start is not None and (start is first or _ASSIGNMENT in start.type):
                head = text_of(start, text).rstrip(_END)
                yield [Edit(node.start_byte, body.start_byte, head + _END + b" ")]
