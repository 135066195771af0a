"""The tree as the reducers see it: squeezed, flattened, and walked level by level.

tree-sitter's tree is never changed. A `Branch` stands for one of its nodes and derives its children
on first use, in three steps, each of which can be switched off:

*Squeezing* (reference 7 of hddh-2021): a chain of only children with the same text counts as one
node.

*Grafting*: where a node hosts an island, the island's tree takes the place of the node's own
children, as picireny-2016 (section 3) plugs the trees of islands into that of the document. Nodes
of the host in the middle of an island, its *guests*, become children of the island's nodes around
them.

*Flattening* (reference 8 of hddh-2021): a list that a grammar writes as a recursion becomes one
list. A node of the same kind at the left or right end of another gives its children to that one.
This is done only if the elements can then go one by one: what each level of the recursion adds (a
*link*) must be a unit, one child and the tokens beside it. A chain of `else if` stays nested, since
of a flat `if`, condition, block, `else` no element could go alone; hoisting removes its links.
"""

from __future__ import annotations

import bisect
import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING

from pollard.syntax.islands.islands import NO_ISLANDS, Island, islands_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document

    # A node, and the document or island in whose tree it is.
    Guest = tuple[Node, Document]
    # The same, with the guests inside the node.
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
    """Return the place of the node that provides the children: an island's root if there is one.

    With `squeeze` nodes with the same text count as one, also across the borders of islands.
    """
    node, document, guests = place
    node = squeezed(node) if squeeze else node
    while (island := islands_of(document).hosted_at(node.byte_range)) is not None:
        if not squeeze and node.kind_id != island.host.kind:
            break
        guests = (*guests, *((guest, document) for guest in island.guests))
        document, inner = island, squeezed(island.root)
        if not squeeze or inner.byte_range != node.byte_range:
            return island.root, document, guests
        node = inner
    return node, document, guests


def with_guests(nodes: Sequence[Node], document: Document, guests: Sequence[Guest]) -> list[Place]:
    """Return the places of a document's nodes (in order) and of the guests inside or between them.

    A guest that crosses a node's border is left out. That happens only where there are errors.
    """
    starts = [node.start_byte for node in nodes]
    inside: list[list[Guest]] = [[] for _ in nodes]
    places: list[Place] = []
    for guest in guests:
        node, host = guest
        left = bisect.bisect_right(starts, node.start_byte) - 1
        left_end = nodes[left].end_byte if left >= 0 else 0
        right_start = starts[left + 1] if left + 1 < len(starts) else node.end_byte
        if left >= 0 and node.end_byte <= left_end:
            inside[left].append(guest)
        elif left_end <= node.start_byte and node.end_byte <= right_start:
            places.append((node, host, ()))
    places += ((node, document, tuple(own)) for node, own in zip(nodes, inside, strict=True))
    return sorted(places, key=lambda place: place[0].start_byte)


_OPERATOR_AND_OPERAND = 2
_CHILD_BETWEEN_TOKENS = 3


def with_text(node: Node) -> list[Node]:
    """Return the children of a node that have text."""
    return [child for child in node.children if child.end_byte > child.start_byte]


def flattened(node: Node) -> list[Node]:
    """Return the children of a node that have text, with recursions of the node flattened.

    As long as the first or last child is of the node's kind, its children replace it.
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
    """Return the children of the child at `place` (0 or -1) if it continues a list of that kind.

    Nodes with the same text may wrap it, as rules for operands often do. Return [] otherwise.
    """
    if len(children) < 2:
        return []
    node = squeezed(children[place])
    if node.kind_id != kind or node.child_count < 2:
        return []
    link = children[1:] if place == 0 else children[:place]
    return with_text(node) if _is_unit([n for n in link if not n.is_extra]) else []


def _is_unit(link: list[Node]) -> bool:
    """Return whether a link is an operator and an operand, or one child between two tokens.

    Some grammars name their operators (`keyword_and` in SQL).
    """
    elements = sum(node.is_named for node in link)
    return len(link) <= _OPERATOR_AND_OPERAND or (
        elements == 1 and len(link) <= _CHILD_BETWEEN_TOKENS
    )


_KEYWORD = re.compile("keyword_|k[A-Z]")


def _is_keyword(node: Node) -> bool:
    """Return whether a leaf is a keyword, and not all of a literal or a type."""
    if _KEYWORD.match(node.type) is None:
        return False
    above = node.parent
    return above is None or above.byte_range != node.byte_range


# The kinds of the parent and of four neighbours, for a branch that has none.
_NO_RELATIVES = (-1,) * 5


@dataclass(frozen=True, slots=True)
class Preprocessing:
    """Which simplifications the passes get; each can be switched off to measure its worth."""

    squeeze: bool = True
    """Count chains of nodes with the same text as one branch."""

    flatten: bool = True
    """Turn lists that the grammar writes as recursions into flat lists."""

    hide: bool = True
    """Do not try again what was rejected before (`pollard.engine.memory`)."""

    islands: bool = True
    """Also make branches of texts in other languages (`pollard.syntax.islands`)."""

    @property
    def switched_off(self) -> tuple[str, ...]:
        """The names of the simplifications that are off."""
        return tuple(key.name for key in fields(self) if not getattr(self, key.name))


class Branch:
    """A node of the tree with its place among its siblings.

    `own_document` is the document or island in whose tree the node is; None if the document has no
    islands.
    """

    __slots__ = ("__dict__", "_guests", "index", "node", "options", "own_document", "parent")

    def __init__(
        self,
        node: Node,
        parent: Branch | None,
        index: int,
        options: Preprocessing,
        own_document: Document | None = None,
        guests: tuple[Guest, ...] = (),
    ) -> None:
        self.node = node
        self.parent = parent
        self.index = index
        self.options = options
        self.own_document = own_document
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
        """Whether this is a keyword, an operator or a bracket: a leaf that the grammar does not name.

        Some grammars name their keywords (`keyword_and` in SQL, `kAnd` in Pascal).
        """
        node = self.node
        return not node.child_count and (not node.is_named or _is_keyword(node))

    def own_document_in(self, document: Document) -> Document:
        """Return the island in whose tree the node is, or else the whole `document`."""
        return self.own_document or document

    def is_within(self, span: tuple[int, int]) -> bool:
        """Return whether the branch lies inside a span of the text (start, end)."""
        return span[0] <= self.start and self.end <= span[1]

    @cached_property
    def children(self) -> tuple[Branch, ...]:
        """The children that have text, in order."""
        # The root is not squeezed: without a final newline it has the same text as the file's only
        # statement, which must remain a branch that can be removed or replaced.
        squeeze = self.options.squeeze and self.parent is not None
        if self.own_document is None:
            nodes = self._children_of(squeezed(self.node) if squeeze else self.node)
            return tuple(Branch(node, self, i, self.options) for i, node in enumerate(nodes))
        place = (self.node, self.own_document, self._guests)
        node, document, guests = grafted(place, squeeze=squeeze)
        places = with_guests(self._children_of(node), document, guests)
        return tuple(Branch(n, self, i, self.options, d, g) for i, (n, d, g) in enumerate(places))

    def _children_of(self, node: Node) -> list[Node]:
        """Return the children of a node that have text, flattened if the options say so."""
        return flattened(node) if self.options.flatten else with_text(node)

    @property
    def inner_node(self) -> Node:
        """The innermost node with the same text; the root of an island that is grafted in here."""
        if self.own_document is None:
            return squeezed(self.node)
        return grafted((self.node, self.own_document, ()), squeeze=True)[0]

    @property
    def siblings(self) -> Sequence[Branch]:
        """The parent's children, including this branch."""
        return self.parent.children if self.parent else (self,)

    def sibling(self, offset: int) -> Branch | None:
        """Return the sibling `offset` places to the right (negative: to the left), if any."""
        place = self.index + offset
        siblings = self.siblings
        return siblings[place] if 0 <= place < len(siblings) else None

    @property
    def depth(self) -> int:
        """Number of ancestors."""
        depth, branch = 0, self.parent
        while branch is not None:
            depth, branch = depth + 1, branch.parent
        return depth

    @property
    def shape(self) -> tuple[int, ...]:
        """The language, and the kinds of the branch, its parent and two neighbours on either side.

        Branches of one shape are expected to have the same unit. The language is part of the shape
        because kinds are numbers, which mean something else in each language.
        """
        document = self.own_document
        language = hash(document.language) if isinstance(document, Island) else 0
        if self.parent is None:
            return (language, self.node.kind_id, *_NO_RELATIVES)
        kinds, here = self.parent._kinds, self.index + 2
        near = (kinds[here - 2], kinds[here - 1], kinds[here + 1], kinds[here + 2])
        return (language, kinds[here], self.parent.node.kind_id, *near)

    @cached_property
    def _kinds(self) -> tuple[int, ...]:
        """The kinds of the children, between two entries of -1 on either side."""
        return (-1, -1, *(child.node.kind_id for child in self.children), -1, -1)


def root_branch(root: Node, options: Preprocessing, document: Document | None = None) -> Branch:
    """Return the branch of a tree's root, level 0, with the islands of `document` grafted in."""
    if document is not None and (not options.islands or islands_of(document) is NO_ISLANDS):
        document = None
    return Branch(root, None, 0, options, document)


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
    """Return the outermost branch with exactly that span (start, end), if any."""
    branch: Branch | None = root
    while branch is not None and (branch.start, branch.end) != span:
        branch = child_at(branch, span[0])
    return branch


def child_at(branch: Branch, offset: int) -> Branch | None:
    """Return the child that contains the byte at an offset, if any."""
    place = bisect_right(branch.children, offset, key=lambda child: child.start) - 1
    child = branch.children[place] if place >= 0 else None
    return child if child is not None and offset < child.end else None


def locate(root: Branch, spans: Iterable[tuple[int, int]]) -> list[Branch | None]:
    """Return, for each of some spans, sorted, the outermost branch with that very span.

    Spans may be nested, thousands deep.
    """
    wanted = sorted(spans)
    keys = sorted({_outer_first(span) for span in wanted})
    found: dict[tuple[int, int], Branch] = {}
    stack = [root]
    while stack:
        branch = stack.pop()
        place = bisect_left(keys, _outer_first((branch.start, branch.end)))
        if place < len(keys) and keys[place] == (branch.start, -branch.end):
            found.setdefault((branch.start, branch.end), branch)
            place += 1
        stack.extend(_children_with(branch, keys, place))
    return [found.get(span) for span in wanted]


def _outer_first(span: tuple[int, int]) -> tuple[int, int]:
    """Return a sort key by which a span comes before those inside it."""
    return span[0], -span[1]


def _children_with(branch: Branch, keys: Sequence[tuple[int, int]], place: int) -> Iterator[Branch]:
    """Yield each child that contains a span, of those whose keys are at `place` or later."""
    branch_end, children = branch.end, branch.children
    starts = [child.start for child in children]  # to ask each for its start again takes longer
    while place < len(keys) and keys[place][0] < branch_end:
        start, end = keys[place][0], -keys[place][1]
        number = bisect_right(starts, start) - 1
        child_end = children[number].end if number >= 0 else start
        if start < child_end and end <= child_end:
            yield children[number]
            place = bisect_left(keys, (child_end,), place)
        else:
            place += 1
