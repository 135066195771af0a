"""The tree as the reducers see it: squeezed, flattened, and walked level by level.

tree-sitter's tree is left as it is. A `Branch` stands for a node of it and derives, when asked, the
children that matter: chains of nodes with the same text count as one (*squeezing*, reference 7 of
hddh-2021), and a node of the same kind at the left or right end of another is a list written as a
recursion and becomes its parent's siblings (*flattening*, reference 8).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tree_sitter import Node


@dataclass(frozen=True, slots=True)
class Preprocessing:
    """Which of the tree's peculiarities are evened out; each can be switched off to see its worth."""

    squeeze: bool = True
    flatten: bool = True


class Branch:
    """A node with its place among its siblings."""

    __slots__ = ("__dict__", "index", "node", "options", "parent")

    def __init__(
        self, node: Node, parent: Branch | None, index: int, options: Preprocessing
    ) -> None:
        self.node = node
        self.parent = parent
        self.index = index
        self.options = options

    @property
    def start(self) -> int:
        """Offset of the first byte."""
        return self.node.start_byte

    @property
    def end(self) -> int:
        """Offset after the last byte."""
        return self.node.end_byte

    @property
    def is_token(self) -> bool:
        """Whether this is an anonymous token: a keyword, an operator, a bracket."""
        return not self.node.is_named and not self.node.child_count

    def is_within(self, span: tuple[int, int]) -> bool:
        """Tell whether all of it is inside a span of the text (start, end)."""
        return span[0] <= self.start and self.end <= span[1]

    @cached_property
    def children(self) -> tuple[Branch, ...]:
        """The children that have text, in order."""
        # The root stays: without a final newline it has the same text as the file's only statement,
        # which must remain a branch, to be removed and hoisted into.
        options = self.options if self.parent else replace(self.options, squeeze=False)
        nodes = _children(self.node, options)
        return tuple(Branch(node, self, i, self.options) for i, node in enumerate(nodes))

    @property
    def siblings(self) -> Sequence[Branch]:
        """The parent's children, this one among them."""
        return self.parent.children if self.parent else (self,)

    def sibling(self, offset: int) -> Branch | None:
        """Return the sibling `offset` places to the right (negative: to the left), if any."""
        place = self.index + offset
        siblings = self.siblings
        return siblings[place] if 0 <= place < len(siblings) else None

    @property
    def shape(self) -> tuple[int, ...]:
        """What tells whether two branches can be removed alike: kinds of parent and neighbours."""
        around = (self.parent, self.sibling(-2), self.sibling(-1), self.sibling(1), self.sibling(2))
        return (self.node.kind_id, *(b.node.kind_id if b else -1 for b in around))


def squeezed(node: Node) -> Node:
    """Return the last node of the chain of only children with the same text that `node` starts."""
    while node.child_count == 1:
        child = node.children[0]
        if child.byte_range != node.byte_range:
            break
        node = child
    return node


def _children(node: Node, options: Preprocessing) -> Iterable[Node]:
    if options.squeeze:
        node = squeezed(node)
    children = [child for child in node.children if child.end_byte > child.start_byte]
    if options.flatten:
        children = _flattened(node.kind_id, children)
    return children


def _flattened(kind: int, children: list[Node]) -> list[Node]:
    """Replace a first or last child of the given kind by its children, as long as there is one."""
    tail: list[list[Node]] = []
    while len(children) > 1 and children[0].kind_id == kind and children[0].child_count > 1:
        tail.append(children[1:])
        children = children[0].children
    children = [child for part in (children, *reversed(tail)) for child in part]
    head: list[Node] = []
    while len(children) > 1 and children[-1].kind_id == kind and children[-1].child_count > 1:
        head += children[:-1]
        children = children[-1].children
    return [child for child in (*head, *children) if child.end_byte > child.start_byte]


def root_branch(root: Node, options: Preprocessing) -> Branch:
    """Return the branch of a tree's root: level 0."""
    return Branch(root, None, 0, options)


def below(branches: Iterable[Branch], span: tuple[int, int]) -> list[Branch]:
    """Return the next level: the children of `branches` that overlap `span` (start, end)."""
    start, end = span
    return [
        child
        for branch in branches
        for child in branch.children
        if child.end > start and child.start < end
    ]


def locate(root: Branch, spans: Iterable[tuple[int, int]]) -> list[Branch | None]:
    """Return, for each of the ordered, disjoint spans, the outermost branch with just that span."""
    wanted = sorted(spans)
    found: dict[tuple[int, int], Branch] = {}
    stack: list[tuple[Branch, list[tuple[int, int]]]] = [(root, wanted)]
    while stack:
        branch, inside = stack.pop()
        own = (branch.start, branch.end)
        if own in inside:
            found.setdefault(own, branch)
            inside = [span for span in inside if span != own]
        if inside:
            stack.extend(_shared_out(branch.children, inside))
    return [found.get(span) for span in wanted]


def _shared_out(
    children: Sequence[Branch], spans: list[tuple[int, int]]
) -> Iterable[tuple[Branch, list[tuple[int, int]]]]:
    """Give each child the spans inside it; both are in order."""
    place = 0
    for child in children:
        while place < len(spans) and spans[place][0] < child.start:
            place += 1
        inside = []
        while place < len(spans) and spans[place][1] <= child.end:
            inside.append(spans[place])
            place += 1
        if inside:
            yield child, inside
