"""Texts and nodes that may take the place of a node, found without the grammar's source.

HDD replaces what it cannot remove by the smallest fragment that the grammar allows there (hdd-2006;
picireny-2016, section 2, computes it from the grammar). tree-sitter ships no grammar, but its
parser is an exact judge. `Replacements` tries short literals and the shortest instances of the same
kind in the file, themselves reduced as long as they still parse as that kind. None of that runs the
oracle.

hddh-2021 (section III-C) lets a node be replaced by a descendant with the same non-terminal.
tree-sitter's trees have concrete kinds (`if_statement`) and hide the non-terminal that they share
(`_statement`), so equal kinds are rare. `Slots` therefore asks the parse tables: a node may stand
in another's place if both are of one kind, have a supertype in common, or if the parser can shift
the one in the other's state and then the token that follows. That is a prediction; the syntax guard
decides.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from pollard.syntax.branches.branches import Branch, Preprocessing, below, root_branch, squeezed
from pollard.syntax.branches.units import reaches, removal
from pollard.syntax.tree.edits import Edit, join
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Language, Node

    from pollard.syntax.tree.document import Document


_LITERALS = (b"0", b";", b'""', b"[]", b"{}", b"()", b"''")
_PLACEHOLDER_NAMES = (b"a",)
_IDENTIFIER = re.compile(rb"[^\W\d][\w$]*")
_MAX_INSTANCE_BYTES = 60
_MAX_PROPOSALS = 2

# Longer texts are not searched for instances, since most of them will be gone soon.
_MAX_SEARCHED_BYTES = 32_000

_TOKEN_START = re.compile(rb"\S")
_ERROR_SYMBOL = 65_534


class Replacements:
    """Proposes what may stand in a branch's place; remembers by shape what the parser accepted."""

    def __init__(self) -> None:
        self._accepted: dict[tuple[tuple[int, ...], bytes], int | None] = {}
        self._instances: dict[Language | None, _Instances] = {}

    def proposals(self, document: Document, branch: Branch) -> list[bytes]:
        """Return at most two texts that parse in the branch's place, best first.

        Each has at most half of the branch's size. Short literals come first: one of the branch's
        own kind and one of another. If no literal parses, the shortest instances of these kinds in
        the file, or a name. Identifiers only get instances (`int` for a type's name, or a declared
        name).
        """
        document = branch.own_document_in(document)
        node = squeezed(branch.node)
        text = document.text[branch.start : branch.end]
        if branch.is_token:
            return []
        if not node.child_count and _IDENTIFIER.fullmatch(text):
            return self._fitting(document, branch, self._instances_for(document, node))
        literals = _LITERALS if node.child_count else _LITERALS + _PLACEHOLDER_NAMES
        return self._fitting(document, branch, literals) or self._fitting(
            document, branch, [*self._instances_for(document, node), *_PLACEHOLDER_NAMES]
        )

    def _fitting(self, document: Document, branch: Branch, texts: Iterable[bytes]) -> list[bytes]:
        """Return the first text of the branch's own kind, then the first of another kind."""
        kind = squeezed(branch.node).kind_id
        limit = size(document.text[branch.start : branch.end]) // 2
        found: dict[bool, bytes] = {}
        for new in texts:
            if len(found) < _MAX_PROPOSALS and size(new) <= limit:
                new_kind = self._kind_in_place(document, branch, new)
                if new_kind is not None:
                    found.setdefault(new_kind == kind, new)
        return [found[alike] for alike in (True, False) if alike in found]

    def _instances_for(self, document: Document, node: Node) -> list[bytes]:
        """Return the file's shortest texts of the node's kind and of kinds with its supertypes."""
        if len(document.text) > _MAX_SEARCHED_BYTES:
            return []
        instances = self._instances.get(document.language)
        if instances is None:
            instances = self._instances[document.language] = _Instances(document)
        above = supertypes(node.kind_id, document.language)
        texts = {
            instances.text(kind)
            for kind in instances.kinds
            if kind == node.kind_id or (above and above <= supertypes(kind, document.language))
        }
        return sorted(texts, key=lambda text: (len(text), text))

    def _kind_in_place(self, document: Document, branch: Branch, new: bytes) -> int | None:
        """Return the kind that `new` has in the branch's place; None if it does not parse there."""
        key = (branch.shape, new)
        if key not in self._accepted:
            self._accepted[key] = self._parsed_kind(document, branch, new)
        return self._accepted[key]

    def _parsed_kind(self, document: Document, branch: Branch, new: bytes) -> int | None:
        edited = document.edited((Edit(branch.start, branch.end, new),))
        if edited.has_more_errors_than(document.errors, roughly=True):
            return None
        return _kind_at(edited, branch.start, len(new), branch.parent)


def _kind_at(
    document: Document, start: int, length: int, parent: Branch | None = None
) -> int | None:
    """Return the kind of the node with that span; None without one, or below another parent."""
    node = document.rough_root.descendant_for_byte_range(start, start + length)
    if node is None or node.byte_range != (start, start + length):
        return None
    while (above := node.parent) is not None and above.byte_range == node.byte_range:
        node = above
    if parent is not None and (above is None or above.kind_id != parent.inner_node.kind_id):
        return None
    return squeezed(node).kind_id


class _Instances:
    """The shortest text of each named kind in a document, reduced on first use."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._shortest: dict[int, Node] = {}
        self._texts: dict[int, bytes] = {}
        stack = [document.root]
        while stack:
            node = stack.pop()
            stack += node.children
            if node.is_named and node.end_byte - node.start_byte <= _MAX_INSTANCE_BYTES:
                self._record(node)

    def _record(self, node: Node) -> None:
        known = self._shortest.get(node.kind_id)
        length = node.end_byte - node.start_byte
        if length and (known is None or length <= known.end_byte - known.start_byte):
            self._shortest[node.kind_id] = node  # the last in this order: the first in the text

    @property
    def kinds(self) -> Iterable[int]:
        """The kinds of which there is an instance."""
        return self._shortest

    def text(self, kind: int) -> bytes:
        """Return the reduced text of a kind's shortest instance."""
        if kind not in self._texts:
            branch = root_branch(self._shortest[kind], Preprocessing())
            self._texts[kind] = _reduced_instance(self._document, branch)
        return self._texts[kind]


def _reduced_instance(document: Document, branch: Branch) -> bytes:
    """Return a branch's text without all parts whose removal leaves it parsing as its kind."""
    node = branch.node
    if node.has_error:
        return document.text[branch.start : branch.end]
    edits: tuple[Edit, ...] = ()
    level = list(branch.children)
    while level:
        kept: list[Branch] = []
        for child in level:
            more_edits = _with_removal(document, node, edits, child)
            if more_edits is None:
                kept.append(child)
            else:
                edits = more_edits
        level = below(kept, (branch.start, branch.end))
    start, end = branch.start, branch.end + sum(len(e.new) - (e.end - e.start) for e in edits)
    return document.edited(edits).text[start:end]


def _with_removal(
    document: Document, node: Node, edits: tuple[Edit, ...], child: Branch
) -> tuple[Edit, ...] | None:
    """Add the removal of a child to `edits`; None if the rest no longer parses as the node's kind."""
    for reach in reaches(child):
        more_edits = join((*edits, removal(child, reach)))
        if more_edits[0].start <= node.start_byte and more_edits[-1].end >= node.end_byte:
            continue
        edited = document.edited(more_edits)
        length = node.end_byte - node.start_byte + len(edited.text) - len(document.text)
        if (
            not edited.has_more_errors_than(document.errors, roughly=True)
            and _kind_at(edited, node.start_byte, length) == node.kind_id
        ):
            return more_edits
    return None


def supertypes(kind: int, language: Language | None) -> frozenset[int]:
    """Return the supertypes of a kind of node; none if the grammar does not declare any."""
    return _supertypes(language).get(kind, frozenset()) if language else frozenset()


class Slots:
    """Predicts from a language's parse tables whether one node may take the place of another."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._supertypes = _supertypes(language)

    def compatible(self, node: Node, other: Node, following: int | None) -> bool:
        """Predict whether `other` may stand where `node` does, before the symbol `following`."""
        if node.kind_id == other.kind_id:
            return True
        empty: frozenset[int] = frozenset()
        if self._supertypes.get(node.kind_id, empty) & self._supertypes.get(other.kind_id, empty):
            return True
        return self._shifts(node.parse_state, other.grammar_id, following)

    def _shifts(self, state: int, symbol: int, following: int | None) -> bool:
        if symbol >= _ERROR_SYMBOL or state >= self._language.parse_state_count:
            return False  # an ERROR node; the lookup would read beyond the end of the tables
        after = self._language.next_state(state, symbol)
        return bool(after) and (following is None or following in _lookahead(self._language, after))


@cache
def _lookahead(language: Language, state: int) -> frozenset[int]:
    iterator = language.lookahead_iterator(state)
    return frozenset(symbol for symbol, _ in iterator) if iterator else frozenset()


@cache
def _supertypes(language: Language) -> dict[int, frozenset[int]]:
    """Map each kind to its supertypes; empty for grammars older than ABI 15."""
    found: dict[int, frozenset[int]] = {}
    for supertype in language.supertypes:
        for kind in language.subtypes(supertype):
            found[kind] = found.get(kind, frozenset()) | {supertype}
    return found


def following_symbol(root: Node, text: bytes, end: int) -> int | None:
    """Return the symbol of the first token at or after the offset `end`; None at the end."""
    token = _TOKEN_START.search(text, end)
    if token is None:
        return None
    leaf = root.descendant_for_byte_range(token.start(), token.end())
    return leaf.grammar_id if leaf is not None and not leaf.child_count else None
