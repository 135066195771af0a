"""Names: which of them a piece of a text defines, and how often they occur, in any language.

Grammars put what is being defined into fields with telling names (`name`, `declarator`, `pattern`),
which hold in all languages; a grammar's own `locals` query would say it better, but hardly any package
has one. What is read here only steers a search: a wrong guess costs runs, never correctness.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tree_sitter import Language, Node

_WORD = re.compile(rb"[^\W\d]\w*|[\x80-\xff\w]*[\x80-\xff][\x80-\xff\w]*")
_WITHIN = re.compile(rb"[\x80-\xff\w]{2}")
# The fields by which something gets its name, and those that lead there.
_DEFINING = frozenset({"name", "declarator", "pattern", "alias"})
_ASSIGNED = frozenset({"left"})
# What is defined in these is not seen from outside, or only in an enumeration, or not defined there.
_INNER = frozenset(
    {
        "body",
        "parameters",
        "type_parameters",
        "receiver",
        "value",
        "arguments",
        "right",
        "condition",
    }
    | {"consequence", "alternative", "scope", "path"}
)
# Where names are in no field.
_NAMING = frozenset({"import_clause", "namespace_import"})
_RENAMING = "pair_pattern"
# Nodes of such a kind have a name because they refer to it; some also where it is defined.
_REFERENCE = "reference"
_DEEPEST = 7


def words(text: bytes) -> Counter[bytes]:
    """Count the names in a text: its words, those in comments and strings too."""
    return Counter(_WORD.findall(text))


def is_word(text: bytes) -> bool:
    """Tell whether a text is a name and nothing else."""
    return _WORD.fullmatch(text) is not None


def defining(node: Node, text: bytes) -> list[Node]:
    """Return the leaves, each a name, by which a node defines something for what is outside of it."""
    return list(_named(node, text, _defines))


def assigning(node: Node, text: bytes) -> list[Node]:
    """Return the leaves, each a name, that a node gives values to, or refers to by that name's field.

    Where nothing before has such a name it is defined there, as SQL's tables are.
    """
    return list(_named(node, text, _assigns))


def defined(node: Node, text: bytes) -> frozenset[bytes]:
    """Return the names that a node of the tree of `text` defines for what is outside of it.

    What an island below it defines is not among them.
    """
    return frozenset(text[leaf.start_byte : leaf.end_byte] for leaf in defining(node, text))


def assigned(node: Node, text: bytes) -> frozenset[bytes]:
    """Return the names that a node gives values to, which defines them in some languages."""
    return frozenset(text[leaf.start_byte : leaf.end_byte] for leaf in assigning(node, text))


def word_places(text: bytes) -> dict[bytes, list[int]]:
    """Return where each word of a text begins, in order."""
    places: dict[bytes, list[int]] = {}
    for found in _WORD.finditer(text):
        places.setdefault(found[0], []).append(found.start())
    return places


def is_torn(text: bytes, offset: int) -> bool:
    """Tell whether a place in a text is between two bytes that words are made of."""
    return _WITHIN.match(text, offset - 1) is not None if offset else False


@cache
def names_anything(language: Language) -> bool:
    """Tell whether a grammar has anything by which a node defines a name: JSON's has not."""
    fields_ = any(language.field_id_for_name(name) for name in _DEFINING | _ASSIGNED)
    return fields_ or any(language.id_for_node_kind(kind, True) for kind in _NAMING | {_RENAMING})


def _named(
    node: Node,
    text: bytes,
    naming: Callable[[Node, str], bool],
    depth: int = 0,
    *,
    named: bool = False,
) -> Iterator[Node]:
    if not node.child_count:
        if named and node.is_named and is_word(text[node.start_byte : node.end_byte]):
            yield node
        return
    for field, child in fields(node) if depth < _DEEPEST else ():
        if not _is_inner(node, field, child):
            inside = named or node.type in _NAMING if field is None else naming(node, field)
            inside = inside or _is_renamed(node, field)
            yield from _named(child, text, naming, depth + 1, named=inside)


def _defines(node: Node, field: str) -> bool:
    return field in _DEFINING and not _refers(node)


def _assigns(node: Node, field: str) -> bool:
    return field in _ASSIGNED or (field in _DEFINING and _refers(node))


def _refers(node: Node) -> bool:
    return _REFERENCE in node.type


def fields(node: Node) -> Iterator[tuple[str | None, Node]]:
    """Yield a node's children, each with the field that it is in."""
    cursor = node.walk()
    more = cursor.goto_first_child()
    while more:
        if cursor.node is not None:
            yield cursor.field_name, cursor.node
        more = cursor.goto_next_sibling()


def _is_inner(node: Node, field: str | None, child: Node) -> bool:
    if field == "type":  # `struct s x;` uses what `struct s { } x;` defines
        return child.child_by_field_name("body") is None
    if field == "body" and "enum" in node.type:
        return False
    return field in _INNER and not _is_renamed(node, field)


def _is_renamed(node: Node, field: str | None) -> bool:
    """Whether a field has the name that a property is given in a destructuring assignment."""
    return field == "value" and node.type == _RENAMING
