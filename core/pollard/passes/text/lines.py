"""Lines, where the grammar fails, or is another language's: its tree is not to be relied on.

Directives of C's preprocessor that begin inside of a statement, a dialect that the grammar does not
know, another language altogether: the pieces that could go are no units, or none that the guard lets
pass one by one. In the end some lines can only go together: those of a statement that a directive
tears apart, a macro that opens a namespace with the bracket that closes it.

Passes for texts without a tree: lines, characters and bytes, as delta debugging began.
"""

from __future__ import annotations

import re
from functools import partial
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from pollard.engine.declaration import Needs, declare
from pollard.engine.subject import Candidate
from pollard.search.combine import weighed
from pollard.search.ddmin import ddmin
from pollard.search.exhaustive import runs_and_combinations
from pollard.search.first import mapped
from pollard.search.sweeps import remove_each
from pollard.syntax.tree.edits import Edit, join
from pollard.syntax.tree.sizes import is_utf8, size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pollard.engine.subject import Subject
    from pollard.search.combine import Minimiser
    from pollard.syntax.tree.document import Document

    Spans = Sequence[tuple[int, int]]


_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_WORD = re.compile(rb"\w+|\s+|[\x00-\x7f]|[\x80-\xff]+")
_CHARACTER = re.compile(rb"[\x00-\x7f\x80-\xbf]|[\xc0-\xff][\x80-\xbf]*")

# Lists longer than this are first minimised in pieces of several units, then window by window: a
# configuration of millions of units would fill the memory.
_WINDOW = 4_096


@declare("lines", runs="O(n²) for n lines", needs=Needs.TEXT, source="ddmin: hddh-2021, figure 1")
def lines(subject: Subject, minimise: Minimiser | None = None) -> None:
    """Minimise the lines."""
    _minimise(subject, line_spans, minimise)


def line_spans(text: bytes) -> Spans:
    """Return where each line begins and ends."""
    return [match.span() for match in _LINE.finditer(text)]


def words(subject: Subject) -> None:
    """Remove words, the white space between them and other signs, by halves down to single ones.

    Each is tried once, whatever the guard says: fewer than two candidates for each.
    """
    spans = units(subject, word_spans)
    first = mapped(partial(subject.first, guard=False), partial(keeping, subject.document, spans))
    remove_each(range(len(spans)), first, backward=True, repeat=False)


def word_spans(text: bytes) -> Spans:
    """Return where each word, stretch of white space and other sign begins and ends."""
    return [match.span() for match in _WORD.finditer(text)]


@declare(
    "characters",
    runs="O(n²) for n characters",
    needs=Needs.TEXT,
    source="ddmin: hddh-2021, figure 1",
)
def characters(subject: Subject, minimise: Minimiser | None = None) -> None:
    """Minimise the characters; of a text that is no UTF-8, the bytes."""
    _minimise(subject, character_spans, minimise)


def character_spans(text: bytes) -> Spans:
    """Return where each character begins and ends; each byte, if the text is no UTF-8."""
    if not is_utf8(text):
        return [(offset, offset + 1) for offset in range(len(text))]
    return [match.span() for match in _CHARACTER.finditer(text)]


def _minimise(
    subject: Subject, split: Callable[[bytes], Spans], minimise: Minimiser | None
) -> None:
    piece = max(len(units(subject, split)) // _WINDOW, 1)
    while True:
        _by_windows(subject, split, piece, minimise or ddmin)
        if piece == 1:
            return
        piece //= 2


def _by_windows(
    subject: Subject, split: Callable[[bytes], Spans], piece: int, minimise: Minimiser
) -> None:
    """Minimise pieces of `piece` units each, `_WINDOW` pieces at a time, from the end of the text.

    From the end, so that what is still to come keeps its offsets.
    """
    whole = units(subject, split)
    pieces = [
        (p[0][0], p[-1][1]) for i in range(0, len(whole), piece) if (p := whole[i : i + piece])
    ]
    for last in range(len(pieces), 0, -_WINDOW):
        _window(subject, pieces[max(last - _WINDOW, 0) : last], minimise)


def units(subject: Subject, split: Callable[[bytes], Spans]) -> Spans:
    """Return where the units that `split` makes of the region begin and end in the document."""
    start, end = subject.span
    return [(start + s, start + e) for s, e in split(subject.document.text[start:end])]


def _window(subject: Subject, spans: Spans, minimise: Minimiser) -> None:
    base = subject.document
    numbers = range(len(spans))

    def weight(number: int) -> int:
        start, end = spans[number]
        return size(base.text[start:end])

    candidate = partial(keeping, base, spans)
    if subject.first([candidate(())]) is None:
        weighed(minimise, weight)(numbers, mapped(subject.first, candidate))


def keeping(base: Document, spans: Spans, kept: Sequence[int]) -> Candidate:
    """Return the text without those of adjacent `spans` that are not `kept`, by their numbers."""
    bounds = (-1, *kept, len(spans))
    gone = ((left + 1, right - 1) for left, right in pairwise(bounds) if right - left > 1)
    return Candidate(base, join(Edit(spans[first][0], spans[last][1]) for first, last in gone))


# Of so many all rows and then any two are tried together, as long as that takes no more than a run for
# so many that were needed to get here, or a few.
_FEW = 32
_SHARE = 8
_FEWEST = 64


@declare("unparsed", runs="O(n²) for n lines")
def unparsed(subject: Subject) -> None:
    """Minimise the lines of a text that the grammar misreads, then try several lines at once."""
    if _is_misread(subject):
        lines(subject)
        while _is_misread(subject) and subject.first(_together(subject)) is not None:
            pass


def _is_misread(subject: Subject) -> bool:
    """Return whether the tree is unreliable: its grammar fails, or is another language's."""
    return subject.foreign_grammar or subject.document.errors > 0


def _together(subject: Subject) -> Iterator[Candidate]:
    """Yield the text without lines in a row, then without two of them, unless that was tried before."""
    spans = units(subject, line_spans)
    if len(spans) > _FEW:
        return
    changes = (join(Edit(*span) for span in gone) for gone in runs_and_combinations(spans, 2, 2))
    yield from islice(subject.untried(changes), max(subject.tally.runs // _SHARE, _FEWEST))
