"""Names: which of them a piece of a text defines, in any language.

Grammars put what is being defined into fields with telling names (`name`, `declarator`, `pattern`),
which hold in all languages; a grammar's own `locals` query would say it better, but hardly any package
has one. What is read here only steers a search: a wrong guess costs runs, never correctness.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from pollard.syntax.kinds import FUNCTION
from pollard.syntax.unfielded import heads, is_unfielded
from pollard.syntax.words import is_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tree_sitter import Language, Node

# The fields by which something gets its name, and those that lead there.
_DEFINING = frozenset({"name", "declarator", "pattern", "alias"})
_ASSIGNED = frozenset({"left"})
# What VHDL calls the name of a function, and C that of a field that is given a value.
_DESIGNATOR = "designator"
# What is defined in these is not seen from outside, or only in an enumeration, or not defined there.
_INNER = frozenset(
    {
        "body",
        "parameters",
        "type_parameters",
        "receiver",
        "local",
        "value",
        "args",
        "arguments",
        "right",
        "condition",
    }
    | {"consequence", "alternative", "scope", "path"}
)
# Where there are no fields for these, as in VHDL and Ada: the kind of a node, and that of its child.
_INNER_KINDS = re.compile(
    "[ _](generic|parameter|port)_clause$| process_statement$"
    "|(function|procedure|subprogram)_body .*_part$"
)
# Where names are in no field.
_NAMING = frozenset({"identifier_list", "import_clause", "namespace_import"})
_RENAMING = "pair_pattern"
# Nodes of such a kind have a name because they refer to it; some also where it is defined.
_REFERENCE = "reference"
_DEEPEST = 7
# Pascal's and Ada's `T.f`, of whose names the last is defined; elsewhere fields tell them apart.
_PATH = frozenset({"genericDot", "selected_component"})
# Lisp defines in lists whose first word begins so; its grammars have no fields for that.
_LISTS = frozenset({"list", "list_lit", "special_form"})
_SYMBOLS = frozenset({"symbol", "sym_lit"})
_DEFINE = b"def"
# Properties whose names begin so are variables, in style sheets.
_PROPERTY = "property_name"
_VARIABLE = (b"--", b"$")


def defining(node: Node, text: bytes, language: Language | None) -> list[Node]:
    """Return the leaves, each a name, by which a node of a tree defines something for its outside.

    `language` is that of the tree.
    """
    found = [*_named(node, text, _defines), *_in_list(node, text)]
    if language is not None and is_unfielded(language):
        found += heads(node)
    return found


def assigning(node: Node, text: bytes) -> list[Node]:
    """Return the leaves, each a name, that a node gives values to, or refers to by that name's field.

    Where nothing before has such a name it is defined there, as SQL's tables are.
    """
    return [*_named(node, text, _assigns), *_variable(node, text)]


def defined(node: Node, text: bytes, language: Language | None) -> frozenset[bytes]:
    """Return the names that a node of the tree of `text` defines for what is outside of it.

    What an island below it defines is not among them.
    """
    return frozenset(_text(leaf, text) for leaf in defining(node, text, language))


def assigned(node: Node, text: bytes) -> frozenset[bytes]:
    """Return the names that a node gives values to, which defines them in some languages."""
    return frozenset(_text(leaf, text) for leaf in assigning(node, text))


@cache
def names_anything(language: Language) -> bool:
    """Tell whether a grammar has anything by which a node defines a name: JSON's has not."""
    fields_ = any(language.field_id_for_name(name) for name in _DEFINING | _ASSIGNED)
    kinds = _NAMING | _SYMBOLS | {_RENAMING, _PROPERTY}
    named = any(language.id_for_node_kind(kind, True) for kind in kinds)
    return fields_ or named or is_unfielded(language)


def _named(
    node: Node,
    text: bytes,
    naming: Callable[[Node, str], bool],
    depth: int = 0,
    *,
    named: bool = False,
) -> Iterator[Node]:
    if not node.child_count:
        if named and node.is_named and is_name(_text(node, text)):
            yield node
        return
    inside_path = named and node.type in _PATH
    for field, child in fields(node) if depth < _DEEPEST else ():
        if inside_path and child.end_byte < node.end_byte:
            continue
        if not _is_inner(node, field, child):
            inside = named or node.type in _NAMING if field is None else naming(node, field)
            inside = inside or inside_path or _is_renamed(node, field)
            yield from _named(child, text, naming, depth + 1, named=inside)


def _in_list(node: Node, text: bytes) -> Iterator[Node]:
    """Yield the name in Lisp's `(define name ...)`, `(defn name ...)` or `(define (name ...) ...)`."""
    if node.type not in _LISTS:
        return
    first, *others = [leaf for leaf in islice(_leaves(node), 4) if leaf.type != "("] or [node]
    if others and text.startswith(_DEFINE, first.start_byte) and is_name(_text(others[0], text)):
        yield others[0]


def _leaves(node: Node) -> Iterator[Node]:
    """Yield the leaves at and below a node, in order."""
    stack = [node]
    while stack:
        node = stack.pop()
        if not node.child_count:
            yield node
        stack += reversed(node.children)


def _variable(node: Node, text: bytes) -> Iterator[Node]:
    """Yield the name in `$name: value` or `--name: value`, if a node is that."""
    name = node.named_child(0) if node.type == "declaration" else None
    if name is not None and name.type == _PROPERTY and _text(name, text).startswith(_VARIABLE):
        yield name


def _defines(node: Node, field: str) -> bool:
    function = field == _DESIGNATOR and FUNCTION.search(node.type) is not None
    return function or (field in _DEFINING and not _refers(node))


def _assigns(node: Node, field: str) -> bool:
    return field in _ASSIGNED or (field in _DEFINING and _refers(node))


def _refers(node: Node) -> bool:
    return _REFERENCE in node.type


def _text(node: Node, text: bytes) -> bytes:
    return text[node.start_byte : node.end_byte]


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
    if field is None:
        return child.is_named and _INNER_KINDS.search(f"{node.type} {child.type}") is not None
    return field in _INNER and not _is_renamed(node, field)


def _is_renamed(node: Node, field: str | None) -> bool:
    """Whether a field has the name that a property is given in a destructuring assignment."""
    return field == "value" and node.type == _RENAMING
