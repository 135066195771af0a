"""Loops and switches, and one round or a plain condition in their place.

`for (int i = 0; i < 3; i++) f(i);` becomes `int i = 0; f(i);`, the first round, and
`for (i = 0;; i += 4) f(i);` also the second one, `i = 0; i += 4; f(i);`.
`while (x) f();` and `switch (x) { case 1: f(); }` become `if (x) f();` and `if (x) { f(); }`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import child_in, nodes, text_of
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.syntax.tree.document import Document

_FIRST = ("initializer", "init", "initialize")
_NEXT = ("update", "increment")
_ASSIGNMENT, _END, _EMPTY = "assign", b";", (b";", b"{}")
_WHILE, _SWITCH, _IF = b"while", b"switch", b"if"
# The body of a switch with a single case, and what that does.
_CASE = re.compile(rb"\{\s*(?:case\b[^:]*|default\s*):(.*?)(?:\bbreak\s*;?\s*)?\}", re.DOTALL)


def with_single_rounds(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each loop that counts, the edits that leave its first round, or a second one."""
    bodies, text = conventions(document.language).fields.bodies, document.text
    for node in nodes(document.root):
        body, first = child_in(node, bodies), child_in(node, _FIRST)
        if body is None or first is None or text_of(body, text) in _EMPTY:
            continue
        following = child_in(node, _NEXT)
        heads = [text_of(first, text).rstrip(_END) + _END]
        if following is not None and _ASSIGNMENT in following.type:
            heads.append(heads[0] + b" " + text_of(following, text) + _END)
        for head in heads:
            yield [Edit(node.start_byte, body.start_byte, head + b" ")]


def with_plain_conditions(document: Document) -> Iterator[list[Edit]]:
    """Yield the edits that make each loop with a condition and each switch of one case an `if`."""
    bodies, text = conventions(document.language).fields.bodies, document.text
    for node in nodes(document.root):
        body, word = child_in(node, bodies), node.children[0] if node.children else node
        if body is None:
            continue
        keyword = text_of(word, text)
        if keyword == _WHILE:
            yield [Edit(*word.byte_range, _IF)]
        elif keyword == _SWITCH and body.named_child_count == 1:
            case = _CASE.fullmatch(text_of(body, text))
            if case is not None:
                plain = b"{" + case[1] + b"}"
                yield [Edit(*word.byte_range, _IF), Edit(*body.byte_range, plain)]
