"""Structures of a single field, and the edits that put the field in the place of the structure.

`struct S { int *p; } s; *s.p = 1;` becomes `int *s; *s = 1;`. The idea is from C-Reduce, which does so
for unions; here the grammar's kinds and fields say what is a structure.

Objects, dictionaries and their types need no names. So those with a certain key and no other lose it
all at once: `function f(x) { return x.a; } f({a: 1});` becomes `function f(x) { return x; } f(1);`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import (
    child_in,
    defining,
    end_with_semicolon,
    nodes,
    text_of,
)
from pollard.syntax.tree.edits import Edit, outermost

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from pollard.syntax.names.conventions import Conventions
    from pollard.syntax.tree.document import Document


# `s->f` is `(*s).f`, so without the field it is `*s`, which `s[0]` means in any expression.
_THROUGH_POINTER, _POINTED = b"->", b"[0]"
_END, _ARRAY, _DECLARATOR = b";", b"[", "declarator"
# The only element of an object, a pattern or a type: a key, maybe in quotes, and a value or a type.
_KEYED = re.compile(rb"""["':]?(\w+)["']?\s*\??(?::|=>)\s*(.*?)[;,]?""", re.DOTALL)
_BRACES, _BLOCK, _WORD = b"{}", "block", re.compile(rb"\w")
_EDITS_OF_OBJECT = 2
# What takes the value of a key.
_TAKING = r"""\s*(?:\??\.\s*{0}|(?:\?\.)?\[\s*(?:"{0}"|'{0}'|:{0})\s*\])"""


@dataclass(frozen=True, slots=True)
class _Structure:
    """A structure with its names, and the name and type of its only field."""

    node: Node
    names: frozenset[bytes]
    field: bytes
    type: bytes
    suffix: bytes
    """What the type of the field has after its name, such as the size of an array."""


def unboxed(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each structure of one field, the edits that put the field in its place.

    An access to the field becomes what has it, and an initialiser its only value.
    """
    if not conventions(document.language).kinds.field_lists:
        return
    parts = [*nodes(document.root)]
    for part in parts:
        structure = _structure(part, document)
        if structure is not None:
            yield outermost([edit for node in parts for edit in _edits(node, structure, document)])


def unkeyed(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each key that is the only one of an object, the edits that remove it everywhere.

    That is from objects, patterns and types without another key, and where its value is taken. In all
    there must be several places, in code and not in data.
    """
    text, is_code = document.text, conventions(document.language).has_definitions
    parts = [node for node in nodes(document.root) if node.named_child_count and is_code]
    single = [(node, found) for node in parts if (found := _only_key(node, text)) is not None]
    for key in dict.fromkeys(found[0] for _, found in single):
        taking = re.compile(_TAKING.format(key.decode()).encode())
        taken = {
            Edit(head.end_byte, node.end_byte)
            for node in parts
            if (head := node.named_children[0]).start_byte == node.start_byte
            and taking.fullmatch(text, head.end_byte, node.end_byte)
        }
        removed = [
            edit
            for node, (name, start, end) in single
            if name == key
            for edit in (Edit(node.start_byte, start), Edit(end, node.end_byte))
        ]
        if taken or len(removed) > _EDITS_OF_OBJECT:
            yield sorted([*taken, *removed])


def _only_key(node: Node, text: bytes) -> tuple[bytes, int, int] | None:
    """Return the only key in braces, and the span (start, end) of its value; `{x}` has both in one."""
    if node.named_child_count != 1 or _BLOCK in node.type or len(node.children) < len(_BRACES):
        return None
    ends = text_of(node.children[0], text) + text_of(node.children[-1], text)
    if ends != _BRACES or _WORD.match(text, node.start_byte - 1):
        return None
    element = node.named_children[0]
    if not element.child_count:
        return text_of(element, text), *element.byte_range
    found = _KEYED.fullmatch(text, *element.byte_range)
    return (found[1], *found.span(2)) if found else None


def _structure(fields: Node, document: Document) -> _Structure | None:
    """Return the structure that a node is the fields of, if it has one field of a plain type."""
    text, known = document.text, conventions(document.language)
    node = fields.parent
    if fields.type not in known.kinds.field_lists or fields.named_child_count != 1 or node is None:
        return None
    field = fields.named_children[0]
    value, names = child_in(field, known.fields.types), defining(field, text, document.language)
    if value is None or len(names) != 1:
        return None
    name, end, suffix = names[0], value.end_byte, b""
    if name.start_byte >= end:  # in `int *p;` the sign belongs to the type
        end = name.start_byte
        suffix = text[name.end_byte : field.end_byte].strip().removesuffix(_END)
        if suffix and not suffix.startswith(_ARRAY):
            return None  # the parameters of a function, say
    around = node.parent if _is_type(node, known) else None
    named = [each for each in (node, around) if each is not None]
    own = {
        text_of(leaf, text) for each in named for leaf in defining(each, text, document.language)
    }
    kind = text[value.start_byte : end].strip()
    return _Structure(node, frozenset(own), text_of(name, text), kind, suffix)


def _edits(node: Node, structure: _Structure, document: Document) -> Iterator[Edit]:
    """Yield the edits of a node that is the structure, or uses it or its field."""
    text, known = document.text, conventions(document.language)
    if node == structure.node:
        if _is_type(node, known):
            yield from _retyped(node, structure, document)
        else:
            yield Edit(node.start_byte, end_with_semicolon(node, text))
        return
    member, key = child_in(node, known.fields.members), child_in(node, known.fields.keys)
    value = child_in(node, known.fields.values - known.fields.types)
    sign = member.prev_sibling if member is not None else None
    is_own = member is not None and text_of(member, text) == structure.field
    if is_own and member and sign and sign.start_byte > node.start_byte:
        is_pointer = text_of(sign, text) == _THROUGH_POINTER
        is_single = is_pointer and not structure.suffix
        yield Edit(sign.start_byte, member.end_byte, _POINTED if is_single else b"")
    elif key and value and text_of(key, text).lstrip(b".") == structure.field:
        yield Edit(node.start_byte, value.start_byte, b"")
    elif _is_type(node, known) and _names(node, structure, text, known):
        yield from _retyped(node, structure, document)
    elif (only := _only_value(node, structure, text, known)) is not None:
        yield Edit(node.start_byte, only.start_byte, b"")
        yield Edit(only.end_byte, node.end_byte, b"")


def _retyped(node: Node, structure: _Structure, document: Document) -> Iterator[Edit]:
    """Yield the edits that put the type of the field in the place of the structure.

    An array of the field makes an array of a variable, also of one that was a pointer.
    """
    yield Edit(*node.byte_range, structure.type)
    above = node.parent
    if not structure.suffix or above is None:
        return
    for declarator in above.children_by_field_name(_DECLARATOR):
        for name in defining(above, document.text, document.language):
            if declarator.start_byte <= name.start_byte < declarator.end_byte:
                yield Edit(declarator.start_byte, name.start_byte)
                yield Edit(name.end_byte, name.end_byte, structure.suffix)


def _is_type(node: Node, known: Conventions) -> bool:
    above, fields = node.parent, known.fields.types | known.fields.results
    return above is not None and any(above.child_by_field_name(each) == node for each in fields)


def _names(node: Node, structure: _Structure, text: bytes, known: Conventions) -> bool:
    """Return whether a type is the structure by its name, as `struct s` in C and `s` in C++."""
    if node.type == structure.node.type:
        name = child_in(node, known.fields.names)
        has_body = child_in(node, known.fields.bodies) is not None
        return name is not None and not has_body and text_of(name, text) in structure.names
    is_declared = not _is_type(structure.node, known)
    return is_declared and not node.child_count and text_of(node, text) in structure.names


def _only_value(node: Node, structure: _Structure, text: bytes, known: Conventions) -> Node | None:
    """Return the only element of a value or pattern of the structure that begins with its type or name.

    `T{1}` in Go and `T { key: 1 }` in Rust are values, and `T { key }` is a value or a pattern there.
    """
    kind = child_in(node, known.fields.types) or child_in(node, known.fields.names)
    if kind is None or not (kind == structure.node or text_of(kind, text) in structure.names):
        return None
    body = child_in(node, known.fields.bodies) or node
    elements = [each for each in body.named_children if each != kind]
    if len(elements) != 1:
        return None
    key = child_in(elements[0], known.fields.keys)
    if body is node and key is None:
        return None  # the name alone, as in a declaration
    return elements[0] if key is None or text_of(key, text) == structure.field else None
