"""Hoisting: put a descendant in the place of a branch.

One level of HOIST (hddh-2021, figure 8, lines 5 and 6) with the minimising algorithm of figure 6.
Figure 7's candidates are the nearest compatible descendants on each path; here they are all
descendants within `_STEPS` steps whose text the slot accepts, since on tree-sitter's trees the
compatible ones are rarely equal by name (see `pollard.syntax.slots`), furthest first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pollard.passes.relocation import relocate
from pollard.passes.subject import Candidate
from pollard.search.first import mapped
from pollard.search.tmin import tmin
from pollard.syntax.edits import Edit
from pollard.syntax.layout import Layout
from pollard.syntax.replacements import size
from pollard.syntax.slots import Slots, following_symbol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pollard.passes.subject import Edits, Subject
    from pollard.syntax.branches import Branch
    from pollard.syntax.document import Document

# Perses' bound on the steps between ancestor and descendant (hddh-2021, section V).
_STEPS = 4
_FURTHEST = 512
_SMALL = 20_000


@dataclass(frozen=True, slots=True)
class Hoisting:
    """The text of `source`, a descendant of `target` or itself, stands in the target's place."""

    target: Branch
    source: Branch


def hoist(subject: Subject, branches: Sequence[Branch]) -> list[Branch]:
    """Hoist what can be hoisted into `branches`; return the level after it."""
    base = subject.document
    if base.language is None or not branches:
        return list(branches)
    hoister = _Hoister(base, subject.span)
    start, end = subject.span
    items = [Hoisting(b, b) for b in branches if start <= b.start and b.end <= end]

    def candidate(hoistings: tuple[Hoisting, ...]) -> Candidate:
        return Candidate(base, hoister.edits(hoistings))

    before = subject.reductions
    found = tmin(
        items, mapped(subject.first, candidate), hoister.candidates, restart=False, sweeps=1
    )
    if subject.reductions == before:
        return list(branches)
    sources = {hoisting.target: hoisting.source for hoisting in found}
    return relocate(subject, [sources.get(b, b) for b in branches], hoister.edits(found))


class _Hoister:
    """Finds what may be hoisted in one document and how that is written."""

    def __init__(self, document: Document, span: tuple[int, int]) -> None:
        assert document.language is not None
        self._document = document
        self._layout = Layout(document, span)
        self._slots = Slots(document.language)

    def candidates(self, hoisting: Hoisting) -> list[Hoisting]:
        """Return what may stand in the target's place next: descendants of the source."""
        target, document = hoisting.target, self._document
        if target.is_token:
            return []
        own = document.text[hoisting.source.start : hoisting.source.end]
        limit = size(own)
        following = following_symbol(document.root, document.text, target.end)
        found: dict[bytes, Hoisting] = {}
        for branch in _descendants(hoisting.source):
            text = document.text[branch.start : branch.end]
            if text in found or size(text) >= limit:
                continue
            if len(own) <= _SMALL or self._slots.compatible(target.node, branch.node, following):
                found[text] = Hoisting(target, branch)
        return list(found.values())

    def edits(self, hoistings: Sequence[Hoisting]) -> Edits:
        """Return the edits that make all hoistings (those of a branch to itself are none)."""
        return self._layout.tidy(
            edit
            for hoisting in hoistings
            if hoisting.source is not hoisting.target
            for edit in self._cut_out(hoisting.target, hoisting.source)
        )

    def _cut_out(self, target: Branch, source: Branch) -> Iterator[Edit]:
        yield Edit(target.start, source.start)
        yield from self._outdented(target, source)
        yield Edit(source.end, target.end)

    def _outdented(self, target: Branch, source: Branch) -> Iterator[Edit]:
        """Shift the source's further lines to the left by as much as its first one moves."""
        document = self._document
        old, new = self._indentation(source.start), self._indentation(target.start)
        if len(new) >= len(old):
            return
        for start in document.line_starts_between(source.start, source.end):
            if document.text.startswith(old, start) and not self._layout.in_leaf(start, start + 1):
                yield Edit(start + len(new), start + len(old))

    def _indentation(self, offset: int) -> bytes:
        start = self._document.line_start(offset)
        line = self._document.text[start:offset]
        return line[: len(line) - len(line.lstrip(b" \t"))]


def _descendants(branch: Branch) -> list[Branch]:
    """Return the named descendants within reach, furthest first, and in order at each distance.

    Beyond `_STEPS` only those at 8, 16, 32 ... `_FURTHEST` steps along the longest child are within
    reach: enough to get through deep nesting in few hoistings.
    """
    levels = [[branch]]
    for _ in range(_STEPS):
        levels.append([child for parent in levels[-1] for child in parent.children])
    far = _longest_path(branch)
    return [
        *(far[steps] for steps in _doublings(2 * _STEPS, len(far))),
        *(b for level in reversed(levels[1:]) for b in level if not b.is_token),
    ]


def _longest_path(branch: Branch) -> list[Branch]:
    path = [branch]
    while len(path) <= _FURTHEST and (named := [child for child in path[-1].children if not child.is_token]):
        path.append(max(named, key=lambda child: child.end - child.start))
    return path


def _doublings(start: int, end: int) -> list[int]:
    steps = []
    while start < end:
        steps.append(start)
        start *= 2
    return steps[::-1]
