"""GTR, Generalized Tree Reduction (Herfert, Patra, Pradel, ASE 2017): delete, or replace by a child.

The tree is walked breadth first. On each level subtrees are deleted by ddmin; then each node that is
left is replaced by one of its children where that is interesting. The paper learns from a corpus of
files which kinds of children have been seen in a parent's place; here the parser says which may
stand there.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pollard.engine.declaration import ONE_TREE_MINIMAL, declare
from pollard.engine.hoisting import Choice, hoist
from pollard.engine.pruning import prune
from pollard.passes.papers.hdd import FEW_TO_HOIST, by_level
from pollard.search.combine import or_nothing
from pollard.search.ddmin import ddmin

if TYPE_CHECKING:
    from pollard.engine.subject import Subject
    from pollard.search.combine import Minimiser


_A_CHILD = Choice(steps=1, alike=False, smallest_first=True)


@declare(
    "gtr",
    runs="O(n²)",
    guarantee=f"{ONE_TREE_MINIMAL}, and no node can be replaced by a child",
    source="gtr-2017",
)
def gtr(subject: Subject, minimise: Minimiser | None = None) -> None:
    """Delete units on each level from the root down, then put the smallest child in a node's place.

    With `*` the result is 1-tree-minimal, and no node can be replaced by a compatible child.
    """
    few = None if subject.memory.every_unit_tried else FEW_TO_HOIST
    deletion = partial(prune, minimise=minimise or or_nothing(ddmin))
    by_level(subject, [deletion, partial(hoist, max_candidates=few, choice=_A_CHILD)])
    subject.memory.every_unit_tried = True
