"""A single statement in the place of a program, with values for what it gets from elsewhere.

Where a statement fails because of a value, the rest of the program often only produces that value. So
each *chain* that begins with a name of the program gives way to a value: `x = self.rates[order.region]`
becomes `x = {}["west"]`, if `"west"` is in a string of the program. An empty object takes the place of
what has the member, the index or the method that a chain ends with.

Of a statement with blocks in it, such as a loop, only the *head* is tried: the condition alone, or all
of the statement with nothing in its blocks.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import (
    child_in,
    inside,
    is_in,
    leaves,
    nodes,
    text_of,
)
from pollard.syntax.names.lone.adding import adding_part, value_start
from pollard.syntax.names.lone.blocks import (
    bound_inside,
    head_text,
    outermost_blocks,
    variables_of,
)
from pollard.syntax.names.lone.chain_values import ChainValues
from pollard.syntax.names.lone.chains import chains_in, is_assigned, object_in
from pollard.syntax.names.lone.failing_lines import words_of
from pollard.syntax.names.lone.importing import importing, program_starts
from pollard.syntax.names.lone.kept_variables import KeptVariable
from pollard.syntax.names.lone.list_calls import list_calls
from pollard.syntax.names.lone.raised_classes import classes_of
from pollard.syntax.tree.edits import Edit, apply

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from tree_sitter import Node

    from pollard.syntax.names.lone.chains import ReturnedCalls
    from pollard.syntax.names.lone.frames import Frame
    from pollard.syntax.names.lone.list_calls import ListCall
    from pollard.syntax.tree.document import Document


_WORD = re.compile(rb"[^\W\d]\w*")
_LINK = re.compile(rb"\w+")
_INDEX = b"["
_CALLED = re.compile(rb"\w+(?=\()")
_CALLED_DIRECTLY = re.compile(rb"(?<![.>:\w])\w+(?=\()")
_SIGILS = b"$@"
_ASSIGNING, _ENDING = b"=", b"; \t\r\n"
# An object, its member and a call of that.
_PARTS = 3
# So many links before the end stands the object whose member is missing, if the next link fails.
_BEYOND = 2
# The field of what decides whether a block runs.
_CONDITION = "condition"
# How a statement begins that raises an error, which may be of a class of the program.
_RAISING = re.compile(rb"(raise|throw)\b")
# What a block holds instead of statements: a value, since Python's must not be empty, or where that is
# no statement, nothing.
_FILLINGS = (b" 0 ", b"\n")


class SingleStatement:
    """A statement of a document, or the head of one with blocks; `given` are the document's names.

    `distance` is how far from an end of the output of the failure that names one of its lines, in
    lines that are named; None if it does not. If it is the innermost one, its calls that `returned`
    are values. The statement stays in `frame`, if that is given. It may
    be only a part of a `whole` statement: an operation, a comprehension (`is_loop`), the expression of
    one or of a function, or what a chain is up to a link; with `link_depth` only for values that stand
    so many links before that.
    """

    def __init__(
        self,
        node: Node,
        document: Document,
        given: frozenset[bytes],
        frame: Frame | None = None,
        *,
        distance: int | None,
        returned: ReturnedCalls | None = None,
        whole: SingleStatement | None = None,
        is_link: bool = False,
        is_loop: bool = False,
        link_depth: int | None = None,
    ) -> None:
        self._link_depth = link_depth
        self._is_loop = is_loop
        self._distance = distance
        self._returned = returned
        self._whole = whole
        self._is_link = is_link
        self._frame = frame
        self._is_checked = frame is not None and frame.checks
        self._node = node
        self._document = document
        self._given = given
        self._known = conventions(document.language)
        self._blocks = [*outermost_blocks(node, document)]
        self._start = node.start_byte if self._blocks else value_start(node, document)
        raises = _RAISING.match(document.text, node.start_byte) is not None
        self._classes = classes_of(node, document) if raises else {}
        own = variables_of(node, self._blocks, document) if self._blocks else frozenset[bytes]()
        own |= self._classes.keys()
        bound = bound_inside(node, document)
        self._chains = [
            returned.cut(chain, document) if returned else chain
            for chain in chains_in(node, document, given - own)
            if chain[0].start_byte >= self._start
            and not any(is_in(chain[0], block) for block in self._blocks)
            and not _is_bound(chain[0], bound, document.text)
            and not (frame and frame.inherits and self._is_inherited(chain))
        ]
        self._used = [chain for chain in self._chains if not is_assigned(chain[-1])]
        joined = {text_of(chain[-1], document.text) for chain in self._used}
        self._joins = len(joined) > 1 and bool(self._operations())
        self._adding = None if self._joins else adding_part(node)
        has_parts = self.is_named and whole is None and not self._is_checked
        self.parts = self._parts() if has_parts else []

    @property
    def is_named(self) -> bool:
        """Whether the output of the failure names one of its lines."""
        return self._distance is not None

    @property
    def takes_methods(self) -> bool:
        """Whether calls of methods that may have returned are values in it."""
        return self._returned is not None and self._returned.methods

    @property
    def may_fail(self) -> bool:
        """Whether it does more with what it gets than to hand it on, unless that is checked."""
        if self._is_checked:
            text, receivers = self._document.text, self._known.tokens.receivers
            return any(
                text_of(each[-1], text).lstrip(_SIGILS) not in receivers for each in self._used
            )
        return len(self._used) > 1 or any(
            len(chain) > 1 or not self._is_value(chain[0]) for chain in self._used
        )

    def calls(self, functions: Collection[bytes], *, directly: bool = False) -> bool:
        """Return whether it calls one of some functions; `directly`: not as a method of an object.

        In the innermost statement calls that have returned do not count.
        """
        head = head_text(self._node, self._blocks, self._document.text)
        called = {*(_CALLED_DIRECTLY if directly else _CALLED).findall(head)}
        if self._returned is not None and self.may_fail:
            called -= called if self._returned.methods else {*_CALLED_DIRECTLY.findall(head)}
        return any(name in functions and name not in self._classes for name in called)

    @property
    def rank(self) -> tuple[int, bool, bool, bool, int]:
        """Sorts what most probably fails first.

        A list of calls begins or ends with the statement that failed. What follows a failure has gone
        by now, unless it returns something. A member is used of what may not have it.
        """
        if self._whole is not None:
            return *self._whole.rank[:4], -self._node.start_byte
        after, returns = self._node.next_named_sibling, self._known.kinds.returns
        is_last = after is None or any(node.type in returns for node in nodes(after))
        has_member = any(len(chain) > 1 for chain in self._used)
        return (
            self._distance or 0,
            self._returned is None,
            not is_last,
            not has_member,
            -self._node.start_byte,
        )

    def forms(self, values: ChainValues) -> Iterator[list[Edit]]:
        """Yield the edits that leave only this statement, with values for its chains.

        Of a statement that returns or adds something that alone comes first, and so does a condition.
        Unlike values only get an operator's parts: those that it joins, or those of `0 + x`, which
        `a += x` becomes; a loop gets the first of them.
        """
        if self._is_checked:
            if values.whole:
                yield self._left(self._node.start_byte, self._edits(values))
            return
        if values.first is not None and self.parts:
            return  # these are tried alone
        if self._link_depth not in (None, values.depth):
            return
        if self._whole is not None:
            is_mixed = self._joins and not self._is_link
            if self._is_loop or is_mixed is (values.first is not None):
                yield self._as_statement(self._node, self._edits(values))
        elif self._blocks:
            yield from self._heads(values)
        elif values.first is not None and self._adding is not None:
            yield self._added(self._adding, values.first, values.other)
        elif values.first is None or self._joins:
            edits = self._edits(values)
            begins_block = self._document.text.startswith(b"{", self._start)
            yield self._in_parentheses(edits) if begins_block else self._left(self._start, edits)
            yield self._left(self._node.start_byte, edits)

    def _heads(self, values: ChainValues) -> Iterator[list[Edit]]:
        """Yield the edits that leave only the condition, or the statement with empty blocks."""
        edits = self._edits(values)
        condition = self._node.child_by_field_name(_CONDITION)
        if condition is not None:
            yield self._as_statement(condition, edits)
        for filling in _FILLINGS:
            emptied = [Edit(*inside(block), filling) for block in self._blocks]
            yield self._left(self._start, sorted([*edits, *emptied]))

    def _in_parentheses(self, edits: Sequence[Edit]) -> list[Edit]:
        text = self._document.text
        end = self._start + len(text[self._start : self._node.end_byte].rstrip(_ENDING))
        opening, closing = Edit(self._start, self._start, b"("), Edit(end, end, b")")
        return self._left(self._start, [opening, *edits, closing], end)

    def _parts(self) -> list[SingleStatement]:
        """Return what may fail in the statement alone: expressions of functions in it, and operations.

        These are the innermost operations on several chains, if the statement has other chains, too:
        what fails in `a.size if a.size < b.size else 0` is only the comparison. In
        `all(row.size > 0 for row in rows)` it is what the generator gives.
        """
        operations = self._operations()
        innermost = [
            node
            for node in operations
            if not any(is_in(inner, node) and inner != node for inner in operations)
        ]
        bound = [node for node, _ in bound_inside(self._node, self._document)]
        bodies = (child_in(node, self._known.fields.bodies) for node in bound)
        inner = [
            self._part(body) for body in bodies if body is not None and body not in self._blocks
        ]
        loops = [node for node in bound if node.type not in self._known.kinds.functions]
        parts = [self._part(node) for node in innermost]
        parts += [self._part(node, is_loop=True) for node in loops]
        return [
            *(part for part in parts if len(part._used) < len(self._used)),
            *(part for part in inner if part.may_fail),
        ]

    def keeping(self, words: Collection[bytes]) -> list[KeptVariable]:
        """Return the statement with each variable kept whose name is one of some words."""
        text, found = self._document.text, list[KeptVariable]()
        for chain in self._used if self._whole is None else ():
            variable = text_of(chain[0], text)
            name = variable.lstrip(_SIGILS)
            if name in words:
                statement = SingleStatement(
                    self._node,
                    self._document,
                    self._given - {name},
                    self._frame,
                    distance=self._distance,
                    returned=self._returned,
                )
                kept = KeptVariable(
                    variable,
                    statement.forms,
                    self._document,
                    start=self._node.start_byte,
                    is_object=len(chain) > 1,
                    is_named=self.is_named,
                )
                found.append(kept)
        return found

    @property
    def list_calls(self) -> list[ListCall]:
        """The calls in it that compare or join the elements of a list, if it failed itself."""
        if self._returned is None or self._is_checked:
            return []
        found = list_calls(self._node, self._document, self._as_statement)
        return [
            each for each in found if not any(is_in(each.node, block) for block in self._blocks)
        ]

    def with_links(self, words: Collection[bytes]) -> list[SingleStatement]:
        """Return the parts of chains up to a link that adds one of some words, such as a member.

        What has no such member may fail only by the next link, or by an operator. Where no chain has
        one of the words, they may be keys: then the parts up to an index come before the statement.
        Without words, only that is returned.
        """
        text = self._document.text
        added = [
            (outer, text[inner.end_byte : outer.end_byte], beyond)
            for chain in self._used
            for inner, outer, beyond in zip(chain, chain[1:], [*chain[2:], None], strict=False)
        ]
        wanted = [[word] for word in words]
        found = [(node, beyond) for node, link, beyond in added if _LINK.findall(link) in wanted]
        indexes = [node for node, link, _ in added if words and link.startswith(_INDEX)]
        parts = [self._part(node, is_link=True) for node in [node for node, _ in found] or indexes]
        parts += [
            self._part(beyond, is_link=True, link_depth=_BEYOND) for _, beyond in found if beyond
        ]
        above = filter(None, (node.parent for node, _ in found))
        joined = (node for node in above if node.type in self._known.kinds.operations)
        parts += [self._part(node, is_link=True) for node in dict.fromkeys(joined)]
        return parts if found else [*parts, self]

    def _part(
        self,
        node: Node,
        *,
        is_link: bool = False,
        is_loop: bool = False,
        link_depth: int | None = None,
    ) -> SingleStatement:
        return SingleStatement(
            node,
            self._document,
            self._given,
            self._frame,
            distance=self._distance,
            returned=self._returned,
            whole=self,
            is_link=is_link,
            is_loop=is_loop,
            link_depth=link_depth,
        )

    def _as_statement(self, value: Node, edits: Sequence[Edit]) -> list[Edit]:
        """Return the edits that leave only a part that is a value."""
        start, end = value.byte_range
        before, after = self._known.tokens.value_statement or (b"", b"")
        return self._left(start, [Edit(start, start, before), *edits, Edit(end, end, after)], end)

    def _operations(self) -> list[Node]:
        """Return the nodes for an operator of which two parts have chains in them."""
        ends = [chain[-1] for chain in self._used]
        return [
            node
            for node in nodes(self._node)
            if node.type in self._known.kinds.operations
            and node.start_byte >= self._start
            and sum(any(is_in(end, part) for end in ends) for part in node.named_children) > 1
        ]

    def _added(self, adding: Node, first: bytes, other: bytes) -> list[Edit]:
        """Return the edits that put a value in the place of a variable, and another one is added."""
        target, sign, _ = adding.children
        plain = text_of(sign, self._document.text).removesuffix(_ASSIGNING)
        edits = [Edit(*target.byte_range, first), Edit(*sign.byte_range, plain)]
        edits += self._edits(ChainValues(other, other, first=other))
        return self._left(target.start_byte, edits)

    def _edits(self, values: ChainValues) -> list[Edit]:
        edits: list[Edit] = []
        for edit in (self._edit(chain, values) for chain in self._chains):
            if not edits or edit.start >= edits[-1].end:
                edits.append(edit)
        return edits

    def _left(self, start: int, edits: Sequence[Edit], stop: int | None = None) -> list[Edit]:
        """Return the edits that leave the text from `start` to `stop`, or the statement's end."""
        end, text = self._node.end_byte if stop is None else stop, self._document.text
        own = [edit for edit in edits if start <= edit.start and edit.end <= end]
        new = apply(text, own, (start, end))
        if self._frame is not None:
            new = self._frame.before + new + self._frame.after
        statement = Edit(start, end, new)
        before, after = (self._removals(*span) for span in ((0, start), (end, len(text))))
        return [*before, statement, *after]

    def _removals(self, start: int, end: int) -> list[Edit]:
        """Return the edits that remove a part of the text but for what opens a program and imports.

        The classes of a raised error stay, and imports that have a word in common with what stays.
        """
        text, edits, classes = self._document.text, list[Edit](), [*self._classes.values()]
        words = _words(self._node, text).union(*(_words(each, text) for each in classes))
        if self._frame is not None:
            words |= words_of(self._frame.before.lower())
        imports = (each for each in importing(self._document) if _words(each, text) & words)
        kept = sorted([*imports, *classes], key=lambda each: each.start_byte)
        for child in (*program_starts(self._document), *kept):
            if start <= child.start_byte and child.end_byte <= end:
                edits.append(Edit(start, child.start_byte, b"\n" if start else b""))
                start = child.end_byte
        edits.append(Edit(start, end, b"\n" if start else b""))
        return [edit for edit in edits if edit.start < edit.end]

    def _edit(self, chain: Sequence[Node], values: ChainValues) -> Edit:
        all_of_it = chain[-1]
        if is_assigned(all_of_it):
            return Edit(*all_of_it.byte_range, self._target(chain))
        if values.first is not None:
            is_first = chain is self._used[0]
            return Edit(*all_of_it.byte_range, values.first if is_first else values.other)
        if len(chain) == 1 or (values.whole and not self._is_value(all_of_it)):
            return Edit(*all_of_it.byte_range, values.other)
        place = object_in(chain, self._document.text, values.depth)
        return Edit(*place.byte_range, values.object)

    def _target(self, chain: Sequence[Node]) -> bytes:
        """Return the variable to assign in the place of a chain: its head, or a member of `self`."""
        text, name = self._document.text, text_of(chain[0], self._document.text)
        word = name.lstrip(_SIGILS)
        if word not in self._known.tokens.receivers:
            return name
        member = _WORD.search(text, chain[0].end_byte, chain[-1].end_byte)
        return name.removesuffix(word) + member[0] if member else name

    def _is_inherited(self, chain: Sequence[Node]) -> bool:
        """Return whether a chain calls a method of `self` that the document does not define.

        A class of tests inherits its assertions.
        """
        text = self._document.text
        if text_of(chain[0], text) not in self._known.tokens.receivers or len(chain) < _PARTS:
            return False
        member = [*leaves(chain[1])][-1]
        is_called = text.startswith(b"(", chain[1].end_byte)
        return is_called and text_of(member, text) not in self._given

    def _is_value(self, node: Node) -> bool:
        """Return whether a node is all of the statement, or all that it assigns."""
        text = self._document.text
        before = text[self._start : node.start_byte].rstrip()
        after = text[node.end_byte : self._node.end_byte].strip(_ENDING)
        return not after and (not before or before.endswith(_ASSIGNING))


def _is_bound(variable: Node, bound: Iterable[tuple[Node, frozenset[bytes]]], text: bytes) -> bool:
    """Return whether a node around a variable, which may begin with a sign, binds it."""
    name = text_of([*leaves(variable)][-1], text)
    return any(name in names and is_in(variable, node) for node, names in bound)


def _words(node: Node, text: bytes) -> frozenset[bytes]:
    """Return the words of a node in small letters; Ruby's `require "set"` defines `Set`."""
    return words_of(text_of(node, text).lower())
