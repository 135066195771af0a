"""Names: which of them a piece of a text defines, and how often they occur, in any language.

Grammars put what is being defined into fields with telling names (`name`, `declarator`, `pattern`),
which hold in all languages; a grammar's own `locals` query would say it better, but hardly any package
has one. What is read here only steers a search: a wrong guess costs runs, never correctness.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from tree_sitter import Node

_WORD = re.compile(rb"[^\W\d]\w*|[\x80-\xff\w]*[\x80-\xff][\x80-\xff\w]*")
# The fields by which something gets its name, and those that lead there.
_DEFINING = frozenset({"name", "declarator", "pattern", "alias"})
_ASSIGNED = frozenset({"left"})
_DECLARING = _DEFINING | _ASSIGNED
# What is defined in these is seen from outside only in an enumeration.
_INNER = frozenset(
    {"body", "parameters", "value", "arguments", "right", "condition", "consequence", "alternative"}
)
_DEEPEST = 7


def words(text: bytes) -> Counter[bytes]:
    """Count the names in a text: its words, those in comments and strings too."""
    return Counter(_WORD.findall(text))


def defined(node: Node) -> frozenset[bytes]:
    """Return the names that a node defines for what is outside of it."""
    return frozenset(_named(node, _DEFINING, 0, named=False))


def assigned(node: Node) -> frozenset[bytes]:
    """Return the names that a node gives values to, which defines them in some languages."""
    return frozenset(_named(node, _ASSIGNED, 0, named=False))


class Uses:
    """Which pieces of a text use what others define, by name.

    `nodes` are the pieces, one beside the other. Places where other pieces define the same name (a
    function's prototype, say) are no uses.
    """

    def __init__(self, text: bytes, nodes: Sequence[Node]) -> None:
        own = [words(node.text or b"") for node in nodes]
        first = _first_places(text)
        self._defined = [
            defined(node) | {name for name in assigned(node) if first[name] >= node.start_byte}
            for node in nodes
        ]
        self._users: dict[bytes, set[int]] = {}
        outside = words(text)
        for place, names in enumerate(own):
            outside.subtract(names)
            for name in names:
                if names[name] > (name in self._defined[place]):
                    self._users.setdefault(name, set()).add(place)
        self._outside = frozenset(name for name, times in outside.items() if times > 0)

    def closure(self, place: int, present: Collection[int]) -> frozenset[int] | None:
        """Return a piece with all those that are `present` and use it, and all that use them.

        None if one of their names is used outside of all pieces.
        """
        found = {place}
        waiting = [place]
        while waiting:
            for name in self._defined[waiting.pop()]:
                if name in self._outside:
                    return None
                more = {user for user in self._users.get(name, ()) if user in present} - found
                found |= more
                waiting += more
        return frozenset(found)


def _first_places(text: bytes) -> dict[bytes, int]:
    places: dict[bytes, int] = {}
    for found in _WORD.finditer(text):
        places.setdefault(found[0], found.start())
    return places


def _named(node: Node, fields: frozenset[str], depth: int, *, named: bool) -> Iterator[bytes]:
    if not node.child_count:
        if named and node.is_named and node.text and _WORD.fullmatch(node.text):
            yield node.text
        return
    if depth < _DEEPEST:
        for index, child in enumerate(node.children):
            field = node.field_name_for_child(index)
            if not _is_inner(node, field):
                inside = field in fields or (named and field is None)
                yield from _named(child, fields, depth + 1, named=inside)


def _is_inner(node: Node, field: str | None) -> bool:
    return field in _INNER and not (field == "body" and "enum" in node.type)


def occurrences(
    root: Node, declared: Collection[bytes] = frozenset()
) -> dict[bytes, list[tuple[int, int]]]:
    """Return where each name stands (start, end), in the order of the text.

    What is `declared` is a name in any kind of leaf: C's grammar takes `int32_t` for a keyword.
    """
    found: dict[bytes, list[tuple[int, int]]] = {}
    for leaf in leaves(root):
        if leaf.text and (is_identifier(leaf) or (leaf.is_named and leaf.text in declared)):
            found.setdefault(leaf.text, []).append(leaf.byte_range)
    return found


def is_identifier(leaf: Node) -> bool:
    """Tell whether a leaf is a name that somebody gave: its kind says so in every grammar."""
    return leaf.is_named and "identifier" in leaf.type


def declared_names(root: Node) -> frozenset[bytes]:
    """Return the names that anything in a tree declares: parameters and inner names too."""
    found: set[bytes] = set()
    stack = [(root, False)]
    while stack:
        node, named = stack.pop()
        if named and node.is_named and node.text and _WORD.fullmatch(node.text):
            found.add(node.text)
        for index, child in enumerate(node.children):
            field = node.field_name_for_child(index)
            inherited = named and field is None
            parameter = "parameter" in node.type
            stack.append((child, field in _DECLARING or inherited or parameter))
    return frozenset(found)


def leaves(root: Node) -> Iterator[Node]:
    """Yield the leaves of a tree in the order of the text."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.child_count:
            stack.extend(reversed(node.children))
        else:
            yield node
