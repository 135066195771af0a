"""The tree as the reducers see it: squeezed, flattened, and walked level by level.

tree-sitter's tree is left as it is. A `Branch` stands for a node of it and derives, when asked, the
children that matter: chains of nodes with the same text count as one (*squeezing*, reference 7 of
hddh-2021), and a node of the same kind at the left or right end of another is a list written as a
recursion, whose children become its own (*flattening*, reference 8). Texts in other languages are
grafted in.

Grafting: an island's tree takes the place of what its host's node would have for children.

As picireny-2016 (section 3) plugs the roots of the trees of islands into the tree of the document.
Nodes of the host in the middle of an island, its guests, become children of the nodes around them.

Flattening (reference 8 of hddh-2021): a list that a grammar writes as a recursion is one list.

Such a list must be one whose elements can go: what a link adds has to be a unit, one child and the
tokens beside it. So a chain of `else if`, of `? :` or of loops in loops stays nested,
and hoisting takes its links out: of a flat `if`, condition, block, `else` none could go alone.
"""

from __future__ import annotations

import bisect
from bisect import bisect_right
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING

from pollard.syntax.islands.islands import NO_ISLANDS, Island, islands_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document

    Guest = tuple[Node, Document]
    Place = tuple[Node, Document, tuple[Guest, ...]]


def squeezed(node: Node) -> Node:
    """Return the last node of the chain of only children with the same text that `node` starts."""
    while node.child_count == 1:
        child = node.children[0]
        if child.byte_range != node.byte_range:
            break
        node = child
    return node


def grafted(place: Place, *, squeeze: bool) -> Place:
    """Return the place whose node has the children of that one: where islands begin, their roots.

    With `squeeze` nodes with the same text are one, across borders too.
    """
    node, home, guests = place
    node = squeezed(node) if squeeze else node
    while (island := islands_of(home).hosted_at(node.byte_range)) is not None:
        if not squeeze and node.kind_id != island.host.kind:
            break
        guests = (*guests, *((guest, home) for guest in island.guests))
        home, inner = island, squeezed(island.root)
        if not squeeze or inner.byte_range != node.byte_range:
            return island.root, home, guests
        node = inner
    return node, home, guests


def seated(nodes: Sequence[Node], home: Document, guests: Sequence[Guest]) -> list[Place]:
    """Return the places of a document's nodes (in order) and of guests, each inside or between them.

    A guest that is neither would tear a node apart; there is none but where errors are, and it goes.
    """
    starts = [node.start_byte for node in nodes]
    inside: list[list[Guest]] = [[] for _ in nodes]
    places: list[Place] = []
    for guest in guests:
        node, own = guest
        left = bisect.bisect_right(starts, node.start_byte) - 1
        reached = nodes[left].end_byte if left >= 0 else 0
        right = starts[left + 1] if left + 1 < len(starts) else node.end_byte
        if left >= 0 and node.end_byte <= reached:
            inside[left].append(guest)
        elif reached <= node.start_byte and node.end_byte <= right:
            places.append((node, own, ()))
    places += ((node, home, tuple(some)) for node, some in zip(nodes, inside, strict=True))
    return sorted(places, key=lambda place: place[0].start_byte)


_OPERATION = 2
_LONGEST_UNIT = 3


def with_text(node: Node) -> list[Node]:
    """Return the children of a node that have text."""
    return [child for child in node.children if child.end_byte > child.start_byte]


def flattened(node: Node) -> list[Node]:
    """Return the children of a node that have text, those of recursions of it among its own.

    A first or last child of the node's kind is replaced by its children, as long as there is one.
    """
    kind = node.kind_id
    own = children = with_text(node)
    tail: list[list[Node]] = []
    while inner := _recursion(kind, children, 0):
        tail.append(children[1:])
        children = inner
    children = [child for part in (children, *reversed(tail)) for child in part]
    head: list[Node] = []
    while inner := _recursion(kind, own, -1):
        head += children[:-1]
        children = own = inner
    return [*head, *children]


def _recursion(kind: int, children: list[Node], place: int) -> list[Node]:
    """Return the children of the child at `place` if it is a recursion of a node of that kind.

    It may be wrapped in nodes that have the same text, as rules for operands often are.
    """
    if len(children) < 2:
        return []
    node = squeezed(children[place])
    if node.kind_id != kind or node.child_count < 2:
        return []
    link = children[1:] if place == 0 else children[:place]
    return with_text(node) if _is_unit([n for n in link if not n.is_extra]) else []


def _is_unit(link: list[Node]) -> bool:
    """Tell whether a link is an operator and an operand, or one child between two tokens.

    Some grammars have names for their operators (`keyword_and` in SQL), which are no tokens.
    """
    elements = sum(node.is_named for node in link)
    return len(link) <= _OPERATION or (elements == 1 and len(link) <= _LONGEST_UNIT)


# The kinds around a branch that has neither a parent nor siblings.
_ALONE = (-1,) * 5


@dataclass(frozen=True, slots=True)
class Preprocessing:
    """What is made easier for the passes; each can be switched off to see what it is worth."""

    squeeze: bool = True
    """Chains of nodes with the same text are one branch."""

    flatten: bool = True
    """Lists that the grammar writes as recursions are lists."""

    hide: bool = True
    """What was refused before is not tried again (`pollard.engine.memory`)."""

    islands: bool = True
    """Texts in other languages are branches too (`pollard.syntax.islands.islands`)."""

    @property
    def switched_off(self) -> tuple[str, ...]:
        """The names of those that are off."""
        return tuple(key.name for key in fields(self) if not getattr(self, key.name))


class Branch:
    """A node with its place among its siblings.

    `home` is the document or island in whose tree the node is; None where there are no islands.
    """

    __slots__ = ("__dict__", "_guests", "home", "index", "node", "options", "parent")

    def __init__(
        self,
        node: Node,
        parent: Branch | None,
        index: int,
        options: Preprocessing,
        home: Document | None = None,
        guests: tuple[Guest, ...] = (),
    ) -> None:
        self.node = node
        self.parent = parent
        self.index = index
        self.options = options
        self.home = home
        self._guests = guests

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

    def home_in(self, document: Document) -> Document:
        """Return the island whose tree the node is in, or the document itself, all of it."""
        return self.home or document

    def is_within(self, span: tuple[int, int]) -> bool:
        """Tell whether all of it is inside a span of the text (start, end)."""
        return span[0] <= self.start and self.end <= span[1]

    @cached_property
    def children(self) -> tuple[Branch, ...]:
        """The children that have text, in order."""
        # The root stays: without a final newline it has the same text as the file's only statement,
        # which must remain a branch, to be removed and hoisted into.
        squeeze = self.options.squeeze and self.parent is not None
        if self.home is None:
            nodes = self._children_of(squeezed(self.node) if squeeze else self.node)
            return tuple(Branch(node, self, i, self.options) for i, node in enumerate(nodes))
        node, home, guests = grafted((self.node, self.home, self._guests), squeeze=squeeze)
        places = seated(self._children_of(node), home, guests)
        return tuple(Branch(n, self, i, self.options, h, g) for i, (n, h, g) in enumerate(places))

    def _children_of(self, node: Node) -> list[Node]:
        """Return the children of a node that have text, flattened unless that is switched off."""
        return flattened(node) if self.options.flatten else with_text(node)

    @property
    def trunk(self) -> Node:
        """The node whose children are the branch's: an island's root where one is grafted in."""
        if self.home is None:
            return squeezed(self.node)
        return grafted((self.node, self.home, ()), squeeze=True)[0]

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
    def depth(self) -> int:
        """How many steps the root is above."""
        depth, branch = 0, self.parent
        while branch is not None:
            depth, branch = depth + 1, branch.parent
        return depth

    @property
    def shape(self) -> tuple[int, ...]:
        """What tells whether two branches can be removed alike: kinds of parent and neighbours.

        Kinds are numbers, and mean something else in each language.
        """
        language = hash(self.home.language) if isinstance(self.home, Island) else 0
        if self.parent is None:
            return (language, self.node.kind_id, *_ALONE)
        kinds, here = self.parent._kinds, self.index + 2
        near = (kinds[here - 2], kinds[here - 1], kinds[here + 1], kinds[here + 2])
        return (language, kinds[here], self.parent.node.kind_id, *near)

    @cached_property
    def _kinds(self) -> tuple[int, ...]:
        """The kinds of the children, with two places free on either side."""
        return (-1, -1, *(child.node.kind_id for child in self.children), -1, -1)


def root_branch(root: Node, options: Preprocessing, home: Document | None = None) -> Branch:
    """Return the branch of a tree's root: level 0. The islands of `home`, if given, are grafted in."""
    if home is not None and (not options.islands or islands_of(home) is NO_ISLANDS):
        home = None
    return Branch(root, None, 0, options, home)


def below(branches: Iterable[Branch], span: tuple[int, int]) -> list[Branch]:
    """Return the next level: the children of `branches` that overlap `span` (start, end)."""
    start, end = span
    return [
        child
        for branch in branches
        for child in branch.children
        if child.end > start and child.start < end
    ]


def all_below(root: Branch, span: tuple[int, int]) -> list[Branch]:
    """Return all branches below a root that overlap `span` (start, end), level by level."""
    found: list[Branch] = []
    level = below([root], span)
    while level:
        found += level
        level = below(level, span)
    return found


def branch_at(root: Branch, span: tuple[int, int]) -> Branch | None:
    """Return the outermost branch with just that span (start, end), if any."""
    branch: Branch | None = root
    while branch is not None and (branch.start, branch.end) != span:
        branch = child_at(branch, span[0])
    return branch


def child_at(branch: Branch, offset: int) -> Branch | None:
    """Return the child that has the byte at an offset, if any."""
    place = bisect_right(branch.children, offset, key=lambda child: child.start) - 1
    child = branch.children[place] if place >= 0 else None
    return child if child is not None and offset < child.end else None


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
