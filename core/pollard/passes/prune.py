"""Pruning: take units away, or put minimal replacements in the place of branches.

One level of HDD (hddh-2021, figure 2, lines 5 and 6): a list minimiser on the level's units, and the
tree without what it did not keep. `prune` removes; `replace` stands in the smallest fragment where
removing is impossible or was not interesting (hdd-2006's syntactically correct replacement).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pollard.passes.relocation import relocate
from pollard.passes.subject import Candidate
from pollard.search.first import mapped
from pollard.syntax.edits import Edit
from pollard.syntax.layout import Layout
from pollard.syntax.units import UnitFinder, removal, removals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pollard.passes.subject import Edits, Subject
    from pollard.search.combine import Minimiser
    from pollard.syntax.branches import Branch
    from pollard.syntax.replacements import Replacements
    from pollard.syntax.units import Reach

# Up to so many bytes are parsed to find the units of one level exactly: about 25 ms of work. Even the
# smallest reparse costs as much as parsing `_PARSE_COST` bytes.
_PARSE_BUDGET = 2_000_000
_PARSE_COST = 8_000


def prune(subject: Subject, branches: Sequence[Branch], minimise: Minimiser) -> list[Branch]:
    """Remove the units of `branches` that are not needed; return the branches that are left."""
    base, span = subject.document, subject.span
    layout = Layout(base, span)
    finder = UnitFinder(
        lambda edit: subject.fits(base, layout.tidy((edit,))),
        max(len(base.text), _PARSE_COST),
        _PARSE_BUDGET,
    )
    units = [
        (branch, reach)
        for branch in branches
        if _within(branch, span)
        and (reach := finder.reach(branch)) is not None
        and _contains(span, removal(branch, reach))
    ]
    return _minimise(
        subject,
        branches,
        len(units),
        lambda gone: layout.tidy(removing([units[i] for i in gone], layout, base.text, span)),
        minimise,
    )


def removing(
    units: Sequence[tuple[Branch, Reach]], layout: Layout, text: bytes, span: tuple[int, int]
) -> Iterator[Edit]:
    """Yield the edits that remove the units and bring back to the left what they had indented.

    A block that is not all inside the region `span` stays where it is.
    """
    yield from removals(units, text)
    for branch, reach in units:
        gone = removal(branch, reach)
        block = _block_left(branch, reach)
        if block is None or not _within(block, span):
            continue
        if b"\n" in text[gone.end : block.start]:
            yield from layout.outdented(block.start, block.end, gone.start, whole=True)


def _block_left(branch: Branch, reach: Reach) -> Branch | None:
    """Return the only sibling that is left if all before it are in the unit, as in `if c: block`."""
    siblings = branch.siblings
    block = branch.sibling(1 + reach.value[1])
    first = branch.index + reach.value[0] == 0
    return block if first and block is siblings[-1] else None


def replace(
    subject: Subject,
    branches: Sequence[Branch],
    minimise: Minimiser,
    replacements: Replacements,
) -> list[Branch]:
    """Replace branches by minimal fragments where that is interesting; return the level after it.

    All first proposals go to the minimiser at once, then the second ones of those that are left.
    """
    level = list(branches)
    for choice in range(2):
        base = subject.document
        layout = Layout(base, subject.span)
        edits = [
            Edit(branch.start, branch.end, proposals[choice])
            for branch in level
            if _within(branch, subject.span)
            and len(proposals := replacements.proposals(base, branch)) > choice
        ]
        level = _minimise(subject, level, len(edits), partial(_replacing, layout, edits), minimise)
    return level


def _replacing(layout: Layout, edits: Sequence[Edit], gone: Sequence[int]) -> Edits:
    return layout.tidy(edits[i] for i in gone)


def _minimise(
    subject: Subject,
    branches: Sequence[Branch],
    count: int,
    edits_without: Callable[[Sequence[int]], Edits],
    minimise: Minimiser,
) -> list[Branch]:
    """Find which of `count` units are needed; return where `branches` are after the others went."""
    base = subject.document
    accepted: Edits = ()

    def candidate(kept: tuple[int, ...]) -> Candidate:
        staying = set(kept)
        return Candidate(base, edits_without([i for i in range(count) if i not in staying]))

    if count:
        kept = minimise(range(count), mapped(subject.first, candidate))
        accepted = candidate(kept).edits
    return relocate(subject, branches, accepted) if accepted else list(branches)


def _within(branch: Branch, span: tuple[int, int]) -> bool:
    return span[0] <= branch.start and branch.end <= span[1]


def _contains(span: tuple[int, int], edit: Edit) -> bool:
    return span[0] <= edit.start and edit.end <= span[1]
