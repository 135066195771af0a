"""Expressions without what they do not need: brackets around them, and detours to what they call.

Hoisting also removes brackets, but the default strategy hoists only what saves much. `f.call(x, 7)` in
JavaScript becomes `f(7)`; each language's file has such detours. Private members such as `#x` become
`x`, a plain member, which other ways to say the same know.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import leaves, nodes, text_of
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.syntax.tree.document import Document

_KIND = "parenthes"
_OPENING, _CLOSING = b"(", b")"
_PRIVATE, _SIGN = "private", b"#"
# Where thousands are nested, a failure may need each of them.
_MAX_PAIRS = 8


def without_brackets(document: Document) -> Iterator[list[Edit]]:
    """Yield the deletion of all brackets around single expressions, then of each of the first pairs."""
    text = document.text
    pairs = [
        [Edit(node.start_byte, node.start_byte + 1), Edit(node.end_byte - 1, node.end_byte)]
        for node in nodes(document.root)
        if _KIND in node.type
        and node.named_child_count == 1
        and text.startswith(_OPENING, node.start_byte)
        and text.endswith(_CLOSING, 0, node.end_byte)
    ]
    if len(pairs) > 1:
        yield [edit for pair in pairs for edit in pair]
    yield from pairs[:_MAX_PAIRS]


def without_detours(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each call that takes a detour, the edit that makes it a plain one."""
    known = conventions(document.language)
    done: set[tuple[int, int]] = set()
    for node in nodes(document.root) if known.detours else ():
        if node.named_child_count > 1 and node.byte_range not in done:
            done.add(node.byte_range)
            text = text_of(node, document.text)
            for detour, plain, spelled in known.detours:
                if found := detour.fullmatch(text):
                    new = found.expand(plain)
                    for word, own in spelled.items():
                        new = re.sub(rb"\b%b\b" % word, own, new)
                    yield [Edit(*node.byte_range, new)]


def without_private_names(document: Document) -> Iterator[list[Edit]]:
    """Yield the edits that make all private members plain ones, then those of each name."""
    text, places = document.text, dict[bytes, list[Edit]]()
    for leaf in leaves(document.root):
        if _PRIVATE in leaf.type and text.startswith(_SIGN, leaf.start_byte):
            sign = Edit(leaf.start_byte, leaf.start_byte + len(_SIGN))
            places.setdefault(text_of(leaf, text), []).append(sign)
    if len(places) > 1:
        yield sorted(edit for edits in places.values() for edit in edits)
    yield from places.values()
