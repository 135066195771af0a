"""Members of an object that one assignment gives a value, such as `this.x = 1` or Ruby's `@x = 1`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import child_in, nodes, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


class AssignedMember(NamedTuple):
    """The only assignment to a member, its value, and the other places of the member."""

    assignment: Node
    value: Node
    uses: Sequence[Node]


def assigned_members(document: Document) -> Iterator[AssignedMember]:
    """Yield the members of `this` or `self` that are assigned once and used, in the text's order.

    A language may have leaves for them, as Ruby has for those of objects and of classes.
    """
    known = conventions(document.language)
    fields, receivers = known.fields, known.tokens.receivers
    found: dict[bytes, list[Node]] = {}
    assignments: dict[bytes, list[tuple[Node, Node]]] = {}
    for node in nodes(document.root):
        head = node.children[0] if node.child_count > 1 else None
        is_member = head is not None and text_of(head, document.text) in receivers
        if is_member or node.type in known.kinds.member_variables:
            found.setdefault(text_of(node, document.text), []).append(node)
        member, value = child_in(node, fields.assigned), child_in(node, fields.values)
        is_assignment = node.type in known.kinds.assignments
        if is_assignment and member is not None and value is not None:
            key = text_of(member, document.text)
            assignments.setdefault(key, []).append((node, value))
    for member_text, places in found.items():
        for assignment, value in assignments.get(member_text, ())[:1]:
            uses = [place for place in places if place.start_byte != assignment.start_byte]
            if uses and len(assignments[member_text]) == 1:
                yield AssignedMember(assignment, value, uses)
