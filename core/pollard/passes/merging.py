"""One name in the place of another, whose declaration goes.

Vulcan's identifier replacement (OOPSLA 2023) replaces all but the first occurrence of one name by
another, to make its declaration superfluous. Here the declaration goes in the same candidate, so that
each accepted one makes the text smaller.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.passes.attempts import trace
from pollard.passes.declarations import declarations
from pollard.passes.last import is_short
from pollard.passes.relocation import moved
from pollard.passes.subject import Candidate
from pollard.syntax.branches import all_below
from pollard.syntax.edits import Edit
from pollard.syntax.layout import Layout
from pollard.syntax.sizes import size

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pollard.passes.declarations import Declared, Places
    from pollard.passes.subject import Subject
    from pollard.syntax.branches import Branch

# So many other names are tried in a name's place, the most frequent ones.
_OTHERS = 3
# And this, which most languages take for a value.
_NOTHING = b"0"


def merge(subject: Subject) -> None:
    """Remove declarations of names in whose place others can stand: four candidates for each.

    Begins again after each success; as every candidate is smaller than the text, that ends. What has
    failed before of pieces with other names is not news for the passes that follow.
    """
    if not is_short(subject):
        return
    root, span = subject.root, subject.span
    while (hit := subject.first(_candidates(subject))) is not None:
        _carry_over(subject, all_below(root, span), hit.candidate)
        root, span = subject.root, subject.span


def _carry_over(subject: Subject, branches: Iterable[Branch], accepted: Candidate) -> None:
    """What was tried in vain counts for the same branches with other names."""
    for branch, now in moved(subject, branches, accepted.edits).items():
        before = trace(accepted.base.text, branch)
        subject.attempts.carry(before, trace(subject.document.text, now))


def _candidates(subject: Subject) -> Iterator[Candidate]:
    base = subject.document
    layout = Layout(base, subject.span)
    declared, places = declarations(subject)
    for one in declared:
        for other in [*_others(one, places), _NOTHING]:
            uses = (Edit(start, end, other) for start, end in one.uses)
            edits = layout.tidy([one.gone, *uses])
            if size(base.edited(edits).text) < size(base.text):
                yield Candidate(base, edits)


def _others(declared: Declared, places: Places) -> list[bytes]:
    """Return the most frequent other names, of those that stand outside of the declaration too."""
    gone = declared.gone
    outside = [
        name
        for name, spans in places.items()
        if name != declared.name and not all(gone.start <= start < gone.end for start, _ in spans)
    ]
    return sorted(outside, key=lambda name: -len(places[name]))[:_OTHERS]
