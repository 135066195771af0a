"""Elements of markup: a tag or two with a name, attributes and content."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pollard.syntax.names.definitions import nodes, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


_OPENING, _CLOSING, _ENDS = b"<", b"</", (b">", b"/>")
# In the kinds of nodes for tags; other nodes between such brackets are lists of types.
_KINDS_OF_TAGS = ("tag", "element")
# The first bracket, the name and the last bracket.
_MIN_PARTS = 3


@dataclass(frozen=True, slots=True)
class Element:
    """An element: the node with all of it, its name, and the attributes of its first tag."""

    node: Node
    tag: Node
    name: Node
    attributes: Sequence[Node]

    def content(self, text: bytes) -> tuple[int, int]:
        """Return the span (start, end) between the tags; empty without a closing tag."""
        last = self.node.children[-1]
        is_closed = self.node != self.tag and text.startswith(_CLOSING, last.start_byte)
        return self.tag.end_byte, max(last.start_byte if is_closed else 0, self.tag.end_byte)


def elements(document: Document) -> Iterator[Element]:
    """Yield the elements of a document in the order of the text, each before those in it."""
    text = document.text
    if _OPENING not in text or (_CLOSING not in text and _ENDS[-1] not in text):
        return
    for node in nodes(document.root):
        if _is_tag(node, text):
            above = node.parent
            is_first = above is not None and above.children[0] == node
            whole = above if is_first and above is not None else node
            name, *attributes = node.children[1:-1]
            yield Element(whole, node, name, attributes)


def _is_tag(node: Node, text: bytes) -> bool:
    """Return whether a node is the first tag of an element, or the only one."""
    return (
        node.child_count >= _MIN_PARTS
        and any(kind in node.type.lower() for kind in _KINDS_OF_TAGS)
        and text_of(node.children[0], text) == _OPENING
        and text_of(node.children[-1], text) in _ENDS
        and node.children[1].is_named
    )


def attribute_name(attribute: Node, text: bytes) -> bytes:
    """Return the name of an attribute, which is all that is before its value."""
    return text_of(attribute, text).partition(b"=")[0].strip()


def attribute_value(attribute: Node, text: bytes) -> bytes:
    """Return the value of an attribute without its quotes; empty if it has none."""
    return text_of(attribute, text).partition(b"=")[2].strip().strip(b"\"'")
