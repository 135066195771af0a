"""Grafting: an island's tree takes the place of what its host's node would have for children.

As picireny-2016 (section 3) plugs the roots of the trees of islands into the tree of the document.
Nodes of the host in the middle of an island, its guests, become children of the nodes around them.
"""

from __future__ import annotations

import bisect
from typing import TYPE_CHECKING

from pollard.syntax.islands import islands_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

    from pollard.syntax.document import Document

    #: A node of the tree of some document, to be seated among the nodes of an island.
    Guest = tuple[Node, Document]
    #: A node, the document whose tree it is in, and the guests that are inside it.
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
    while (island := islands_of(home).at(node.byte_range)) is not None:
        if not squeeze and node.kind_id != island.kind:
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
