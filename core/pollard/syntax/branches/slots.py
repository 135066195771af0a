"""Slots: what the grammar would take in the place of a node, asked of the parse tables.

hddh-2021 (section III-C) lets a node be replaced by a descendant with the same non-terminal. On
tree-sitter's trees kinds are concrete (`if_statement`) and the shared non-terminal (`_statement`) is
hidden, so that equal names hardly ever occur. Compatible here means that the slot of the one
accepts the other: same kind, or a common supertype, or a state of the parse table that shifts it and
then the token that follows. All of that predicts; the syntax guard decides.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language, Node


def supertypes(kind: int, language: Language | None) -> frozenset[int]:
    """Return the supertypes that a kind of node is one of; none without a grammar that tells."""
    return _supertypes(language).get(kind, frozenset()) if language else frozenset()


_TOKEN = re.compile(rb"\S")
_NO_SYMBOL = 65_534


class Slots:
    """Questions to the parse tables of one language."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._supertypes = _supertypes(language)

    def compatible(self, node: Node, other: Node, following: int | None) -> bool:
        """Predict whether `other` may stand where `node` does, before the symbol `following`."""
        if node.kind_id == other.kind_id:
            return True
        none: frozenset[int] = frozenset()
        if self._supertypes.get(node.kind_id, none) & self._supertypes.get(other.kind_id, none):
            return True
        return self._shifts(node.parse_state, other.grammar_id, following)

    def _shifts(self, state: int, symbol: int, following: int | None) -> bool:
        if symbol >= _NO_SYMBOL or state >= self._language.parse_state_count:
            return False  # of an ERROR node; the tables would be read beyond their end
        after = self._language.next_state(state, symbol)
        return bool(after) and (following is None or following in _lookahead(self._language, after))


@cache
def _lookahead(language: Language, state: int) -> frozenset[int]:
    iterator = language.lookahead_iterator(state)
    return frozenset(symbol for symbol, _ in iterator) if iterator else frozenset()


@cache
def _supertypes(language: Language) -> dict[int, frozenset[int]]:
    """Map each kind to the supertypes it is one of; empty for grammars older than ABI 15."""
    above: dict[int, frozenset[int]] = {}
    for supertype in language.supertypes:
        for kind in language.subtypes(supertype):
            above[kind] = above.get(kind, frozenset()) | {supertype}
    return above


def following_symbol(root: Node, text: bytes, end: int) -> int | None:
    """Return the symbol of the first token at or after the offset `end`; None at the end."""
    token = _TOKEN.search(text, end)
    if token is None:
        return None
    leaf = root.descendant_for_byte_range(token.start(), token.end())
    return leaf.grammar_id if leaf is not None and not leaf.child_count else None
