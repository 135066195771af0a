"""Where other languages begin in a tree: what a grammar's injection query says.

Pollard's own queries (the folder `queries`) come first, so that it does not matter which package a
grammar is from; for other grammars the query of their package serves, where it has one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pollard.syntax.grammars.languages import (
    GrammarError,
    UnknownLanguageError,
    find,
    grammar_of,
    queries,
)
from pollard.syntax.grammars.patterns import Patterns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tree_sitter import Language, Node

    from pollard.syntax.grammars.patterns import Captures
    from pollard.syntax.tree.document import Document


_QUERIES = Path(__file__).with_name("queries")
# What is longer is no language's name, but what a person wrote in its place.
_LONGEST_NAME = 40
# What Markdown's grammar has at the beginning of the lines of a fence in a list or a quote.
_MARGIN = "block_continuation"


@dataclass(frozen=True, slots=True)
class Injection:
    """A place where another language begins.

    `contents` are the nodes whose text is in `language`, without that of their named children unless
    `whole`. `host` is the node that takes their tree in: the content itself, or the parent of several.
    """

    host: Node
    contents: tuple[Node, ...]
    language: Language
    whole: bool = False

    def guests(self) -> Iterator[Node]:
        """Yield the nodes of the host's tree, in order, that are not parsed with the contents."""
        contents = {node.id for node in self.contents}
        for node in (self.host,) if self.host.id in contents else self.host.children:
            inner = [] if self.whole else node.named_children
            for child in inner if node.id in contents else (node,):
                if child.type != _MARGIN and child.end_byte > child.start_byte:
                    yield child


@dataclass(frozen=True, slots=True)
class _Content:
    """A node that is in another language, None if that is not known, by which pattern."""

    node: Node
    pattern: int
    language: Language | None
    combined: bool
    whole: bool


def injections(document: Document, span: tuple[int, int] | None = None) -> list[Injection]:
    """Return the places where other languages begin in a document's tree; if told, only in `span`.

    Where several patterns say something of the same node the last one counts, so that later patterns
    can be exceptions. A node whose language no installed grammar knows is no such place. `combined`
    joins nodes of the same parent, and no others.
    """
    patterns = _patterns(document.language) if document.language else None
    contents: dict[int, _Content] = {}
    matches = patterns.matches(document.root, document.text, span) if patterns else ()
    for pattern, settings, captures in matches:
        inner = _language(_name(settings, captures, document.text))
        combined = "injection.combined" in settings
        whole = "injection.include-children" in settings
        for node in captures.get("injection.content", ()):
            known = contents.get(node.id)
            if known is None or known.pattern <= pattern:
                contents[node.id] = _Content(node, pattern, inner, combined, whole)
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
        yield Injection(host, tuple(nodes), language, group[0].whole)


def _name(settings: Mapping[str, str | None], captures: Captures, text: bytes) -> str | None:
    if "injection.language" in settings:
        return settings["injection.language"]
    named = captures.get("injection.language")
    if not named:
        return None
    return text[named[0].start_byte : named[0].end_byte].decode("utf-8", "replace")


@cache
def _language(name: str | None) -> Language | None:
    """Return the grammar for what a query or an author calls a language, if there is one."""
    if not name or len(name) > _LONGEST_NAME or name.startswith("."):
        return None
    try:
        return find(name).language
    except (GrammarError, UnknownLanguageError):
        return None


@cache
def _patterns(language: Language) -> Patterns | None:
    """Return the injection query for a grammar; None without one."""
    grammar = grammar_of(language)
    if grammar is None:
        return None
    own = _QUERIES / f"{grammar.name}.scm"
    source = own.read_text(encoding="utf-8") if own.is_file() else queries(grammar, "injections")
    patterns = Patterns(source, language) if source else None
    return patterns or None
