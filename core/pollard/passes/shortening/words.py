"""Shorter words, every place at once: what `rename` does not take for a name.

A heading and the link to it, a class and its rule, a key that is said twice: most languages have words
that no declaration introduces, and of a name that nobody declares and that stands only once nothing is
known at all. T-Rec (TOSEM 2024), Vulcan (OOPSLA 2023) and Shrink Ray replace such tokens, too. Here
a word is shortened wherever it stands in the text of a named node, in strings, comments and islands as
well, in all of these places by one candidate.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from pollard.engine.declaration import Needs, declare
from pollard.engine.subject import Candidate
from pollard.passes.shortening.renaming import letters
from pollard.search.first import mapped
from pollard.search.sweeps import remove_each
from pollard.syntax.branches.branches import below
from pollard.syntax.names.replaceable import declared_names, identifiers
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tree_sitter import Node

    from pollard.engine.subject import Subject
    from pollard.search.first import First, Hit
    from pollard.syntax.branches.branches import Branch

    Span = tuple[int, int]


# `Some::Name`, `some-name` and `some.name` are one word where one node holds all of it.
_WORD = re.compile(rb"[A-Za-z_](?:[\w:.\-]*\w)")
_PLAIN = re.compile(rb"\w+")
# A text with more words than this is not there yet.
_MOST = 400
# In bytes. What saves less is not worth a run, but goes along with others.
_LEAST = 4
# It may cost one run for so many that were needed to get here; any number if it is the first pass.
_SHARE = 25
# One run it may cost in any case where half of the text would go.
_PART = 2


@declare(
    "shorten",
    runs="2n + 1 for n words, within a budget",
    needs=Needs.SHORT_TREE,
    source="T-Rec, TOSEM 2024; Vulcan, OOPSLA 2023",
    renames=True,
)
def shorten(subject: Subject) -> None:
    """Give other words than names one letter each, those that save most first.

    All at once, then halves, down to single words: 2n + 1 candidates for n words if it is the first
    pass, else in a twenty-fifth of the runs so far; one where half of the text would go.
    """
    places = _places(subject)
    if len(places) <= _MOST:
        _shorten(subject, _unknown(subject, places))


@declare(
    "early-shorten", runs="as shorten", needs=Needs.SHORT_TREE, source="as shorten", renames=True
)
def early_shorten(subject: Subject) -> None:
    """Do what `shorten` does, in a text of some length."""
    if subject.is_worth_early_passes():
        shorten(subject)


def _shorten(subject: Subject, places: dict[bytes, list[Span]]) -> None:
    base = subject.document
    saving = {word: (len(word) - 1) * len(where) for word, where in places.items()}
    ordered = sorted(places, key=lambda word: (-saving[word], word))
    new = letters(ordered, base.text)
    much = _PART * sum(saving[word] for word in new) >= subject.weight

    def candidate(kept: tuple[bytes, ...]) -> Candidate:
        gone = set(new).difference(kept)
        edits = sorted(Edit(*place, new[word]) for word in gone for place in places[word])
        saved = sum(edit.end - edit.start - len(edit.new) for edit in edits)
        if len(subject.document.text) - (len(base.text) - saved) < _LEAST:
            return Candidate(subject.document, ())  # which needs no run
        return Candidate(base, tuple(edits))

    remove_each(
        [word for word in ordered if word in new],
        mapped(_within_the_budget(subject, least=int(much)), candidate),
        whole=True,
        repeat=False,
    )


def _within_the_budget(subject: Subject, least: int) -> First[Candidate]:
    """Return what asks the subject, and costs a share of the runs so far at most, or `least`."""
    if not subject.tally.runs:
        return subject.first
    end = subject.tally.runs + max(subject.tally.runs // _SHARE, least)

    def first(candidates: Iterable[Candidate]) -> Hit[Candidate] | None:
        return subject.first(islice(candidates, max(end - subject.tally.runs, 0)))

    return first


def _places(subject: Subject) -> dict[bytes, list[Span]]:
    """Return the words that stand in the region only, and where they do in the text of named nodes."""
    text, (first, last) = subject.document.text, subject.span
    outside = {
        found[0]
        for pattern in (_WORD, _PLAIN)
        for found in pattern.finditer(text)
        if found.start() < first or found.end() > last
    }
    places: dict[bytes, list[Span]] = {}
    for start, end in _own_texts(subject):
        for found in _WORD.finditer(text, start, end):
            if found[0] not in outside:
                places.setdefault(found[0], []).append(found.span())
    return places


def _own_texts(subject: Subject) -> Iterator[Span]:
    """Yield the spans of the text of named nodes that is in none of their children."""
    level = [subject.root]
    while level:
        for branch in level:
            if branch.inner_node.is_named:
                yield from _between(branch)
        level = below(level, subject.span)


def _between(branch: Branch) -> Iterator[Span]:
    place = branch.start
    for child in branch.children:
        if place < child.start:
            yield place, child.start
        place = child.end
    if place < branch.end:
        yield place, branch.end


def _unknown(subject: Subject, places: dict[bytes, list[Span]]) -> dict[bytes, list[Span]]:
    """Return the words that neither `rename` tries, in the same places, nor the grammar knows."""
    declared = declared_names(subject.document)
    names = {
        name: found
        for name, found in identifiers(subject.document, declared).items()
        if name in declared or len(found) > 1
    }
    return {
        word: sorted(found)
        for word, found in places.items()
        if names.get(word) != sorted(found) and not _is_known(subject, word, found)
    }


def _is_known(subject: Subject, word: bytes, places: Sequence[Span]) -> bool:
    """Tell whether another word in its place would be something else: a keyword, say, or a tag."""
    base, (start, end) = subject.document, min(places)
    letter = b"X" if word[:1].isupper() else b"x"
    return _kinds(base.root, start) != _kinds(base.edited([Edit(start, end, letter)]).root, start)


def _kinds(root: Node, place: int) -> list[int]:
    """Return the kinds of all nodes around a place, the innermost first."""
    node, kinds = root.descendant_for_byte_range(place, place + 1), []
    while node is not None:
        kinds.append(node.kind_id)
        node = node.parent
    return kinds
