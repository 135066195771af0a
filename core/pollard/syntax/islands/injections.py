"""Find where other languages begin in a tree, with the grammar's injection query.

Pollard has queries of its own in the folder `queries`; they work with grammars from any package.
For other grammars the query in their package is used, if there is one.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pollard.syntax.grammars.languages import (
    GrammarError,
    find_installed,
    grammar_of,
    queries,
)
from pollard.syntax.grammars.patterns import Patterns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tree_sitter import Language, Node

    from pollard.syntax.grammars.patterns import Captures
    from pollard.syntax.tree.document import Document


_QUERY_FOLDER = Path(__file__).with_name("queries")
# A longer text in the place of a language's name is not a name.
_MAX_NAME_LENGTH = 40
# The kind of Markdown's nodes for the indentation or `>` at the start of the lines in a nested fence.
_MARGIN_KIND = "block_continuation"


class Injection(NamedTuple):
    """A place where another language begins.

    `contents` are the nodes whose text is in `language`. Their named children are excluded unless
    `include_children` is set. `host` is the node whose children the tree of the contents replaces: the
    content itself, or the parent of several contents.
    """

    host: Node
    contents: tuple[Node, ...]
    language: Language
    include_children: bool

    def guests(self) -> Iterator[Node]:
        """Yield in order the nodes below the host that are not part of the contents."""
        contents = {node.id for node in self.contents}
        for node in (self.host,) if self.host.id in contents else self.host.children:
            inner = [] if self.include_children else node.named_children
            for child in inner if node.id in contents else (node,):
                if child.type != _MARGIN_KIND and child.end_byte > child.start_byte:
                    yield child


class _Content(NamedTuple):
    """A node in another language (None if unknown), with the number of the pattern that found it."""

    node: Node
    pattern: int
    language: Language | None
    combined: bool
    include_children: bool


def injections(document: Document, span: tuple[int, int] | None = None) -> list[Injection]:
    """Return the places where other languages begin in a document's tree, or only those in `span`.

    If several patterns match a node, the last one counts, so that later patterns can be exceptions.
    Nodes in languages without an installed grammar are left out. `injection.combined` joins nodes
    with the same parent into one injection, and no others.
    """
    patterns = _patterns(document.language) if document.language else None
    contents: dict[int, _Content] = {}
    matches = patterns.matches(document.root, document.text, span) if patterns else ()
    for pattern, settings, captures in matches:
        inner = _language(_name(settings, captures, document.text))
        combined = "injection.combined" in settings
        include_children = "injection.include-children" in settings
        for node in captures.get("injection.content", ()):
            known = contents.get(node.id)
            if known is None or known.pattern <= pattern:
                contents[node.id] = _Content(node, pattern, inner, combined, include_children)
    return [injection for group in _groups(contents.values()) for injection in _injection(group)]


def _groups(contents: Iterable[_Content]) -> Iterable[list[_Content]]:
    groups: dict[tuple[object, ...], list[_Content]] = {}
    for content in contents:
        parent = content.node.parent
        if content.combined and parent is not None:
            key: tuple[object, ...] = (content.pattern, parent.id, content.language)
        else:
            key = (content.node.id,)
        groups.setdefault(key, []).append(content)
    return groups.values()


def _injection(group: list[_Content]) -> Iterable[Injection]:
    nodes = sorted((content.node for content in group), key=lambda node: node.start_byte)
    language, parent = group[0].language, nodes[0].parent
    if language is not None:
        host = nodes[0] if len(nodes) == 1 or parent is None else parent
        yield Injection(host, tuple(nodes), language, group[0].include_children)


def _name(settings: Mapping[str, str | None], captures: Captures, text: bytes) -> str | None:
    if "injection.language" in settings:
        return settings["injection.language"]
    named = captures.get("injection.language")
    if not named:
        return None
    return text[named[0].start_byte : named[0].end_byte].decode("utf-8", "replace")


@cache
def _language(name: str | None) -> Language | None:
    """Return the grammar for the name that a query or the text gives, if one is installed."""
    if not name or len(name) > _MAX_NAME_LENGTH or name.startswith("."):
        return None
    try:
        grammar = find_installed(name)
    except GrammarError:
        return None
    return None if grammar is None else grammar.language


@cache
def _patterns(language: Language) -> Patterns | None:
    """Return the injection query for a grammar, or None without one."""
    grammar = grammar_of(language)
    if grammar is None:
        return None
    own = _QUERY_FOLDER / f"{grammar.name}.scm"
    source = own.read_text(encoding="utf-8") if own.is_file() else queries(grammar, "injections")
    patterns = Patterns(source, language) if source else None
    return patterns or None
