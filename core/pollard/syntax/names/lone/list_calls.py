"""Calls that compare or join the elements of a list, with a list of unlike values.

`sorted(rows, key=lambda row: row.total)` fails if a total is missing. Where the list comes from does
not matter, and neither does how the elements become what is compared: `sorted([None, 0])` fails, too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import child_in, leaves, text_of
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tree_sitter import Node

    from pollard.syntax.names.lone.chain_values import ChainValues
    from pollard.syntax.tree.document import Document

    AsStatement = Callable[[Node, Sequence[Edit]], list[Edit]]

_WORD = re.compile(rb"\w+")
_LIST_ENDS = (b"[", b"]")
# From the name of a method to its call: the object's member, then the call.
_MAX_STEPS = 2


class ListCall:
    """A call as the program, with a list of unlike values; `as_statement` leaves nothing else.

    `before` and `after` are what its text has around the elements.
    """

    is_named = True

    def __init__(
        self, call: Node, as_statement: AsStatement, *, before: bytes, after: bytes
    ) -> None:
        self.node = call
        self._as_statement = as_statement
        self._before = before
        self._after = after

    def forms(self, values: ChainValues) -> Iterator[list[Edit]]:
        """Yield the edits that leave the call of a list of two unlike values."""
        if values.first is not None:
            elements = values.first + b", " + values.other
            edit = Edit(*self.node.byte_range, self._before + elements + self._after)
            yield self._as_statement(self.node, [edit])


def list_calls(
    statement: Node, document: Document, as_statement: AsStatement
) -> Iterator[ListCall]:
    """Yield the calls in a statement that compare or join the elements of a list."""
    text, tokens = document.text, conventions(document.language).tokens
    opening, closing = tokens.list_ends or _LIST_ENDS
    methods = {_name(each): each for each in tokens.comparing_methods}
    for leaf in leaves(statement) if methods or tokens.comparing else ():
        name = text_of(leaf, text)
        call = _call_of(leaf, document) if name in methods or name in tokens.comparing else None
        if call is None:
            continue
        if name in tokens.comparing:
            before, after = text[call.start_byte : leaf.end_byte] + b"(" + opening, closing + b")"
        else:
            before, after = opening, closing + b"." + methods[name]
        yield ListCall(call, as_statement, before=before, after=after)


def _name(method: bytes) -> bytes:
    found = _WORD.match(method)
    return found[0] if found else method


def _call_of(leaf: Node, document: Document) -> Node | None:
    """Return the call of the function or method that a leaf names."""
    known, node = conventions(document.language), leaf.parent
    for _ in range(_MAX_STEPS):
        if node is None:
            return None
        if node.type in known.kinds.calls:
            called = child_in(node, known.fields.called)
            return node if called is not None and called.end_byte == leaf.end_byte else None
        node = node.parent
    return None
