"""Queries without their tables: `SELECT a, 1 FROM t WHERE b` becomes `SELECT 1, 1`.

A query that fills a table or makes a view need not read from others. Its columns can only go together
with the tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import nodes
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.syntax.tree.document import Document


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
        for value in known.entry.values:
            filled = [Edit(*column.byte_range, value) for column in columns]
            yield [*filled, Edit(query.end_byte, source.end_byte)]
            if not columns:
                break
