"""Classes that only hand values on to their base, and the base in their place.

`class A extends Error { constructor(x) { super("no " + x) } }` and `throw new A(7)` become
`throw new Error("no " + 7)`. So does an empty class, whose arguments the base gets as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pollard.syntax.names.calls import arguments_of
from pollard.syntax.names.conventions import conventions, word_at
from pollard.syntax.names.definitions import (
    child_in,
    end_with_semicolon,
    leaves,
    nodes,
    text_of,
)
from pollard.syntax.names.inlinable import Inlinable, arguments_for, with_values
from pollard.syntax.names.replaceable import identifiers
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


_CLOSING, _BARE = b")", b"super("
_BEFORE_ARGUMENTS = (b"(", b".new(")


class _Thin(NamedTuple):
    """A class without members of its own but a constructor, if any, and the call of the base in it."""

    node: Node
    name: Node
    base: bytes
    constructor: Node | None
    handed_on: Sequence[Node]


def without_thin_classes(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each class that only hands values on, the edits that put its base in its place."""
    text = document.text
    classes = [*_thin_classes(document)]
    places = identifiers(document, {text_of(each.name, text) for each in classes})
    for each in classes:
        start, end = each.node.byte_range
        uses = places.get(text_of(each.name, text), ())
        outside = [span for span in uses if not start <= span[0] < end]
        made = [_made(each, span, document) for span in outside]
        if made and all(made):
            gone = Edit(start, end_with_semicolon(each.node, text))
            yield sorted([gone, *(edit for edits in made for edit in edits or ())])


def _thin_classes(document: Document) -> Iterator[_Thin]:
    known, text = conventions(document.language), document.text
    for node in nodes(document.root):
        name, body = child_in(node, known.fields.names), child_in(node, known.fields.bodies)
        if name is None or body is None or node.type in known.kinds.functions:
            continue
        head = [each for each in node.named_children if name.end_byte <= each.start_byte]
        head = [each for each in head if each.end_byte <= body.start_byte]
        if len(head) != 1 or len(head[0].named_children) != 1:
            continue
        base, members = text_of(_only(head[0]), text), body.named_children
        if not any(_only(each).named_child_count for each in members):
            yield _Thin(node, name, base, None, ())
        elif len(members) == 1 and (call := _only_call(members[0], name, document)) is not None:
            handed_on = arguments_of(call, text, document.language)
            if not any(_is_object(leaf, document) for each in handed_on for leaf in leaves(each)):
                yield _Thin(node, name, base, members[0], handed_on)


def _is_object(leaf: Node, document: Document) -> bool:
    return text_of(leaf, document.text) in conventions(document.language).tokens.receivers


def _only(node: Node) -> Node:
    """Return the innermost node that is all that a node holds."""
    while node.named_child_count == 1:
        node = node.named_children[0]
    return node


def _only_call(method: Node, of_class: Node, document: Document) -> Node | None:
    """Return the call of the base's constructor that is all that a constructor does."""
    known, text = conventions(document.language), document.text
    name, body = child_in(method, known.fields.names), child_in(method, known.fields.bodies)
    constructors = (*known.tokens.constructors, text_of(of_class, text))
    if name is None or body is None or text_of(name, text) not in constructors:
        return None
    call = _only(body)
    sign = next((s for s in known.tokens.inherited if text.startswith(s, call.start_byte)), b"")
    word = word_at(text, call.start_byte + len(sign), document.language)
    return call if sign and (sign == _BARE or word in known.tokens.constructors) else None


def _made(thin: _Thin, span: tuple[int, int], document: Document) -> list[Edit] | None:
    """Return the edits that make an object of the base where one of the class is made."""
    text = document.text
    name = document.root.descendant_for_byte_range(*span)
    if name is None or name.parent is None:
        return None
    making = name.parent
    while making.parent is not None and making.end_byte == name.end_byte:
        making = making.parent
    renamed = Edit(*span, thin.base)
    if thin.constructor is None:
        return [renamed]
    given = arguments_of(making, text, document.language)
    end = making.end_byte - 1
    start = given[0].start_byte if given else end
    if text[name.end_byte : start].strip() not in _BEFORE_ARGUMENTS:
        return [renamed]  # as in `catch (A x)`
    if not text.startswith(_CLOSING, end):
        return None
    handed_on = Inlinable(tuple(thin.handed_on)) if thin.handed_on else None
    values = arguments_for(thin.constructor, making, document)
    new = with_values(document, handed_on, values) if handed_on is not None else b""
    return [renamed, Edit(start, end, new)]
