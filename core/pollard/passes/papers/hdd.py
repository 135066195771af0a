"""The tree passes of the papers: HDD and its family, level by level or node by node."""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from pollard.engine.declaration import ONE_TREE_MINIMAL, declare
from pollard.engine.hoisting import hoist
from pollard.engine.levels import relocate
from pollard.engine.pruning import prune, replace
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

_FEW = 8

#: A branch with more to be hoisted than this is better pruned first; the next iteration comes back.
FEW_TO_HOIST = 12


def _halving(items: Sequence[T], first: First[tuple[T, ...]], /) -> tuple[T, ...]:
    """Remove everything, halves, quarters ... down to single units; of a few only single units."""
    if len(items) <= _FEW:
        return gallop(items, first)
    return remove_each(items, first, whole=True, repeat=False)


@declare("coarse-hdd", runs="O(n)", source="coarse HDD: hddh-2021, reference 8")
def coarse_hdd(subject: Subject, minimise: Minimiser | None = None) -> None:
    """Like `hdd`, but only remove units and replace nothing."""
    by_level(subject, [partial(prune, minimise=minimise or _usual(subject))])
    subject.memory.every_unit_tried = True


@declare("hdd", runs="O(n)", guarantee=ONE_TREE_MINIMAL, source="hdd-2006; hddh-2021, figure 2")
def hdd(subject: Subject, minimise: Minimiser | None = None) -> None:
    """Remove units and then put in minimal fragments, level after level from the root down.

    With `*` the result is 1-tree-minimal: no single unit can be removed (hdd-2006, proposition 3.7).
    """
    by_level(subject, _pruning(subject, minimise))
    subject.memory.every_unit_tried = True


@declare("hoist", runs="O(n) for n descendants that fit", source="hddh-2021, figures 6 to 8")
def hoisting(subject: Subject) -> None:
    """Put descendants in the place of nodes, level after level from the root down."""
    by_level(subject, [hoist])


@declare("hddh", runs="O(n)", guarantee=ONE_TREE_MINIMAL, source="hddh-2021, figure 9")
def hddh(subject: Subject, minimise: Minimiser | None = None) -> None:
    """Do on each level what `hdd` does, then what `hoist` does."""
    step = hoist if subject.memory.every_unit_tried else partial(hoist, max_candidates=FEW_TO_HOIST)
    by_level(subject, [*_pruning(subject, minimise), step])
    subject.memory.every_unit_tried = True


@declare("hdd+", runs="O(n²)", guarantee="1-tree-minimal", source="hdd-2006, section 3")
def hdd_plus(subject: Subject, minimise: Minimiser | None = None) -> None:
    """Run `hdd`, then remove single units in breadth-first order until none goes."""
    hdd(subject, minimise)
    before = -1
    while before != subject.tally.accepted:
        before = subject.tally.accepted
        by_level(subject, [partial(prune, minimise=one_by_one)])


def _usual(subject: Subject) -> Minimiser:
    """Return what suits the subject: fragments from long to short, or single units if most are needed.

    Neither tries anything twice: what only becomes removable later is left to the `*` around a pass.
    """
    return gallop if subject.memory.every_unit_tried else _halving


def _pruning(subject: Subject, minimise: Minimiser | None) -> list[Step]:
    replacements = Replacements(subject.memory.texts)
    return [
        partial(prune, minimise=minimise or _usual(subject)),
        # What pruning has left is needed for the most part, so single branches are replaced.
        partial(replace, minimise=minimise or gallop, replacements=replacements),
    ]


def by_level(subject: Subject, steps: Sequence[Step]) -> None:
    """Take the steps on each level of the tree, from the root's children down."""
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
    """Like `hdd`, but minimise each node's children by themselves, not whole levels.

    The sets are smaller and all of one parent; nodes wait in a queue (breadth first) or a stack.
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
    """Like `hddr`, from the last child to the first: uses come after what they use."""
    hddr(subject, minimise, backward=True)


@declare("hddr-depth", runs="O(n)", guarantee=ONE_TREE_MINIMAL, source="hddh-2021, reference 9")
def hddr_depth(subject: Subject, minimise: Minimiser | None = None) -> None:
    """Like `hddr`, depth first: finish a node's descendants before its next sibling's."""
    hddr(subject, minimise, depth_first=True, backward=True)


@declare(
    "hddr-depth-backward", runs="O(n)", guarantee=ONE_TREE_MINIMAL, source="hddh-2021, reference 9"
)
def hddr_depth_backward(subject: Subject, minimise: Minimiser | None = None) -> None:
    """Like `hddr`, depth first and from the last child to the first."""
    hddr(subject, minimise, depth_first=True)


def _only_change(before: Document, subject: Subject, node: Branch) -> Edits:
    """Return one edit with the effect of a step below `node` on all that is outside of it."""
    grown = len(subject.document.text) - len(before.text)
    length = node.end - node.start + grown
    return (Edit(node.start, node.end - min(length, 0), bytes(max(length, 0))),)
