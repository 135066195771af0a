"""Past the grammar: pieces that the language itself does not need, whatever its grammar says.

A grammar describes files as they should be. Compilers take less: C a function without a type, HTML an
element without its end, CSS a block that the end of the file closes. So at the very end, where the
file is small, single pieces are removed that the syntax guard has kept. Only here and in `pairs` may a
candidate have more syntax errors than the best text so far; each costs a run, so there is a budget.
A text in a language without a grammar has no such pieces: of what is left of it words are removed.
"""

from __future__ import annotations

from functools import partial
from itertools import accumulate, islice, takewhile
from typing import TYPE_CHECKING

from pollard.engine.declaration import Needs, declare
from pollard.passes.text.lines import words
from pollard.syntax.branches.branches import all_below
from pollard.syntax.branches.units import Reach, removal
from pollard.syntax.layout.layout import Layout
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pollard.engine.subject import Candidate, Subject
    from pollard.syntax.branches.branches import Branch


# It may cost one run for so many that were needed to get here.
_SHARE = 20
_FEWEST = 2

# Of words two runs for each, and only of a text of so many characters.
_SHORT = 150


@declare(
    "unguarded",
    runs="1 for 20 so far",
    needs=Needs.SHORT_TREE,
    source="Shrink Ray's passes on text",
)
def unguarded(subject: Subject) -> None:
    """Remove single pieces that the syntax guard keeps, the heaviest first, within a budget.

    Of a text that is read by another language's grammar words are removed instead, if few are left.
    """
    if not subject.foreign_grammar:
        _remove_pieces(subject)
    elif subject.weight <= _SHORT:
        words(subject)


def _remove_pieces(subject: Subject) -> None:
    if not subject.guard:
        return
    budget = max(subject.tally.runs // _SHARE, _FEWEST)
    while budget > 0:
        candidates = islice(_candidates(subject), budget)
        before = subject.tally.runs
        if subject.first(candidates, guard=False) is None:
            return
        budget -= subject.tally.runs - before


def _candidates(subject: Subject) -> Iterator[Candidate]:
    """Yield the document without each piece; after the first few without all that closes its end."""
    layout = Layout(subject.document, subject.span)
    pieces = (removal(piece, Reach.ALONE) for piece in _pieces(subject))
    single = subject.untried(layout.tidy((edit,)) for edit in pieces)
    yield from islice(single, _FEWEST)
    yield from subject.untried(layout.tidy((edit,)) for edit in _closing(subject))
    yield from single


def _closing(subject: Subject) -> Iterator[Edit]:
    """Yield the edits that remove all with which the text ends: what that closes may be open.

    First with the end tags, each as a whole: once a part of one has gone, the rest is text that
    something may be in need of. Then the tokens alone.
    """
    beginning = partial(_beginning, subject.document.text)
    edits = (_ending(subject, one) for one in (beginning, lambda _: None))
    yield from (edit for edit in dict.fromkeys(edits) if edit is not None)


def _ending(subject: Subject, beginning: Callable[[Branch], Branch | None]) -> Edit | None:
    """Return the edit that removes what closes at the end of the text, through all levels.

    That is tokens, and what has a `beginning`, which must stay.
    """
    ending: list[Branch] = []
    begun: set[Branch | None] = set()
    branch = subject.root
    while branch.children and branch not in begun:
        tail = list(takewhile(lambda b: b.is_token or beginning(b), reversed(branch.children)))
        ending += tail
        if len(tail) == len(branch.children):
            break
        begun.update(beginning(piece) for piece in tail)
        branch = branch.children[-1 - len(tail)]
    inside = [piece for piece in ending if piece.is_within(subject.span)]
    return Edit(inside[-1].start, inside[0].end) if inside else None


def _beginning(text: bytes, branch: Branch) -> Branch | None:
    """Return the start tag of what is an end tag: tokens around a word that it has, too."""
    if not (branch.children and branch.children[0].is_token and branch.children[-1].is_token):
        return None
    words = _words(text, branch)
    before = branch.siblings[: branch.index] if words else ()
    return next((one for one in reversed(before) if words <= _words(text, one)), None)


def _words(text: bytes, branch: Branch) -> set[bytes]:
    return {text[part.start : part.end].lower() for part in branch.children if not part.is_token}


def _pieces(subject: Subject) -> list[Branch]:
    """Return the branches that may be removed, the heaviest first, of two alike the last first.

    What is all of the text is no such piece: every grammar takes an empty one.
    """
    heavier = [0, *accumulate(not byte.isspace() for byte in _bytes(subject.document.text))]
    found = [
        branch
        for branch in all_below(subject.root, subject.span)
        if branch.is_within(subject.span)
        and heavier[branch.end] - heavier[branch.start] < heavier[-1]
    ]
    return sorted(found, key=lambda b: (heavier[b.start] - heavier[b.end], -b.start))


def _bytes(text: bytes) -> Iterator[bytes]:
    return (text[place : place + 1] for place in range(len(text)))
