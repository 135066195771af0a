"""Passes for texts without a tree, or with one that misreads the text: lines, words and characters.

`lines` and `characters` are ddmin as delta debugging began with it (hddh-2021, figure 1).

`unparsed` is for trees that are not reliable: a preprocessor directive in the middle of a statement, a
dialect that the grammar does not know, another language altogether. What could go there is no unit, so
lines are minimised. Finally, some lines can only go together: those of a statement that a directive
tears apart, or a macro that opens a namespace and the bracket that closes it.
"""

from __future__ import annotations

from functools import partial
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from pollard.engine.declaration import Needs, declare
from pollard.engine.subject import Candidate
from pollard.passes.text.outline import reduce_brackets
from pollard.passes.text.spans import character_spans, line_spans, units, word_spans
from pollard.search.combine import weighed
from pollard.search.ddmin import ddmin
from pollard.search.first import mapped
from pollard.search.sweeps import remove_each, runs_and_combinations
from pollard.syntax.tree.edits import Edit, join
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pollard.engine.subject import Subject
    from pollard.passes.text.spans import Spans
    from pollard.search.combine import Minimiser
    from pollard.syntax.tree.document import Document

# Longer lists are first minimised in pieces of several units, then window by window: a configuration of
# millions of units would fill the memory.
_MAX_WINDOW_PIECES = 4_096
# If at most this many lines are left and the text is still misread, runs and pairs of lines are tried:
# one for this many runs so far, but at least a few.
_MAX_LINES_FOR_PAIRS = 32
_RUNS_SO_FAR_PER_RUN = 8
_MIN_BUDGET_RUNS = 64

# Words take up to two runs each, and what is between brackets up to three, but what goes with a bracket
# weighs more. So they are only removed from lighter texts (in bytes).
_MAX_WEIGHT_FOR_WORDS = 150
_MAX_WEIGHT_FOR_BRACKETS = 500


@declare("lines", runs="O(n²) for n lines", needs=Needs.TEXT, source="ddmin: hddh-2021, figure 1")
def lines(subject: Subject, minimise: Minimiser | None = None) -> None:
    """Minimise the lines."""
    _minimise(subject, line_spans, minimise)


def words(subject: Subject) -> None:
    """Remove words, white space and other signs, half of them first, down to single ones.

    The syntax guard is off: it means nothing where the grammar is another language's. Each fragment is
    tried once: fewer than two candidates for each word.
    """
    spans = units(subject, word_spans)
    first = mapped(partial(subject.first, guard=False), partial(keeping, subject.document, spans))
    remove_each(range(len(spans)), first, backward=True, repeat=False)


@declare(
    "characters",
    runs="O(n²) for n characters",
    needs=Needs.TEXT,
    source="ddmin: hddh-2021, figure 1",
)
def characters(subject: Subject, minimise: Minimiser | None = None) -> None:
    """Minimise the characters."""
    _minimise(subject, character_spans, minimise)


def _minimise(
    subject: Subject,
    split: Callable[[bytes], Spans],
    minimise: Minimiser | None,
    *,
    guard: bool = True,
) -> None:
    length = max(len(units(subject, split)) // _MAX_WINDOW_PIECES, 1)
    while True:
        _by_windows(subject, split, length, minimise or ddmin, guard=guard)
        if length == 1:
            return
        length //= 2


def _by_windows(
    subject: Subject,
    split: Callable[[bytes], Spans],
    length: int,
    minimise: Minimiser,
    *,
    guard: bool,
) -> None:
    """Minimise pieces of `length` units each, one window after the other.

    The last window comes first, so that the others keep their offsets.
    """
    spans = units(subject, split)
    groups = (spans[first : first + length] for first in range(0, len(spans), length))
    pieces = [(group[0][0], group[-1][1]) for group in groups]
    for last in range(len(pieces), 0, -_MAX_WINDOW_PIECES):
        window = pieces[max(last - _MAX_WINDOW_PIECES, 0) : last]
        _minimise_window(subject, window, minimise, guard=guard)


def _minimise_window(subject: Subject, spans: Spans, minimise: Minimiser, *, guard: bool) -> None:
    base, first = subject.document, partial(subject.first, guard=guard)
    numbers = range(len(spans))

    def weight(number: int) -> int:
        start, end = spans[number]
        return size(base.text[start:end])

    candidate = partial(keeping, base, spans)
    if first([candidate(())]) is None:
        weighed(minimise, weight)(numbers, mapped(first, candidate))


def keeping(base: Document, spans: Spans, kept: Sequence[int]) -> Candidate:
    """Return the candidate that keeps only the `kept` ones, given by number, of adjacent `spans`."""
    bounds = (-1, *kept, len(spans))
    gone = ((left + 1, right - 1) for left, right in pairwise(bounds) if right - left > 1)
    return Candidate(base, join(Edit(spans[first][0], spans[last][1]) for first, last in gone))


@declare("unparsed", runs="O(n²) for n lines")
def unparsed(subject: Subject) -> None:
    """Minimise the lines of a text that the grammar misreads, then try several lines together.

    No lines are tried alone: of 87 texts with less than half of what was left none was interesting.
    Where little is left that another language's grammar reads, remove what is between brackets, then
    words.
    """
    was_foreign = subject.is_foreign()  # a relative's grammar may find no error in what is left
    if _is_misread(subject):
        lines(subject, partial(remove_each, backward=True))
        while _is_misread(subject) and subject.first(_several_lines(subject)) is not None:
            pass
    if was_foreign and subject.weight <= _MAX_WEIGHT_FOR_BRACKETS:
        reduce_brackets(subject)
    if subject.is_foreign() and subject.weight <= _MAX_WEIGHT_FOR_WORDS:
        words(subject)


def _is_misread(subject: Subject) -> bool:
    """Return whether the tree is unreliable: it has errors, or the grammar is another language's."""
    return subject.foreign_grammar or subject.document.errors > 0


def _several_lines(subject: Subject) -> Iterator[Candidate]:
    """Yield untried texts without two to eight adjacent lines, then without any two lines."""
    spans = units(subject, line_spans)
    if len(spans) > _MAX_LINES_FOR_PAIRS:
        return
    budget = max(subject.tally.runs // _RUNS_SO_FAR_PER_RUN, _MIN_BUDGET_RUNS)
    changes = (join(Edit(*span) for span in gone) for gone in runs_and_combinations(spans, 2, 2))
    yield from islice(subject.untried(changes), budget)
