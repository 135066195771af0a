"""One name in the place of another, whose declaration goes.

Vulcan's identifier replacement (OOPSLA 2023) replaces all but the first occurrence of one name by
another, to make its declaration superfluous. Here the declaration goes in the same candidate, so that
each accepted one makes the text smaller.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.engine.declaration import Needs, declare
from pollard.engine.levels import moved
from pollard.engine.memory import branch_key
from pollard.engine.pruning import Units
from pollard.engine.subject import Candidate
from pollard.syntax.branches.branches import all_below
from pollard.syntax.layout.layout import Layout
from pollard.syntax.names.replaceable import ReplaceableNames
from pollard.syntax.tree.edits import Edit
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pollard.engine.subject import Subject
    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.names.names import Definition

    Span = tuple[int, int]


_MAX_OTHER_NAMES = 3
# Tried last; most languages take it for a value.
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

    Begins again after each success; as every candidate is smaller than the text, that ends. What has
    failed before of pieces with other names is not news for the passes that follow.
    """
    root, span = subject.root, subject.span
    while (hit := subject.first(_candidates(subject))) is not None:
        _carry_over(subject, all_below(root, span), hit.candidate)
        root, span = subject.root, subject.span


def _carry_over(subject: Subject, branches: Iterable[Branch], accepted: Candidate) -> None:
    """What was tried in vain counts for the same branches with other names."""
    for branch, now in moved(subject, branches, accepted.edits).items():
        before = branch_key(accepted.base.text, branch)
        subject.memory.attempts.carry(before, branch_key(subject.document.text, now))


def _candidates(subject: Subject) -> Iterator[Candidate]:
    base = subject.document
    layout = Layout(base, subject.span)
    names = ReplaceableNames(base, subject.root, subject.span, Units(subject).of)
    for definition in names.definitions:
        for other in [*_others(definition, names.places), _LITERAL]:
            uses = (Edit(start, end, other) for start, end in names.uses(definition))
            edits = layout.tidy([Edit(*definition.span), *uses])
            if size(base.edited(edits).text) < size(base.text):
                yield Candidate(base, edits)


def _others(definition: Definition, places: Mapping[bytes, Sequence[Span]]) -> list[bytes]:
    """Return the most frequent other names, of those that stand outside of the definition too."""
    first, last = definition.span
    outside = [
        name
        for name, spans in places.items()
        if name not in definition.names and not all(first <= start < last for start, _ in spans)
    ]
    return sorted(outside, key=lambda name: -len(places[name]))[:_MAX_OTHER_NAMES]
