"""The end of a reduction: pieces that the guard keeps, and pieces that can only go together.

**`unguarded`.** A grammar describes files as they should be, but programs accept less: C compilers a
function without a type, browsers an element without an end tag, CSS a block that the end of the file
closes. So single pieces are removed although the guard refuses that.

**`pairs`.** A text from which no single piece can go may still lose two together: 1-minimal is not
2-minimal (n-minimality: Zeller & Hildebrandt, TSE 2002, section 3.2). In most texts there are too many
pairs to try all. But a long search makes most of its runs on large texts, where each takes longer, and
hardly looks at what is left. So the end gets as many runs as there were before.

Only here may a candidate have more syntax errors than the document. Most of them fail, so both passes
have a budget.
"""

from __future__ import annotations

from functools import partial
from itertools import accumulate, islice, takewhile
from typing import TYPE_CHECKING

from pollard.engine.declaration import Needs, declare
from pollard.engine.memory import digest
from pollard.passes.text.spans import character_spans, units, word_spans
from pollard.search.sweeps import runs_and_combinations
from pollard.syntax.branches.branches import all_below
from pollard.syntax.branches.units import Reach, removal
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pollard.engine.subject import Candidate, Edits, Subject
    from pollard.syntax.branches.branches import Branch


# `unguarded` may make one run for this many so far, and a few in any case.
_RUNS_SO_FAR_PER_RUN = 20
_MIN_BUDGET_RUNS = 2

# For `pairs` the end of a reduction begins at this many times the present weight.
_MAX_FINAL_FACTOR = 3
# At most this many candidates per run of the budget are checked by the guard.
_GUARDED_PER_RUN = 16


@declare(
    "unguarded",
    runs="1 for 20 so far",
    needs=Needs.SHORT_TREE,
    source="Shrink Ray's passes on text",
)
def unguarded(subject: Subject) -> None:
    """Remove single pieces against the syntax guard, the heaviest first, within a budget."""
    if not subject.guard or subject.foreign_grammar:
        return
    budget = max(subject.tally.runs // _RUNS_SO_FAR_PER_RUN, _MIN_BUDGET_RUNS)
    while budget > 0:
        candidates = islice(_without_pieces(subject), budget)
        runs_before = subject.tally.runs
        if subject.first(candidates, guard=False) is None:
            return
        budget -= subject.tally.runs - runs_before


def _without_pieces(subject: Subject) -> Iterator[Candidate]:
    """Yield the document without each piece; after the first few, without what closes at its end."""
    layout = subject.layout()
    pieces = (removal(piece, Reach.ALONE) for piece in _pieces(subject))
    single = subject.untried(layout.tidy((edit,)) for edit in pieces)
    yield from islice(single, _MIN_BUDGET_RUNS)
    yield from subject.untried(layout.tidy((edit,)) for edit in _without_ending(subject))
    yield from single


def _without_ending(subject: Subject) -> Iterator[Edit]:
    """Yield edits that remove all end tags and closing tokens at the end of the text, or tokens only.

    End tags come first, each as a whole: once a part of one is gone, its rest is text, which may be
    needed.
    """
    start_tag = partial(_start_tag, subject.document.text)
    edits = (_ending(subject, find) for find in (start_tag, lambda _: None))
    yield from (edit for edit in dict.fromkeys(edits) if edit is not None)


def _ending(subject: Subject, start_tag: Callable[[Branch], Branch | None]) -> Edit | None:
    """Return the edit that removes tokens and end tags at the end of the text, on all levels.

    `start_tag` returns the start tag of an end tag, else None. Start tags stay.
    """
    ending: list[Branch] = []
    start_tags: set[Branch | None] = set()
    branch = subject.root
    while branch.children and branch not in start_tags:
        tail = list(takewhile(lambda b: b.is_token or start_tag(b), reversed(branch.children)))
        ending += tail
        if len(tail) == len(branch.children):
            break
        start_tags.update(start_tag(piece) for piece in tail)
        branch = branch.children[-1 - len(tail)]
    inside = [piece for piece in ending if piece.is_within(subject.span)]
    return Edit(inside[-1].start, inside[0].end) if inside else None


def _start_tag(text: bytes, branch: Branch) -> Branch | None:
    """Return the start tag of an end tag: the nearest earlier sibling with all of its words."""
    if not (branch.children and branch.children[0].is_token and branch.children[-1].is_token):
        return None
    words = _words(text, branch)
    earlier = branch.siblings[: branch.index] if words else ()
    return next((other for other in reversed(earlier) if words <= _words(text, other)), None)


def _words(text: bytes, branch: Branch) -> set[bytes]:
    return {text[part.start : part.end].lower() for part in branch.children if not part.is_token}


def _pieces(subject: Subject) -> list[Branch]:
    """Return the branches that may be removed, the heaviest first; ties: the last first.

    A branch that is the whole text is left out: every grammar accepts an empty text.
    """
    weights = [0, *accumulate(not byte.isspace() for byte in _bytes(subject.document.text))]
    found = [
        branch
        for branch in all_below(subject.root, subject.span)
        if branch.is_within(subject.span)
        and weights[branch.end] - weights[branch.start] < weights[-1]
    ]
    return sorted(found, key=lambda b: (weights[b.start] - weights[b.end], -b.start))


def _bytes(text: bytes) -> Iterator[bytes]:
    return (text[place : place + 1] for place in range(len(text)))


@declare(
    "pairs",
    runs="as many as were needed to get near the result",
    needs=Needs.SHORT_TREE,
    source="n-minimality: Zeller and Hildebrandt, TSE 2002, section 3.2",
)
def pairs(subject: Subject) -> None:
    """Remove two or three tokens together, then characters, within a budget.

    First what the guard accepts, then the rest. The budget allows as many runs on texts of up to three
    times the present weight as were made on heavier ones. Does nothing if that many were made already,
    or if there is too little left to try to use up the budget.
    """
    if not _can_use_up_budget(subject):
        return
    for guard in (True, False):
        runs_before = -1
        while runs_before < subject.tally.runs and (budget := _budget(subject)) > 0:
            runs_before = subject.tally.runs
            candidates = _guarded(subject, budget) if guard else subject.untried(_changes(subject))
            subject.first(islice(candidates, budget), guard=guard)


def _budget(subject: Subject) -> int:
    """Return the remaining run budget: the runs on heavier texts, less those made since."""
    heavy_runs = runs_until(subject, _MAX_FINAL_FACTOR * subject.weight)
    return heavy_runs - (subject.tally.runs - heavy_runs)


def runs_until(subject: Subject, weight: int) -> int:
    """Return how many runs were made until the region weighed at most `weight` bytes."""
    progress = subject.memory.progress
    return next((runs for runs, left in progress if left <= weight), subject.tally.runs)


def _can_use_up_budget(subject: Subject) -> bool:
    budget, texts = _budget(subject), set[bytes]()
    for candidate in subject.untried(_changes(subject)):
        if len(texts) >= budget:
            return True
        texts.add(digest(candidate.base.edited(candidate.edits).text))
    return len(texts) >= budget


def _guarded(subject: Subject, budget: int) -> Iterator[Candidate]:
    """Yield those of the first candidates that the guard accepts."""
    candidates = islice(subject.untried(_changes(subject)), _GUARDED_PER_RUN * budget)
    return (each for each in candidates if subject.fits(each.base, each.edits))


def _changes(subject: Subject) -> Iterator[Edits]:
    """Yield edits that remove runs of up to eight tokens, any two, any three; then characters."""
    text, layout = subject.document.text, subject.layout()
    for split in (word_spans, character_spans):
        spans = [span for span in units(subject, split) if not text[slice(*span)].isspace()]
        for gone in runs_and_combinations(spans, 1, 3):
            yield layout.tidy(Edit(*span) for span in gone)
