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
from pollard.syntax.names.lone.declared_types import declared_types, type_at
from pollard.syntax.tree.edits import Edit, apply

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from pollard.syntax.names.roles import EntryStyle
    from pollard.syntax.tree.document import Document


# Which expression fails is a guess: one of the first is right, or none.
_MAX_EXPRESSIONS = 10
# The kind of a list of arguments in the place of the arguments themselves.
_ARGUMENTS = "arguments"
_PLACE = b"{}"
_MEMBERS = (b".", b"->", b"::")
# In the kind of what belongs to the next part of the top of a text.
_ATTRIBUTE = "attribute"
_ENDING = b";"
_STATEMENT = "statement"
_REFERENCE = re.compile(rb"&(?:mut\s+)?(?!str\b|'static)")
_SEPARATING = b"; \t\r\n"


def lone_expressions(
    document: Document, failing_lines: Sequence[bytes] = (), *, only_named: bool = False
) -> Iterator[list[Edit]]:
    """Yield the edits that leave one expression as the program: one value for each, then the next.

    What may be of one of the `failing_lines`, which the output of the failure names, comes first, or
    is all if `only_named`. Nothing in languages whose data does not say how an expression becomes a
    program.
    """
    style = conventions(document.language).entry
    if style is None:
        return
    program = _Program(document, style)
    expressions = program.expressions(failing_lines, only_named=only_named)
    done: set[bytes] = set()
    for value in style.values:
        for some in _groups(expressions, style):
            stored = [program.with_element(*each, value) for each in some]
            texts = [program.with_value(*each, value) for each in some]
            for forms in (stored, texts):
                text = style.separator.join(dict.fromkeys(forms))
                if text and text not in done:
                    done.add(text)
                    yield from program.left(text)


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
        self._items = [*map(self._item, self._top(document.root))]
        for index, item in enumerate(self._items[:-1]):
            if _ATTRIBUTE in item.node.type:
                self._items[index] = replace(item, names=self._items[index + 1].names)
        self._types = declared_types(document) if style.typed else {}
        self._names = frozenset().union(*(item.names for item in self._items if not item.is_type))
        self._imported = frozenset().union(*(item.words for item in self._items if item.is_import))

    def _top(self, root: Node) -> Iterator[Node]:
        for child in root.named_children:
            if child.type in self._style.containers:
                yield from self._top(child)
            else:
                yield child

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
            for item in self._items
            if not item.is_import and not item.is_type
            for node in nodes(item.node)
            if node != item.node and self._is_expression(node)
        ]

        failing = [frozenset(self._known.word.findall(line)) for line in failing_lines]

        def is_named(words: frozenset[bytes]) -> bool:
            return any(words <= line for line in failing)

        def rank(of: tuple[_Item, Node]) -> tuple[bool, int, int, int]:
            words = self._words(of[1])
            named, calls = is_named(words), len(self._names & words)
            return not named, calls, -of[0].node.start_byte, -of[1].start_byte

        if only_named:
            found = [each for each in found if is_named(self._words(each[1]))]
        return sorted(found, key=rank)

    def _words(self, node: Node) -> frozenset[bytes]:
        return frozenset(self._known.word.findall(self._text(node)))

    def _is_expression(self, node: Node) -> bool:
        """Return whether a node calls something, and is not itself a part of a call."""
        if not self._calls(node) or self._style.definers.match(self._text(node)):
            return False
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

    def with_element(self, item: _Item, expression: Node, value: bytes) -> bytes:
        """Return the text of an assignment to an element; empty if it assigns none of a known type.

        What is assigned, and to which key, hardly matters: they get values of the types that the
        collection has.
        """
        target = child_in(expression, self._known.fields.assigned)
        while target is not None and target.named_child_count == 1:
            target = target.named_children[0]
        if target is None or not target.named_child_count or not self._text(target).endswith(b"]"):
            return b""
        collection = self._filled(item, target.named_children[0], value)
        found = self._style.collections.fullmatch(collection)
        if found is None:
            return b""
        key, element = (self._zero(each) if each else b"0" for each in found.groups())
        return collection + b"[" + key + b"] = " + element

    def _zero(self, kind: bytes) -> bytes:
        """Return a value of a type."""
        short = (zero for pattern, zero in self._style.zeros if pattern.fullmatch(kind))
        return next(short, self._style.typed.replace(_PLACE, kind))

    def with_value(self, item: _Item, expression: Node, value: bytes) -> bytes:
        """Return the text of an expression with a value in the place of its variables."""
        text = self._filled(item, expression, value)
        return self._as_statement(expression, text) if self._style.typed else text

    def _filled(self, item: _Item, expression: Node, value: bytes) -> bytes:
        start, end = expression.byte_range
        outside = {
            self._text(leaf)
            for leaf in leaves(item.node)
            if not start <= leaf.start_byte < end and leaf.type in self._style.variables
        }
        columns = [node for node in nodes(expression) if node.type in self._style.columns]
        edits = [Edit(*node.byte_range, value) for node in columns]
        for leaf in leaves(expression):
            name = self._text(leaf)
            if leaf.type not in self._style.variables or self._is_head(leaf):
                continue
            if (typed := self._of_its_type(leaf)) is not None:
                edits.append(typed)
            elif name in outside - self._names - self._imported:
                edits.append(Edit(*self._with_members(leaf).byte_range, value))
        return apply(self._document.text, edits, expression.byte_range)

    def _as_statement(self, expression: Node, text: bytes) -> bytes:
        """Return an expression as a statement without its end: a value may be none as it is."""
        is_statement = _STATEMENT in expression.type or expression.type in self._style.calls
        around = self._known.tokens.value_statement
        before, after = around if around and not is_statement else (b"", b"")
        return before + text.rstrip(_ENDING) + after

    def _is_head(self, leaf: Node) -> bool:
        """Return whether a leaf names what a call calls, or is part of a path."""
        signs = _MEMBERS if self._style.typed else _MEMBERS[:1]
        if self._document.text.endswith(signs, 0, leaf.start_byte):
            return True
        node = leaf
        while (above := node.parent) is not None and above.byte_range == leaf.byte_range:
            node = above
        return above is not None and self._calls_first(above) and node == above.named_children[0]

    def _of_its_type(self, leaf: Node) -> Edit | None:
        """Return the edit that puts a value of the declared type in the place of a variable.

        Of `a.b.c` it is the longest part whose last name has a known type, without a called method.
        """
        if not self._style.typed:
            return None
        node, found = leaf, (leaf, self._type_of(leaf, is_member=False))
        while (above := node.parent) is not None and above.start_byte == leaf.start_byte:
            member = child_in(above, self._known.fields.members)
            if member is not None and above.type in self._style.members:
                if above.parent is not None and self._calls_first(above.parent):
                    break
                found = above, self._type_of(member, is_member=True)
            elif above.byte_range != node.byte_range:
                break
            node = above
        place, kind = found
        if kind is None:
            return None
        plain = _REFERENCE.sub(b"", kind, count=1)
        is_used = self._document.text.startswith((*_MEMBERS, b"["), place.end_byte)
        sign = b"&" if plain != kind and not is_used else b""
        return Edit(*place.byte_range, sign + self._style.typed.replace(_PLACE, plain))

    def _type_of(self, name: Node, *, is_member: bool) -> bytes | None:
        return type_at(self._types, self._text(name), name.start_byte, is_member=is_member)

    def _calls_first(self, node: Node) -> bool:
        return node.type in self._style.calls and self._calls(node)

    def _with_members(self, leaf: Node) -> Node:
        """Return a leaf, or the member of it that is used."""
        node = leaf
        while (above := node.parent) is not None and above.start_byte == leaf.start_byte:
            if above.type not in self._style.members and above.byte_range != node.byte_range:
                break
            if self._style.typed and above.parent and self._calls_first(above.parent):
                break
            node = above
        return node

    def left(self, text: bytes) -> Iterator[list[Edit]]:
        """Yield the edits that leave a text in the place of the program, and the items it needs."""
        for program in self._style.programs:
            entry = program.replace(_PLACE, text)
            own = frozenset(self._known.word.findall(program))
            needed = self._needed(frozenset(self._known.word.findall(text)), own)
            if needed is None:
                continue
            last = self._items[-1]
            gone = [
                Edit(item.node.start_byte, self._end(item, after))
                for item, after in pairwise(self._items)
                if item not in needed
            ]
            end = last.node.end_byte
            start = end if last in needed else last.node.start_byte
            new = b"\n" + entry if last in needed else entry
            yield [*gone, Edit(start, end, new)]

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
