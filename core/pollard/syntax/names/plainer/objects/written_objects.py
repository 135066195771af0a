"""Objects that are written in the text: members that are assigned later, and variables in their place.

`x = {}` and `x.a = 7` become `x = {a: 7}`, in any language that writes such collections of keys and
values. Of a variable that only serves to take members of it these become variables: `x = {a: 7, b: 8}`
and `f(x.a, x.b)` become `a = 7`, `b = 8` and `f(a, b)`. What only the object's own methods take of it
stands there instead: `{a: 7, f() { return this.a }}` becomes `{f() { return 7 }}`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import child_in, end_with_semicolon, leaves, nodes, text_of
from pollard.syntax.names.inlinable import (
    as_object,
    indentation_at,
    is_label,
    is_open_expression,
)
from pollard.syntax.names.replaceable import identifiers
from pollard.syntax.names.written_collections import (
    chosen_part,
    keyed,
    with_separator,
    without_marks,
)
from pollard.syntax.tree.edits import Edit, apply

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document

_ENDS, _ASSIGNING, _COMMA = (b"{}", b"[]"), (b"=", b":="), b", "
# What stands between an object and the key of a member, and after the key.
_CHOOSING = {b".": b"", b"?.": b"", b"[": b"]"}
_DOT, _NAME, _METHOD = b".", re.compile(rb"[^\W\d]\w*"), re.compile(rb"([^\W\d]\w*)\s*\(")
_MIN_PARTS = 2


def with_assigned_members(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each assignment to a member of a written object, the edits that put it in there."""
    known, text = conventions(document.language), document.text
    written: dict[bytes, Node] = {}
    for node in nodes(document.root) if known.tokens.pairs_of_keys else ():
        target, value = _assignment(node, document)
        if target is None or value is None:
            continue
        statement = _statement(node, document)
        pair = _pair(target, value, document) if statement is not None else None
        if pair is None:
            written.pop(text_of(target, text), None)
            if (place := _written(value, text)) is not None:
                written[text_of(target, text)] = place
        elif statement is not None and (place := written.get(pair[0])) is not None:
            closing = place.children[-1].start_byte
            start = place.named_children[-1].end_byte if place.named_child_count else closing
            new = (_COMMA if place.named_child_count else b"") + pair[1]
            gone = Edit(statement.start_byte, end_with_semicolon(statement, text))
            yield [Edit(start, closing, new), gone]


def with_taken_values(document: Document) -> Iterator[list[Edit]]:
    """Yield the edits that put the value of a member where methods of its written object take it."""
    text, language = document.text, document.language
    uses = _members_taken(document)
    for node in nodes(document.root) if uses else ():
        members = _members(node, document) if _written(node, text) == node else {}
        for key, element in members.items():
            value = keyed(element, text)[1]
            if value == element or key not in uses:
                continue
            is_open, new = is_open_expression(value, language), text_of(value, text)
            filled = [
                Edit(*use.byte_range, as_object(new, use, text, language, is_open=is_open))
                for use in uses[key]
            ]
            yield sorted([Edit(*with_separator(element, text)), *filled])


def _members_taken(document: Document) -> dict[bytes, list[Node]]:
    """Return where members of the own object are taken, such as `this.a`, by their names."""
    receivers = conventions(document.language).tokens.receivers
    found: dict[bytes, list[Node]] = {}
    for node in nodes(document.root) if receivers else ():
        head, sign, key = chosen_part(node, document.text) or (node, b"", node)
        if sign == _DOT and text_of(head, document.text) in receivers:
            found.setdefault(text_of(key, document.text), []).append(node)
    return found


def _assignment(node: Node, document: Document) -> tuple[Node | None, Node | None]:
    """Return what a node declares or assigns, and the value."""
    known = conventions(document.language)
    pairs = [
        (child_in(node, targets), child_in(node, known.fields.values))
        for targets in (known.fields.assigned, known.fields.names)
    ]
    if node.named_child_count == _MIN_PARTS:
        pairs.append((node.named_children[0], node.named_children[1]))
    for target, value in pairs:
        if target is not None and value is not None:
            sign = document.text[target.end_byte : value.start_byte].strip()
            if sign in _ASSIGNING:
                return _only(target), _only(value)
    return None, None


def _only(node: Node) -> Node:
    """Return what a list of one element, such as Lua's `expression_list`, consists of."""
    while node.named_child_count == 1 and node.named_children[0].byte_range == node.byte_range:
        node = node.named_children[0]
    return node


def _statement(node: Node, document: Document) -> Node | None:
    """Return the statement that holds nothing but a node."""
    blocks = conventions(document.language).kinds.blocks
    while node.parent is not None and node.parent.type not in blocks:
        node = node.parent
        if node.named_child_count != 1:
            return None
    return node if node.parent is not None else None


def _written(value: Node, text: bytes) -> Node | None:
    """Return the object that a value is, maybe after its type."""
    for node in (value, *value.named_children[-1:]):
        ends = [text_of(each, text) for each in (*node.children[:1], *node.children[-1:])]
        if b"".join(ends) in _ENDS:
            return node
    return None


def _pair(target: Node, value: Node, document: Document) -> tuple[bytes, bytes] | None:
    """Return the object whose member gets a value, and the key with that value as it is written."""
    text, signs = document.text, conventions(document.language).tokens.pairs_of_keys
    if target.named_child_count < _MIN_PARTS:
        return None
    head, key = target.named_children[0], target.named_children[-1]
    sign = text[head.end_byte : key.start_byte].strip()
    if _CHOOSING.get(sign) != text[key.end_byte : target.end_byte].strip():
        return None
    opening, between = signs[:2] if sign == _DOT else signs[2:]
    if not between:
        return None
    return text_of(head, text), opening + text_of(key, text) + between + text_of(value, text)


def with_loose_values(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each variable of which only members are taken, the edits that make these variables."""
    text = document.text
    for node in nodes(document.root):
        target, value = _assignment(node, document)
        if target is None or value is None or _written(value, text) != value:
            continue
        statement = _statement(node, document)
        members = _members(value, document)
        own = [*leaves(target)][-1]
        name = text_of(own, text)
        if statement is None or not members or not _NAME.fullmatch(name):
            continue
        places = identifiers(document, {name, *members})
        loose = _Loose(document, members, target)
        spans = [span for span in places.get(name, ()) if span != own.byte_range]
        uses = [loose.use(document.root.descendant_for_byte_range(*span)) for span in spans]
        edits = [edit for edit in uses if edit is not None]
        if edits and len(edits) == len(uses) and not loose.clashes(places):
            inside = [edit for edit in edits if _is_in(edit, value)]
            outside = [edit for edit in edits if edit not in inside]
            yield sorted([loose.statement(statement, value, inside), *outside])


def _members(value: Node, document: Document) -> dict[bytes, Node]:
    """Map the keys of an object to its elements; nothing if one of them has no name for a key."""
    text = document.text
    found: dict[bytes, Node] = {}
    for element in value.named_children:
        key, _ = keyed(element, text)
        if key is None:
            match = _METHOD.match(text, element.start_byte)
            functions = conventions(document.language).kinds.functions
            key = match[1] if match and element.type in functions else b""
        if not _NAME.fullmatch(key) or key in found:
            return {}
        found[key] = element
    return found


class _Loose:
    """Makes variables of the `members` of the object that the variable `target` holds."""

    def __init__(self, document: Document, members: dict[bytes, Node], target: Node) -> None:
        self._document = document
        self._text = document.text
        self._known = conventions(document.language)
        self._members = members
        self._target = target
        start, end = target.byte_range
        self._sigil = self._text[start:end].removesuffix(text_of([*leaves(target)][-1], self._text))
        self._used: set[bytes] = set()

    def use(self, leaf: Node | None) -> Edit | None:
        """Return the edit that makes a variable of the member that is taken of an object."""
        text = self._text
        while leaf is not None and leaf.parent is not None:
            above = leaf.parent
            if above.start_byte != leaf.start_byte and text_of(above.children[0], text) != b"$":
                return None
            if above.named_child_count >= _MIN_PARTS:
                break
            leaf = above
        else:
            return None
        head, key = above.named_children[0], above.named_children[-1]
        sign = text[head.end_byte : key.start_byte].strip()
        name = without_marks(text_of(key, text))
        if _CHOOSING.get(sign) != text[key.end_byte : above.end_byte].strip():
            return None
        if name not in self._members or (sign == b"[" and text_of(key, text) == name):
            return None
        self._used.add(name)
        return Edit(*above.byte_range, self._sigil + name)

    def clashes(self, places: dict[bytes, list[tuple[int, int]]]) -> bool:
        """Return whether a member that is taken has the name of a variable."""
        root = self._document.root
        found = (
            root.descendant_for_byte_range(*span)
            for name in self._used
            for span in places.get(name, ())
        )
        return any(
            leaf is not None and not is_label(leaf) and not self._is_key(leaf) for leaf in found
        )

    def _is_key(self, leaf: Node) -> bool:
        return any(leaf.start_byte == element.start_byte for element in self._members.values())

    def statement(self, statement: Node, value: Node, inside: Sequence[Edit]) -> Edit:
        """Return the edit that makes a variable of each member that is used."""
        text = self._text
        before = text[statement.start_byte : self._target.start_byte]
        after = text[value.end_byte : statement.end_byte]
        lines = []
        freed = {name: self._freed(element, inside) for name, element in self._members.items()}
        for name, element in self._members.items():
            own = freed[name]
            if name not in self._used:
                continue
            key, given = keyed(element, text)
            if key is None:
                opening = self._known.loose_methods.opening if self._known.loose_methods else b""
                lines.append(opening + own)
            else:
                start = given.start_byte - element.start_byte
                equals = text[self._target.end_byte : value.start_byte]
                lines.append(before + self._sigil + name + equals + own[start:] + after)
        separator = b"\n" + indentation_at(text, statement.start_byte)
        return Edit(*statement.byte_range, separator.join(lines))

    def _freed(self, element: Node, inside: Sequence[Edit]) -> bytes:
        """Return an element without the object, or a word for it, before its members."""
        start, end = element.byte_range
        edits = [edit for edit in inside if start <= edit.start and edit.end <= end]
        for leaf in leaves(element):
            if text_of(leaf, self._text) in self._known.tokens.receivers:
                edit = self.use(leaf)
                edits += [edit] if edit is not None else []
        return apply(self._text, sorted(set(edits)), (start, end))


def _is_in(edit: Edit, node: Node) -> bool:
    return node.start_byte <= edit.start and edit.end <= node.end_byte
