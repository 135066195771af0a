"""Queries with a name, such as views, in the place of that where only one other query reads them.

`WITH q AS (SELECT f(a) b FROM t) SELECT b FROM q` becomes `SELECT f(a) FROM t`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import end_with_semicolon, is_in, leaves, nodes, text_of
from pollard.syntax.names.plainer.queries.tableless_queries import name_in
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


_COMMA, _ALIAS = b",", "alias"


def with_inner_queries(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each query with a name that is read once, the edits that put it in that place.

    First its columns take the places of their names, and what it reads that of the query. Then it
    stands there in brackets.
    """
    text, kinds = document.text, conventions(document.language).kinds
    parts = [*nodes(document.root)] if kinds.queries else []
    relations = [(name_in(each, document), each) for each in parts if each.type in kinds.relations]
    for query in (each for each in parts if each.type in kinds.queries):
        name = name_in(query, document)
        readers = [each for read, each in relations if read == name]
        columns = next((each for each in nodes(query) if each.type in kinds.bare_lists), None)
        head = columns.parent if columns is not None else None
        whole = head.parent if head is not None else None
        if len(readers) != 1 or is_in(readers[0], query) or not (columns and head and whole):
            continue
        reader, gone = readers[0], _removal(query, document)
        values = _values(columns, document)
        source = reader.parent
        if source is not None and source.type in kinds.sources:
            rest = text[head.end_byte : whole.end_byte].strip()
            place = Edit(source.start_byte, reader.end_byte, rest)
            yield sorted([gone, *_filled(source, values, document), place])
        inner = b"(" + text_of(whole, text) + b")"
        yield sorted([gone, Edit(*reader.named_children[0].byte_range, inner)])


def _removal(query: Node, document: Document) -> Edit:
    """Return the edit that removes a query with a name: with a comma, or with what begins the list."""
    before, after, text = query.prev_sibling, query.next_sibling, document.text
    if before is None:
        above = query.parent or query
        return Edit(above.start_byte, end_with_semicolon(above, text))
    if after is not None and text_of(after, text) == _COMMA:
        return Edit(query.start_byte, after.end_byte)
    return Edit(before.start_byte, query.end_byte)


def _values(columns: Node, document: Document) -> dict[bytes, bytes]:
    """Map the names of the columns of a query to their values."""
    found = {}
    for column in columns.named_children:
        named = column.child_by_field_name(_ALIAS)
        value = column.named_children[0] if column.named_child_count else column
        name = named or [*leaves(value)][-1]
        found[text_of(name, document.text)] = text_of(value, document.text)
    return found


def _filled(source: Node, values: Mapping[bytes, bytes], document: Document) -> Iterator[Edit]:
    """Yield the edits that put values in the place of columns in a query that reads `source`.

    A column of a query with a name keeps its own.
    """
    text, known = document.text, conventions(document.language)
    above = source.parent.parent if source.parent else None
    has_name = above is not None and above.type in known.kinds.queries
    head = source.prev_named_sibling or source
    kinds = known.entry.columns if known.entry else ()
    for column in (each for part in (head, source) for each in nodes(part) if each.type in kinds):
        name = text_of([*leaves(column)][-1], text)
        term = column.parent
        if name in values:
            is_whole = term is not None and term.byte_range == column.byte_range
            own = b" " + name if has_name and is_whole and not values[name].endswith(name) else b""
            yield Edit(*column.byte_range, values[name] + own)
