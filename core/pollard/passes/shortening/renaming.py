"""Replace each name or word by one letter, in all of its places together.

Most of a reduced file is long names. T-Rec (TOSEM 2024), Vulcan (OOPSLA 2023) and Shrink Ray shorten or
replace such tokens. The new name is the old one's first letter if that is free, in the same case:
capitals tell types from values in several languages.

`rename` is for names. The tree says where a name stands, so strings, comments and islands keep their
words.

`shorten` is for other words: a heading and the link to it, a class and its rule, a key that occurs
twice, a name that is declared nowhere. Such a word is replaced wherever it stands in the text of a
named node, in strings, comments and islands too.
"""

from __future__ import annotations

import re
import string
from itertools import islice
from typing import TYPE_CHECKING

from pollard.engine.declaration import Needs, declare
from pollard.engine.subject import Candidate
from pollard.search.first import mapped
from pollard.search.sweeps import remove_each
from pollard.syntax.branches.branches import below
from pollard.syntax.names.conventions import conventions, words
from pollard.syntax.names.definitions import declared_names
from pollard.syntax.names.markup.tag_names import prefix_places, tag_name_places
from pollard.syntax.names.replaceable import identifiers
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tree_sitter import Node

    from pollard.engine.subject import Subject
    from pollard.search.first import First, Hit
    from pollard.syntax.branches.branches import Branch

    Span = tuple[int, int]


# A text with more names, or more words, is not reduced far enough yet.
_MAX_NAMES = 400
# `Some::Name`, `some-name` and `some.name` are one word where one node holds all of it.
_JOINED_WORD = re.compile(rb"[A-Za-z_](?:[\w:.\-]*\w)")
_PLAIN_WORD = re.compile(rb"\w+")
# A candidate of `shorten` that saves less is not worth a run, unless it is this part of the text.
_MIN_SAVED_BYTES = 4
_MIN_SAVED_PART = 0.05
# `shorten` may make one run for this many so far, but at least so many; any number if it is the first
# pass.
_RUNS_SO_FAR_PER_RUN = 25
_MIN_RUNS = 4


def letters(
    names: Sequence[bytes], text: bytes, reserved: Iterable[bytes] = ()
) -> dict[bytes, bytes]:
    """Map names to letters that are neither reserved nor words of the text, while any are free."""
    taken = {*words(text), *reserved}
    found: dict[bytes, bytes] = {}
    for name in names:
        free = (letter for letter in _preferred_letters(name) if letter not in taken)
        letter = next(free, None)
        if letter is not None:
            taken.add(letter)
            found[name] = letter
    return found


def _preferred_letters(name: bytes) -> list[bytes]:
    """Return the letters of a name's case, its own first."""
    alphabet = string.ascii_uppercase if name[:1].isupper() else string.ascii_lowercase
    alternatives = [letter.encode() for letter in alphabet]
    return sorted(alternatives, key=lambda letter: letter != name[:1])


@declare(
    "rename",
    runs="2n for n names",
    needs=Needs.SHORT_TREE,
    source="T-Rec, TOSEM 2024",
    renames=True,
)
def rename(subject: Subject) -> None:
    """Give names one letter each: those that the text declares, then others that occur twice or more.

    In markup, prefixes come after these, then names of elements. All together, then halves, down to
    single names: at most 2n candidates for n names.
    """
    declared = declared_names(subject.document)
    names = _long_names(subject, identifiers(subject.document, declared))
    if len(names) > _MAX_NAMES:
        return
    _rename(subject, {name: places for name, places in names.items() if name in declared})
    others = _long_names(subject, identifiers(subject.document))
    _rename(subject, _repeated({name: others[name] for name in others if name not in declared}))
    _rename(subject, _long_names(subject, prefix_places(subject.document)))
    _rename(subject, _repeated(_long_names(subject, tag_name_places(subject.document))))


def _long_names(
    subject: Subject, names: Mapping[bytes, Sequence[Span]]
) -> dict[bytes, Sequence[Span]]:
    """Return the places of names of more than one byte that occur only inside the region."""
    start, end = subject.span
    return {
        name: places
        for name, places in names.items()
        if len(name) > 1 and start <= places[0][0] and places[-1][1] <= end
    }


def _repeated(names: Mapping[bytes, Sequence[Span]]) -> dict[bytes, Sequence[Span]]:
    return {name: places for name, places in names.items() if len(places) > 1}


def _rename(subject: Subject, names: Mapping[bytes, Sequence[Span]]) -> None:
    if not names:
        return
    base = subject.document
    new = letters(list(names), base.text, conventions(base.language).tokens.reserved_letters)

    def candidate(kept: tuple[bytes, ...]) -> Candidate:
        edits = [
            Edit(start, end, new[name])
            for name, places in names.items()
            if name not in kept and name in new
            for start, end in places
        ]
        return Candidate(base, tuple(sorted(edits)))

    remove_each(list(names), mapped(subject.first, candidate), whole=True, repeat=False)


@declare(
    "shorten",
    runs="2n + 1 for n words, within a budget",
    needs=Needs.SHORT_TREE,
    source="T-Rec, TOSEM 2024; Vulcan, OOPSLA 2023",
    renames=True,
)
def shorten(subject: Subject) -> None:
    """Give words that are not names one letter each, those that save most first.

    All together, then halves, down to single words: at most 2n + 1 candidates for n words. Unless it
    is the first pass, it makes at most a twenty-fifth of the runs so far, or four.
    """
    places = _word_places(subject)
    if len(places) <= _MAX_NAMES:
        _shorten(subject, _other_than_names(subject, places))


def _shorten(subject: Subject, places: dict[bytes, list[Span]]) -> None:
    base = subject.document
    saving = {word: (len(word) - 1) * len(where) for word, where in places.items()}
    ordered = sorted(places, key=lambda word: (-saving[word], word))
    new = letters(ordered, base.text)

    def candidate(kept: tuple[bytes, ...]) -> Candidate:
        gone = set(new).difference(kept)
        edits = sorted(Edit(*place, new[word]) for word in gone for place in places[word])
        saved = sum(edit.end - edit.start - len(edit.new) for edit in edits)
        if not _is_worth(subject, len(subject.document.text) - (len(base.text) - saved)):
            return Candidate(subject.document, ())  # no change: needs no run
        return Candidate(base, tuple(edits))

    remove_each(
        [word for word in ordered if word in new],
        mapped(_within_the_budget(subject), candidate),
        whole=True,
        repeat=False,
    )


def _is_worth(subject: Subject, saved: int) -> bool:
    return saved >= min(_MIN_SAVED_BYTES, _MIN_SAVED_PART * subject.weight)


def _within_the_budget(subject: Subject) -> First[Candidate]:
    """Return `subject.first` with a budget of runs: a part of those so far."""
    if not subject.tally.runs:
        return subject.first
    end = subject.tally.runs + max(subject.tally.runs // _RUNS_SO_FAR_PER_RUN, _MIN_RUNS)

    def first(candidates: Iterable[Candidate]) -> Hit[Candidate] | None:
        return subject.first(islice(candidates, max(end - subject.tally.runs, 0)))

    return first


def _word_places(subject: Subject) -> dict[bytes, list[Span]]:
    """Map words that occur only inside the region to their places in the own text of named nodes."""
    text, (first, last) = subject.document.text, subject.span
    outside = {
        found[0]
        for pattern in (_JOINED_WORD, _PLAIN_WORD)
        for found in pattern.finditer(text)
        if found.start() < first or found.end() > last
    }
    places: dict[bytes, list[Span]] = {}
    for start, end in _own_texts(subject):
        for found in _JOINED_WORD.finditer(text, start, end):
            if found[0] not in outside:
                places.setdefault(found[0], []).append(found.span())
    return places


def _own_texts(subject: Subject) -> Iterator[Span]:
    """Yield the spans of named nodes that none of their children covers."""
    level = [subject.root]
    while level:
        for branch in level:
            if branch.inner_node.is_named:
                yield from _own_spans(branch)
        level = below(level, subject.span)


def _own_spans(branch: Branch) -> Iterator[Span]:
    place = branch.start
    for child in branch.children:
        if place < child.start:
            yield place, child.start
        place = child.end
    if place < branch.end:
        yield place, branch.end


def _other_than_names(subject: Subject, places: dict[bytes, list[Span]]) -> dict[bytes, list[Span]]:
    """Leave out what `rename` tries in the same places, and words that the grammar knows."""
    declared = declared_names(subject.document)
    names = {
        name: found
        for name, found in identifiers(subject.document, declared).items()
        if name in declared or len(found) > 1
    }
    return {
        word: sorted(found)
        for word, found in places.items()
        if names.get(word) != sorted(found) and not _is_known_to_grammar(subject, word, found)
    }


def _is_known_to_grammar(subject: Subject, word: bytes, places: Sequence[Span]) -> bool:
    """Return whether another word there is parsed differently, as for a keyword or a tag."""
    base, (start, end) = subject.document, min(places)
    letter = b"X" if word[:1].isupper() else b"x"
    return _kinds(base.root, start) != _kinds(base.edited([Edit(start, end, letter)]).root, start)


def _kinds(root: Node, place: int) -> list[int]:
    """Return the kinds of the nodes around an offset, the innermost first."""
    node, kinds = root.descendant_for_byte_range(place, place + 1), []
    while node is not None:
        kinds.append(node.kind_id)
        node = node.parent
    return kinds
