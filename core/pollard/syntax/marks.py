"""What a grammar's own queries call a definition, where its package has them.

A `locals` query marks names with `local.definition`, a `tags` query marks them with `name` beside a
`definition.*`. They know what no field tells: that a parameter of JavaScript is a definition, say.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from pollard.syntax.languages import grammar_of, queries
from pollard.syntax.patterns import Patterns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Language, Node

    from pollard.syntax.document import Document
    from pollard.syntax.patterns import Captures


def marked(document: Document) -> frozenset[int]:
    """Return the offsets of the names that are defined in a document, as its queries have it."""
    if document.language is None:
        return frozenset()
    return frozenset(
        node.start_byte
        for patterns in _patterns(document.language)
        for _, _, captures in patterns.matches(document.root, document.text)
        for node in _names(captures)
    )


def _names(captures: Captures) -> Iterator[Node]:
    defines = any(name.startswith("definition.") for name in captures)
    for name, nodes in captures.items():
        if name.startswith("local.definition") or (defines and name == "name"):
            yield from nodes


@cache
def _patterns(language: Language) -> tuple[Patterns, ...]:
    grammar = grammar_of(language)
    sources = (queries(grammar, "locals"), queries(grammar, "tags")) if grammar else ()
    return tuple(Patterns(source, language) for source in sources if source)
