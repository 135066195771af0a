"""Statements inside blocks, and statements with blocks in them, such as loops and branches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import (
    assigned,
    child_in,
    defined,
    is_in,
    leaves,
    nodes,
    parameter_names,
    text_of,
)
from pollard.syntax.tree.edits import Edit, apply

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


# The fields of the variables of a loop.
_LOOP_VARIABLES = frozenset({"left", "pattern", "variable"})
# In the kinds of loops, and of the loops of comprehensions.
_LOOP = "for"
# The field of the parameter of `x => 1`, without brackets around it.
_SINGLE_PARAMETER = frozenset({"parameter"})


def innermost_statements(document: Document) -> Iterator[Node]:
    """Yield the statements with no blocks in them, and expressions that are all of a body.

    The commands of a shell are statements wherever they stand. After one that a condition or a loop
    follows, as in `f() if x`, comes the same one without that.
    """
    kinds = conventions(document.language).kinds
    for node in nodes(document.root):
        is_statement = node.is_named and (
            _is_in_block(node, document) or _is_body(node, document) or node.type in kinds.commands
        )
        if is_statement and not any(_is_block(each, document) for each in nodes(node)):
            yield node
            inner = node if node.named_child_count != 1 else node.named_children[0]
            if inner.type in kinds.modified:
                yield inner.named_children[0]


def compound_statements(document: Document) -> Iterator[Node]:
    """Yield the statements with blocks in them, such as loops and branches, but no definitions."""
    fields = conventions(document.language).fields
    for node in nodes(document.root):
        defines = any(child_in(node, each) for each in (fields.names, fields.parameter_lists))
        has_block = any(_is_block(child, document) for child in node.named_children)
        if has_block and not defines and node.parent is not None and not _is_block(node, document):
            yield node


def outermost_blocks(node: Node, document: Document) -> Iterator[Node]:
    """Yield the blocks in a node that are in no other one, in order."""
    waiting = node.named_children[::-1]
    while waiting:
        inner = waiting.pop()
        if _is_block(inner, document):
            yield inner
        else:
            waiting += inner.named_children[::-1]


def head_text(node: Node, blocks: Iterable[Node], text: bytes) -> bytes:
    """Return the text of a node without that of some blocks in it."""
    return apply(text, [Edit(*block.byte_range) for block in blocks], node.byte_range)


def variables_of(head: Node, blocks: Sequence[Node], document: Document) -> frozenset[bytes]:
    """Return the names that the head of a statement gives values, such as the variables of a loop."""
    text, language, found = document.text, document.language, set[bytes]()
    for node in nodes(head):
        if any(is_in(node, block) for block in blocks):
            continue
        if node.type in conventions(language).kinds.operations:
            continue  # what is left of a sign is no variable of this head
        found |= defined(node, text, language) | assigned(node, text, language)
        variables = child_in(node, _LOOP_VARIABLES)
        if variables is not None:
            found.update(text_of(leaf, text) for leaf in leaves(variables))
    return frozenset(found)


def bound_inside(statement: Node, document: Document) -> list[tuple[Node, frozenset[bytes]]]:
    """Return the functions and comprehensions in a statement, each with the names that it binds."""
    text, language = document.text, document.language
    known = conventions(language)
    lists = known.fields.parameter_lists | _SINGLE_PARAMETER
    found = []
    for node in nodes(statement):
        names: set[bytes] = set()
        parameters = child_in(node, lists)
        if parameters is not None:
            for parameter in parameters.named_children or [parameters]:
                names.update(parameter_names(parameter, text, language))
        for child in node.named_children:
            variables = child_in(child, _LOOP_VARIABLES)
            if variables is not None and _LOOP in child.type:
                names.update(text_of(leaf, text) for leaf in leaves(variables))
        if node.type in known.kinds.implying:
            names.update(known.tokens.implied)
        if names:
            found.append((node, frozenset(names)))
    return found


def _is_in_block(node: Node, document: Document) -> bool:
    """Return whether a node is a part of a block, other than its parameters and declarations in it."""
    above, fields = node.parent, conventions(document.language).fields
    if above is None or not _is_block(above, document):
        return False
    is_parameters = node == child_in(above, fields.parameter_lists)
    defines = any(
        child_in(node, each) is not None for each in (fields.bodies, fields.parameter_lists)
    )
    return not is_parameters and not defines


def _is_body(node: Node, document: Document) -> bool:
    """Return whether a node is an expression that is all of a function's body."""
    fields = conventions(document.language).fields
    return node.parent is not None and node == child_in(node.parent, fields.bodies)


def _is_block(node: Node, document: Document) -> bool:
    """Return whether a node consists of statements; Perl's `@{...}` does not."""
    known = conventions(document.language)
    has_sigil = document.text.endswith(known.tokens.sigils, 0, node.start_byte)
    return node.type in known.kinds.blocks and not has_sigil
