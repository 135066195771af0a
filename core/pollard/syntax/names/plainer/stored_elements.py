"""One element in the place of a collection that a program fills while it runs.

`rows[key] = f()` and `rows[0].g()` become `rows = f()` and `rows.g()`; so do `rows.append(f())` and
`rows[-1].g()`. What else uses the collection gets a list of the element: `for row in [rows]`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import child_in, is_in, nodes, text_of
from pollard.syntax.names.lone.chains import MEMBER_SIGNS, is_assigned
from pollard.syntax.names.written_collections import appending_statements, chosen_part
from pollard.syntax.tree.edits import Edit, outermost

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


_INDEX_ENDS = (b"[", b"]")
_PLAIN = re.compile(rb"\s*=(?![=~>])")
# What is declared as constant, and how a variable is declared then.
_CONSTANT, _VARIABLE = rb"\bconst(?=\s+%b\s*=)", b"let"
_ASSIGNING, _ENDING = b" = ", b";"


@dataclass(slots=True)
class _Collection:
    """The edits for what a collection gets, and the nodes that read an element or use all of it."""

    stored: list[Edit] = field(default_factory=list)
    read: list[Node] = field(default_factory=list)
    used: list[Node] = field(default_factory=list)


def with_stored_elements(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each collection that gets elements, the edits that leave one of them in its place.

    In scripts only: elsewhere a collection has a type.
    """
    known = conventions(document.language)
    if not known.runs_statements:
        return
    opening, closing = known.tokens.list_ends or _INDEX_ENDS
    for name, collection in _collections(document).items():
        edits = [*collection.stored]
        edits += [Edit(*node.byte_range, name) for node in collection.read]
        edits += [
            Edit(*node.byte_range, opening + text_of(node, document.text) + closing)
            for node in collection.used
        ]
        if len(edits) > len(collection.stored):
            declared = re.finditer(_CONSTANT % re.escape(name), document.text)
            edits += [Edit(*match.span(), _VARIABLE) for match in declared]
            yield outermost(sorted(edits))


def _collections(document: Document) -> Mapping[bytes, _Collection]:
    """Return the collections of a document that get elements, by their names such as `self.rows`."""
    text, parts = document.text, [*nodes(document.root)]
    indexed = [(node, head) for node in parts if (head := _indexed(node, text)) is not None]
    found: dict[bytes, _Collection] = {}
    for name, edits in (*_stored(indexed, text), *_appended(document)):
        found.setdefault(name, _Collection()).stored += edits
    for node, head in indexed:
        own = found.get(text_of(head, text))
        if own is not None and not _is_stored(node, text):
            own.read.append(node)
    heads = {head.byte_range for _, head in indexed}
    for node in _used_whole(parts, heads, document) if found else ():
        own = found.get(text_of(node, text))
        if own is not None:
            own.used.append(node)
    return found


def _stored(
    indexed: Sequence[tuple[Node, Node]], text: bytes
) -> Iterator[tuple[bytes, list[Edit]]]:
    """Yield the collections that are assigned an element, and the edits that assign it to them."""
    for node, head in indexed:
        if _is_stored(node, text):
            yield text_of(head, text), [Edit(*node.byte_range, text_of(head, text))]


def _is_stored(node: Node, text: bytes) -> bool:
    return is_assigned(node) and _PLAIN.match(text, node.end_byte) is not None


def _used_whole(
    parts: Sequence[Node], heads: Collection[tuple[int, int]], document: Document
) -> Iterator[Node]:
    """Yield the outermost nodes that are no `heads` of indices, no targets, members or parameters."""
    text, fields = document.text, conventions(document.language).fields
    lists = (child_in(each, fields.parameter_lists) for each in parts)
    parameters = [each for each in lists if each is not None]
    seen = {*heads}
    for node in parts:
        is_no_use = (
            text.endswith(MEMBER_SIGNS, 0, node.start_byte)
            or is_assigned(node)
            or any(is_in(node, each) for each in parameters)
        )
        if node.byte_range not in seen and not is_no_use:
            yield node
        seen.add(node.byte_range)


def _appended(document: Document) -> Iterator[tuple[bytes, list[Edit]]]:
    """Yield what each statement appends to, and the edits that assign the element to that."""
    for node, match in appending_statements(document):
        start, end = match.span(2)
        ending = _ENDING if match[0].endswith(_ENDING) else b""
        before = Edit(node.start_byte, start, match[1] + _ASSIGNING)
        yield match[1], [before, Edit(end, node.end_byte, ending)]


def _indexed(node: Node, text: bytes) -> Node | None:
    """Return that of which a node takes an element by an index or a key; None if it does not."""
    choice = chosen_part(node, text)
    return choice[0] if choice and choice[1] == _INDEX_ENDS[0] else None
