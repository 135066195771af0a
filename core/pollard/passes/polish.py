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

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from pollard.passes.subject import Subject
    from pollard.search.first import First

# What grammars call tokens that are not made of other tokens, and are no keywords or names.
_CONTENT = re.compile(
    "string|comment|number|integer|float|literal|text|content|char|value|escape|fragment"
)
_BLANK = re.compile(rb"\s+")
_SIGNS = re.compile(rb"[-+*/%<>=!&|^~.:?]+")
_SHORTEST = 2
# Of so few characters each is tried in any case.
_SHORT = 4
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
    found = {
        leaf.text
        for leaf in tokens(subject.document.root)
        if leaf.text and len(leaf.text) >= _SHORTEST
    }
    if len(found) <= _MOST:
        yield from sorted(found - done, key=lambda text: (-len(text), text))


def tokens(root: Node) -> Iterator[Node]:
    """Yield what may be shortened: leaves, and nodes that have text of their own beside children."""
    stack = [root]
    while stack:
        node = stack.pop()
        covered = sum(child.end_byte - child.start_byte for child in node.children)
        blank = _BLANK.sub(b"", node.text or b"")
        if (not node.child_count or covered < len(blank)) and _is_content(node):
            yield node
        stack.extend(reversed(node.children))


def _is_content(leaf: Node) -> bool:
    """Tell whether a leaf may be shortened: a literal, a comment, or an operator of several signs."""
    if leaf.is_named:
        return _CONTENT.search(leaf.type) is not None
    return leaf.text is not None and _SIGNS.fullmatch(leaf.text) is not None


def _minimise(subject: Subject, token: bytes) -> None:
    start, end = subject.span
    base = subject.document
    place = next(
        (
            leaf.start_byte
            for leaf in tokens(base.root)
            if leaf.text == token and start <= leaf.start_byte and leaf.end_byte <= end
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
    """Sweep with fragments of all, halves, quarters ...; go on below halves only after a success."""
    rest = tuple(items)
    length = total = len(rest)
    while length and rest:
        if length < total // 2 and len(rest) == total > _SHORT:
            return
        rest = sweep(rest, first, length, backward=True)
        length //= 2
