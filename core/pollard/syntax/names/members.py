"""Members of an object that one assignment gives a value, such as `this.x = 1` or Ruby's `@x = 1`.

A constructor or method that only assigns fields which the class declares, and that is called once, is
not needed if they have these values from the beginning: `int x; A(int y) { x = y; }` and `new A(7)`
become `int x = 7;` and `new A()`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pollard.syntax.names.calls import call_of
from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import child_in, defining, inside, leaves, nodes, text_of
from pollard.syntax.names.inlinable import Inlinable, arguments_for, with_values
from pollard.syntax.names.replaceable import identifiers
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


_THROUGH_POINTER, _END, _EQUALS, _COMMA, _BRACKET = b"->", b";", b"=", b",", b"("
_NEW, _INDEX_END = b"new", b"]"


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


def with_initial_values(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each method that only assigns fields and has one call, the edits that do it without.

    Its last statement may return its object, as in a chain of such calls.
    """
    known = conventions(document.language)
    for holder in nodes(document.root):
        body = child_in(holder, known.fields.bodies)
        if body is None or holder.type in known.kinds.functions:
            continue
        members = body.named_children
        fields = [each for each in members if each.type not in known.kinds.functions]
        for method in members if fields else ():
            if method.type in known.kinds.functions:
                yield _initialised(method, holder, fields, document)


def _initialised(
    method: Node, holder: Node, fields: Sequence[Node], document: Document
) -> list[Edit]:
    """Return the edits that give fields their values without a method; empty if it does more."""
    assigned = only_assigned(method, document)
    gone = _without_call(method, holder, document) if assigned else None
    if gone is None:
        return []
    call, edit = gone
    arguments = arguments_for(method, call, document)
    edits = [edit, Edit(*method.byte_range)]
    for name, value in assigned.items():
        place = _place_of_value(name, fields, document)
        if place is None:
            return []
        edits.append(
            Edit(place, place, b" = " + with_values(document, Inlinable((value,)), arguments))
        )
    return sorted(edits)


def only_assigned(method: Node, document: Document) -> Mapping[bytes, Node]:
    """Map names of members to the values that a method gives them; empty if it does anything else."""
    text, known = document.text, conventions(document.language)
    body = child_in(method, known.fields.bodies)
    found: dict[bytes, Node] = {}
    statements = body.named_children if body else []
    if statements and statements[-1].type in known.kinds.returns:
        returned = [text_of(each, text) for each in statements.pop().named_children]
        if len(returned) != 1 or returned[0] not in known.tokens.receivers:
            return {}
    for statement in statements:
        assignment = statement.named_children[0] if statement.named_children else statement
        member, value = (
            child_in(assignment, each) for each in (known.fields.assigned, known.fields.values)
        )
        if assignment.type not in known.kinds.assignments or member is None or value is None:
            return {}
        *objects, name = leaves(member)
        key = text_of(name, text)
        if objects and key == _INDEX_END:
            key = text[objects[0].end_byte : member.end_byte].strip()
        if objects and not any(
            text_of(each, text) in known.tokens.receivers for each in objects[:2]
        ):
            return {}  # after a sigil, in PHP
        found[key] = value
    return found


def _without_call(method: Node, holder: Node, document: Document) -> tuple[Node, Edit] | None:
    """Return the only call of a method, or of the class for its constructor, and what removes it.

    A call gives way to its object, and one that makes the object loses its arguments.
    """
    text, known = document.text, conventions(document.language)
    own, of_class = (
        next(iter(defining(each, text, document.language)), None) for each in (method, holder)
    )
    if own is None or of_class is None:
        return None
    makes = text_of(own, text) in (text_of(of_class, text), *known.tokens.constructors)
    name = text_of(of_class if makes else own, text)
    calls = []
    for start, end in identifiers(document, {name}).get(name, ()):
        leaf = document.root.descendant_for_byte_range(start, end)
        if leaf is None or leaf in (own, of_class):
            continue
        is_made = makes and text[:start].rstrip().endswith(_NEW)
        call = leaf.parent if is_made else call_of(leaf, text, document.language)
        if call is not None:
            calls.append((leaf, call))
    if len(calls) != 1:
        return None
    leaf, call = calls[0]
    if makes:
        arguments = child_in(call, known.fields.arguments) or call.children[-1]
        if not arguments.children or not text.startswith(_BRACKET, arguments.start_byte):
            return call, Edit(call.end_byte, call.end_byte)
        return call, Edit(*inside(arguments))
    before = text[: leaf.start_byte].rstrip()
    signs = (*known.tokens.path_separators, _THROUGH_POINTER)
    sign = next(filter(before.endswith, signs), None)
    return (call, Edit(len(before) - len(sign), call.end_byte)) if sign else None


def _place_of_value(name: bytes, fields: Sequence[Node], document: Document) -> int | None:
    """Return where the value of a field belongs in its declaration; None if it has one."""
    for field in fields:
        for leaf in defining(field, document.text, document.language):
            declaration = leaf.parent
            if text_of(leaf, document.text) == name and declaration is not None:
                rest = (
                    document.text[leaf.end_byte : declaration.end_byte].rstrip().removesuffix(_END)
                )
                return None if _EQUALS in rest or _COMMA in rest else leaf.end_byte + len(rest)
    return None
