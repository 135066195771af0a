"""Names: which of them a piece of a text defines, in any language.

Grammars put what is being defined into fields with telling names (`name`, `declarator`, `pattern`),
which hold in all languages; a grammar's own `locals` query would say it better, but hardly any package
has one. What is read here only steers a search: a wrong guess costs runs, never correctness.

Names of declarations in grammars without fields for them: Kotlin's, GraphQL's, Zig's.

There the kind of a node tells that it declares something, and the first name in it, before its value
and whatever it has inside, is what it is called. As all that reads names, this only steers a search.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from pollard.syntax.grammars.languages import grammar_of
from pollard.syntax.grammars.spelling import is_name
from pollard.syntax.names.kinds import FUNCTION, kind_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tree_sitter import Language, Node


_FIELDS = ("name", "declarator")
# In a module of Verilog almost everything uses one signal or another, and what nobody declares is often
# made up: names tell little of what could go.
_UNTOLD = frozenset({"verilog"})
# What declares something, in the words of these grammars.
_DECLARING = re.compile(
    "(^|_)(alias|constant|declaration|declarator|definition|entry|initializer|parameter)$"
    "|^import_header$|^(class|enum|function)_statement$"
    "|^(enum|message|oneof|rpc|service)$|^(ContainerField|FnProto|ParamDecl|VarDecl)$"
    "|^module_field_(func|global|memory|table|type)$|^func_(locals|type_params)_one$"
)
_NAME = re.compile("(^|_)(identifier|name|variable)$", re.IGNORECASE)
# Style sheets' declarations give values to properties that nobody defines.
_PROPERTY = "property_name"
# What is in these is not seen from outside.
_INNER = re.compile("(^|_)(body|block|statements?|expression|parameters?|arguments)$|^Block$")
_VALUE = frozenset({"=", ":", "{"})
_DEEPEST = 7


@cache
def is_unfielded(language: Language) -> bool:
    """Tell whether a grammar has no fields for what is declared, but declares something."""
    grammar = grammar_of(language)
    if grammar is not None and grammar.name in _UNTOLD:
        return False
    if any(language.field_id_for_name(field) for field in _FIELDS):
        return False
    return any(map(_DECLARING.search, kind_names(language)))


def heads(node: Node, depth: int = 0) -> Iterator[Node]:
    """Yield the leaves by which a node of such a grammar declares something for what is outside."""
    declaring = _DECLARING.search(node.type) is not None
    for child in node.children if depth < _DEEPEST else ():
        if not child.is_named:
            if child.type in _VALUE:
                return
        elif declaring and _NAME.search(child.type) and child.type != _PROPERTY:
            yield _last_leaf(child)
            return
        elif _DECLARING.search(child.type) or not _INNER.search(child.type):
            yield from heads(child, depth + 1)


def _last_leaf(node: Node) -> Node:
    while node.child_count:
        node = node.children[-1]
    return node


# The fields by which something gets its name, and those that lead there.
_DEFINING = frozenset({"name", "declarator", "pattern", "alias"})
_ASSIGNED = frozenset({"left"})
# What VHDL calls the name of a function, and C that of a field that is given a value.
_DESIGNATOR = "designator"
# What is defined in these is not seen from outside, or only in an enumeration, or not defined there.
_INNER_IDENTIFIERS = frozenset(
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
_DEEPEST_IDENTIFIERS = 7
# Pascal's and Ada's `T.f`, of whose names the last is defined; elsewhere fields tell them apart.
_PATH = frozenset({"genericDot", "selected_component"})
# Lisp defines in lists whose first word begins so; its grammars have no fields for that.
_LISTS = frozenset({"list", "list_lit", "special_form"})
_SYMBOLS = frozenset({"symbol", "sym_lit"})
_DEFINE = b"def"
# Properties whose names begin so are variables, in style sheets.
_PROPERTY_IDENTIFIERS = "property_name"
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
    kinds = _NAMING | _SYMBOLS | {_RENAMING, _PROPERTY_IDENTIFIERS}
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
    for field, child in fields(node) if depth < _DEEPEST_IDENTIFIERS else ():
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
    if (
        name is not None
        and name.type == _PROPERTY_IDENTIFIERS
        and _text(name, text).startswith(_VARIABLE)
    ):
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
    return field in _INNER_IDENTIFIERS and not _is_renamed(node, field)


def _is_renamed(node: Node, field: str | None) -> bool:
    """Whether a field has the name that a property is given in a destructuring assignment."""
    return field == "value" and node.type == _RENAMING
