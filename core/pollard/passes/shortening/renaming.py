"""Shorter names, every occurrence at once.

Long names are what a reduced file has most of. T-Rec (TOSEM 2024) and Shrink Ray shorten tokens; here
a name is renamed wherever it stands as a name, by the tree and not by the text, so that strings and
comments keep their words. The new name is one letter, the old one's first where that is free, in the
same case: capitals tell types from values in several languages. Islands keep their names, too.

One letter for each of many names: what `rename` and `shorten` put in their places.
"""

from __future__ import annotations

import string
from typing import TYPE_CHECKING

from pollard.engine.declaration import Needs, declare
from pollard.engine.subject import Candidate
from pollard.search.first import mapped
from pollard.search.sweeps import remove_each
from pollard.syntax.names.conventions import words
from pollard.syntax.names.replaceable import declared_names, identifiers
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pollard.engine.subject import Subject


def letters(names: Sequence[bytes], text: bytes) -> dict[bytes, bytes]:
    """Return for each name a letter that is no word of the text, as long as there are any."""
    taken = set(words(text))
    found: dict[bytes, bytes] = {}
    for name in names:
        letter = next((one for one in _wishes(name) if one not in taken), None)
        if letter is not None:
            taken.add(letter)
            found[name] = letter
    return found


def _wishes(name: bytes) -> list[bytes]:
    """Return the letters of a name's case, its own first."""
    alphabet = string.ascii_uppercase if name[:1].isupper() else string.ascii_lowercase
    every = [letter.encode() for letter in alphabet]
    return sorted(every, key=lambda letter: letter != name[:1])


# Renaming is for what is left in the end; a text with more names than this is not there yet.
_MOST = 400


@declare(
    "rename",
    runs="2n for n names",
    needs=Needs.SHORT_TREE,
    source="T-Rec, TOSEM 2024",
    renames=True,
)
def rename(subject: Subject) -> None:
    """Give names one letter each: those that the text declares, then others that occur again.

    All at once, then halves, down to single names: at most 2n candidates for n names that resist.
    """
    declared = declared_names(subject.document)
    names = _long_names(subject, declared)
    if len(names) > _MOST:
        return
    others = [name for name in names if name not in declared and len(names[name]) > 1]
    _rename(subject, [name for name in names if name in declared], declared)
    _rename(subject, others, frozenset())


@declare("early-rename", runs="as rename", needs=Needs.SHORT_TREE, source="as rename", renames=True)
def early_rename(subject: Subject) -> None:
    """Do what `rename` does, in a text of some length."""
    if subject.is_worth_early_passes():
        rename(subject)


def _long_names(
    subject: Subject, declared: frozenset[bytes]
) -> Mapping[bytes, Sequence[tuple[int, int]]]:
    """Return the names of more than one byte that stand in the region only, and where they do."""
    start, end = subject.span
    return {
        name: places
        for name, places in identifiers(subject.document, declared).items()
        if len(name) > 1 and start <= places[0][0] and places[-1][1] <= end
    }


def _rename(subject: Subject, names: Sequence[bytes], declared: frozenset[bytes]) -> None:
    if not names:
        return
    base = subject.document
    places = identifiers(base, declared)
    new = letters(names, base.text)

    def candidate(kept: tuple[bytes, ...]) -> Candidate:
        edits = [
            Edit(start, end, new[name])
            for name in names
            if name not in kept and name in new
            for start, end in places.get(name, ())
        ]
        return Candidate(base, tuple(sorted(edits)))

    remove_each(names, mapped(subject.first, candidate), whole=True, repeat=False)
