"""Values in the place of what refers to them, in JSON and YAML.

An object with a member `$ref`, such as `{"$ref": "#/$defs/size"}` in JSON Schema and OpenAPI, is like
the call of a function: `/$defs/size` is the path of a member (a JSON Pointer, RFC 6901). YAML has names
for values, too.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from pollard.syntax.names.definitions import is_in, nodes, text_of
from pollard.syntax.names.inlinable import moved
from pollard.syntax.names.written_collections import with_separator
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


_REFERENCE, _LOCAL = b"$ref", b"#/"
_QUOTES = b"\"'"
_ANCHOR, _ALIAS = "anchor", "alias"
_MAX_USES = 4
# What a pointer and a fragment of an address write for characters that mean something there.
_ESCAPES = ((b"%24", b"$"), (b"%7B", b"{"), (b"%7D", b"}"), (b"~1", b"/"), (b"~0", b"~"))


class _Referred(NamedTuple):
    """What refers to a value, the member with that value, and the value's span (start, end)."""

    uses: Sequence[Node]
    member: Node
    span: tuple[int, int]


def with_referred_values(document: Document) -> Iterator[list[Edit]]:
    """Yield the edits that put a value in the place of all that refers to it, for one after the other.

    The member with the value goes, and so does what would be empty without it. A value that contains
    a reference to itself stays.
    """
    text = document.text
    for uses, member, (start, end) in chain(_pointed(document), _anchored(document)):
        gone = _with_empty_around(member)
        if len(uses) > _MAX_USES or any(is_in(use, gone) or is_in(gone, use) for use in uses):
            continue
        content = text[start:end].lstrip(b" \t")
        placed = [(use, moved(content, text, start, use.start_byte)) for use in uses]
        filled = [Edit(use.start_byte, use.end_byte, new) for use, new in placed]
        yield sorted([Edit(*with_separator(gone, text)), *filled])


def _pointed(document: Document) -> Iterator[_Referred]:
    """Yield the values that an object with `$ref` refers to."""
    for pointer, uses in _uses(document).items():
        member = _member_at(document, pointer)
        value = member and member.child_by_field_name("value")
        if member is not None and value is not None:
            yield _Referred(uses, member, value.byte_range)


def _anchored(document: Document) -> Iterator[_Referred]:
    """Yield the values with an anchor, `&a` in YAML, and a name that refers to it, `*a`."""
    if not (b"&" in document.text and b"*" in document.text):
        return
    anchors: dict[bytes, Node] = {}
    uses: dict[bytes, list[Node]] = {}
    for node in nodes(document.root):
        name = text_of(node, document.text)[1:]
        if node.type == _ANCHOR and node.parent is not None:
            anchors[name] = node
        elif node.type == _ALIAS:
            uses.setdefault(name, []).append(node)
    for name, anchor in anchors.items():
        value = anchor.parent
        assert value is not None
        member = value.parent
        if name in uses and member is not None and member.child_by_field_name("key") is not None:
            yield _Referred(uses[name], member, (anchor.end_byte, value.end_byte))


def _uses(document: Document) -> dict[bytes, list[Node]]:
    """Return the objects that refer to each value of the document, by its pointer."""
    found: dict[bytes, list[Node]] = {}
    if _REFERENCE not in document.text or _LOCAL not in document.text:
        return found
    for node in nodes(document.root):
        value = node.child_by_field_name("value")
        if value is None or node.parent is None or _key(node, document.text) != _REFERENCE:
            continue
        pointer = text_of(value, document.text).strip(_QUOTES)
        if pointer.startswith(_LOCAL):
            found.setdefault(pointer.removeprefix(_LOCAL), []).append(node.parent)
    return found


def _member_at(document: Document, pointer: bytes) -> Node | None:
    """Return the member whose value a pointer means; None if there is none, or it is in an array."""
    member: Node | None = None
    for name in pointer.split(b"/"):
        for escape, character in _ESCAPES:
            name = name.replace(escape, character)  # noqa: PLW2901
        inside = document.root if member is None else member.child_by_field_name("value")
        members = _members(inside) if inside is not None else ()
        member = next((each for each in members if _key(each, document.text) == name), None)
        if member is None:
            return None
    return member


def _members(node: Node) -> Sequence[Node]:
    """Return the members of the object that a node is, or that is all that it holds."""
    while node.named_child_count:
        members = [each for each in node.named_children if each.child_by_field_name("key")]
        if members:
            return members
        node = node.named_children[-1]
    return ()


def _key(member: Node, text: bytes) -> bytes:
    key = member.child_by_field_name("key")
    return b"" if key is None else text_of(key, text).strip(_QUOTES)


def _with_empty_around(member: Node) -> Node:
    """Return the outermost member that holds nothing but a member, or that itself."""
    above: Node | None = member.parent
    gone = member
    while above is not None and len(_members(above)) == 1:
        if above.child_by_field_name("key"):
            gone = above
        above = above.parent
    return gone
