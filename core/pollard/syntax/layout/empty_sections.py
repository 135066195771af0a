"""Sections that would be left without an element, which some languages refuse.

Pascal's `type`, `var` and `const` begin lists of declarations. Without any they are a mistake for the
compiler, though not for the grammar. So a section goes with its last element.
"""

from __future__ import annotations

import bisect
from collections import Counter
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import nodes
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


def left_empty(document: Document, edits: Sequence[Edit]) -> list[Edit]:
    """Return deletions of the sections that `edits` leave without an element.

    `edits` are in order and disjoint.
    """
    if not conventions(document.language).kinds.sections:
        return []
    return document.once(_SectionElements).left_by(edits)


class _SectionElements:
    """The sections of a document and their elements: all their children but the keyword."""

    def __init__(self, document: Document) -> None:
        kinds = conventions(document.language).kinds.sections
        self._sections: dict[Node, int] = {}
        self._elements: list[tuple[int, int, Node]] = []
        for node in nodes(document.root):
            if node.type in kinds:
                elements = node.named_children[1:]
                self._sections[node] = len(elements)
                self._elements += ((each.start_byte, each.end_byte, node) for each in elements)
        self._elements.sort(key=lambda element: element[:2])
        self._starts = [start for start, _, _ in self._elements]

    def left_by(self, edits: Sequence[Edit]) -> list[Edit]:
        """Do what `left_empty` does, for this document."""
        gone: Counter[Node] = Counter()
        for edit in edits:
            if edit.new:
                continue
            first = bisect.bisect_left(self._starts, edit.start)
            last = bisect.bisect_left(self._starts, edit.end)
            gone.update(node for _, end, node in self._elements[first:last] if end <= edit.end)
        return [
            Edit(node.start_byte, node.end_byte)
            for node, count in gone.items()
            if count == self._sections[node]
        ]
