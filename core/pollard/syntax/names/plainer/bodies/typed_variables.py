"""Functions that become variables of the type of their result, where only that type matters.

A compiler that refuses what a call gives back knows no more of it than its type: `T f(int x) {…}` and
`f(7).y` become `T f;` and `f.y`. What the function does and gets may go then, and so may all that only
served that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.syntax.names.calls import call_of
from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import child_in, defining, nodes, text_of
from pollard.syntax.names.replaceable import identifiers
from pollard.syntax.tree.edits import Edit, outermost

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


_END, _MEMBER = b";", "method"
_NO_TYPES, _SIGN = (b"void", b"None", b": void"), b": "


def with_typed_variables(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each function with a type of its result, the edits that make it a variable of that.

    Its calls become uses. In languages whose types are known only as they run there is nothing to do.
    """
    known = conventions(document.language)
    if not known.tokens.typing:
        return
    for function in nodes(document.root):
        kind = child_in(function, known.fields.results | known.fields.types)
        if kind is None:
            continue
        for name in defining(function, document.text, document.language)[:1]:
            if not _is_function(function, name, kind, document):
                continue
            calls = [*_uses(function, name, document)]
            if calls:
                yield outermost(sorted([*_declared(function, name, kind, document), *calls]))


def _is_function(node: Node, name: Node, kind: Node, document: Document) -> bool:
    """Return whether a node is a function with a result: one with a body, or one that C++ declares."""
    known = conventions(document.language)
    if text_of(kind, document.text) in _NO_TYPES:
        return False
    if node.type in known.kinds.functions:
        return child_in(node, known.fields.bodies) is not None
    holder = name.parent
    has_parameters = holder is not None and child_in(holder, known.fields.parameter_lists)
    return bool(has_parameters) and kind.end_byte <= name.start_byte


def _declared(function: Node, name: Node, kind: Node, document: Document) -> Iterator[Edit]:
    """Yield the edits that declare a variable in the place of a function."""
    if kind.start_byte < name.start_byte:
        yield Edit(name.end_byte, function.end_byte, _END)
        return
    text, (before, between) = document.text, conventions(document.language).tokens.typing
    is_member = _MEMBER in function.type and function.parent != document.root
    new = (b"" if is_member else before) + text_of(name, text) + between
    yield Edit(*function.byte_range, new + text_of(kind, text).lstrip(_SIGN))


def _uses(function: Node, name: Node, document: Document) -> Iterator[Edit]:
    """Yield the edits that take the arguments from each call of a function outside of it.

    What has its object before it, as in Go, belongs to no object then.
    """
    text, language = document.text, document.language
    has_receiver = bool(child_in(function, conventions(language).fields.objects))
    for start, end in identifiers(document).get(text_of(name, text), ()):
        leaf = document.root.descendant_for_byte_range(start, end)
        if leaf is None or function.start_byte <= start < function.end_byte:
            continue
        call = call_of(leaf, text, language)
        if call is not None:
            yield Edit(end, call.end_byte)
            if has_receiver:
                yield Edit(call.start_byte, start)
