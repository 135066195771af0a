"""Unnesting: through very deep nesting in a logarithmic number of runs.

The passes of the papers go down level by level and need a run or more for each. Fuzzers nest
thousands of levels deep, mostly for nothing. So before those passes start, far descendants on the
longest path are hoisted over 2^k steps at once, the widest first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.engine.declaration import declare
from pollard.engine.hoisting import Hoister, Hoisting
from pollard.engine.subject import Candidate

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pollard.engine.subject import Subject
    from pollard.syntax.branches.branches import Branch


# What is no deeper than this is left to the passes that look at every level.
_DEEP = 64


@declare("unnest", runs="O(log d) for each chain of d nested nodes")
def unnest(subject: Subject) -> None:
    """Hoist a deeply nested node over as many levels as possible at once."""
    place = 0
    while True:
        path = _longest_path(subject.root, subject.span)
        if len(path) - place <= _DEEP:
            return
        if subject.first(_candidates(subject, path[place:])) is None:
            place = 2 * place + 1


def _candidates(subject: Subject, path: Sequence[Branch]) -> Iterator[Candidate]:
    """Yield the hoistings of the path's later branches over its first one, the furthest first."""
    base, target = subject.document, path[0]
    hoister = Hoister(subject)
    steps = 1 << (len(path) - 1).bit_length()
    while steps > _DEEP // 2:
        steps //= 2
        if steps < len(path):
            hoisting = Hoisting(target, path[steps])
            yield Candidate(base, hoister.edits([hoisting]))


def _longest_path(root: Branch, span: tuple[int, int]) -> list[Branch]:
    """Return the branches from the root down, each the longest child, that are inside the region."""
    path = [root]
    while named := [child for child in path[-1].children if not child.is_token]:
        path.append(max(named, key=lambda child: child.end - child.start))
    return [branch for branch in path if branch.is_within(span)]
