"""Queries without their tables: `SELECT a, 1 FROM t WHERE b` becomes `SELECT 1, 1`.

A query that fills a table or makes a view need not read from others. Its columns can only go together
with the tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import is_identifier, leaves, nodes, text_of
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


_NOTHING = b"NULL"
# In the kinds of statements that make tables and rows.
_INSERTING = "insert"
_FILLING = ("create_table", _INSERTING)


def without_tables_read(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each query of tables, the edits that remove these and put a value for each column."""
    known = conventions(document.language)
    if known.entry is None or not known.kinds.sources:
        return
    for source in nodes(document.root):
        query = source.prev_named_sibling
        if source.type not in known.kinds.sources or query is None:
            continue
        columns = [node for node in nodes(query) if node.type in known.entry.columns]
        own = _inserted_values(columns, source, document)
        choices = [own] if any(each != _NOTHING for each in own) else []
        choices += [[value] * len(columns) for value in known.entry.values]
        for values in choices if columns else choices[:1]:
            filled = [
                Edit(*column.byte_range, value)
                for column, value in zip(columns, values, strict=True)
            ]
            yield [*filled, Edit(query.end_byte, source.end_byte)]


def _inserted_values(columns: Sequence[Node], source: Node, document: Document) -> list[bytes]:
    """Return what the columns that are read of a source get in the last row of their tables."""
    text, kinds = document.text, conventions(document.language).kinds
    read = [[*leaves(each)] for each in nodes(source) if each.type in kinds.relations]
    tables = {text_of(names[-1], text): text_of(names[0], text) for names in read}
    rows, found = document.once(_inserted), []
    for column in columns:
        first, *_, last = [text_of(leaf, text) for leaf in leaves(column)] * 2
        own = [tables.get(first, first)] if first != last else tables.values()
        values = [rows[table][last] for table in own if last in rows.get(table, ())]
        found.append(values[0] if values else _NOTHING)
    return found


def _inserted(document: Document) -> dict[bytes, dict[bytes, bytes]]:
    """Map the names of tables, and of their columns, to what these get in the last row."""
    text, known = document.text, conventions(document.language)
    lists: dict[bytes, list[bytes]] = {}
    found: dict[bytes, dict[bytes, bytes]] = {}
    for statement in nodes(document.root):
        if not any(word in statement.type for word in _FILLING):
            continue
        table = name_in(statement, document)
        rows = [each for each in nodes(statement) if each.type in known.kinds.rows]
        names = [name_in(each, document) for each in rows[0].named_children] if rows else []
        lists[table] = names if all(names) else lists.get(table, [])
        if rows and _INSERTING in statement.type:
            values = [text_of(each, text) for each in rows[-1].named_children]
            found[table] = dict(zip(lists[table], values, strict=False))
    return found


def name_in(node: Node, document: Document) -> bytes:
    """Return the first name in a node; empty if there is none."""
    names = (leaf for leaf in leaves(node) if is_identifier(leaf, document.language))
    return next((text_of(leaf, document.text) for leaf in names), b"")
