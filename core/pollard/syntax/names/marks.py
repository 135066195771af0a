"""What a grammar's own queries call a definition, where its package has them.

A `locals` query marks names with `local.definition`, a `tags` query marks them with `name` beside a
`definition.*`. They know what no field tells: that a parameter of JavaScript is a definition, say.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from pollard.syntax.grammars.languages import grammar_of, queries
from pollard.syntax.grammars.patterns import Patterns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Language, Node

    from pollard.syntax.grammars.patterns import Captures
    from pollard.syntax.tree.document import Document

    Span = tuple[int, int]


def marked(document: Document) -> dict[int, Span]:
    """Map the offsets of the names that a document's queries call defined to what defines them.

    That is a span (start, end) around the name, or the name's own.
    """
    if document.language is None:
        return {}
    return {
        name.start_byte: whole.byte_range
        for patterns in _patterns(document.language)
        for _, _, captures in patterns.matches(document.root, document.text)
        for name, whole in _definitions(captures)
    }


def _definitions(captures: Captures) -> Iterator[tuple[Node, Node]]:
    wholes = [nodes for name, nodes in captures.items() if name.startswith("definition.")]
    for name, nodes in captures.items():
        if name.startswith("local.definition"):
            yield from zip(nodes, nodes, strict=True)
        if name == "name" and wholes:
            yield from ((node, wholes[0][0]) for node in nodes)


@cache
def _patterns(language: Language) -> tuple[Patterns, ...]:
    grammar = grammar_of(language)
    sources = (queries(grammar, "locals"), queries(grammar, "tags")) if grammar else ()
    return tuple(Patterns(source, language) for source in sources if source)
