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
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import (
    inside,
    is_in,
    leaves,
    nodes,
    text_of,
)
from pollard.syntax.names.lone.blocks import (
    bound_inside,
    compound_statements,
    head_text,
    innermost_statements,
    outermost_blocks,
    variables_of,
)
from pollard.syntax.names.lone.chains import chains_in, is_assigned, object_in
from pollard.syntax.names.lone.enclosing_tests import enclosing_test
from pollard.syntax.names.lone.given_names import functions_of, given_names
from pollard.syntax.names.lone.importing import imported_names, importing
from pollard.syntax.tree.edits import Edit, apply

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from tree_sitter import Node

    from pollard.syntax.names.lone.enclosing_tests import EnclosingTest
    from pollard.syntax.tree.document import Document


_QUOTED = re.compile(rb"([\"'`])(.*)\1", re.DOTALL)
# A table or a list in a string is mostly taken apart before its values are used.
_PIECE = re.compile(rb"[^\s,;|=:\\\"'`{}\[\]()]+")
_NUMBER = re.compile(rb"\d[\w.]*")
_WORD = re.compile(rb"[^\W\d]\w*")
_CALLED = re.compile(rb"\w+(?=\()")
_CALLED_DIRECTLY = re.compile(rb"(?<![.>:\w])\w+(?=\()")
# Assignments that read the variable first.
_ADDING = re.compile("augmented|operator_assignment|compound_assignment")
_ASSIGNING, _ENDING = b"=", b"; \t\r\n"
# A variable, a sign and what is added; or an object, its member and a call of that.
_PARTS = 3
# The field of what decides whether a block runs.
_CONDITION = "condition"
# What a block holds instead of statements: a value, since Python's must not be empty, or where that is
# no statement, nothing.
_FILLINGS = (b" 0 ", b"\n")
# The longest strings come first: those with data are longer than those that name something.
_MAX_LITERALS = 3


@dataclass(frozen=True, slots=True)
class ChainValues:
    """What takes the place of chains.

    - `object`: for what has a member, which is used `depth` steps before the end of a chain
    - `other`: for single names, and with `whole` for chains that are not all of a statement's value
    - `first`: for the first chain, with `other` for all of each other one; for statements that mix
    """

    object: bytes
    other: bytes
    depth: int = 1
    whole: bool = False
    first: bytes | None = None


def chain_values(document: Document, failing_lines: Sequence[bytes] = ()) -> Iterator[ChainValues]:
    """Yield the values to try on a statement, the most probable first.

    `failing_lines` are lines of the original that the output of the failure names.
    """
    tokens, literals = conventions(document.language).tokens, _literals(document, failing_lines)
    empty = tokens.empty_objects[-1]
    for nothing in dict.fromkeys((*tokens.nothing, *tokens.absent)):
        yield ChainValues(nothing, nothing)
    for first, other in zip(tokens.unlike[::2], tokens.unlike[1::2], strict=True):
        yield ChainValues(first, other, first=first)
    for literal in literals[:1]:
        yield ChainValues(empty, literal, whole=True)
    for value in (*tokens.argument_values, b"0"):
        yield ChainValues(empty, value)
    number = next((value for value in tokens.shortest_values if value.endswith(b".")), b"0")
    yield ChainValues(number, b"0", whole=True)
    for value in tokens.further_values:
        yield ChainValues(value, value, whole=True)
    for literal in literals[:1]:
        yield ChainValues(literal, literal)
    yield ChainValues(empty, b"0", depth=2)
    yield ChainValues(b"[]", b"[]", whole=True)
    for literal in literals[1:]:
        yield ChainValues(empty, literal, whole=True)


class SingleStatement:
    """A statement of a document, or the head of one with blocks; `given` are the document's names.

    `is_named` says whether the output of the failure names one of its lines. It stays in `frame`, if
    that is given.
    """

    def __init__(
        self,
        node: Node,
        document: Document,
        given: frozenset[bytes],
        frame: EnclosingTest | None = None,
        *,
        is_named: bool,
    ) -> None:
        self.is_named = is_named
        self._frame = frame
        self._node = node
        self._document = document
        self._given = given
        self._known = conventions(document.language)
        self._blocks = [*outermost_blocks(node, document)]
        self._start = node.start_byte if self._blocks else _value_start(node, document)
        own = variables_of(node, self._blocks, document) if self._blocks else frozenset[bytes]()
        bound = bound_inside(node, document)
        self._chains = [
            chain
            for chain in chains_in(node, document, given - own)
            if chain[0].start_byte >= self._start
            and not any(is_in(chain[0], block) for block in self._blocks)
            and not _is_bound(chain[0], bound, document.text)
            and not (frame and frame.inherits and self._is_inherited(chain))
        ]
        self._used = [chain for chain in self._chains if not is_assigned(chain[-1])]
        self._joins = self._has_operator()
        self._adding = None if self._joins else _adding(node)

    @property
    def may_fail(self) -> bool:
        """Whether it does more with what it gets than to hand it on."""
        return len(self._used) > 1 or any(
            len(chain) > 1 or not self._is_value(chain[0]) for chain in self._used
        )

    def calls(self, functions: Collection[bytes], *, directly: bool = False) -> bool:
        """Return whether it calls one of some functions; `directly`: not as a method of an object."""
        pattern = _CALLED_DIRECTLY if directly else _CALLED
        called = pattern.findall(head_text(self._node, self._blocks, self._document.text))
        return any(name in functions for name in called)

    @property
    def rank(self) -> tuple[bool, bool, int]:
        """Sorts what most probably fails first.

        What follows a failure has gone by now, unless it returns something. A member is used of what
        may not have it.
        """
        after, returns = self._node.next_named_sibling, self._known.kinds.returns
        is_last = after is None or any(node.type in returns for node in nodes(after))
        has_member = any(len(chain) > 1 for chain in self._used)
        return not is_last, not has_member, -self._node.start_byte

    def forms(self, values: ChainValues) -> Iterator[list[Edit]]:
        """Yield the edits that leave only this statement, with values for its chains.

        Of a statement that returns or adds something that alone comes first, and so does a condition.
        Unlike values only get an operator's parts: those that it joins, or those of `0 + x`, which
        `a += x` becomes; the head of a loop gets the first of them.
        """
        if self._blocks:
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
            start, end = condition.byte_range
            before, after = self._known.tokens.value_statement or (b"", b"")
            yield self._left(
                start, [Edit(start, start, before), *edits, Edit(end, end, after)], end
            )
        for filling in _FILLINGS:
            emptied = [Edit(*inside(block), filling) for block in self._blocks]
            yield self._left(self._start, sorted([*edits, *emptied]))

    def _in_parentheses(self, edits: Sequence[Edit]) -> list[Edit]:
        text = self._document.text
        end = self._start + len(text[self._start : self._node.end_byte].rstrip(_ENDING))
        around = Edit(self._start, self._start, b"("), Edit(end, end, b")")
        return self._left(self._start, [around[0], *edits, around[1]], end)

    def _has_operator(self) -> bool:
        """Return whether two parts of a node for an operator have chains in them."""
        ends = [chain[-1] for chain in self._used]
        return any(
            sum(any(is_in(end, part) for end in ends) for part in node.named_children) > 1
            for node in nodes(self._node)
            if node.type in self._known.kinds.operations and node.start_byte >= self._start
        )

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

        Imports stay if they have a word in common with the statement.
        """
        text, edits = self._document.text, list[Edit]()
        words = _words(self._node, text)
        if self._frame is not None:
            words |= frozenset(_WORD.findall(self._frame.before.lower()))
        imports = (each for each in importing(self._document) if _words(each, text) & words)
        for child in (*_program_starts(self._document), *imports):
            if start <= child.start_byte and child.end_byte <= end:
                edits.append(Edit(start, child.start_byte, b"\n" if start else b""))
                start = child.end_byte
        edits.append(Edit(start, end, b"\n" if start else b""))
        return [edit for edit in edits if edit.start < edit.end]

    def _edit(self, chain: Sequence[Node], values: ChainValues) -> Edit:
        head, all_of_it = chain[0], chain[-1]
        if is_assigned(all_of_it):
            return Edit(*all_of_it.byte_range, text_of(head, self._document.text))
        if values.first is not None:
            is_first = chain is self._used[0]
            return Edit(*all_of_it.byte_range, values.first if is_first else values.other)
        if len(chain) == 1 or (values.whole and not self._is_value(all_of_it)):
            return Edit(*all_of_it.byte_range, values.other)
        place = object_in(chain, self._document.text, values.depth)
        return Edit(*place.byte_range, values.object)

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


def single_statements(
    document: Document, failing_lines: Sequence[bytes] = (), *, in_tests: bool = False
) -> list[SingleStatement]:
    """Return the innermost statements of a document that may fail alone, the most probable first.

    `failing_lines` are lines of the original that the output of the failure names. If there are
    statements of these, no others are returned. What calls a function of the document hardly fails
    itself; only where the output names nothing else, a method may be another one of that name.
    With `in_tests` each stays in a test: none are returned if there is no test. If the output names
    nothing else, one that calls a function is an assertion about its result.
    """
    functions = functions_of(document)
    given = given_names(document) - imported_names(document) | functions
    text = document.text
    failing = [frozenset(_WORD.findall(line)) for line in failing_lines]
    found = [
        (node, _is_of(text_of(node, text), failing)) for node in innermost_statements(document)
    ]
    found += [
        (node, True)
        for node in (compound_statements(document) if failing else ())
        if _is_of(head_text(node, outermost_blocks(node, document), text), failing)
    ]
    statements = []
    for node, is_named in found:
        frame = enclosing_test(node, document) if in_tests else None
        if frame is not None or not in_tests:
            each = SingleStatement(node, document, given, frame, is_named=is_named)
            statements.append(each)
    able = [each for each in statements if each.may_fail]
    named = [each for each in able if each.is_named]
    named = named or [each for each in statements if each.is_named]
    likely = [each for each in named or able if not each.calls(functions)]
    likely = likely or [each for each in named if not each.calls(functions, directly=True)]
    likely = likely or (named if in_tests else [])
    return sorted(likely, key=lambda each: each.rank)


def _is_of(statement: bytes, lines: Sequence[frozenset[bytes]]) -> bool:
    """Return whether all words in a line of a statement are in one of some lines, given as words.

    A reduction removes words, and puts in numbers.
    """
    words = [frozenset(_WORD.findall(line)) for line in statement.split(b"\n")]
    return any(own <= line for own in words if own for line in lines)


def _words(node: Node, text: bytes) -> frozenset[bytes]:
    """Return the words of a node in small letters; Ruby's `require "set"` defines `Set`."""
    return frozenset(_WORD.findall(text_of(node, text).lower()))


def _value_start(statement: Node, document: Document) -> int:
    """Return where the value begins that a statement returns or adds to a variable, or it begins."""
    returns = conventions(document.language).kinds.returns
    for node in _beginning(statement):
        named = node.named_children
        if named and node.type in returns:
            return named[0].start_byte
        if _adds(node):
            return named[-1].start_byte
    return statement.start_byte


def _adding(statement: Node) -> Node | None:
    """Return the part of a statement that adds a value to a variable by one sign such as `+=`."""
    adding = filter(_adds, _beginning(statement))
    return next((node for node in adding if node.child_count == _PARTS), None)


def _adds(node: Node) -> bool:
    return len(node.named_children) > 1 and _ADDING.match(node.type) is not None


def _beginning(statement: Node) -> Iterator[Node]:
    """Yield the nodes with which a statement begins, itself first."""
    inner = statement
    while inner.children:
        yield inner
        inner = inner.children[0]


def _program_starts(document: Document) -> list[Node]:
    """Return what opens a program, such as `<?php`, and what decides how all of it is read."""
    known, text = conventions(document.language), document.text
    return [
        child
        for child in document.root.children
        if child.type in known.kinds.program_starts
        or text.startswith(known.tokens.pragmas, child.start_byte)
    ]


def _literals(document: Document, failing_lines: Sequence[bytes]) -> list[bytes]:
    """Return the first pieces of strings as strings or numbers.

    What a failing line has comes first, as in `stock.take("nut")`, then that of the longest string.
    `"use strict"` is no value.
    """
    found: dict[bytes, tuple[bool, int]] = {}
    starts = _program_starts(document)
    for node in nodes(document.root):
        if any(is_in(node, start) for start in starts):
            continue
        string = text_of(node, document.text)
        quoted = _QUOTED.fullmatch(string) if "string" in node.type else None
        piece = _PIECE.search(quoted[2]) if quoted else None
        if quoted and piece:
            literal = piece[0] if _NUMBER.fullmatch(piece[0]) else quoted[1] + piece[0] + quoted[1]
            is_failing = any(string in line for line in failing_lines)
            weight = is_failing, len(quoted[2])
            found[literal] = max(found.get(literal, weight), weight)
    return sorted(found, key=lambda literal: found[literal], reverse=True)[:_MAX_LITERALS]
