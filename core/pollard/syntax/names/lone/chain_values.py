"""The values that may take the place of the chains in a lone statement.

A value for nothing, such as `None`, words of the program's strings, empty objects, lists and numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import is_in, nodes, text_of
from pollard.syntax.names.lone.importing import program_starts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pollard.syntax.tree.document import Document


_QUOTED = re.compile(rb"([\"'`])(.*)\1", re.DOTALL)
# A table or a list in a string is mostly taken apart before its values are used.
_PIECE = re.compile(rb"[^\s,;|=:\\\"'`{}\[\]()]+")
_CLASS = re.compile(rb"\bclass\s+(\w+)")
_NUMBER = re.compile(rb"\d[\w.]*")
# The longest strings come first: those with data are longer than those that name something.
_MAX_LITERALS = 3


@dataclass(frozen=True, slots=True)
class ChainValues:
    """What takes the place of chains.

    - `object`: for what has a member, which is used `depth` steps before the end of a chain
    - `other`: for single names, and with `whole` for chains that are not all of a statement's value
    - `first`: for the first chain, with `other` for all of each other one; for statements that mix
    """

    object: bytes
    other: bytes
    depth: int = 1
    whole: bool = False
    first: bytes | None = None


def chain_values(
    document: Document,
    failing_lines: Sequence[bytes] = (),
    failing_words: Sequence[bytes] = (),
) -> Iterator[ChainValues]:
    """Yield the values to try on a statement, the most probable first.

    `failing_lines` are lines of the original that the output of the failure names, and `failing_words`
    are what it quotes.
    """
    tokens = conventions(document.language).tokens
    literals = _literals(document, failing_lines, failing_words)
    empty = tokens.empty_objects[-1]
    for nothing in dict.fromkeys((*tokens.nothing, *tokens.absent)):
        yield ChainValues(nothing, nothing)
    yield from _unlike_values(tokens.unlike)
    for literal in literals[:1]:
        yield ChainValues(empty, literal, whole=True)
    for value in (*tokens.argument_values, b"0"):
        yield ChainValues(empty, value)
    for name in _classes(document, failing_words) if tokens.instance else ():
        yield ChainValues(name.join(tokens.instance), b"0")
    number = next((value for value in tokens.shortest_values if value.endswith(b".")), b"0")
    yield ChainValues(number, b"0", whole=True)
    yield from _unlike_values(tokens.further_unlike)
    for value in tokens.further_values:
        yield ChainValues(value, value, whole=True)
    for literal in literals[:1]:
        yield ChainValues(literal, literal)
    yield ChainValues(empty, b"0", depth=2)
    yield ChainValues(b"[]", b"[]", whole=True)
    for literal in literals[1:]:
        yield ChainValues(empty, literal, whole=True)


def _classes(document: Document, words: Sequence[bytes]) -> list[bytes]:
    """Return those of some words that are the names of classes of the program."""
    declared = frozenset(_CLASS.findall(document.text))
    return [word for word in words if word in declared]


def _unlike_values(values: Sequence[bytes]) -> Iterator[ChainValues]:
    """Yield each two values, one for the first chain and one for the others."""
    for first, other in zip(values[::2], values[1::2], strict=True):
        yield ChainValues(first, other, first=first)


def _literals(
    document: Document, failing_lines: Sequence[bytes], failing_words: Sequence[bytes]
) -> list[bytes]:
    """Return the first pieces of strings as strings or numbers.

    What the output of the failure quotes comes first, unless a failing line has it anyway. Then what
    such a line has, as in `stock.take("nut")`, then that of the longest string.
    `"use strict"` is no value.
    """
    found: dict[bytes, tuple[bool, int]] = {}
    starts = program_starts(document)
    for node in nodes(document.root):
        if any(is_in(node, start) for start in starts):
            continue
        string = text_of(node, document.text)
        quoted = _QUOTED.fullmatch(string) if "string" in node.type else None
        piece = _PIECE.search(quoted[2]) if quoted else None
        if quoted and piece:
            literal = piece[0] if _NUMBER.fullmatch(piece[0]) else quoted[1] + piece[0] + quoted[1]
            is_failing = any(string in line for line in failing_lines)
            weight = is_failing, len(quoted[2])
            found[literal] = max(found.get(literal, weight), weight)
    own = sorted(found, key=lambda literal: found[literal], reverse=True)
    words = (word for word in failing_words if not any(word in line for line in failing_lines))
    return list(dict.fromkeys([*map(_literal, words), *own]))[:_MAX_LITERALS]


def _literal(word: bytes) -> bytes:
    return word if _NUMBER.fullmatch(word) else b'"' + word + b'"'
