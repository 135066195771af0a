"""One statement a line: which lines belong together, and where one line should be two.

Grammars do not say what a statement is, so the kinds' names have to. A wrong guess is only ugly:
nothing that changes the tree's `structure` is tried.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from pollard.syntax.islands.islands import innermost
from pollard.syntax.layout.respacing import columns
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from pollard.syntax.layout.respacing import Respacing, TextLine

_MAX_LINE_COLUMNS = 72
_TIGHT_AFTER = (b"(", b"[", b".")
_TIGHT_BEFORE = (b")", b"]", b".")
_STATEMENT_KIND = re.compile(
    "statement|declaration|definition|function|class|item|directive|clause"
)
# What has its parts on lines of their own, or has lines in it that readers expect.
_BLOCK_KIND = re.compile(
    "block|body|suite|statements|module|chunk|comment|element|environment|paragraph|text|markup"
    "|section|mapping|rule|recipe|row|preproc|then|else|do_|heredoc|modifiers|decorat"
)


def statement_edits(respacing: Respacing) -> list[Edit]:
    """Return edits that put a short statement on one line, and each statement on its own.

    They take the place of those of `respacing` for the same white space.
    """
    return sorted([*_joints(respacing), *_splits(respacing)])


def _joints(respacing: Respacing) -> Iterator[Edit]:
    flat = _FlatNodes(respacing)
    for line in respacing.lines:
        if not line.is_fixed and line.gap[0] > respacing.start:
            new = _joint(line, respacing, flat)
            if new is not None:
                yield Edit(*line.gap, new)


def _joint(line: TextLine, respacing: Respacing, flat: _FlatNodes) -> bytes | None:
    """Return what joins a line to the one before; None if it should stay on its own."""
    start, end = line.gap
    find = innermost(respacing.document, start - 1, end + 1).root.descendant_for_byte_range
    left, around = find(start - 1, start), find(start - 1, end + 1)
    if left is None or around is None or _BLOCK_KIND.search(left.type):
        return None
    before, after = respacing.text[start - 1 : start], respacing.text[end : end + 1]
    if before + after in (b"()", b"[]", b"{}") or respacing.begins_separator(end):
        return b""
    if _begins_statement(around, end) or not flat.contain(around):
        return None
    return b"" if before in _TIGHT_AFTER or after in _TIGHT_BEFORE else b" "


def _begins_statement(around: Node, start: int) -> bool:
    return any(
        child.start_byte == start and _STATEMENT_KIND.search(child.type)
        for child in around.named_children
    )


class _FlatNodes:
    """The nodes that fit on one line and have no lines of their own in them."""

    def __init__(self, respacing: Respacing) -> None:
        self._respacing = respacing
        self._is_flat: dict[int, bool] = {}

    def contain(self, node: Node) -> bool:
        """Return whether a node is flat, and the largest one around it is in the span and fits."""
        if not self._are_flat(node):
            return False
        while node.parent is not None and self._are_flat(node.parent):
            node = node.parent
        respacing = self._respacing
        if node.start_byte < respacing.span[0] or respacing.span[1] < node.end_byte:
            return False
        words = respacing.text[node.start_byte : node.end_byte].split()
        indentation = respacing.indentation_at(node.start_byte)
        return columns(indentation) + len(b" ".join(words)) <= _MAX_LINE_COLUMNS

    def _are_flat(self, node: Node) -> bool:
        if node.id not in self._is_flat:
            self._is_flat[node.id] = node.parent is not None and not self._has_lines(node)
        return self._is_flat[node.id]

    def _has_lines(self, node: Node) -> bool:
        if node.is_named and _BLOCK_KIND.search(node.type):
            return True
        if not node.child_count:
            text = self._respacing.text[node.start_byte : node.end_byte]
            return b"\n" in text or b"\r" in text
        return any(child.type == "{" or not self._are_flat(child) for child in node.children)


def _splits(respacing: Respacing) -> Iterator[Edit]:
    for node in _blocks(respacing):
        for left, right in pairwise(node.named_children):
            start, end = left.end_byte, right.start_byte
            if (
                respacing.span[0] <= start <= end <= respacing.span[1]
                and respacing.text[start - 1 : start] in (b";", b"}")
                and not respacing.text[start:end].strip(b" \t")
                and not respacing.text[end : end + 1].isspace()
                and _STATEMENT_KIND.search(right.type)
            ):
                indentation = respacing.indentation_at(left.start_byte)
                yield Edit(start, end, respacing.line_end + indentation)


def _blocks(respacing: Respacing) -> Iterator[Node]:
    """Yield the root, and the nodes in braces whose first statement begins a line."""
    starts = {line.start for line in respacing.lines}
    stack = [respacing.document.root]
    while stack:
        node = stack.pop()
        named = node.named_children
        has_lines = bool(named) and named[0].start_byte in starts
        if node.parent is None or (has_lines and node.children[0].type == "{"):
            yield node
        stack += node.children
