"""One name in the place of another, whose declaration goes.

Vulcan's identifier replacement (OOPSLA 2023) replaces all but the first occurrence of one name by
another, to make its declaration superfluous. Here the declaration goes in the same candidate, so that
each accepted one makes the text smaller.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pollard.passes.declarations import cut, declarations
from pollard.passes.subject import Candidate
from pollard.syntax.edits import Edit
from pollard.syntax.layout import Layout
from pollard.syntax.occurrences import occurrences
from pollard.syntax.sizes import size

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.passes.subject import Subject

# So many other names are tried in a name's place, the most frequent ones.
_OTHERS = 3
# And this, which most languages take for a value.
_NOTHING = b"0"
# A text with more names than this is not reduced far enough yet.
_MOST = 60


def merge(subject: Subject) -> None:
    """Remove declarations of names in whose place others can stand: three candidates for each."""
    if subject.document.language is None:
        return
    tried: set[bytes] = set()
    while subject.first(_candidates(subject, tried)) is not None:
        pass


def _candidates(subject: Subject, tried: set[bytes]) -> Iterator[Candidate]:
    base, span = subject.document, subject.span
    declared = declarations(subject)
    places = occurrences(base.root, base.text, declared)
    if len(places) > _MOST:
        return
    layout = Layout(base, span)
    frequent = [name for name, _ in Counter({n: len(p) for n, p in places.items()}).most_common()]
    for name, unit in declared.items():
        gone = cut(unit)
        uses = [(s, e) for s, e in places.get(name, ()) if e <= gone.start or s >= gone.end]
        if not uses or not all(span[0] <= start and end <= span[1] for start, end in uses):
            continue
        inside = {n for n, p in places.items() if all(gone.start <= s < gone.end for s, _ in p)}
        others = [other for other in frequent if other not in inside and other != name]
        for other in [*others[:_OTHERS], _NOTHING]:
            edits = layout.tidy([gone, *(Edit(start, end, other) for start, end in uses)])
            text = base.edited(edits).text
            if text not in tried and size(text) < size(base.text):
                yield Candidate(base, edits)
