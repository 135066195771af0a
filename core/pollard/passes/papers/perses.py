"""Perses (Sun, Li, Zhang, Gu, Su, "Syntax-Guided Program Reduction", ICSE 2018).

A queue of nodes, those with most tokens first. Perses rewrites a grammar so that each of its nodes is
either a list or optional part, which is minimised, or a regular one, which is replaced by a compatible
descendant. tree-sitter's nodes may be both, so each is treated as both: the units among its children
are a list to minimise; then what is left of it may be replaced.
"""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from pollard.engine.declaration import ONE_TREE_MINIMAL, declare
from pollard.engine.hoisting import Choice, hoist
from pollard.engine.pruning import Units, prune
from pollard.passes.papers.hdd import FEW_TO_HOIST
from pollard.passes.papers.queue import Waiting
from pollard.search.combine import or_nothing
from pollard.search.ddmin import ddmin
from pollard.syntax.branches.branches import below

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pollard.engine.subject import Subject
    from pollard.search.combine import Minimiser
    from pollard.syntax.branches.branches import Branch

    Step = Callable[[Subject, Sequence[Branch]], list[Branch]]


#: Four steps down at most, no further on a path than its first compatible one; what passes and is
# smallest wins; a list may be spliced into the list around it.
COMPATIBLE = Choice(steps=4, alike=False, splice=True, smallest_first=True)


@declare("perses", runs="O(n²)", guarantee=ONE_TREE_MINIMAL, source="perses-2018")
def perses(subject: Subject, minimise: Minimiser | None = None) -> None:
    """Minimise the children of the heaviest node, then replace it by a descendant; go on below it.

    `minimise` is ddmin, or nothing at all if one unit is left. What a node was replaced by takes its
    place in the queue. With `*` the result is 1-tree-minimal.
    """
    waiting = Waiting(subject, [subject.root])
    pruning = partial(
        prune,
        minimise=minimise or or_nothing(ddmin),
        units=Units(subject, sys.maxsize),
        on_moved=waiting.on_moved,
    )
    hoisting = partial(
        hoist,
        max_candidates=None if subject.memory.every_unit_tried else FEW_TO_HOIST,
        choice=COMPATIBLE,
        on_moved=waiting.on_moved,
    )
    while (node := waiting.pop()) is not None:
        subject.level = node.depth
        waiting.push(filter(_has_parts, _visit(subject, waiting, node, pruning, hoisting)))
    subject.memory.every_unit_tried = True


def _visit(
    subject: Subject, waiting: Waiting, node: Branch, pruning: Step, hoisting: Step
) -> list[Branch]:
    """Reduce what is at a node; return what is to be visited next of it."""
    place = waiting.place(node)
    children = pruning(subject, below([node], subject.span))
    left = waiting.find(place)
    # The root is no place where anything could be put: its children are.
    if left is not None and left.parent is not None:
        before = subject.document
        instead = hoisting(subject, [left])
        if subject.document is not before:
            return instead
    return children


def _has_parts(branch: Branch) -> bool:
    return branch.node.child_count > 0
