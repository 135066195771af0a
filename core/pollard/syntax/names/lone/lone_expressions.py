"""An expression as a program of its own, with values for its variables and what else it needs.

In OCaml, Haskell, Elixir and Lisp nearly everything is an expression inside of a function, and may
stand for itself: `let _ = raise (E 0)` fails like a program that calls `f x = raise (E x)` in the end.
What has a name at the top of the text stays if the expression needs it. Its other variables get values.
So may the columns and conditions of a query in SQL: `SELECT sqrt('')` needs no table.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import child_in, defining, leaves, nodes, text_of
from pollard.syntax.names.lone.chains import MEMBER_SIGNS
from pollard.syntax.names.lone.declared_types import declared_types, type_at
from pollard.syntax.tree.edits import Edit, apply

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from pollard.syntax.names.roles import EntryStyle, ValuesOfTypes
    from pollard.syntax.tree.document import Document


# Which expression fails is a guess: one of the first is right, or none.
_MAX_EXPRESSIONS = 10
# The kind of a list of arguments in the place of the arguments themselves.
_ARGUMENTS = "arguments"
_PLACE = b"{}"
# In the kind of what belongs to the next part of the top of a text.
_ATTRIBUTE = "attribute"
_ENDING = b";"
_STATEMENT = "statement"
_NUMBER = re.compile(rb"\b\d+\b")
_REFERENCE = re.compile(rb"&(?:mut\s+)?(?!str\b|'static)")
_SEPARATING = b"; \t\r\n"


def lone_expressions(
    document: Document,
    failing_lines: Sequence[bytes] = (),
    failing_bounds: tuple[int, int] | None = None,
    *,
    only_named: bool = False,
    only_bounded: bool = False,
) -> Iterator[list[Edit]]:
    """Yield the edits that leave one expression as the program: one value for each, then the next.

    What may be of one of the `failing_lines`, which the output of the failure names, comes first, or
    is all if `only_named`. If that output names `failing_bounds`, an index and the length that it is
    beyond, collections first have that length, and numbers are that index, or always if
    `only_bounded`. Nothing in languages whose data does not say how an expression becomes a program.
    """
    style = conventions(document.language).entry
    if style is None:
        return
    done: set[bytes] = set()
    bounded = [style.beyond(*failing_bounds)] if failing_bounds and style.bounded_values else []
    for each in bounded if only_bounded else [*bounded, style]:
        yield from _of_style(document, each, failing_lines, done, only_named=only_named)


def _of_style(
    document: Document,
    style: EntryStyle,
    failing_lines: Sequence[bytes],
    done: set[bytes],
    *,
    only_named: bool,
) -> Iterator[list[Edit]]:
    program = _Program(document, style)
    expressions = program.expressions(failing_lines, only_named=only_named)
    for turn in range(len(style.values)):
        for some in _groups(expressions, style):
            stored = [program.with_element(*each, turn) for each in some]
            texts = [program.with_value(*each, turn) for each in some]
            for forms in (stored, texts):
                text = style.separator.join(dict.fromkeys(forms))
                if text and text not in done and _has_numbers(text, style.bounds):
                    done.add(text)
                    yield from program.left(text)


def _has_numbers(text: bytes, numbers: Sequence[bytes]) -> bool:
    """Return whether a text has some numbers, each at a place of its own."""
    found = _NUMBER.findall(text)
    return all(found.count(each) >= numbers.count(each) for each in numbers)


def _groups(
    expressions: Sequence[tuple[_Item, Node]], style: EntryStyle
) -> Iterator[Sequence[tuple[_Item, Node]]]:
    """Yield groups of expressions for a program each: all and halves, or one at a time.

    Several fail like the one that does, unless the program is refused because of another one.
    """
    if not style.separator:
        yield from ((each,) for each in expressions[:_MAX_EXPRESSIONS])
        return
    middle = (len(expressions) + 1) // 2
    yield from filter(None, (expressions, expressions[:middle], expressions[middle:]))


@dataclass(frozen=True, slots=True, eq=False)
class _Item:
    """A part of the top of a text, the names that it defines there, and its words."""

    node: Node
    names: frozenset[bytes]
    words: frozenset[bytes]
    is_import: bool
    is_type: bool


class _Program:
    """The items at the top of a document."""

    def __init__(self, document: Document, style: EntryStyle) -> None:
        self._document, self._style = document, style
        self._known = conventions(document.language)
        self._own = frozenset(self._known.word.findall(b" ".join(style.programs)))
        self._around: set[bytes] = set()
        self._items = [*map(self._item, self._top(document.root))]
        for index, item in enumerate(self._items[:-1]):
            if _ATTRIBUTE in item.node.type:
                self._items[index] = replace(item, names=self._items[index + 1].names)
        self._main = self._item_of_program()
        self._types = declared_types(document) if style.typed else {}
        self._names = frozenset().union(*(item.names for item in self._items if not item.is_type))
        self._imported = frozenset().union(*(item.words for item in self._items if item.is_import))

    def _top(self, root: Node) -> Iterator[Node]:
        for child in root.named_children:
            if child.type in self._style.containers:
                # A namespace may lack its name in C++, but not where all is in a class.
                name = child_in(child, self._known.fields.names) if self._style.classes else None
                yield from (each for each in self._top(child) if each != name)
            elif (body := self._body_with_main(child)) is not None:
                head = self._document.text[child.start_byte : body.start_byte]
                self._around.update(self._known.word.findall(head))
                yield from body.named_children
            else:
                yield child

    def _body_with_main(self, node: Node) -> Node | None:
        """Return the body of a class in which the program begins, where that is always in a class."""
        body = child_in(node, self._known.fields.bodies)
        if body is None or node.type not in self._style.classes:
            return None
        return body if any(map(self._is_main, body.named_children)) else None

    def _is_main(self, node: Node) -> bool:
        name = child_in(node, self._known.fields.names)
        return name is not None and self._text(name) in self._own

    def _item_of_program(self) -> _Item | None:
        """Return the item whose place the program takes: where it begins, or else the last one."""
        begins = [item for item in self._items if self._is_main(item.node)]
        if self._style.classes:
            return begins[0] if begins else None
        return self._items[-1] if self._items else None

    def _item(self, node: Node) -> _Item:
        text, style = self._text(node), self._style
        words = frozenset(self._known.word.findall(text))
        is_type = style.types.match(text) is not None
        named = [text_of(leaf, self._document.text) for leaf in self._defining(node)[:1]]
        module = style.modules.match(text)
        named += [module[1]] if module else []
        names = words if is_type else frozenset(named)
        return _Item(node, names, words, style.imports.match(text) is not None, is_type)

    def _defining(self, node: Node) -> list[Node]:
        """Return the leaves that name what a part of the top defines, its own name first."""
        found = defining(node, self._document.text, self._document.language)
        return sorted(found, key=lambda leaf: leaf.start_byte)

    def expressions(
        self, failing_lines: Sequence[bytes], *, only_named: bool
    ) -> list[tuple[_Item, Node]]:
        """Return the expressions inside of items, each with its item; the most probable first.

        What calls no function of the program fails itself. What follows a failure is mostly gone.
        """
        found = [
            (item, node)
            for item in (self._items if self._main is not None else ())
            if not item.is_import and not item.is_type
            for node in nodes(item.node)
            if node != item.node and self._is_expression(node)
        ]

        failing = [frozenset(self._known.word.findall(line)) for line in failing_lines]

        def line_of(words: frozenset[bytes]) -> int:
            return next((i for i, line in enumerate(failing) if words <= line), len(failing))

        def rank(of: tuple[_Item, Node]) -> tuple[bool, int, int, int, int]:
            words = self._words(of[1])
            line, calls = line_of(words), len(self._names & words)
            is_other = line == len(failing)
            return is_other, calls, line, -of[0].node.start_byte, -of[1].start_byte

        if only_named:
            found = [each for each in found if line_of(self._words(each[1])) < len(failing)]
        return sorted(found, key=rank)

    def _words(self, node: Node) -> frozenset[bytes]:
        return frozenset(self._known.word.findall(self._text(node)))

    def _is_expression(self, node: Node) -> bool:
        """Return whether a node calls something, and is not itself a part of a call."""
        if not self._calls(node) or self._style.definers.match(self._text(node)):
            return False
        if self._style.bounds and node.type in self._style.expressions:
            return True  # what gets an element does not matter
        above = node.parent
        while above is not None and self._only_holds_parts(above):
            if "quot" in above.type or (
                self._style.typed and above.type in self._style.expressions
            ):
                return False
            above = above.parent
        return above is None or not self._calls(above) or self._is_form(above)

    def _only_holds_parts(self, node: Node) -> bool:
        """Return whether a node adds nothing but brackets, or is a list of arguments; not a block."""
        is_around = node.named_child_count == 1 or _ARGUMENTS in node.type
        return is_around and node.type not in self._known.kinds.blocks

    def _calls(self, node: Node) -> bool:
        """Return whether a node has an operator or calls something, if only a form of the language."""
        style = self._style
        if node.named_child_count < 2 or node.type in style.expressions:
            is_whole = style.typed and node.type in style.expressions
            return node.named_child_count > (0 if is_whole else 1)
        return node.type in style.calls and (
            not style.heads or node.named_children[0].type in style.heads
        )

    def _is_form(self, node: Node) -> bool:
        """Return whether a node is a form such as `(if a b)`, or a part of one such as `(else b)`."""
        above, style = node.parent, self._style
        if above is None or style.forms.match(self._text(node)):
            return above is not None
        is_in_list = above.type in style.calls and not self._calls(above)
        return is_in_list or style.forms.match(self._text(above)) is not None

    def with_element(self, item: _Item, expression: Node, turn: int) -> bytes:
        """Return the text of an assignment to an element; empty if it assigns none of a known type.

        What is assigned, and to which key, hardly matters: they get values of the types that the
        collection has.
        """
        target = child_in(expression, self._known.fields.assigned)
        while target is not None and target.named_child_count == 1:
            target = target.named_children[0]
        if target is None or not target.named_child_count or not self._text(target).endswith(b"]"):
            return b""
        held = target.named_children[0]
        edits = self._values(item, held, turn) or ()
        collection = apply(self._document.text, edits, held.byte_range)
        found = self._style.collections.fullmatch(collection)
        if found is None:
            return b""
        key, element = (
            self._of_type(each, self._style.zeros, turn) if each else b"0"
            for each in found.groups()
        )
        return collection + b"[" + key + b"] = " + element

    def _of_type(self, kind: bytes, short: ValuesOfTypes, turn: int) -> bytes:
        """Return a value of a type: one that the data has for it, or else the usual one."""
        found = self._known_value(kind, short, turn)
        return self._style.typed.replace(_PLACE, kind) if found is None else found

    def _known_value(self, kind: bytes, short: ValuesOfTypes, turn: int) -> bytes | None:
        """Return the value that the data has for a type, or for no type what may have an index."""
        for pattern, values in short:
            if (found := pattern.fullmatch(kind)) is not None:
                return found.expand(values[min(turn, len(values) - 1)])
        return None

    def with_value(self, item: _Item, expression: Node, turn: int) -> bytes:
        """Return the text of an expression with a value in the place of its variables.

        Empty if it can have none, or is one then.
        """
        edits = self._values(item, expression, turn)
        is_value = any((each.start, each.end) == expression.byte_range for each in edits or ())
        if edits is None or (self._style.typed and is_value):
            return b""
        text = apply(self._document.text, edits, expression.byte_range)
        return self._as_statement(expression, text) if self._style.typed else text

    def _values(self, item: _Item, expression: Node, turn: int) -> list[Edit] | None:
        """Return the edits that put values in the place of variables; None if one can have none."""
        value, style = self._style.values[turn], self._style
        outside = self._variables(item, expression) - self._names - self._imported
        columns = [node for node in nodes(expression) if node.type in style.columns]
        edits = [Edit(*node.byte_range, value) for node in columns]
        for leaf in leaves(expression):
            if leaf.type not in style.variables or self._is_head(leaf):
                continue
            if (typed := self._of_its_type(leaf, turn)) is not None:
                edits.append(typed)
            elif self._text(leaf) in outside:
                place = self._with_members(leaf)
                if style.classes and self._document.text.startswith(MEMBER_SIGNS, place.end_byte):
                    return None  # no value of an unknown type has members
                is_indexed = self._document.text.startswith(b"[", place.end_byte)
                some = self._known_value(b"", style.typed_values, turn) if is_indexed else None
                edits.append(Edit(*place.byte_range, value if some is None else some))
        return edits

    def _variables(self, item: _Item, expression: Node) -> set[bytes]:
        """Return the names in an item that may be variables which get their values elsewhere.

        Where all is in a class, other classes are known without an import, so that only what the item
        defines is a variable.
        """
        text, language = self._document.text, self._document.language
        start, end = expression.byte_range
        found = [*leaves(item.node)]
        if self._style.classes:
            inner = [*nodes(item.node)]
            lists = (child_in(node, self._known.fields.parameter_lists) for node in inner)
            found = [leaf for each in lists if each is not None for leaf in leaves(each)]
            found += [leaf for node in inner for leaf in defining(node, text, language)]
        return {
            self._text(leaf)
            for leaf in found
            if not start <= leaf.start_byte < end and leaf.type in self._style.variables
        }

    def _as_statement(self, expression: Node, text: bytes) -> bytes:
        """Return an expression as a statement without its end: a value may be none as it is."""
        is_statement = _STATEMENT in expression.type or expression.type in self._style.calls
        around = self._style.value_statement or self._known.tokens.value_statement
        before, after = around if around and not is_statement else (b"", b"")
        return before + text.rstrip(_ENDING) + after

    def _is_head(self, leaf: Node) -> bool:
        """Return whether a leaf names what a call calls, or is part of a path."""
        signs = MEMBER_SIGNS if self._style.typed else MEMBER_SIGNS[:1]
        if self._document.text.endswith(signs, 0, leaf.start_byte):
            return True
        node = leaf
        while (above := node.parent) is not None and above.byte_range == leaf.byte_range:
            node = above
        return self._is_called(node)

    def _of_its_type(self, leaf: Node, turn: int) -> Edit | None:
        """Return the edit that puts a value of the declared type in the place of a variable.

        Of `a.b.c` it is the longest part whose last name has a known type, without a called method.
        """
        if not self._style.typed:
            return None
        node, found = leaf, (leaf, self._type_of(leaf, is_member=False))
        while (above := node.parent) is not None and above.start_byte == leaf.start_byte:
            member = child_in(above, self._known.fields.members)
            if member is not None and above.type in self._style.members:
                if self._is_called(above):
                    break
                kind = self._type_of(member, is_member=True)
                found = (above, kind) if kind is not None else found
            elif above.byte_range != node.byte_range:
                break
            node = above
        place, kind = found
        if kind is None:
            return None
        plain = _REFERENCE.sub(b"", kind, count=1)
        is_used = self._document.text.startswith((*MEMBER_SIGNS, b"["), place.end_byte)
        sign = b"&" if plain != kind and not is_used else b""
        return Edit(*place.byte_range, sign + self._of_type(plain, self._style.typed_values, turn))

    def _type_of(self, name: Node, *, is_member: bool) -> bytes | None:
        return type_at(self._types, self._text(name), name.start_byte, is_member=is_member)

    def _is_called(self, node: Node) -> bool:
        """Return whether a node is what the node around it calls."""
        call = node.parent
        if call is None or call.type not in self._style.calls or not self._calls(call):
            return False
        return node == (child_in(call, self._known.fields.called) or call.named_children[0])

    def _with_members(self, leaf: Node) -> Node:
        """Return a leaf, or the member of it that is used."""
        node = leaf
        while (above := node.parent) is not None and above.start_byte == leaf.start_byte:
            if above.type not in self._style.members and above.byte_range != node.byte_range:
                break
            if self._style.typed and self._is_called(above):
                break
            node = above
        return node

    def left(self, text: bytes) -> Iterator[list[Edit]]:
        """Yield the edits that leave a text in the place of the program, and the items it needs."""
        for program in self._style.programs:
            entry = program.replace(_PLACE, text)
            own = frozenset(self._known.word.findall(program))
            needed = self._needed(frozenset(self._known.word.findall(text)) | self._around, own)
            if needed is None or self._main is None:
                continue
            ends = [self._end(item, after) for item, after in pairwise(self._items)]
            ends.append(self._items[-1].node.end_byte)
            gone = [
                Edit(item.node.start_byte, end)
                for item, end in zip(self._items, ends, strict=True)
                if item not in needed and item != self._main
            ]
            start, end = self._main.node.byte_range
            start, entry = (end, b"\n" + entry) if self._main in needed else (start, entry)
            yield sorted([*gone, Edit(start, end, entry)])

    def _end(self, item: _Item, after: _Item) -> int:
        """Return where an item ends, with what separates it from the next one."""
        end, start = item.node.end_byte, after.node.start_byte
        return end if self._document.text[end:start].strip(_SEPARATING) else start

    def _needed(self, words: frozenset[bytes], own: frozenset[bytes]) -> list[_Item] | None:
        """Return the items that some words need; None if the program's `own` words are among them."""
        needed = [item for item in self._items if item.is_import]
        waiting, seen = deque(words), set(words)
        while waiting:
            word = waiting.popleft()
            for item in self._items:
                if word in item.names and item not in needed:
                    needed.append(item)
                    waiting += item.words - seen
                    seen |= item.words
        is_taken = any(own & item.names for item in needed if not item.is_type)
        return None if is_taken else needed

    def _text(self, node: Node) -> bytes:
        return text_of(node, self._document.text)
