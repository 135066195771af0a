"""Where a document has, or may have, nodes with a role for names.

Queries find nodes of some kinds much faster than a walk does. So what a pass looks for in the whole
tree is first looked for by a query, and nothing outside of what that finds is visited. Islands are
not searched: what is in one may have any role.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from typing import TYPE_CHECKING

from pollard.syntax.grammars.patterns import Patterns
from pollard.syntax.islands.islands import NO_ISLANDS, islands_of
from pollard.syntax.names.conventions import conventions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tree_sitter import Language, Node

    from pollard.syntax.tree.document import Document

    Span = tuple[int, int]


class Places:
    """Spans (start, end) of a text, which may overlap and be nested."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted(spans):
            if self._ends and start <= self._ends[-1]:
                self._ends[-1] = max(end, self._ends[-1])
            else:
                self._starts.append(start)
                self._ends.append(end)

    def __bool__(self) -> bool:
        return bool(self._starts)

    def overlap(self, start: int, end: int) -> bool:
        """Return whether one of the spans overlaps the bytes from `start` to `end`."""
        before_end = bisect_right(self._starts, end - 1) - 1
        return before_end >= 0 and self._ends[before_end] > start


def may_have(document: Document, role: str) -> bool:
    """Return whether a document may have nodes of the kinds in an attribute of `NodeKinds`, `role`.

    False if its grammar has none of these kinds, and it has no islands.
    """
    if document.language is None:
        return False
    known = getattr(conventions(document.language).kinds, role)
    return bool(known) or islands_of(document) is not NO_ISLANDS


def definition_places(document: Document) -> Places:
    """Return where nodes of a document's own tree that define a name may be; found once."""
    return document.once(_found_definitions)


def function_places(document: Document) -> Places:
    """Return where functions with a body may be; found once."""
    return document.once(_found_functions)


def export_places(document: Document) -> Places:
    """Return where lists of exports and functions without a body may be; found once."""
    return document.once(_found_exports)


def _found_functions(document: Document) -> Places:
    found = _matches(document, _functions) if may_have(document, "functions") else ()
    return Places([*found, *_hosts(document)])


def _found_definitions(document: Document) -> Places:
    known = conventions(document.language)
    if not known.only_defining:
        return Places([(0, len(document.text))] if known.has_definitions else ())
    # Nearly everything in a style sheet could be the name of a variable.
    may_be_variable, prefixes = known.kinds.variable_names, known.tokens.variable_prefixes
    return Places(
        node.byte_range
        for node in _nodes(document, _only_defining)
        if node.type not in may_be_variable or document.text.startswith(prefixes, node.start_byte)
    )


def _found_exports(document: Document) -> Places:
    is_possible = may_have(document, "exports") or may_have(document, "forward_declarations")
    found = _matches(document, _exports_and_forward_declarations) if is_possible else ()
    return Places([*found, *_hosts(document)])


def _hosts(document: Document) -> Iterator[Span]:
    """Yield the spans of the nodes in which islands are; what is in one may have any role."""
    return (island.host.span for island in islands_of(document))


def _matches(document: Document, query: Callable[[Language], Patterns]) -> Iterator[Span]:
    """Yield the spans of what a query captures."""
    return (node.byte_range for node in _nodes(document, query))


def _nodes(document: Document, query: Callable[[Language], Patterns]) -> Iterator[Node]:
    """Yield what a query captures."""
    if document.language is not None:
        for _, _, captures in query(document.language).matches(document.root, document.text):
            yield from (node for nodes in captures.values() for node in nodes)


@cache
def _functions(language: Language) -> Patterns:
    kinds = {kind for style in conventions(language).bodies for kind in style.functions}
    return _nodes_of(kinds, language)


@cache
def _only_defining(language: Language) -> Patterns:
    return _nodes_of(conventions(language).only_defining, language)


def _nodes_of(kinds: Iterable[str], language: Language) -> Patterns:
    return Patterns("\n".join(_patterns_of(kinds, language)), language)


def _patterns_of(kinds: Iterable[str], language: Language) -> Iterator[str]:
    # One kind that the grammar does not have would make `Patterns` compile all of them one by one,
    # which takes a second for large grammars.
    known = (kind for kind in sorted(kinds) if language.id_for_node_kind(kind, True) is not None)
    return (f"({kind}) @node" for kind in known)


@cache
def _exports_and_forward_declarations(language: Language) -> Patterns:
    known = conventions(language)
    fields = filter(language.field_id_for_name, sorted(known.fields.bodies))
    without = " ".join(f"!{field}" for field in fields)
    kinds = sorted(known.kinds.forward_declarations)
    forward = (f"({kind} {without}) @forward" for kind in kinds)
    return Patterns("\n".join([*_patterns_of(known.kinds.exports, language), *forward]), language)
