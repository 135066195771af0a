"""Parts of a class as they read once the class and its only object are gone.

A member such as `self.x`, `this.x` or PHP's `$this->x` becomes the variable `x` or `$x`, and a method a
function. What only a member of a class can have, such as `private`, goes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pollard.syntax.names.calls import with_sigil
from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import child_in, leaves, parameter_names, text_of
from pollard.syntax.names.inlinable import indentation_at
from pollard.syntax.names.replaceable import identifiers
from pollard.syntax.tree.edits import Edit, apply

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tree_sitter import Node

    from pollard.syntax.names.roles import LooseMethods
    from pollard.syntax.tree.document import Document


_ASSIGNED = re.compile(rb"\s*(?:[-+*/%&|^@<>]{0,3})=(?!=)")
_CALLED = re.compile(rb"\s*\(")
_COMMA = re.compile(rb"\s*,\s*")
_LIST = b", "
# In the kinds of nodes such as `private`, and the texts of those that have no kind.
_MODIFIER, _MODIFIERS = "modifier", (b"readonly", b"static")


class Objectless:
    """Rewrites parts of a document without the object before the members of a class.

    The names in `read` are those of members that are read like methods.
    """

    def __init__(self, document: Document, style: LooseMethods, read: frozenset[bytes]) -> None:
        self._document = document
        self._text = document.text
        self._known = conventions(document.language)
        self._style = style
        self._read = read

    def member_start(self, end: int) -> int | None:
        """Return where the member begins after an object that ends there; None without one."""
        rest = self._text[end:]
        bare = rest.lstrip()
        sign = next(filter(bare.startswith, self._style.members), None)
        return None if sign is None else end + len(rest) - len(bare) + len(sign)

    def freed(self, leaf: Node, member: int) -> Edit:
        """Return the edit that removes an object, a leaf and its sign, before a member."""
        start = with_sigil(leaf, self._text, self._document.language).start_byte
        word = self._known.word.match(self._text, member)
        if word is not None and word[0] in self._read:
            return Edit(start, word.end(), self._style.sign + word[0])
        if word is None or _CALLED.match(self._text, word.end()):
            return Edit(start, member)
        return Edit(start, member, self._style.sigil)

    def member(self, member: Node, objects: Sequence[Edit]) -> bytes:
        """Return a member of a class without it: a function or a variable; empty if nothing is left."""
        outside, opening = list(objects), b""
        body = child_in(member, self._known.fields.bodies)
        if member.type in self._known.kinds.functions:
            opening = self._style.opening
            if body is not None and body.named_children:
                first = body.named_children[0]
                line = self.outer(first, self.used_in(member.byte_range))
                outside.append(Edit(first.start_byte, first.start_byte, line))
        elif self._style.variable is not None:
            part = self._with_name(member)
            if part is None or (self._style.sigil and not self._has_value(part)):
                return b""
            opening = self._style.variable
            span = part.start_byte, member.end_byte
            return opening + self.free(span, [*leaves(member)], {}, outside)
        start = next(
            (each.start_byte for each in member.children if not self._is_modifier(each)),
            member.start_byte,
        )
        return opening + self.free((start, member.end_byte), [*leaves(member)], {}, outside)

    def _with_name(self, member: Node) -> Node | None:
        """Return the name of a field of a class, or the part of its declaration that has it."""
        names = self._known.fields.names
        for each in (member, *member.named_children):
            name = child_in(each, names)
            if name is not None:
                return name if each == member else each
        return None

    def _has_value(self, part: Node) -> bool:
        return child_in(part, self._known.fields.values) is not None

    def _is_modifier(self, node: Node) -> bool:
        return _MODIFIER in node.type or text_of(node, self._text) in _MODIFIERS

    def parameters_as_members(
        self, constructor: Node, values: Mapping[bytes, bytes]
    ) -> Iterator[bytes]:
        """Yield the variables for members that are declared among the parameters of a constructor."""
        parameters = child_in(constructor, self._known.fields.parameter_lists)
        for parameter in parameters.named_children if parameters is not None else ():
            if self._style.variable is None or not any(map(self._is_modifier, parameter.children)):
                continue
            names = parameter_names(parameter, self._text, self._document.language)
            name = next(iter(names), b"")
            value, variable = values.get(name, b""), self._style.sigil + name
            if value and value != variable:
                yield self._style.variable + variable + b" = " + value + self._style.end

    def free(
        self,
        span: tuple[int, int],
        inner: Sequence[Node],
        values: Mapping[bytes, bytes],
        objects: Sequence[Edit] = (),
    ) -> bytes:
        """Return a part of the class without the object before its members."""
        receivers, edits = self._known.tokens.receivers, list[Edit]()
        start, end = span
        previous: Node | None = None
        for leaf in (leaf for leaf in inner if start <= leaf.start_byte and leaf.end_byte <= end):
            name = text_of(leaf, self._text)
            place = with_sigil(leaf, self._text, self._document.language)
            follows = previous is not None and text_of(previous, self._text) in self._style.members
            if name in receivers:
                after = self.member_start(leaf.end_byte)
                if after is None:
                    edits.append(Edit(place.start_byte, self._end_of_parameter(leaf)))
                else:
                    edits.append(self.freed(leaf, after))
            elif name in self._read and not follows:
                edits.append(Edit(*leaf.byte_range, self._style.sign + name))
            elif leaf.is_named and name in values and not follows and self._is_variable(leaf):
                edits.append(Edit(*place.byte_range, values[name]))
            previous = leaf
        return edited(span, self._text, [*edits, *objects])

    def _is_variable(self, leaf: Node) -> bool:
        """Return whether a leaf has the sign of a variable before it, where variables have one."""
        return (
            with_sigil(leaf, self._text, self._document.language) != leaf or not self._style.sigil
        )

    def _end_of_parameter(self, leaf: Node) -> int:
        """Return where a parameter ends, with the comma after it."""
        comma = _COMMA.match(self._text, leaf.end_byte)
        return comma.end() if comma else leaf.end_byte

    def used_in(self, span: tuple[int, int]) -> list[bytes]:
        """Return the members of the object that a part of the class assigns, or all that it uses.

        In some languages a function must name all variables outside of it.
        """
        found: dict[bytes, None] = {}
        for receiver in self._known.tokens.receivers:
            for start, end in identifiers(self._document, {receiver}).get(receiver, ()):
                member = self.member_start(end)
                word = self._known.word.match(self._text, member) if member is not None else None
                if word is None or not (span[0] <= start and end <= span[1]):
                    continue
                after = _CALLED if self._style.sigil else _ASSIGNED
                if bool(after.match(self._text, word.end())) != bool(self._style.sigil):
                    found[word[0]] = None
        return [*found]

    def outer(self, first: Node, names: Sequence[bytes]) -> bytes:
        """Return the line that says that names are of variables outside; `first` is what follows."""
        if not names or not self._style.outer:
            return b""
        line = _LIST.join(self._style.sigil + name for name in names)
        ending = self._style.end + b"\n" + indentation_at(self._text, first.start_byte)
        return self._style.outer + line + ending


def edited(span: tuple[int, int], text: bytes, edits: Iterable[Edit]) -> bytes:
    """Return a part of a text with those edits that are in it."""
    start, end = span
    inside = sorted(edit for edit in edits if start <= edit.start and edit.end <= end)
    return apply(text, inside, span)
