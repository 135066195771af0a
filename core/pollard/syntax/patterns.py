"""Queries with predicates, read and evaluated here: the binding is only given bare patterns.

py-tree-sitter 0.26 writes beyond its memory when a pattern has a `#set!` beside another predicate,
as many injection queries have. So predicates are taken out of a query's text and evaluated here. That
also lets a query outlive a grammar's new version: a pattern that does not compile is left out alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tree_sitter import Query, QueryCursor, QueryError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tree_sitter import Language, Node

    Captures = Mapping[str, Sequence[Node]]

_TOKEN = re.compile(r';[^\n]*|"(?:\\.|[^"\\])*"|[()\[\]]|[^\s()\[\]";]+', re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "0": "\0"}
_OPENING = frozenset("([")
_CLOSING = frozenset(")]")


@dataclass(frozen=True, slots=True)
class Pattern:
    """One pattern of a query: its text without predicates, and those, as they were written."""

    text: str
    settings: Mapping[str, str | None] = field(default_factory=dict)
    predicates: Sequence[Sequence[str]] = ()

    def holds(self, captures: Captures) -> bool:
        """Tell whether all predicates hold for what was captured."""
        return all(_holds(predicate, captures) for predicate in self.predicates)


class Patterns:
    """The patterns of a query that are understood, compiled for one grammar."""

    def __init__(self, source: str, language: Language) -> None:
        found = map(_pattern, _split(source))
        self._patterns = [p for p in found if p is not None and _compiles(p.text, language)]
        self._query = Query(language, "\n".join(pattern.text for pattern in self._patterns))

    def __len__(self) -> int:
        return len(self._patterns)

    def matches(
        self, root: Node, span: tuple[int, int] | None = None
    ) -> Iterator[tuple[int, Mapping[str, str | None], Captures]]:
        """Yield each match's pattern (by its number), its settings and its captures.

        With `span` (start, end) only the matches that overlap it.
        """
        cursor = QueryCursor(self._query)
        if span is not None:
            cursor.set_byte_range(*span)
        for number, captures in cursor.matches(root):
            pattern = self._patterns[number]
            if pattern.holds(captures):
                yield number, pattern.settings, captures


def _split(source: str) -> Iterator[list[str]]:
    """Yield the tokens of each pattern, with the captures that follow its last bracket."""
    tokens: list[str] = []
    depth = 0
    for token in _TOKEN.findall(source):
        if token.startswith(";"):
            continue
        if not depth and tokens and token[0] not in "@?*+":
            yield tokens
            tokens = []
        tokens.append(token)
        depth += (token in _OPENING) - (token in _CLOSING)
    if tokens:
        yield tokens


def _pattern(tokens: Sequence[str]) -> Pattern | None:
    """Take a pattern apart; None if it has predicates that are not known here."""
    kept: list[str] = []
    settings: dict[str, str | None] = {}
    predicates: list[Sequence[str]] = []
    rest = iter(tokens)
    for token in rest:
        if not (token.startswith("#") and kept and kept[-1] == "("):
            kept.append(token)
            continue
        kept.pop()
        arguments = [_plain(argument) for argument in iter(lambda: next(rest, ")"), ")")]
        if token == "#set!" and arguments:
            settings[arguments[0]] = arguments[1] if len(arguments) > 1 else None
        elif token in _PREDICATES and _is_complete(token, arguments):
            predicates.append((token, *arguments))
        else:
            return None
    return Pattern(" ".join(kept), settings, predicates)


def _plain(token: str) -> str:
    if not token.startswith('"'):
        return token
    return _ESCAPE.sub(lambda found: _ESCAPES.get(found[1], found[1]), token[1:-1])


def _is_complete(name: str, arguments: Sequence[str]) -> bool:
    if len(arguments) < 2 or not arguments[0].startswith("@"):
        return False
    if "match" not in name:
        return True
    try:
        re.compile(arguments[1].encode())
    except re.error:
        return False
    return True


_PREDICATES = {"#eq?", "#not-eq?", "#any-of?", "#not-any-of?", "#match?", "#not-match?"}


def _holds(predicate: Sequence[str], captures: Captures) -> bool:
    name, capture, *values = predicate
    texts = [node.text or b"" for node in captures.get(capture[1:], ())]
    if "match" in name:
        test = re.compile(values[0].encode()).search
        found = [test(text) is not None for text in texts]
    else:
        found = [text in _texts(values, captures) for text in texts]
    return not any(found) if name.startswith("#not-") else all(found)


def _texts(values: Sequence[str], captures: Captures) -> set[bytes]:
    """Return what values stand for: themselves, or the text of another capture."""
    return {
        text
        for value in values
        for text in (
            [node.text or b"" for node in captures.get(value[1:], ())]
            if value.startswith("@")
            else [value.encode()]
        )
    }


def _compiles(text: str, language: Language) -> bool:
    try:
        Query(language, text)
    except QueryError:
        return False
    return True
