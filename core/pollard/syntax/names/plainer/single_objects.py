"""Classes with a single object, and functions and variables in their place.

`class A:` with `def __init__(self): self.x = 7` and `def f(self): return self.x`, and `print(A().f())`
become `def f(): return x`, `x = 7` and `print(f())`. This is for languages in which a method is a
function once its class is gone, or once a word stands before it, such as `function` in JavaScript. In
Ruby, variables such as `@x` stay, and what `attr_reader :x` makes a method of becomes `@x`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pollard.syntax.names.calls import call_of
from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import child_in, leaves, nodes, text_of
from pollard.syntax.names.inlinable import arguments_for, indentation_at, moved
from pollard.syntax.names.replaceable import identifiers
from pollard.syntax.tree.edits import Edit, apply

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tree_sitter import Node

    from pollard.syntax.names.conventions import LooseMethods
    from pollard.syntax.tree.document import Document


_MEMBER = b"."
_ASSIGNED = re.compile(rb"\s*\.\s*([^\W\d]\w*)\s*(?:[-+*/%&|^@<>]{0,3})=(?!=)")
_VARIABLE = re.compile(rb"(?:\w+\s+)?([^\W\d]\w*)\s*=\s*$")
_ENDING = b"; \t\r\n"
_NEW = b"new"


@dataclass(frozen=True, slots=True)
class _Making:
    """Where the only object of a class is made: the call, or the `new`, and the statement of it."""

    call: Node
    statement: Node


def with_single_objects(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each class that is used once, the edits that dissolve it where its object is made."""
    known = conventions(document.language)
    if known.loose_methods is None:
        return
    for holder in nodes(document.root):
        body = child_in(holder, known.fields.bodies)
        if body is None or holder.type in known.kinds.functions:
            continue
        if any(child.type in known.kinds.functions for child in body.named_children):
            yield from _Dissolver(document, holder, body, known.loose_methods).edits()


class _Dissolver:
    """Makes the edits for one class, `holder`, with a `body`."""

    def __init__(self, document: Document, holder: Node, body: Node, style: LooseMethods) -> None:
        self._document = document
        self._text = document.text
        self._known = conventions(document.language)
        self._holder = holder
        self._body = body
        self._style = style
        self._accessors = [child for child in body.named_children if self._is_accessor(child)]
        self._read = frozenset(
            word
            for child in self._accessors
            for word in self._known.word.findall(text_of(child, self._text))[1:]
        )

    def _is_accessor(self, member: Node) -> bool:
        start = self._style.accessors
        return bool(start) and self._text.startswith(start, member.start_byte)

    def edits(self) -> Iterator[list[Edit]]:
        """Yield the edits, if the class makes one object and all uses of that are of its members."""
        making = self._making()
        objects = self._objects(making) if making is not None else None
        if making is None or objects is None:
            return
        statement = making.statement
        elsewhere = [
            edit
            for edit in objects
            if not any(_is_in(edit, part) for part in (self._holder, statement))
        ]
        yield sorted(
            [
                Edit(*self._holder.byte_range, self._loose(objects)),
                Edit(*statement.byte_range, self._remade(making, objects)),
                *elsewhere,
            ]
        )

    def _making(self) -> _Making | None:
        """Return the only use of the class, if it makes an object, outside of it and in a statement."""
        own = child_in(self._holder, self._known.fields.names)
        if own is None:
            return None
        name = text_of(own, self._text)
        places = identifiers(self._document, {name}).get(name, ())
        uses = [place for place in places if place != own.byte_range]
        if len(uses) != 1 or _is_in(Edit(*uses[0]), self._holder):
            return None
        leaf = self._document.root.descendant_for_byte_range(*uses[0])
        call = self._call(leaf) if leaf is not None else None
        statement = call
        while statement is not None and not self._is_statement(statement):
            statement = statement.parent
        return _Making(call, statement) if call is not None and statement is not None else None

    def _call(self, leaf: Node) -> Node | None:
        """Return the call that makes an object of the class that a leaf names."""
        above, text = leaf.parent, self._text
        if above is not None and text[: leaf.start_byte].rstrip().endswith(_NEW):
            return above if child_in(above, self._known.fields.arguments) is not None else None
        if self._style.making:
            name = child_in(above, self._known.fields.called) if above is not None else None
            return above if name and text_of(name, text) == self._style.making else None
        call = call_of(leaf, text, self._document.language)
        return call if call is not None and call.start_byte == leaf.start_byte else None

    def _is_statement(self, node: Node) -> bool:
        return node.parent is not None and node.parent.type in self._known.kinds.blocks

    def _objects(self, making: _Making) -> list[Edit] | None:
        """Return the edits that remove the object before each of its members; None if it is used."""
        variable = self._variable(making)
        if variable is None:
            end = making.call.end_byte
            if making.call.byte_range == self._bare(making.statement):
                return []
            after = self._member_start(end)
            return None if after is None else [self._freed(making.call.start_byte, after)]
        found = []
        for start, end in identifiers(self._document).get(variable, ()):
            if making.statement.start_byte <= start < making.statement.end_byte:
                continue
            after = self._member_start(end)
            if after is None:
                return None
            found.append(self._freed(start, after))
        return found

    def _freed(self, start: int, member: int) -> Edit:
        """Return the edit that removes an object before its member."""
        word = self._known.word.match(self._text, member)
        if word is not None and word[0] in self._read:
            return Edit(start, word.end(), self._style.sign + word[0])
        return Edit(start, member)

    def _variable(self, making: _Making) -> bytes | None:
        """Return the variable that is all that gets the object, if there is one."""
        start, end = self._bare(making.statement)
        if making.call.end_byte != end:
            return None
        match = _VARIABLE.fullmatch(self._text[start : making.call.start_byte])
        return match[1] if match else None

    def _bare(self, statement: Node) -> tuple[int, int]:
        """Return the span of a statement without the semicolon at its end."""
        text = text_of(statement, self._text)
        return statement.start_byte, statement.start_byte + len(text.rstrip(_ENDING))

    def _member_start(self, end: int) -> int | None:
        """Return where the member begins after an object that ends there; None without one."""
        rest = self._text[end:]
        if not rest.lstrip().startswith(_MEMBER):
            return None
        return end + len(rest) - len(rest.lstrip()) + len(_MEMBER)

    def _remade(self, making: _Making, objects: Sequence[Edit]) -> bytes:
        """Return what the constructor does, and the rest of the statement that makes the object."""
        statement = making.statement
        begin = self._begin(making)
        if making.call.byte_range == self._bare(statement) or self._variable(making) is not None:
            return begin
        rest = _edited(statement.byte_range, self._text, objects)
        if not begin:
            return rest
        return begin + b"\n" + indentation_at(self._text, statement.start_byte) + rest

    # The members

    def _begin(self, making: _Making) -> bytes:
        """Return what the constructor does, with the arguments of the call for its parameters."""
        constructor = self._constructor()
        body = child_in(constructor, self._known.fields.bodies) if constructor is not None else None
        if constructor is None or body is None or not body.named_children:
            return b""
        values = arguments_for(constructor, making.call, self._document)
        first, last = body.named_children[0], body.named_children[-1]
        span = first.start_byte, last.end_byte
        new = self._free(span, list(leaves(body)), values)
        if making.statement.parent != self._document.root:
            new = self._outer(first, self._assigned_in(span)) + new
        return moved(new, self._text, span[0], making.statement.start_byte)

    def _constructor(self) -> Node | None:
        names = self._known.tokens.constructors
        return next((each for each in self._methods() if self._name_of(each) in names), None)

    def _methods(self) -> list[Node]:
        kinds = self._known.kinds.functions
        return [child for child in self._body.named_children if child.type in kinds]

    def _name_of(self, method: Node) -> bytes:
        name = child_in(method, self._known.fields.names)
        return text_of(name, self._text) if name is not None else b""

    def _loose(self, objects: Sequence[Edit]) -> bytes:
        """Return the members of the class without it and without its constructor."""
        constructor = self._constructor()
        parts = []
        for member in self._body.named_children:
            if member == constructor or member in self._accessors:
                continue
            body = child_in(member, self._known.fields.bodies)
            outside = list(objects)
            if member in self._methods() and body is not None and body.named_children:
                first = body.named_children[0]
                line = self._outer(first, self._assigned_in(member.byte_range))
                outside.append(Edit(first.start_byte, first.start_byte, line))
            new = self._free(member.byte_range, list(leaves(member)), {}, outside)
            if member in self._methods():
                new = self._style.opening + new
            new = moved(new, self._text, member.start_byte, self._holder.start_byte)
            parts.append(new)
        return (b"\n" + indentation_at(self._text, self._holder.start_byte)).join(parts)

    def _free(
        self,
        span: tuple[int, int],
        inner: Sequence[Node],
        values: Mapping[bytes | None, bytes],
        objects: Sequence[Edit] = (),
    ) -> bytes:
        """Return a part of the class without the object before its members."""
        receivers, edits = self._known.tokens.receivers, list[Edit]()
        start, end = span
        previous: Node | None = None
        for leaf in (leaf for leaf in inner if start <= leaf.start_byte and leaf.end_byte <= end):
            name = text_of(leaf, self._text)
            if name in receivers:
                after = self._member_start(leaf.end_byte)
                if after is None:
                    edits.append(Edit(leaf.start_byte, self._end_of_parameter(leaf)))
                else:
                    edits.append(self._freed(leaf.start_byte, after))
            elif name in self._read and not _follows(previous, self._text):
                edits.append(Edit(*leaf.byte_range, self._style.sign + name))
            elif leaf.is_named and name in values and not _follows(previous, self._text):
                edits.append(Edit(*leaf.byte_range, values[name]))
            previous = leaf
        return _edited(span, self._text, [*edits, *objects])

    def _assigned_in(self, span: tuple[int, int]) -> list[bytes]:
        """Return the members of the object that a part of the class assigns."""
        found: dict[bytes, None] = {}
        for receiver in self._known.tokens.receivers:
            for start, end in identifiers(self._document).get(receiver, ()):
                assigned = _ASSIGNED.match(self._text, end)
                if assigned and span[0] <= start and end <= span[1]:
                    found[assigned[1]] = None
        return [*found]

    def _outer(self, first: Node, names: Sequence[bytes]) -> bytes:
        """Return the line that says that names are of variables outside; `first` is what follows."""
        if not names or not self._style.outer:
            return b""
        indentation = indentation_at(self._text, first.start_byte)
        return self._style.outer + b", ".join(names) + b"\n" + indentation

    def _end_of_parameter(self, leaf: Node) -> int:
        """Return where a parameter ends, with the comma after it."""
        rest = self._text[leaf.end_byte :]
        comma = re.match(rb"\s*,\s*", rest)
        return leaf.end_byte + (comma.end() if comma else 0)


def _edited(span: tuple[int, int], text: bytes, edits: Iterable[Edit]) -> bytes:
    """Return a part of a text with those edits that are in it."""
    start, end = span
    inside = sorted(edit for edit in edits if start <= edit.start and edit.end <= end)
    shifted = [Edit(edit.start - start, edit.end - start, edit.new) for edit in inside]
    return apply(text[start:end], shifted)


def _is_in(edit: Edit, node: Node) -> bool:
    return node.start_byte <= edit.start and edit.end <= node.end_byte


def _follows(previous: Node | None, text: bytes) -> bool:
    """Return whether a leaf after another one is a member."""
    return previous is not None and text_of(previous, text) == _MEMBER
