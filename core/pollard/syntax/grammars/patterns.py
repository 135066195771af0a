"""Run tree-sitter queries whose predicates are evaluated here, not by the binding.

py-tree-sitter 0.26 corrupts its memory when a pattern has both `#set!` and another predicate, as many
injection queries do. `Patterns` therefore removes the predicates from a query's text and gives the
binding bare patterns. If a new version of a grammar breaks one pattern of a query, only that pattern is
lost: then each is compiled by itself, which takes a large grammar 40 ms for each pattern.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from tree_sitter import Query, QueryCursor, QueryError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tree_sitter import Language, Node

    Captures = Mapping[str, Sequence[Node]]


_QUERY_TOKEN = re.compile(r';[^\n]*|"(?:\\.|[^"\\])*"|[()\[\]]|[^\s()\[\]";]+', re.DOTALL)
_ESCAPED_CHARACTER = re.compile(r"\\(.)", re.DOTALL)
_ESCAPE_CODES = {"n": "\n", "r": "\r", "t": "\t", "0": "\0"}
# A search through a long text holds Python's global lock, so it proceeds in pieces of this many bytes.
_SEARCHED_PIECE_BYTES = 65_536
# The search for each piece passes all siblings before it again, so more pieces would be quadratic.
_MOST_SEARCHED_PIECES = 16
_OPENING_BRACKETS = frozenset("([")
_CLOSING_BRACKETS = frozenset(")]")


@dataclass(frozen=True, slots=True)
class QueryPredicate:
    """A condition on the nodes of a `capture`.

    Either their parents have one of the kinds in `parents`, or their texts satisfy one of three tests:
    the text is one of `texts`, equals the text of the capture `other`, or contains a `match`.
    """

    capture: str
    negated: bool
    texts: frozenset[bytes] = frozenset()
    other: str | None = None
    match: re.Pattern[bytes] | None = None
    parents: frozenset[str] = frozenset()

    def holds(self, captures: Captures, text: bytes) -> bool:
        """Return whether the condition holds for the nodes that a pattern captured in a text."""
        if self.parents:
            found = (self._is_below(node) for node in captures.get(self.capture, ()))
        else:
            parts = _texts(self.capture, captures, text)
            found = (self._fits(part, captures, text) for part in parts)
        return not any(found) if self.negated else all(found)

    def _is_below(self, node: Node) -> bool:
        return node.parent is not None and node.parent.type in self.parents

    def _fits(self, part: bytes, captures: Captures, text: bytes) -> bool:
        if self.match is not None:
            return self.match.search(part) is not None
        return part in self.texts or (
            self.other is not None and part in _texts(self.other, captures, text)
        )


def _texts(capture: str, captures: Captures, text: bytes) -> list[bytes]:
    # `Node.text` would be slower: it reads the text again from a parser that was given it in pieces.
    return [text[node.start_byte : node.end_byte] for node in captures.get(capture, ())]


@dataclass(frozen=True, slots=True)
class Pattern:
    """One pattern of a query: its text without predicates, its `#set!` settings and its predicates."""

    text: str
    settings: Mapping[str, str | None]
    predicates: Sequence[QueryPredicate]


class Patterns:
    """A query for one grammar, without the patterns that do not compile or have unknown predicates."""

    def __init__(self, source: str, language: Language) -> None:
        found = [pattern for pattern in map(_pattern, _split(source)) if pattern is not None]
        query = _compiled(found, language)
        if query is None:
            found = [pattern for pattern in found if _compiled([pattern], language) is not None]
            query = Query(language, _joined(found))
        self._patterns, self._query = found, query

    def __len__(self) -> int:
        return len(self._patterns)

    def matches(
        self, root: Node, text: bytes, span: tuple[int, int] | None = None
    ) -> Iterator[tuple[int, Mapping[str, str | None], Captures]]:
        """Yield the number of the pattern, its settings and the captures for each match below `root`.

        `span` (start, end) limits the search to matches that overlap these bytes of `text`. A match
        that crosses a border between two pieces is yielded for both.
        """
        start, end = span or (0, len(text))
        step = max(_SEARCHED_PIECE_BYTES, ceil((end - start) / _MOST_SEARCHED_PIECES))
        for place in range(start, end, step):
            cursor = QueryCursor(self._query)
            cursor.set_byte_range(place, min(place + step, end))
            for number, captures in cursor.matches(root):
                pattern = self._patterns[number]
                if all(predicate.holds(captures, text) for predicate in pattern.predicates):
                    yield number, pattern.settings, captures


def _split(source: str) -> Iterator[list[str]]:
    """Yield the tokens of each pattern, up to the captures and quantifiers after its last bracket."""
    tokens: list[str] = []
    depth = 0
    for token in _QUERY_TOKEN.findall(source):
        if token.startswith(";"):
            continue
        if not depth and tokens and token[0] not in "@?*+":
            yield tokens
            tokens = []
        tokens.append(token)
        depth += (token in _OPENING_BRACKETS) - (token in _CLOSING_BRACKETS)
    if tokens:
        yield tokens


def _pattern(tokens: Sequence[str]) -> Pattern | None:
    """Separate a pattern from its predicates; return None if it has one that is unknown here."""
    kept: list[str] = []
    settings: dict[str, str | None] = {}
    predicates: list[QueryPredicate] = []
    rest = iter(tokens)
    for token in rest:
        if not (token.startswith("#") and kept and kept[-1] == "("):
            kept.append(token)
            continue
        kept.pop()
        arguments = list(iter(lambda: next(rest, ")"), ")"))
        if token == "#set!" and arguments:
            settings[_unquoted(arguments[0])] = (
                _unquoted(arguments[1]) if len(arguments) > 1 else None
            )
        elif (predicate := _predicate(token, arguments)) is not None:
            predicates.append(predicate)
        else:
            return None
    return Pattern(" ".join(kept), settings, predicates)


def _predicate(name: str, arguments: Sequence[str]) -> QueryPredicate | None:
    kind, negated = name.replace("#not-", "#"), name.startswith("#not-")
    if len(arguments) < 2 or not arguments[0].startswith("@"):
        return None
    capture, values = arguments[0][1:], arguments[1:]
    if kind == "#match?":
        match = _regex(_unquoted(values[0]))
        return QueryPredicate(capture, negated, match=match) if match else None
    if kind == "#eq?" and values[0].startswith("@"):
        return QueryPredicate(capture, negated, other=values[0][1:])
    if kind == "#has-parent?":
        return QueryPredicate(capture, negated, parents=frozenset(values))
    if kind in ("#eq?", "#any-of?"):
        return QueryPredicate(
            capture, negated, frozenset(_unquoted(value).encode() for value in values)
        )
    return None


def _unquoted(token: str) -> str:
    if not token.startswith('"'):
        return token
    return _ESCAPED_CHARACTER.sub(lambda found: _ESCAPE_CODES.get(found[1], found[1]), token[1:-1])


def _regex(source: str) -> re.Pattern[bytes] | None:
    try:
        return re.compile(source.encode())
    except re.error:
        return None


def _compiled(patterns: Sequence[Pattern], language: Language) -> Query | None:
    """Return the query of some patterns; None if one of them does not compile."""
    try:
        query: Query = Query(language, _joined(patterns))
    except QueryError:
        return None
    return query


def _joined(patterns: Sequence[Pattern]) -> str:
    return "\n".join(pattern.text for pattern in patterns)
