"""Classes with a single object, and functions and variables in their place.

`class A:` with `def __init__(self): self.x = 7` and `def f(self): return self.x`, and `print(A().f())`
become `def f(): return x`, `x = 7` and `print(f())`. This is for languages in which a method is a
function once its class is gone, or once a word stands before it, such as `function` in JavaScript. In
Ruby, variables such as `@x` stay, and what `attr_reader :x` makes a method of becomes `@x`. In PHP a
function names the variables outside of it that it uses. A class that only groups functions, such as
pytest's tests, gives way to them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from pollard.syntax.names.calls import call_of
from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import child_in, leaves, nodes, text_of
from pollard.syntax.names.inlinable import arguments_for, indentation_at, moved
from pollard.syntax.names.plainer.objects.objectless import Objectless, edited
from pollard.syntax.names.replaceable import identifiers
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from pollard.syntax.names.roles import LooseMethods
    from pollard.syntax.tree.document import Document


_VARIABLE = re.compile(rb"(?:\w+\s+)?\$?([^\W\d]\w*)\s*=\s*$")
# What is left of `self.x = x` where the argument is `x`, too.
_TO_ITSELF = re.compile(rb"^[ \t]*(\$?\w+)[ \t]*=[ \t]*\1[ \t]*(?:;|$)\n?", re.MULTILINE)
_ENDING = b"; \t\r\n"
_NEW, _RETURN = b"new", b"return"
_CALLED = re.compile(rb"\s*\(")


@dataclass(frozen=True, slots=True)
class _Making:
    """Where the only object of a class is made: the call, or the `new`, and the statement of it."""

    call: Node
    statement: Node


class _Chain(NamedTuple):
    """Calls that give an object back, where the last one ends, and where a member after it begins."""

    calls: list[bytes]
    end: int
    after: int | None


def with_single_objects(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each class that is used once, the edits that dissolve it where its object is made."""
    known = conventions(document.language)
    if known.loose_methods is None:
        return
    for holder in nodes(document.root):
        body = child_in(holder, known.fields.bodies)
        if body is None or holder.type in known.kinds.functions:
            continue
        members = [
            inner for child in body.named_children for inner in (child, *child.children[-1:])
        ]
        if any(member.type in known.kinds.functions for member in members):
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
        words = (self._known.word.findall(text_of(each, self._text)) for each in self._accessors)
        read = frozenset(word for found in words for word in found[1:])
        self._objectless = Objectless(document, style, read)

    def _is_accessor(self, member: Node) -> bool:
        start = self._style.accessors
        return bool(start) and self._text.startswith(start, member.start_byte)

    def edits(self) -> Iterator[list[Edit]]:
        """Yield the edits, if the class makes one object and all uses of that are of its members.

        Also if nothing names it: what runs its methods may find them without it, too.
        """
        if self._is_group():
            yield [Edit(*self._holder.byte_range, self._loose([]))]
            return
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

    def _is_group(self) -> bool:
        """Return whether a class has no base and no constructor, and is named nowhere else."""
        own = child_in(self._holder, self._known.fields.names)
        if own is None or self._constructor() is not None:
            return False
        parts = [child for child in self._holder.named_children if child not in (own, self._body)]
        name = text_of(own, self._text)
        return not parts and len(identifiers(self._document, {name}).get(name, ())) == 1

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
            return above
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
            made = self._with_brackets(making.call)
            after = self._chain(making).after
            return None if after is None else [self._objectless.freed(made, after)]
        found = []
        for start, end in identifiers(self._document, {variable}).get(variable, ()):
            if making.statement.start_byte <= start < making.statement.end_byte:
                continue
            after = self._objectless.member_start(end)
            leaf = self._document.root.descendant_for_byte_range(start, end)
            if after is None or leaf is None:
                return None
            found.append(self._objectless.freed(leaf, after))
        return found

    def _chain(self, making: _Making) -> _Chain:
        """Return the calls after a new object that give it back, and where the next member begins.

        As in `new A().f(7).g().h`, which is `f(7)`, `g()` and then `h`. The last call of all is one of
        them only if a variable gets what it gives back.
        """
        part, calls = self._with_brackets(making.call), list[bytes]()
        after = self._objectless.member_start(part.end_byte)
        end = self._bare(making.statement)[1]
        while after is not None:
            call = self._call_of_member(part, after)
            following = self._objectless.member_start(call.end_byte) if call is not None else None
            is_kept = following is not None or self._assignment(making) is not None
            if call is None or not is_kept or (following is None and call.end_byte != end):
                break
            calls.append(self._text[after : call.end_byte])
            part, after = call, following
        return _Chain(calls, part.end_byte, after)

    def _call_of_member(self, part: Node, start: int) -> Node | None:
        """Return the call of a member that begins there, after `part`, if it gives the object back."""
        name = self._known.word.match(self._text, start)
        if name is None or not any(
            self._name_of(each) == name[0] and self._gives_itself_back(each)
            for each in self._methods()
        ):
            return None
        call: Node | None = part
        while call is not None and call.start_byte == part.start_byte:
            if call.end_byte >= name.end() and not _CALLED.match(self._text, call.end_byte):
                return call
            call = call.parent
        return None

    def _gives_itself_back(self, method: Node) -> bool:
        body = child_in(method, self._known.fields.bodies)
        if body is None or not body.named_children:
            return False
        last = text_of(body.named_children[-1], self._text).rstrip(_ENDING)
        value = last.removeprefix(_RETURN).lstrip().removeprefix(self._style.sigil)
        return value in self._known.tokens.receivers

    def _with_brackets(self, call: Node) -> Node:
        """Return a call with the brackets around it, if there are any."""
        while (above := call.parent) is not None and above.named_child_count == 1:
            if not self._text.startswith(b"(", above.start_byte):
                break
            call = above
        return call

    def _variable(self, making: _Making) -> bytes | None:
        """Return the variable that is all that gets the object, if there is one.

        Also after calls that give the object back.
        """
        match = self._assignment(making)
        if match is None or self._chain(making).end != self._bare(making.statement)[1]:
            return None
        return match[1]

    def _assignment(self, making: _Making) -> re.Match[bytes] | None:
        """Return what stands before the object in its statement, if that assigns a variable."""
        start = making.statement.start_byte
        return _VARIABLE.fullmatch(self._text[start : making.call.start_byte])

    def _bare(self, statement: Node) -> tuple[int, int]:
        """Return the span of a statement without the semicolon at its end."""
        text = text_of(statement, self._text)
        return statement.start_byte, statement.start_byte + len(text.rstrip(_ENDING))

    def _remade(self, making: _Making, objects: Sequence[Edit]) -> bytes:
        """Return what the constructor does, and the rest of the statement that makes the object."""
        statement = making.statement
        begin = self._begin(making)
        if making.call.byte_range == self._bare(statement):
            return begin
        is_gone = self._variable(making) is not None
        rest = b"" if is_gone else edited(statement.byte_range, self._text, objects)
        calls = self._chain(making).calls
        parts = [begin, *(call + self._style.end for call in calls), rest]
        separator = b"\n" + indentation_at(self._text, statement.start_byte)
        return separator.join(filter(None, parts))

    # The members

    def _begin(self, making: _Making) -> bytes:
        """Return what the constructor does, with the arguments of the call for its parameters."""
        constructor = self._constructor()
        body = child_in(constructor, self._known.fields.bodies) if constructor is not None else None
        if constructor is None or body is None:
            return b""
        values = arguments_for(constructor, making.call, self._document)
        indentation = indentation_at(self._text, making.statement.start_byte)
        parts = [*self._objectless.parameters_as_members(constructor, values)]
        if body.named_children:
            first, last = body.named_children[0], body.named_children[-1]
            span = first.start_byte, last.end_byte
            new = self._objectless.free(span, list(leaves(body)), values)
            new = _TO_ITSELF.sub(b"", new)
            if making.statement.parent != self._document.root:
                new = self._objectless.outer(first, self._objectless.used_in(span)) + new
            parts.append(moved(new, self._text, span[0], making.statement.start_byte))
        return (b"\n" + indentation).join(parts)

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
        parts = [
            moved(
                self._objectless.member(member, objects),
                self._text,
                member.start_byte,
                self._holder.start_byte,
            )
            for member in self._body.named_children
            if member != constructor and member not in self._accessors
        ]
        separator = b"\n" + indentation_at(self._text, self._holder.start_byte)
        return separator.join(filter(None, parts))


def _is_in(edit: Edit, node: Node) -> bool:
    return node.start_byte <= edit.start and edit.end <= node.end_byte
