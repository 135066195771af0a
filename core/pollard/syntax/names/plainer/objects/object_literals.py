"""Objects that are written where a class made them.

`class A { constructor(x) { this.x = x } f() { return this.x } }` and `g(new A(7))` become
`g({x: 7, f() { return this.x }})`. This is for languages in which a written object may have methods.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import child_in, is_in, nodes, text_of
from pollard.syntax.names.inlinable import Inlinable, arguments_for, is_head, with_values
from pollard.syntax.names.members import only_assigned
from pollard.syntax.names.replaceable import identifiers
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from pollard.syntax.names.roles import LooseMethods
    from pollard.syntax.tree.document import Document

_NEW, _COMMA, _COLON = b"new", b", ", b": "
# What an object cannot have: private members, and those of the class.
_FOREIGN = (b"#", b"static")
_ARROW = b"=>"
_PROTOTYPE, _GETS = b".prototype", b" = "
# What stands between an object and its member.
_TAKING = (b".", b"->")


def with_object_literals(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each class without a base, the edits that write its objects where they are made."""
    known, text = conventions(document.language), document.text
    style = known.loose_methods
    if style is None or not style.literal:
        return
    for holder, own, body in _classes(document):
        if not _is_class(body, document):
            continue
        name = text_of(own, text)
        places = identifiers(document, {name}).get(name, ())
        makings = [_making(*place, document) for place in places if place != own.byte_range]
        literals = [each and _literal(body, each, style, document) for each in makings]
        is_used_inside = any(each and is_in(each, holder) for each in makings)
        if makings and all(literals) and not is_used_inside:
            made = [
                Edit(*making.byte_range, literal)
                for making, literal in zip(makings, literals, strict=True)
                if making is not None and literal
            ]
            yield sorted([Edit(*holder.byte_range), *made])


def with_prototypes_as_objects(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each function that makes objects with a prototype, the edits that leave one object.

    `function A(x) { this.x = x }`, `A.prototype.f = g` and `h(new A(7))` become `A = {x: 7}`, `A.f = g`
    and `h(A)`.
    """
    known, text = conventions(document.language), document.text
    style = known.loose_methods
    if style is None or not style.literal or _PROTOTYPE not in text:
        return
    for function in nodes(document.root):
        own, body = (child_in(function, each) for each in (known.fields.names, known.fields.bodies))
        if function.type not in known.kinds.functions or own is None or body is None:
            continue
        name, assigned = text_of(own, text), only_assigned(function, document)
        uses = identifiers(document, {name}).get(name, ())
        places = [place for place in uses if place != own.byte_range]
        makings = [making for place in places if (making := _making(*place, document)) is not None]
        edits = [
            *(Edit(*making.byte_range, name) for making in makings),
            *(Edit(end, end + len(_PROTOTYPE)) for _, end in places if _is_prototype(end, text)),
        ]
        if makings and len(edits) == len(places) and (assigned or not body.named_child_count):
            values = arguments_for(function, makings[0], document)
            pairs = _COMMA.join(
                key + _COLON + with_values(document, Inlinable((value,)), values)
                for key, value in assigned.items()
            )
            made = (style.variable or b"") + name + _GETS + style.literal[:1] + pairs
            yield sorted([Edit(*function.byte_range, made + style.literal[1:]), *edits])


def _is_prototype(start: int, text: bytes) -> bool:
    return text.startswith(_PROTOTYPE, start)


def with_made_members(document: Document) -> Iterator[list[Edit]]:
    """Yield the edits that put a member of a new object in the place of the object: `(new A).x`.

    The constructor does nothing but to assign members.
    """
    text = document.text
    for _, own, body in _classes(document):
        for place in identifiers(document, {text_of(own, text)}).get(text_of(own, text), ()):
            leaf = document.root.descendant_for_byte_range(*place)
            making = leaf.parent if leaf is not None else None
            if making is None or place == own.byte_range or is_in(making, body):
                continue
            found = _parts(body, making, document)
            object_, above = making, making.parent
            while above is not None and above.named_child_count == 1:
                object_, above = above, above.parent
            if found is None or above is None or above.start_byte != object_.start_byte:
                continue
            member = above.named_children[-1]
            value = found.pairs.get(text_of(member, text))
            sign = text[object_.end_byte : member.start_byte].strip()
            if value is not None and sign in _TAKING:
                yield [Edit(*above.byte_range, value)]


def _classes(document: Document) -> Iterator[tuple[Node, Node, Node]]:
    """Yield the classes without a base, each with its name and its body."""
    known = conventions(document.language)
    for holder in nodes(document.root):
        body, own = child_in(holder, known.fields.bodies), child_in(holder, known.fields.names)
        if body is None or own is None or holder.type in known.kinds.functions:
            continue
        if holder.named_child_count == len((own, body)):
            yield holder, own, body


def _is_class(body: Node, document: Document) -> bool:
    """Return whether all members of a body may be those of an object."""
    return bool(body.named_child_count) and not any(
        text_of(leaf, document.text).startswith(_FOREIGN)
        for leaf in nodes(body)
        if not leaf.children
    )


def _making(start: int, end: int, document: Document) -> Node | None:
    """Return the expression that makes an object of the class that is named there."""
    leaf, text = document.root.descendant_for_byte_range(start, end), document.text
    is_made = leaf is not None and text[:start].rstrip().endswith(_NEW)
    return leaf.parent if leaf is not None and is_made else None


def _literal(body: Node, making: Node, style: LooseMethods, document: Document) -> bytes | None:
    """Return an object of a class as it is written; None if its constructor does more than assign."""
    parts = _parts(body, making, document)
    if parts is None:
        return None
    written = [key + _COLON + value for key, value in parts.pairs.items()] + parts.methods
    literal = style.literal[:1] + _COMMA.join(written) + style.literal[1:]
    return b"(" + literal + b")" if _needs_brackets(making, document) else literal


class _Parts(NamedTuple):
    """The members of an object that have values, and its methods as they are written."""

    pairs: dict[bytes, bytes]
    methods: list[bytes]


def _parts(body: Node, making: Node, document: Document) -> _Parts | None:
    """Return the parts of an object of a class; None if its constructor does more than assign."""
    known, text = conventions(document.language), document.text
    found = _Parts({}, [])
    for member in body.named_children:
        name = child_in(member, known.fields.names) or next(iter(member.named_children), None)
        if name is None:
            return None
        if text_of(name, text) in known.tokens.constructors:
            assigned = only_assigned(member, document)
            if not assigned:
                return None
            arguments = arguments_for(member, making, document)
            for key, value in assigned.items():
                found.pairs[key] = with_values(document, Inlinable((value,)), arguments)
        elif member.type in known.kinds.functions:
            found.methods.append(text_of(member, text))
        else:
            given = child_in(member, known.fields.values - known.fields.types)
            if given is not None:
                found.pairs.setdefault(text_of(name, text), text_of(given, text))
    return found


def _needs_brackets(making: Node, document: Document) -> bool:
    """Return whether an object would be read as a block in the place of what makes it."""
    text, statement = document.text, making.parent
    is_first = statement is not None and statement.start_byte == making.start_byte
    is_body = text[: making.start_byte].rstrip().endswith(_ARROW)
    return is_first or is_body or is_head(making, text, document.language)
