"""Items of data without those between them: `a` leads to `c` at once, not by `b`.

A service in YAML names others on which it depends, a state in JSON the next one, a rule of a makefile
what it needs. Each is an *item*: it has a key, by which other items mention it. Of a chain or a circle
of such items, one can go if what it mentions stands where it was mentioned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import is_in, leaves, nodes, text_of
from pollard.syntax.names.written_collections import with_separator
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


# The members whose values are keys: `- id: a` in YAML, `{"name": "a"}` in JSON.
_NAMING = (b"id", b"name")
_QUOTES = b"\"'"
_MAX_USES = 4


class _KeyedItem(NamedTuple):
    """An item, and the place of its key in it."""

    node: Node
    key: Node


def without_items_between(document: Document) -> Iterator[list[Edit]]:
    """Yield the edits that remove an item, and mention one that it mentions in its place.

    Both are in one list. A key with many uses is hardly one.
    """
    text, siblings = document.text, _siblings(document)
    if not any(len(items) > 1 for items in siblings):
        return
    places: dict[bytes, list[Node]] = {}
    for leaf in leaves(document.root):
        places.setdefault(_bare(leaf, text), []).append(leaf)
    for items in siblings:
        keys = {_bare(item.key, text) for item in items}
        for item in items:
            own = _bare(item.key, text)
            uses = [leaf for leaf in places[own] if not is_in(leaf, item.node)]
            if not own or not 0 < len(uses) <= _MAX_USES:
                continue
            inside = (_bare(leaf, text) for leaf in leaves(item.node) if leaf.is_named)
            gone = Edit(*with_separator(item.node, text))
            for mentioned in dict.fromkeys(key for key in inside if key in keys - {own}):
                yield sorted([gone, *(_with_text(use, mentioned, text) for use in uses)])


def _siblings(document: Document) -> list[Sequence[_KeyedItem]]:
    """Return the items of each list."""
    kinds, text = conventions(document.language).kinds, document.text
    found: dict[int, list[_KeyedItem]] = {}

    def add(item: Node, key: Node) -> None:
        if item.parent is not None:
            found.setdefault(item.parent.id, []).append(_KeyedItem(item, key))

    if not kinds.items:
        return []
    for node in nodes(document.root):
        if node.type not in kinds.items:
            continue
        named = [leaf for leaf in leaves(node) if leaf.is_named]
        if named:
            add(node, named[0])
        if len(named) > 1 and _bare(named[0], text) in _NAMING:
            element = _element_around(node, kinds.items)
            if element is not None:
                add(element, named[1])
    return [*found.values()]


def _element_around(member: Node, items: frozenset[str]) -> Node | None:
    """Return the element of a list that is an object with a member; None if it is no such element."""
    node = member.parent
    while node is not None and node.parent is not None and node.type not in items:
        neighbours = (node.prev_named_sibling, node.next_named_sibling)
        if any(each is not None and each.type == node.type for each in neighbours):
            return node
        node = node.parent
    return None


def _bare(leaf: Node, text: bytes) -> bytes:
    return text_of(leaf, text).strip(_QUOTES)


def _with_text(leaf: Node, new: bytes, text: bytes) -> Edit:
    """Return the edit that puts a text in the place of that of a leaf, inside its quotes."""
    old = text_of(leaf, text)
    start = leaf.start_byte + len(old) - len(old.lstrip(_QUOTES))
    return Edit(start, start + len(old.strip(_QUOTES)), new)
