"""Shorter strings, numbers and comments: what is left of a token after its characters were minimised.

The last of Vulcan's and T-Rec's ideas that keep a text readable: no token is replaced by an odd one,
characters only go.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pollard.passes.subject import Candidate
from pollard.search.first import mapped
from pollard.search.remove_each import sweep
from pollard.syntax.edits import Edit, join
from pollard.syntax.sizes import size

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from pollard.passes.subject import Subject
    from pollard.search.first import First

# What grammars call tokens that are not made of other tokens, and are no keywords or names.
_CONTENT = re.compile(
    "string|comment|number|integer|float|literal|text|content|char|value|escape|fragment"
)
_SIGNS = re.compile(rb"[-+*/%<>=!&|^~.:?]+")
_SHORTEST = 2
_FEW = 4
_MANY = 16
_MOST = 200


def polish(subject: Subject) -> None:
    """Minimise the characters of each string, number and comment, the longest first.

    A token that cannot go whole nor by halves is left as it is; of one that can, every character is
    tried: O(n) candidates for a token of n characters, three for one that resists.
    """
    if subject.document.language is None:
        return
    done: set[bytes] = set()
    while token := next(_tokens(subject, done), None):
        done.add(token)
        _minimise(subject, token)


def _tokens(subject: Subject, done: set[bytes]) -> Iterator[bytes]:
    """Yield the texts of the tokens that were not visited yet, the longest first."""
    text = subject.document.text
    found = {
        text[node.start_byte : node.end_byte]
        for node in tokens(subject.document.root, text)
        if node.end_byte - node.start_byte >= _SHORTEST
    }
    if len(found) <= _MOST:
        yield from sorted(found - done, key=lambda token: (-len(token), token))


def tokens(root: Node, text: bytes) -> Iterator[Node]:
    """Yield what may be shortened: leaves, and nodes that have text of their own beside children."""
    stack = [root]
    while stack:
        node = stack.pop()
        stack.extend(reversed(node.children))
        if _is_content(node, text) and (not node.child_count or _has_own_text(node, text)):
            yield node


def _has_own_text(node: Node, text: bytes) -> bool:
    inside = sum(child.end_byte - child.start_byte for child in node.children)
    return inside < size(text[node.start_byte : node.end_byte])


def _is_content(node: Node, text: bytes) -> bool:
    """Tell whether a node may be shortened: a literal, a comment, or an operator of several signs."""
    if node.is_named:
        return _CONTENT.search(node.type) is not None
    return _SIGNS.fullmatch(text, node.start_byte, node.end_byte) is not None


def _minimise(subject: Subject, token: bytes) -> None:
    start, end = subject.span
    base = subject.document
    place = next(
        (
            node.start_byte
            for node in tokens(base.root, base.text)
            if base.text[node.start_byte : node.end_byte] == token
            and start <= node.start_byte
            and node.end_byte <= end
        ),
        None,
    )
    if place is None:
        return
    bounds = _characters(token)

    def candidate(kept: tuple[int, ...]) -> Candidate:
        gone = set(range(len(bounds))).difference(kept)
        return Candidate(
            base,
            join(Edit(place + bounds[i][0], place + bounds[i][1]) for i in sorted(gone)),
        )

    _by_halves(range(len(bounds)), mapped(subject.first, candidate))


def _characters(token: bytes) -> list[tuple[int, int]]:
    bounds: list[tuple[int, int]] = []
    for character in token.decode(errors="surrogateescape"):
        begin = bounds[-1][1] if bounds else 0
        bounds.append((begin, begin + len(character.encode(errors="surrogateescape"))))
    return bounds


def _by_halves(items: Sequence[int], first: First[tuple[int, ...]]) -> None:
    """Sweep with fragments of all, halves, quarters ...; go on below halves only after a success.

    Of a few characters each is tried in any case; of more, but not many, one half tells enough.
    """
    rest = tuple(items)
    length = total = len(rest)
    while length and rest:
        whole = len(rest) == total
        if whole and total > _FEW and length < total // 2:
            return
        if whole and _FEW < total < _MANY and length == total // 2:
            hit = first(iter([rest[:length]]))
            rest = hit.candidate if hit else rest
        else:
            rest = sweep(rest, first, length, backward=True)
        length //= 2
