"""HDD and its family, HOIST and GTR: passes that go down the tree level by level, or node by node.

GTR is Generalized Tree Reduction (Herfert, Patra, Pradel, ASE 2017). On each level ddmin deletes
subtrees; then each remaining node is replaced by one of its children where that is interesting. The
paper learns from a corpus which kinds of children occur in a parent's place; here the parser says which
may stand there.
"""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from pollard.engine.declaration import ONE_TREE_MINIMAL, declare
from pollard.engine.hoisting import Choice, hoist
from pollard.engine.levels import relocate
from pollard.engine.pruning import prune, replace
from pollard.search.combine import or_nothing
from pollard.search.ddmin import ddmin
from pollard.search.sweeps import gallop, one_by_one, remove_each
from pollard.syntax.branches.branches import below
from pollard.syntax.branches.replacements import Replacements
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pollard.engine.subject import Edits, Subject
    from pollard.search.combine import Minimiser
    from pollard.search.first import First
    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.tree.document import Document

    Step = Callable[[Subject, Sequence[Branch]], list[Branch]]


T = TypeVar("T")

# Lists of up to this length are minimised unit by unit from the start.
_MAX_ITEMS_ONE_BY_ONE = 8

# A branch with more candidates for hoisting is better pruned first; the next round comes back to it.
_MAX_CANDIDATES_AT_FIRST = 12

_CHILD = Choice(steps=1, alike=False, smallest_first=True)


def _halving(items: Sequence[T], first: First[tuple[T, ...]], /) -> tuple[T, ...]:
    """Try everything, then halves, quarters ... and single units; in a short list only single units."""
    if len(items) <= _MAX_ITEMS_ONE_BY_ONE:
        return gallop(items, first)
    return remove_each(items, first, whole=True, repeat=False)


@declare("coarse-hdd", runs="O(n)", source="coarse HDD: hddh-2021, reference 8")
def coarse_hdd(subject: Subject, minimise: Minimiser | None = None) -> None:
    """Remove units as `hdd` does, but replace nothing."""
    by_level(subject, [partial(prune, minimise=minimise or _default_minimiser(subject))])
    subject.memory.every_unit_tried = True


@declare("hdd", runs="O(n)", guarantee=ONE_TREE_MINIMAL, source="hdd-2006; hddh-2021, figure 2")
def hdd(subject: Subject, minimise: Minimiser | None = None) -> None:
    """Remove units, then replace the rest by minimal fragments, level by level from the root down.

    With `*` the result is 1-tree-minimal: no single unit can be removed (hdd-2006, proposition 3.7).
    """
    by_level(subject, _pruning(subject, minimise))
    subject.memory.every_unit_tried = True


@declare("hoist", runs="O(n) for n descendants that fit", source="hddh-2021, figures 6 to 8")
def hoisting(subject: Subject) -> None:
    """Replace nodes by their descendants, level by level from the root down."""
    by_level(subject, [hoist])


@declare("hddh", runs="O(n)", guarantee=ONE_TREE_MINIMAL, source="hddh-2021, figure 9")
def hddh(subject: Subject, minimise: Minimiser | None = None) -> None:
    """Do what `hdd` does, then what `hoist` does, on each level."""
    step = partial(hoist, max_candidates=max_candidates(subject))
    by_level(subject, [*_pruning(subject, minimise), step])
    subject.memory.every_unit_tried = True


@declare("hdd+", runs="O(n²)", guarantee="1-tree-minimal", source="hdd-2006, section 3")
def hdd_plus(subject: Subject, minimise: Minimiser | None = None) -> None:
    """Run `hdd`, then remove single units in breadth-first order until none can go."""
    hdd(subject, minimise)
    before = -1
    while before != subject.tally.accepted:
        before = subject.tally.accepted
        by_level(subject, [partial(prune, minimise=one_by_one)])


@declare(
    "gtr",
    runs="O(n²)",
    guarantee=f"{ONE_TREE_MINIMAL}, and no node can be replaced by a child",
    source="gtr-2017",
)
def gtr(subject: Subject, minimise: Minimiser | None = None) -> None:
    """Delete units, then replace nodes by their smallest child, level by level from the root down."""
    deletion = partial(prune, minimise=minimise or or_nothing(ddmin))
    replacement = partial(hoist, max_candidates=max_candidates(subject), choice=_CHILD)
    by_level(subject, [deletion, replacement])
    subject.memory.every_unit_tried = True


def max_candidates(subject: Subject) -> int | None:
    """Return how many candidates a branch may have to be hoisted into; None: any number."""
    return None if subject.memory.every_unit_tried else _MAX_CANDIDATES_AT_FIRST


def _default_minimiser(subject: Subject) -> Minimiser:
    """Return the default minimiser: long fragments first, or single units once most are needed.

    Neither tries anything twice. What only becomes removable later is left to the `*` of a strategy.
    """
    return gallop if subject.memory.every_unit_tried else _halving


def _pruning(subject: Subject, minimise: Minimiser | None) -> list[Step]:
    replacements = Replacements()
    return [
        partial(prune, minimise=minimise or _default_minimiser(subject)),
        # Most of what pruning has left is needed, so branches are replaced one by one.
        partial(replace, minimise=minimise or gallop, replacements=replacements),
    ]


def by_level(subject: Subject, steps: Sequence[Step]) -> None:
    """Apply the steps to each level of the tree, from the root's children down."""
    level = below([subject.root], subject.span)
    subject.level = 0
    while level:
        subject.level += 1
        for step in steps:
            level = step(subject, level)
        level = below(level, subject.span)


@declare("hddr", runs="O(n)", guarantee=ONE_TREE_MINIMAL, source="hddh-2021, reference 9")
def hddr(
    subject: Subject,
    minimise: Minimiser | None = None,
    *,
    depth_first: bool = False,
    backward: bool = False,
) -> None:
    """Do what `hdd` does for the children of one node at a time, not for whole levels.

    The lists are shorter, and their units have one parent. Nodes wait in a queue (breadth first) or on
    a stack (depth first).
    """
    steps = _pruning(subject, minimise)
    waiting = deque([subject.root])
    while waiting:
        node = waiting.pop() if depth_first else waiting.popleft()
        level = below([node], subject.span)
        for step in steps:
            before = subject.document
            level = step(subject, level)
            if subject.document is not before:
                waiting = deque(relocate(subject, waiting, _only_change(before, subject, node)))
        waiting.extend(reversed(level) if backward else level)


@declare("hddr-backward", runs="O(n)", guarantee=ONE_TREE_MINIMAL, source="hddh-2021, reference 9")
def hddr_backward(subject: Subject, minimise: Minimiser | None = None) -> None:
    """Do what `hddr` does from the last child to the first: uses come after what they use."""
    hddr(subject, minimise, backward=True)


@declare("hddr-depth", runs="O(n)", guarantee=ONE_TREE_MINIMAL, source="hddh-2021, reference 9")
def hddr_depth(subject: Subject, minimise: Minimiser | None = None) -> None:
    """Do what `hddr` does depth first: finish a node's descendants before its next sibling's."""
    hddr(subject, minimise, depth_first=True, backward=True)


@declare(
    "hddr-depth-backward", runs="O(n)", guarantee=ONE_TREE_MINIMAL, source="hddh-2021, reference 9"
)
def hddr_depth_backward(subject: Subject, minimise: Minimiser | None = None) -> None:
    """Do what `hddr` does depth first and from the last child to the first."""
    hddr(subject, minimise, depth_first=True)


def _only_change(before: Document, subject: Subject, node: Branch) -> Edits:
    """Return one edit that moves all text after `node` as far as a step below it did."""
    growth = len(subject.document.text) - len(before.text)
    length = node.end - node.start + growth
    return (Edit(node.start, node.end - min(length, 0), bytes(max(length, 0))),)
