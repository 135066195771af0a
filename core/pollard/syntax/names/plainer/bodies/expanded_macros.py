"""Macros with few uses, and what they stand for in the place of each use.

`#define F(x) g(x, 7)` and `F(a);` become `g(a, 7);`. A use may be in another macro, which a grammar
takes for a text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pollard.syntax.names.definitions import nodes, text_of
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document

_KINDS = ("preproc_def", "preproc_function_def")
_NAME, _PARAMETERS, _VALUE = "name", "parameters", "value"
_MAX_USES = 4
_OPENING, _CLOSING, _SEPARATOR = b"([{", b")]}", b","
_CONTINUED, _JOINING = b"\\\n", re.compile(rb"\s*##\s*")
# What a list of arguments consists of: strings and characters, brackets and commas, and the rest.
_PART = re.compile(rb""""(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|.""", re.DOTALL)


def with_expanded_macros(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each macro, the edits that put what it stands for in the place of its uses."""
    text = document.text
    for node in nodes(document.root):
        name, value = (node.child_by_field_name(field) for field in (_NAME, _VALUE))
        if node.type not in _KINDS or name is None or value is None:
            continue
        word = re.compile(rb"(?<![\w#])%b\b" % re.escape(text_of(name, text)))
        found = [use.span() for use in word.finditer(text)]
        places = [place for place in found if not node.start_byte <= place[0] < node.end_byte]
        if 0 < len(places) <= _MAX_USES:
            uses = [_expanded(*place, node, value, document) for place in places]
            if None not in uses:
                yield sorted([Edit(*node.byte_range, b"\n"), *filter(None, uses)])


def _expanded(start: int, end: int, macro: Node, value: Node, document: Document) -> Edit | None:
    """Return the edit that expands a use of a macro; None if it has too few arguments."""
    text, parameters = document.text, macro.child_by_field_name(_PARAMETERS)
    content = text_of(value, text).strip()
    if parameters is not None:
        names = [text_of(each, text) for each in parameters.named_children]
        found = _arguments(end, text)
        if found is None or len(found[0]) < len(names):
            return None
        arguments, end = found
        for name, argument in zip(names, arguments, strict=False):
            content = _filled(content, name, argument)
    around = document.root.descendant_for_byte_range(start, end)
    is_in_macro = around is not None and around.parent is not None and around.parent.type in _KINDS
    content = content if is_in_macro else content.replace(_CONTINUED, b"\n")
    return Edit(start, end, _JOINING.sub(b"", content))


def _filled(content: bytes, name: bytes, argument: bytes) -> bytes:
    """Return a content with an argument in the place of a parameter; `#x` makes a string of it."""
    quoted = rb"(?<!#)#\s*%b\b" % re.escape(name)
    content = re.sub(quoted, lambda _: b'"' + argument.replace(b'"', b'\\"') + b'"', content)
    return re.sub(rb"\b%b\b" % re.escape(name), lambda _: argument, content)


def _arguments(start: int, text: bytes) -> tuple[Sequence[bytes], int] | None:
    """Return the arguments of a use, and where it ends; None if it has no list of them there."""
    opening = re.compile(rb"\s*\(").match(text, start)
    if opening is None:
        return None
    found, depth = [b""], 1
    for part in _PART.finditer(text, opening.end()):
        sign = part[0]
        depth += (sign in _OPENING) - (sign in _CLOSING) if len(sign) == 1 else 0
        if not depth:
            return [each.strip() for each in found], part.end()
        if sign == _SEPARATOR and depth == 1:
            found.append(b"")
        else:
            found[-1] += sign
    return None
