"""Classes that only hand values on to their base, and the base in their place.

`class A extends Error { constructor(x) { super("no " + x) } }` and `throw new A(7)` become
`throw new Error("no " + 7)`. So does an empty class, whose arguments the base gets as they are.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from pollard.syntax.names.calls import arguments_of, constructs_base
from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import (
    child_in,
    defining,
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


_CLOSING = b")"
# In the kinds of what C++ and C# have between the parameters of a constructor and its body.
_INITIALIZER, _ARGUMENTS, _BASE = "initializer", "argument", b"base"
_ACCESS = "access_specifier"
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
            edits = sorted([gone, *(edit for some in made for edit in some or ())])
            if all(one.end <= other.start for one, other in pairwise(edits)):
                yield edits  # not for one object in the arguments of another


def _thin_classes(document: Document) -> Iterator[_Thin]:
    known, text = conventions(document.language), document.text
    for node in nodes(document.root):
        name, body = child_in(node, known.fields.names), child_in(node, known.fields.bodies)
        if name is None or body is None or node.type in known.kinds.functions:
            continue
        head = [each for each in node.named_children if name.end_byte <= each.start_byte]
        head = [each for each in head if each.end_byte <= body.start_byte]
        bases = _parts(head[0]) if len(head) == 1 else []
        if len(bases) != 1:
            continue
        base, members = text_of(_only(bases[0]), text), _parts(body)
        if not any(_only(each).named_child_count for each in members):
            yield _Thin(node, name, base, None, ())
        elif len(members) == 1:
            handed_on = _handed_on(members[0], name, base, document)
            if handed_on is not None and not any(
                _is_object(leaf, document) for each in handed_on for leaf in leaves(each)
            ):
                yield _Thin(node, name, base, members[0], handed_on)


def _parts(node: Node) -> list[Node]:
    """Return the named children of a node, without words such as `public`."""
    return [each for each in node.named_children if _ACCESS not in each.type]


def _is_object(leaf: Node, document: Document) -> bool:
    return text_of(leaf, document.text) in conventions(document.language).tokens.receivers


def _only(node: Node) -> Node:
    """Return the innermost node that is all that a node holds."""
    while node.named_child_count == 1:
        node = node.named_children[0]
    return node


def _handed_on(
    method: Node, of_class: Node, base: bytes, document: Document
) -> Sequence[Node] | None:
    """Return what a constructor hands on to the base's; None if it does anything else."""
    known, text, language = conventions(document.language), document.text, document.language
    body, names = child_in(method, known.fields.bodies), defining(method, text, language)
    constructors = (*known.tokens.constructors, text_of(of_class, text))
    if body is None or not names or text_of(names[0], text) not in constructors:
        return None
    initializers = [each for each in method.named_children if _INITIALIZER in each.type]
    if initializers:
        arguments = initializers[0]
        while arguments.named_children and _ARGUMENTS not in arguments.type:
            arguments = arguments.named_children[-1]
        if body.named_child_count or len(initializers[0].named_children) != 1:
            return None
        called = text[initializers[0].start_byte : arguments.start_byte]
        word = known.word.findall(called)[-1:]
        is_of_base = word in ([_BASE], known.word.findall(base)[-1:])
        return arguments.named_children if is_of_base else None
    call = _only(body)
    return arguments_of(call, text, language) if constructs_base(call, document) else None


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
