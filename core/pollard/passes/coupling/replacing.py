"""Put another name in the place of a name, and remove the definition of the name.

Vulcan's identifier replacement (OOPSLA 2023) replaces all but the first occurrence of a name by another
name, to make the definition superfluous. Here the definition goes in the same candidate, so that each
accepted one makes the text smaller.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pollard.engine.declaration import Needs, declare
from pollard.engine.levels import moved
from pollard.engine.memory import branch_key
from pollard.engine.pruning import Units
from pollard.engine.subject import Candidate
from pollard.syntax.branches.branches import all_below
from pollard.syntax.names.replaceable import ReplaceableNames
from pollard.syntax.tree.edits import Edit
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pollard.engine.subject import Subject
    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.layout.layout import Layout
    from pollard.syntax.names.definitions import Definition

    Span = tuple[int, int]


_MAX_OTHER_NAMES = 3
# Tried after the other names; most languages accept it as a value.
_LITERAL = b"0"


@declare(
    "merge",
    runs="4 for each name, after each success",
    needs=Needs.SHORT_TREE,
    source="Vulcan, OOPSLA 2023",
    renames=True,
)
def merge(subject: Subject) -> None:
    """Put one name in the place of another, and remove the declaration of the other.

    Starts again after each success, which ends since every candidate is smaller than the text. Later
    passes do not repeat what failed on the same branches under their former names.
    """
    root, span = subject.root, subject.span
    while (hit := subject.first(_candidates(subject))) is not None:
        _carry_over(subject, all_below(root, span), hit.candidate)
        root, span = subject.root, subject.span


def _carry_over(subject: Subject, branches: Iterable[Branch], accepted: Candidate) -> None:
    """Carry the attempts on branches over to what they became with other names."""
    for branch, new_branch in moved(subject, branches, accepted.edits).items():
        old_key = branch_key(accepted.base.text, branch)
        subject.memory.attempts.carry(old_key, branch_key(subject.document.text, new_branch))


def _candidates(subject: Subject) -> Iterator[Candidate]:
    """Yield the smaller texts without one definition and with its uses replaced."""
    layout = subject.layout()
    names = replaceable_names(subject)
    for definition in names.definitions:
        for new in _mergings(names, definition):
            yield from smaller(subject, layout, [Edit(*definition.span), *new])


def replaceable_names(subject: Subject) -> ReplaceableNames:
    """Return the names of a subject's document that can be replaced inside its region."""
    return ReplaceableNames(subject.document, subject.root, subject.span, Units(subject).of)


def smaller(subject: Subject, layout: Layout, edits: Sequence[Edit]) -> list[Candidate]:
    """Return the candidate with some edits of a subject's document, tidied.

    Nothing if they overlap, reach out of the layout's span or make nothing smaller. A deep indentation
    may need more bytes than a name: no text that is shown grows on the way.
    """
    base = subject.document
    if not _are_apart_within(layout.span, edits):
        return []
    tidied = layout.tidy(edits)
    text = base.edited(tidied).text
    is_smaller = size(text) < size(base.text) and len(text) <= len(base.text)
    return [Candidate(base, tidied)] if is_smaller else []


def _are_apart_within(span: Span, edits: Sequence[Edit]) -> bool:
    """Return whether no edit overlaps another one or reaches out of a span.

    Edits overlap in `f(f(1))`, where a function is used in its own argument.
    """
    is_inside = all(span[0] <= edit.start and edit.end <= span[1] for edit in edits)
    return is_inside and all(last.end <= edit.start for last, edit in pairwise(sorted(edits)))


def _mergings(names: ReplaceableNames, definition: Definition) -> Iterator[list[Edit]]:
    """Yield the edits that put each of a few other names, or a literal, in the place of a name."""
    for other in [*_frequent_others(definition, names.places), _LITERAL]:
        yield [Edit(start, end, other) for start, end in names.uses(definition)]


def _frequent_others(definition: Definition, places: Mapping[bytes, Sequence[Span]]) -> list[bytes]:
    """Return the most frequent other names that also occur outside of the definition."""
    first, last = definition.span
    outside = [
        name
        for name, spans in places.items()
        if name not in definition.names and not all(first <= start < last for start, _ in spans)
    ]
    return sorted(outside, key=lambda name: -len(places[name]))[:_MAX_OTHER_NAMES]
