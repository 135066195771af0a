"""Functions in their shortest form: an arrow in the place of a word, of a body and of `return`.

`function f(x) { return g(x) }` becomes `f = x => g(x)`, a method `f() { return 7 }` of an object
`f: _=>7`, and `x => { return g(x) }` becomes `x => g(x)`. This is for languages whose shortest function
has an arrow.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import child_in, nodes, text_of
from pollard.syntax.tree.edits import Edit, outermost
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from pollard.syntax.names.conventions import Conventions
    from pollard.syntax.tree.document import Document

# What stands before the name of a function that can be one with an arrow, and before that of a method.
_HEAD = re.compile(rb"(async\s+)?function\s*|(static\s+|)")
# What a function with an arrow does not have of its own: the arguments as a list, and an object.
_OWN = re.compile(rb"\b(?:arguments|this)\b")
_NEW, _PROTOTYPE = rb"\bnew\s+%b\b", rb"\b%b\.prototype\b"
_OBJECT = b"{"
# Before a variable where each must be declared.
_VARIABLE = b"var "
_DECLARATION, _METHOD, _LITERAL, _ARROWED = "declaration", "method", "object", "arrow"
_EXPRESSION, _NAME, _CLASS = "expression", "identifier", "class_body"


def with_short_functions(document: Document) -> Iterator[list[Edit]]:
    """Yield the edits that give an arrow to all functions that save bytes by one, then to each."""
    known = conventions(document.language)
    if not known.tokens.arrow:
        return
    found = [
        Edit(*node.byte_range, new)
        for node in nodes(document.root)
        if (new := _shortened(node, document.text, known)) is not None
        and size(new) < size(text_of(node, document.text))
    ]
    if len(found) > 1:
        yield outermost(sorted(found))
    yield from ([each] for each in found)


def _shortened(node: Node, text: bytes, known: Conventions) -> bytes | None:
    """Return a function with an arrow; None if it has one that saves nothing, or cannot have one."""
    body, parameters = (
        child_in(node, each) for each in (known.fields.bodies, known.fields.parameters)
    )
    if node.type not in known.kinds.functions or body is None or parameters is None:
        return None
    if body.type not in known.kinds.blocks or _needs_its_own(node, body, text, known):
        return None
    head = _head(node, parameters, text, known)
    if head is None:
        return None
    none, arrow = known.tokens.arrow
    return head + (_parameters(parameters, text) or none) + arrow + _value(body, text, known)


def _needs_its_own(node: Node, body: Node, text: bytes, known: Conventions) -> bool:
    """Return whether a function uses its own object or arguments, or makes objects."""
    name = child_in(node, known.fields.names)
    own = re.escape(text_of(name, text)) if name is not None else b""
    is_making = own and re.search(rb"%b|%b" % (_NEW % own, _PROTOTYPE % own), text)
    is_member = node.parent is not None and node.parent.type == _CLASS
    uses_own = not is_member and _OWN.search(text, body.start_byte, body.end_byte)
    return bool(is_making or uses_own)


def _head(node: Node, parameters: Node, text: bytes, known: Conventions) -> bytes | None:
    """Return what stands before the parameters of a function with an arrow, if it can be one."""
    name = child_in(node, known.fields.names)
    end = name.start_byte if name is not None else parameters.start_byte
    before = text[node.start_byte : end]
    match = _HEAD.fullmatch(before)
    if node.type.startswith(_ARROWED):
        return before
    if match is None:
        return None
    own = text_of(name, text) if name is not None else b""
    if _METHOD in node.type:
        is_object = node.parent is not None and node.parent.type == _LITERAL
        return before + own + (b": " if is_object else b" = ")
    style = known.loose_methods
    strict = _VARIABLE if any(each in text for each in known.tokens.pragmas) else b""
    declared = (style.variable or strict) + own + b" = " if style is not None else b""
    return (declared if _DECLARATION in node.type else b"") + (match[1] or b"")


def _parameters(parameters: Node, text: bytes) -> bytes:
    """Return the parameters, without brackets around a single name; nothing if there are none."""
    inner = parameters.named_children
    if parameters.child_count and not inner:
        return b""
    if len(inner) == 1 and inner[0].type == _NAME:
        return text_of(inner[0], text)
    return text_of(parameters, text)


def _value(body: Node, text: bytes, known: Conventions) -> bytes:
    """Return the only value that a body returns or has, or else the body."""
    inner = body.named_children
    if len(inner) != 1 or not inner[0].named_children:
        return text_of(body, text)
    is_returned = inner[0].type in known.kinds.returns
    if not is_returned and not inner[0].type.startswith(_EXPRESSION):
        return text_of(body, text)
    value = text_of(inner[0].named_children[0], text)
    return b"(" + value + b")" if value.startswith(_OBJECT) else value
