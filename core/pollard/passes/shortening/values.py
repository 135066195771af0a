"""Shortest values: a literal in the place of a longer one, of a function, or at the head of a chain.

`undefined` becomes `""`, `Math.PI.toFixed(1)` becomes `0..toFixed(1)`, and `function () {}` becomes
`_=>0`. Where no number is a condition, `count < limit` becomes `false` or `true`. The shortest values
are data: `Tokens.shortest_values`, `Tokens.shortest_functions` and `Tokens.truth_values`. Single names
stay, since `rename` makes them as short as a value, but for those that nothing in the text declares: a
number takes all places of a constant that a macro or a header makes, so that this can go. A name that
the file defines takes the place of a function that comes from a table, as in `handlers[kind](7)`.
In the tags of templates, `{{ order.price | round }}` becomes `{{ 0 | round }}`.
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING

from pollard.engine.declaration import Needs, declare
from pollard.engine.needed import NeededPieces
from pollard.engine.subject import Candidate
from pollard.syntax.islands.islands import with_islands
from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import child_in, is_identifier, nodes, text_of
from pollard.syntax.names.markup.template_values import template_value_spans
from pollard.syntax.names.replaceable import undeclared_constants
from pollard.syntax.tree.edits import Edit
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from tree_sitter import Node

    from pollard.engine.subject import Subject
    from pollard.syntax.names.roles import Tokens
    from pollard.syntax.tree.document import Document

    Span = tuple[int, int]
    # The texts of nodes, each with the value in its place.
    _Key = tuple[tuple[bytes, bytes], ...]


# A text with more longer values than this is not reduced far enough yet.
_MAX_CANDIDATES = 64
# A value that is as short as can be may only be there because something must.
_NAME_OR_SHORTEST = re.compile(rb"\W*([^\W\d]\w*|[01])?")
_QUOTES = (b'"', b"'", b"`")
# All engines for templates know these.
_TEMPLATE_VALUES = (b"0", b"1", b'""')
_CALL, _MEMBER, _INDEX_END = b"(", b".", b"]"
# Which function is called in the end is a guess.
_MAX_NAMES = 4
# A chain has a name, and a call, an index or a member of it.
_MIN_LINKS = 2
_PARTS_OF_CONDITION = 3


@declare("values", runs="64 after each success", needs=Needs.SHORT_TREE, source="own")
def values(subject: Subject) -> None:
    """Put the shortest values, such as `0`, `""` and `[]`, in the place of longer ones.

    Starts again after each success, which ends since every candidate is smaller than the text. After
    any success, attempts on pieces are forgotten: what only served a longer value may go now.
    """
    failed: set[_Key] = set()
    accepted = False
    while True:
        asked: list[tuple[Candidate, _Key]] = []
        hit = subject.first(_candidates(subject, failed, asked))
        if hit is None:
            break
        accepted = True
        before = takewhile(lambda each: each[0] is not hit.candidate, asked)  # noqa: B023
        failed.update(key for _, key in before)
    if accepted:
        subject.memory.attempts.forget()


def _candidates(
    subject: Subject, failed: Collection[_Key], asked: list[tuple[Candidate, _Key]]
) -> Iterator[Candidate]:
    """Yield the texts with one shorter value that parse, what saves most first, and note them.

    What `failed` before another success is not repeated.
    """
    base, layout = subject.document, subject.layout()
    together = [
        *_edits_of_nodes(subject),
        *_edits_of_constants(subject),
        *_edits_of_templates(subject),
    ]
    ordered = sorted(together, key=lambda edits: _saved(edits, base.text), reverse=True)
    for chosen in ordered[:_MAX_CANDIDATES]:
        key = tuple((base.text[edit.start : edit.end], edit.new) for edit in chosen)
        edits = layout.tidy(chosen)
        if key not in failed and subject.fits(base, edits):
            candidate = Candidate(base, edits)
            asked.append((candidate, key))
            yield candidate


def _saved(edits: Iterable[Edit], text: bytes) -> int:
    return sum(size(text[edit.start : edit.end]) - size(edit.new) for edit in edits)


def _edits_of_constants(subject: Subject) -> Iterator[list[Edit]]:
    """Yield the edits that put a number in all places of each name that only a macro may declare."""
    document, (first, last) = subject.document, subject.span
    values = conventions(document.language).tokens.shortest_values
    for places in undeclared_constants(document):
        if first <= places[0][0] and places[-1][1] <= last:
            for value in filter(bytes.isdigit, values):
                edits = [Edit(start, end, value) for start, end in places]
                yield from [edits] if _saved(edits, document.text) > 0 else ()


def _edits_of_templates(subject: Subject) -> Iterator[list[Edit]]:
    """Yield the edits that put a value in the place of one path or name in a tag of a template."""
    document, (first, last) = subject.document, subject.span
    for start, end in template_value_spans(document, is_foreign=subject.foreign_grammar):
        edits = ([Edit(start, end, value)] for value in _TEMPLATE_VALUES)
        if first <= start and end <= last:
            yield from (each for each in edits if _saved(each, document.text) > 0)


def _edits_of_nodes(subject: Subject) -> Iterator[list[Edit]]:
    """Yield single edits that make the text shorter and leave what is known to be needed."""
    base, (first, last) = subject.document, subject.span
    needed = _needed(subject)
    for document in with_islands(base):
        for node in nodes(document.root):
            start, end = node.byte_range
            is_inside = node.is_named and first <= start and end <= last
            is_free = not any(_holds(node, place) for place in needed)
            if is_inside and (is_free or _is_needed_as_a_value(node, document)):
                edits = ([Edit(start, end, value)] for value in _values_for(node, document))
                yield from (each for each in edits if _saved(each, base.text) > 0)


def _is_needed_as_a_value(node: Node, document: Document) -> bool:
    """Return whether the parts of a node may only be needed since it must have a value."""
    text, known = document.text, conventions(document.language)
    is_condition = _is_condition(node, text, known.tokens)
    return is_condition or _is_argument(node, known.kinds.applications) or _is_looked_up(node, text)


def _holds(node: Node, place: Span) -> bool:
    """Return whether a node holds a place (start, end) and more."""
    start, end = node.byte_range
    return start <= place[0] and place[1] <= end and place != (start, end)


def _needed(subject: Subject) -> list[Span]:
    """Return the spans (start, end) that could not be removed but for names and the shortest values."""
    pieces, text = NeededPieces(subject), subject.document.text
    found = (piece for branch in subject.root.children for piece in pieces.inside(branch))
    return [
        (piece.start, piece.end)
        for piece in found
        if not _NAME_OR_SHORTEST.fullmatch(text, piece.start, piece.end)
    ]


def _values_for(node: Node, document: Document) -> Iterable[bytes]:
    """Return what may stand in the place of a node, if that is longer."""
    text, known = document.text, conventions(document.language)
    if node.type in known.kinds.functions and child_in(node, known.fields.bodies) is not None:
        is_named = child_in(node, known.fields.names) is not None
        return () if is_named else known.tokens.shortest_functions
    if _is_looked_up(node, text):
        return _callable_names(document)
    if _is_condition(node, text, known.tokens):
        return known.tokens.truth_values
    is_chain = _is_chain(node, document) and not _is_statement(node, document)
    is_chain = is_chain or _is_argument(node, known.kinds.applications)
    if not is_chain and not _is_word(node, text, known.tokens.long_values):
        return ()
    is_head = text.startswith(_MEMBER, node.end_byte)
    return [
        value
        for value in (*known.tokens.shortest_values, *known.tokens.further_values)
        if is_head or not value.endswith(_MEMBER)
    ]


def _is_word(node: Node, text: bytes, known: Sequence[bytes]) -> bool:
    """Return whether a node is one of the known words or calls for values, and not all of a string."""
    is_quoted = text.endswith(_QUOTES, 0, node.start_byte)
    is_whole = node.named_child_count != 1
    return is_whole and text_of(node, text) in known and not is_quoted


def _is_condition(node: Node, text: bytes, tokens: Tokens) -> bool:
    """Return whether a node is a comparison, or several conditions with a word or sign between them."""
    if not tokens.truth_values or node.child_count != _PARTS_OF_CONDITION:
        return False
    return text_of(node.children[1], text) in tokens.comparisons


def _is_statement(node: Node, document: Document) -> bool:
    """Return whether a node is all of what is around it, up to a semicolon, and that is no list."""
    text, above = document.text, node.parent
    if above is None or above.type in conventions(document.language).kinds.value_lists:
        return False
    return text_of(above, text).rstrip(b"; \t\r\n") == text_of(node, text)


def _is_argument(node: Node, applications: frozenset[str]) -> bool:
    """Return whether a node is a call without brackets around its arguments, inside of another one."""
    above = node.parent
    while above is not None and above.named_child_count == 1:
        above = above.parent
    return above is not None and node.type in applications and above.type in applications


def _is_looked_up(node: Node, text: bytes) -> bool:
    """Return whether a node is an element of a table that is called, as in `handlers[kind](event)`."""
    is_called = text.startswith(_CALL, node.end_byte)
    return is_called and node.child_count > 1 and text.endswith(_INDEX_END, 0, node.end_byte)


def _callable_names(document: Document) -> list[bytes]:
    """Return the shortest names of functions and classes."""
    fields, text = conventions(document.language).fields, document.text
    found = {
        text_of(name, text)
        for node in nodes(document.root)
        if child_in(node, fields.bodies) is not None
        and (name := child_in(node, fields.names)) is not None
    }
    return sorted(found, key=lambda name: (len(name), name))[:_MAX_NAMES]


def _is_chain(node: Node, document: Document) -> bool:
    """Return whether a node is a call, an index or a member that begins with a name; not if called."""
    text, tokens = document.text, conventions(document.language).tokens
    is_called = text.startswith(_CALL, node.end_byte)
    if node.child_count < _MIN_LINKS or is_called or "type" in node.type:
        return False
    has_link = False
    while node.child_count:
        first = node.children[0]
        rest = text[first.end_byte : node.end_byte].lstrip()
        if text_of(first, text) in tokens.sigils:
            return has_link
        if rest and not rest.startswith(tokens.tails):
            return False
        node, has_link = first, True
    return is_identifier(node, document.language)
