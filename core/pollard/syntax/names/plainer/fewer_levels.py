"""Pointers and arrays with one level less, at the declaration and at all uses of a name.

`int a[2][3]; a[1][2] = 0;` becomes `int a[3]; a[2] = 0;`, and `struct s *p; p->x` becomes
`struct s p; p.x`. What a reducer made of a program by hand often has no level left. Neither the
declaration nor a use can lose a level alone, since its type would not fit any more.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import child_in, leaves, text_of
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


_DEREFERENCE, _ADDRESS, _THROUGH_POINTER, _MEMBER = b"*", b"&", b"->", b"."
_OPENING, _SIGN = b"(", b"="
_INDEXED = "subscript"
# The field of a declarator for what is inside of it.
_INNER = ("declarator",)


def with_fewer_levels(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each name of a pointer or an array, the edits that take away its first level.

    That is the level that a use of the name takes first: of `int *a[2]`, an array of pointers, the
    length. A value in the form `&x` becomes `x`. Where several declarations have the name, it stays as
    it is.
    """
    if not conventions(document.language).kinds.arrays:
        return
    places: dict[bytes, list[Node]] = {}
    for leaf in leaves(document.root):
        if leaf.is_named:
            places.setdefault(text_of(leaf, document.text), []).append(leaf)
    for alike in places.values():
        declared = [(leaf, node) for leaf in alike if (node := _level(leaf, document)) is not None]
        if len(declared) == 1:
            declaring, node = declared[0]
            uses = (_used(leaf, document.text) for leaf in alike if leaf != declaring)
            yield list(chain(_removed(declaring, node, document.text), *uses))


def _level(leaf: Node, document: Document) -> Node | None:
    """Return the pointer or array that is nearest to a name in its declaration."""
    kinds = conventions(document.language).kinds
    node = _without_brackets(leaf, document.text)
    above = node.parent
    is_level = above is not None and above.type in kinds.arrays | kinds.pointers
    return above if above is not None and is_level and child_in(above, _INNER) == node else None


def _removed(leaf: Node, level: Node, text: bytes) -> Iterator[Edit]:
    """Yield the edits of a declaration that lose a level, and the address that it begins with."""
    node = _without_brackets(leaf, text)
    before, after = Edit(level.start_byte, node.start_byte), Edit(node.end_byte, level.end_byte)
    yield from (edit for edit in (before, after) if edit.start < edit.end)
    while level.parent is not None and child_in(level.parent, _INNER) == level:
        yield from _given(level, text)
        level = level.parent


def _used(leaf: Node, text: bytes) -> Iterator[Edit]:
    """Yield the edits that take away the first level where a name is used."""
    node = _without_brackets(leaf, text)
    above, after = node.parent, node.next_sibling
    if above is not None and after is None and text.startswith(_DEREFERENCE, above.start_byte):
        yield Edit(above.start_byte, node.start_byte)
    elif after is not None and text_of(after, text) == _THROUGH_POINTER:
        yield Edit(*after.byte_range, _MEMBER)
    elif above is not None and above.type.startswith(_INDEXED) and above.children[0] == node:
        yield Edit(node.end_byte, above.end_byte)
    else:
        yield from _given(node, text)


def _given(node: Node, text: bytes) -> Iterator[Edit]:
    """Yield the deletion of the sign of an address that something gets as its value."""
    sign = node.next_sibling
    value = sign.next_sibling if sign is not None and text_of(sign, text) == _SIGN else None
    if value is not None and text.startswith(_ADDRESS, value.start_byte):
        yield Edit(value.start_byte, value.start_byte + len(_ADDRESS))


def _without_brackets(node: Node, text: bytes) -> Node:
    """Return the outermost node that adds nothing but brackets to a node."""
    above = node.parent
    while (
        above is not None
        and above.named_child_count == 1
        and text.startswith(_OPENING, above.start_byte)
    ):
        node, above = above, above.parent
    return node
