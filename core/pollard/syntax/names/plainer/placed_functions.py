"""Functions that a table holds, and plain functions in their place.

`function Shop:sell(n) return self.stock - n end` and `print(shop:sell(2))` become
`function sell(n) return stock - n end` and `print(sell(2))`. So a table that only holds functions, as
Lua's classes and modules do, is no longer needed.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import child_in, leaves, nodes, text_of
from pollard.syntax.names.plainer.objects.objectless import Objectless
from pollard.syntax.names.replaceable import identifiers
from pollard.syntax.tree.edits import Edit, outermost

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


def without_tables(document: Document) -> Iterator[list[Edit]]:
    """Yield the edits that take all functions out of their tables, and each that uses no object."""
    style = conventions(document.language).loose_methods
    functions = [*_placed(document)] if style is not None else []
    if style is None or not functions:
        return
    receivers = [*_members_of_receivers(document, Objectless(document, style, frozenset()))]
    names = [name for _, name in functions]
    yield outermost(sorted([*_freed(document, names), *receivers]))
    for function, name in functions if len(functions) > 1 else ():
        start, end = function.byte_range
        if not any(start <= edit.start < end for edit in receivers):
            yield outermost(sorted(_freed(document, [name])))


def _placed(document: Document) -> Iterator[tuple[Node, bytes]]:
    """Yield the functions that are defined as a member, each with its name; the name is unique."""
    fields = conventions(document.language).fields
    found = []
    for node in nodes(document.root):
        is_function = child_in(node, fields.parameter_lists) is not None
        name = child_in(node, fields.names) if is_function else None
        if name is not None and name.named_child_count > 1:
            found.append((node, text_of([*leaves(name)][-1], document.text)))
    defined = Counter(name for _, name in found)
    yield from (each for each in found if defined[each[1]] == 1)


def _freed(document: Document, names: Collection[bytes]) -> Iterator[Edit]:
    """Yield the edits that remove the object before members that have some names."""
    places = identifiers(document)
    for name in names:
        for start, end in places.get(name, ()):
            leaf = document.root.descendant_for_byte_range(start, end)
            above = _member(leaf, document) if leaf is not None else None
            if above is not None:
                yield Edit(above.start_byte, start)


def _member(leaf: Node, document: Document) -> Node | None:
    """Return an object and its member of which a leaf is the name; None if it is something else."""
    style, above = conventions(document.language).loose_methods, leaf.parent
    before = leaf.prev_sibling
    is_member = above is not None and before is not None and above.end_byte == leaf.end_byte
    if not is_member or style is None or before is None:
        return None
    return above if text_of(before, document.text) in style.members else None


def _members_of_receivers(document: Document, objectless: Objectless) -> Iterator[Edit]:
    """Yield the edits that remove `self` before its members."""
    receivers = conventions(document.language).tokens.receivers
    places = identifiers(document)
    for receiver in receivers:
        for start, end in places.get(receiver, ()):
            after = objectless.member_start(end)
            if after is not None:
                yield Edit(start, after)
