"""Names of declarations in grammars without fields for them: Kotlin's, GraphQL's, Zig's.

There the kind of a node tells that it declares something, and the first name in it, before its value
and whatever it has inside, is what it is called. As all that reads names, this only steers a search.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from pollard.syntax.kinds import kind_names
from pollard.syntax.languages import grammar_of

if TYPE_CHECKING:
    from collections.abc import Iterator

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
