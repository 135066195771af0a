"""The names that a document gives to values: of variables, parameters, functions, and in patterns."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import (
    assigned,
    child_in,
    defined,
    leaves,
    nodes,
    parameter_names,
    text_of,
)

if TYPE_CHECKING:
    from pollard.syntax.tree.document import Document


_OWN_NAME = re.compile(rb"^[^\W\d_]\w*$")
# The kinds of what takes a value apart, and of the variable of a handler. What begins with a capital
# letter there is the name of a class.
_PATTERN = re.compile("(?<!as_)pattern|exception_variable")
_VARIABLE = re.compile(rb"[^\W\d_A-Z]\w*\Z")


def functions_of(document: Document) -> frozenset[bytes]:
    """Return the names of the functions that a document defines, without the paths before them."""
    fields, text = conventions(document.language).fields, document.text
    functions = (node for node in nodes(document.root) if child_in(node, fields.bodies) is not None)
    names = filter(None, (child_in(node, fields.names) for node in functions))
    return frozenset(text_of([*leaves(name)][-1], text) for name in names)


def given_names(document: Document) -> frozenset[bytes]:
    """Return the names of the variables and parameters of a document, and of its objects.

    A sign before a name says enough: PHP's grammar does not tell the variable of a `foreach`. None is
    returned in a shell, whose variables need no values.
    """
    text, language = document.text, document.language
    known = conventions(language)
    if known.may_be_unset:
        return frozenset()
    found = {*known.tokens.receivers, *known.tokens.implied}
    for node in nodes(document.root):
        found |= defined(node, text, language) | assigned(node, text, language)
        if node.type in known.kinds.symbols:
            found.add(text_of(node, text).lstrip(b":"))
        before = node.prev_sibling
        if before is not None and text_of(before, text) in known.tokens.sigils:
            found.update(_OWN_NAME.findall(text_of(node, text)))
        if _PATTERN.search(node.type):
            names = (text_of(leaf, text) for leaf in leaves(node) if leaf.is_named)
            found.update(filter(_VARIABLE.match, names))
        parameters = child_in(node, known.fields.parameter_lists)
        for parameter in parameters.named_children if parameters is not None else ():
            found.update(parameter_names(parameter, text, language))
    return frozenset(found)
