"""Classes that take in the members of their base, which serves no other class.

`class A { f() { g(7) } }` and `class B extends A { h() { this.f() } }` become `class B { f() { g(7) }
h() { this.f() } }`. What the class hides of its base stands where it calls that, as by `super(7)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pollard.syntax.names.calls import constructs_base, inherited_calls
from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import child_in, end_with_semicolon, is_in, nodes, text_of
from pollard.syntax.names.inlinable import Inlinable, indentation_at, moved, with_arguments
from pollard.syntax.names.replaceable import identifiers
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


_SEMICOLON, _CLOSING = b";", b"}"
# What stands in a block without brackets if nothing else does.
_FILLING = b"0"


class _Class(NamedTuple):
    """A class, its name, its body, and what is between these."""

    node: Node
    name: Node
    body: Node
    head: Sequence[Node]


def with_merged_bases(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each class that only one other names, as its base, the edits that merge the two."""
    text = document.text
    classes = {text_of(each.name, text): each for each in _classes(document)}
    places = identifiers(document, set(classes)) if len(classes) > 1 else {}
    for name, base in classes.items():
        start, end = base.node.byte_range
        uses = [span for span in places.get(name, ()) if not start <= span[0] < end]
        for derived in classes.values() if len(uses) == 1 else ():
            start, end = uses[0]
            if any(part.start_byte <= start and end <= part.end_byte for part in derived.head):
                edits = _merged(base, derived, document)
                if edits:
                    yield edits


def _classes(document: Document) -> Iterator[_Class]:
    known = conventions(document.language)
    for node in nodes(document.root):
        name, body = child_in(node, known.fields.names), child_in(node, known.fields.bodies)
        if name is None or body is None or node.type in known.kinds.functions:
            continue
        after = [each for each in node.named_children if each.start_byte >= name.end_byte]
        yield _Class(node, name, body, [each for each in after if each.end_byte <= body.start_byte])


def _merged(base: _Class, derived: _Class, document: Document) -> list[Edit]:
    """Return the edits that put the members of a base into a class; empty if that needs the base."""
    text, members = document.text, derived.body.named_children
    if len(derived.head) != 1 or not members or not base.body.named_children:
        return []
    calls = _without_calls(derived, document)
    if calls is None:
        return []
    constructors = (*conventions(document.language).tokens.constructors, text_of(base.name, text))
    if not any(_name_of(each, document) in constructors for each in base.body.named_children):
        calls += _without_constructing(derived, document)
    own = {_name_of(each, document) for each in members} - {b""}
    if text_of(base.name, text) in {_name_of(each, document) for each in base.body.named_children}:
        return []  # a constructor in Java and the like
    parts = [
        moved(text_of(each, text), text, each.start_byte, members[0].start_byte)
        for each in base.body.named_children
        if _name_of(each, document) not in own
    ]
    start = members[0].start_byte
    separator = b"\n" + indentation_at(text, start)
    head = text[base.name.end_byte : base.body.start_byte]
    return sorted(
        [
            Edit(base.node.start_byte, end_with_semicolon(base.node, text)),
            Edit(derived.name.end_byte, derived.body.start_byte, head),
            Edit(start, start, b"".join(part + separator for part in parts)),
            *calls,
        ]
    )


def _without_constructing(derived: _Class, document: Document) -> Iterator[Edit]:
    """Yield the edits that remove calls of the base's constructor, which it has not."""
    blocks = conventions(document.language).kinds.blocks
    for node in nodes(derived.body):
        above = node.parent
        if above is not None and above.type in blocks and constructs_base(node, document):
            needs_filling = above.named_child_count == 1 and above.start_byte == node.start_byte
            yield Edit(*node.byte_range, _FILLING if needs_filling else b"")


def _name_of(member: Node, document: Document) -> bytes:
    """Return the name of a method; empty for other members."""
    known = conventions(document.language)
    name = child_in(member, known.fields.names)
    is_method = member.type in known.kinds.functions and name is not None
    return text_of(name, document.text) if is_method and name is not None else b""


def _without_calls(derived: _Class, document: Document) -> list[Edit] | None:
    """Return the edits that do what hidden methods do where they are called; None if none can."""
    known = conventions(document.language)
    edits = []
    for call, method in inherited_calls(document):
        body = child_in(method, known.fields.bodies)
        if not is_in(call, derived.node) or body is None:
            continue
        above = call.parent
        statement = above if above is not None and above.named_child_count == 1 else call
        is_statement = statement.parent is not None and statement.parent.type in known.kinds.blocks
        inner = body.named_children
        if not is_statement and len(inner) == 1 and inner[0].type in known.kinds.returns:
            statement, inner = call, inner[0].named_children
        elif not is_statement:
            return None
        new = b""
        if inner:
            new = with_arguments(document, method, Inlinable(tuple(inner)), call)
            new = moved(new, document.text, inner[0].start_byte, statement.start_byte)
            is_ended = new.endswith((_SEMICOLON, _CLOSING))
            if text_of(statement, document.text).endswith(_SEMICOLON) and not is_ended:
                new += _SEMICOLON
        edits.append(Edit(*statement.byte_range, new))
    return edits
