"""Values with the type that their declaration gives them, in the place of the only use of that.

`fn f() -> Result<u8, E> { Err(x) }` and `f().unwrap()` become `(Err(x) as Result<u8, E>).unwrap()`.
Without the type a compiler would not know what the value is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.syntax.names.calls import call_of
from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import child_in, nodes, text_of
from pollard.syntax.names.inlinable import Inlinable, with_arguments
from pollard.syntax.names.replaceable import identifiers
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from pollard.syntax.names.conventions import Conventions
    from pollard.syntax.tree.document import Document


# Before a type, in some grammars.
_COLON = b": \t"


def with_typed_values(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each declaration that is used once, the edits that put its value and type there."""
    known, text = conventions(document.language), document.text
    if not known.typed_value:
        return
    names = identifiers(document)
    for node in nodes(document.root):
        kind = child_in(node, known.fields.results) or child_in(node, known.fields.types)
        name = child_in(node, known.fields.names)
        value = _value(node, known)
        if kind is None or name is None or value is None:
            continue
        places = [each for each in names.get(text_of(name, text), ()) if each != name.byte_range]
        leaf = document.root.descendant_for_byte_range(*places[0]) if len(places) == 1 else None
        if leaf is None or node.start_byte <= leaf.start_byte < node.end_byte:
            continue
        is_function = node.type in known.kinds.functions
        place = call_of(leaf, text, document.language) if is_function else leaf
        if place is not None:
            content = Inlinable((value,))
            new = with_arguments(document, node, content, place if is_function else None)
            opening, middle, closing = known.typed_value
            new = opening + new + middle + text_of(kind, text).lstrip(_COLON) + closing
            yield sorted([Edit(*_statement(node).byte_range), Edit(*place.byte_range, new)])


def _value(node: Node, known: Conventions) -> Node | None:
    """Return the value of a variable, or the only value of a function."""
    body = child_in(node, known.fields.bodies)
    if body is None:
        return child_in(node, known.fields.values - known.fields.types)
    only = body.named_children[0] if body.named_child_count == 1 else None
    if only is not None and only.type in known.kinds.returns:
        return only.named_children[0] if only.named_child_count else None
    return only if body.type in known.kinds.valued_blocks else None


def _statement(node: Node) -> Node:
    """Return the statement of a declaration that holds nothing else."""
    above = node.parent
    return above if above is not None and above.parent and above.named_child_count == 1 else node
