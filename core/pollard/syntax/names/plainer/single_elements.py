"""One element in the place of what holds or binds several.

Of a loop over a list that is not written there the declaration of the variable stays, and gets all of
the list: `for (auto x : y) f(x);` becomes `auto x = y; f(x);`. So does that of a pattern with a single
body, as in Rust's `match` of one arm.

`{x: 7}.x` and `[7, 8][0]` become `7`, and `f(...[7, 8])` becomes `f(7, 8)`.
An empty list gets the element that is appended to it: `x = []` and `x.append(7)` become `x = [7]`.
A parameter gets an element of the list that a decorator has for its name, as those of pytest do:
`@parametrize("n", [7])` and `def test(n): f(n)` become `def test(): f(7)`.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import (
    child_in,
    end_with_semicolon,
    inside,
    nodes,
    parameter_names,
    statement_around,
    text_of,
)
from pollard.syntax.names.inlinable import (
    Inlinable,
    as_object,
    is_open_expression,
    open_texts,
    with_values,
)
from pollard.syntax.names.plainer.written_loops import content_of
from pollard.syntax.names.written_collections import (
    SPREADING,
    appending_statements,
    bound,
    chosen_part,
    elements_of,
    is_collection,
    is_list,
    is_taken_apart,
    keyed,
    without_marks,
)
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


# Where a loop or a pattern has what it declares, the value of that, and what uses it.
_VARIABLES = ("declarator", "left", "name", "pattern")
_VALUES, _BOUND_BODIES = ("right", "value"), ("body", "consequence")
_PATTERN, _TYPE, _LISTS, _EXPRESSION = "pattern", "type", ("expression_list",), "expression"

_INDEX = re.compile(rb"\d+")
_PARTS_OF_ASSIGNMENT = 2
_ASSIGNING = (b"=", b":=")
# Between a variable, maybe with its type, and an empty list.
_GETS = rb"(?:\s*:[^=;\n]+)?\s*:?=\s*"

# The string before a list with the values of the parameters that it names.
_DECORATOR, _NAMES, _WORD = "decorator", re.compile(rb"""(["'])[\w, ]+\1"""), re.compile(rb"\w+")


def with_chosen_elements(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each member or index of a written collection, the edit that leaves the element.

    Also, for each collection whose elements are spread in a list, the edit that leaves these.
    """
    text, language = document.text, document.language
    for node in nodes(document.root):
        value = _chosen(node, document)
        if value is not None:
            is_open = is_open_expression(value, language)
            new = as_object(text_of(value, text), node, text, language, is_open=is_open)
            yield [Edit(*node.byte_range, new)]
        elif node.named_child_count == 1 and text_of(node.children[0], text) in SPREADING:
            spread = node.named_children[0]
            if spread.named_child_count and is_collection(spread, document):
                first, last = spread.named_children[0], spread.named_children[-1]
                yield [Edit(*node.byte_range, text[first.start_byte : last.end_byte])]


def _chosen(node: Node, document: Document) -> Node | None:
    """Return the value that a node takes of a written collection by a key or an index."""
    text = document.text
    choice = chosen_part(node, text)
    if choice is None:
        return None
    head, _, key = choice
    pairs = [keyed(element, text) for element in elements_of(head, document)]
    wanted = text_of(key, text)
    if _INDEX.fullmatch(wanted) and all(name is None for name, _ in pairs):
        return pairs[int(wanted)][1] if int(wanted) < len(pairs) else None
    values = [value for name, value in pairs if name == without_marks(wanted)]
    return values[-1] if values else None


def with_declarations(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each loop or pattern of one body, the edits that leave a declaration and the body."""
    binding = conventions(document.language).tokens.binding
    for node in nodes(document.root) if binding else ():
        for declared, value, body in _bindings(node, document):
            content = document.text[slice(*content_of(body, document).span)]
            pieces = [text_of(value, document.text), content, b""]
            new = b"".join(
                sign + piece for sign, piece in zip(binding, [declared, *pieces], strict=True)
            )
            yield [Edit(*node.byte_range, new)]


def with_bound_names(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each declaration that takes a value apart, the edits that put the parts in its place.

    They take the places of its names in what follows in its block.
    """
    text = document.text
    for node in nodes(document.root):
        declared, value = _declared(node, text)
        if declared is None or value is None or not is_taken_apart(declared, text):
            continue
        statement = statement_around(node, document.language)
        above = statement.parent
        after = [
            each
            for each in (above.named_children if above else ())
            if each.start_byte >= statement.end_byte
        ]
        values = bound(declared, value, document) if after else {}
        if above and values:
            content = Inlinable(tuple(after))
            start, end = content.span
            new = with_values(document, content, values, open_texts(nodes(value), document))
            if new != text[start:end]:
                yield [Edit(statement.start_byte, end, new)]


def _declared(node: Node, text: bytes) -> tuple[Node | None, Node | None]:
    """Return what a node declares or assigns, and its value: by their fields, or as its two parts."""
    parts = node.named_children
    if len(parts) == _PARTS_OF_ASSIGNMENT:
        declared, value = parts
        if text[declared.end_byte : value.start_byte].strip() in _ASSIGNING:
            return declared, value
    named = (
        [each for field in fields for each in node.children_by_field_name(field) if each.is_named]
        for fields in (_VARIABLES, _VALUES)
    )
    first, second = (next(iter(found), None) for found in named)
    return first, second


def with_appended(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each empty list, the edits that put the element into it that is appended first."""
    text, known = document.text, conventions(document.language)
    lists = b"|".join(reversed(known.tokens.empty_lists))  # the language's own first
    done: set[int] = set()
    for node, found in appending_statements(document):
        empty = rb"(?<![\w.@$])%b%b(%b)" % (re.escape(found[1]), _GETS, lists)
        before = [*re.finditer(empty, text[: node.start_byte])]
        if before and before[-1].start(1) not in done:
            start, end = before[-1].span(1)
            done.add(start)
            opening, closing = known.tokens.list_ends or (
                text[start : end - 1],
                text[end - 1 : end],
            )
            gone = Edit(node.start_byte, end_with_semicolon(node, text))
            yield [Edit(start, end, opening + found[2] + closing), gone]


def with_listed_arguments(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each list that a decorator has for parameters, the edits that put an element there.

    The last element comes first, then the first one. The decorator and the parameters go.
    """
    for node in nodes(document.root):
        if _DECORATOR not in node.type or node.parent is None:
            continue
        later = [each for each in node.parent.named_children if each.start_byte >= node.end_byte]
        function = next((each for each in later if _DECORATOR not in each.type), None)
        if function is None:
            continue
        for string, values in _named_lists(node, document):
            elements = values.named_children
            for element in dict.fromkeys((elements[-1], elements[0])):
                edits = _with_argument(function, _WORD.findall(string), element, document)
                if edits:
                    yield [Edit(node.start_byte, later[0].start_byte), *edits]


def _named_lists(decorator: Node, document: Document) -> Iterator[tuple[bytes, Node]]:
    """Yield the strings of names in a decorator that a list follows, and that list."""
    for inner in nodes(decorator):
        for first, second in pairwise(inner.named_children):
            string = text_of(first, document.text)
            if _NAMES.fullmatch(string) and second.named_children and is_list(second, document):
                yield string, second


def _with_argument(
    function: Node, names: Sequence[bytes], element: Node, document: Document
) -> list[Edit]:
    """Return the edits that put an element, or its parts, in the place of named parameters."""
    text, language = document.text, document.language
    fields = conventions(language).fields
    parameters, body = (
        child_in(function, each) for each in (fields.parameter_lists, fields.bodies)
    )
    parts = element.named_children if len(names) > 1 else [element]
    if parameters is None or body is None or len(parts) != len(names):
        return []
    kept = [
        each
        for each in parameters.named_children
        if not set(parameter_names(each, text, language)) & set(names)
    ]
    if len(kept) + len(names) != len(parameters.named_children) or not body.named_children:
        return []
    values = {name: text_of(part, text) for name, part in zip(names, parts, strict=True)}
    content = Inlinable(tuple(body.named_children))
    new = with_values(document, content, values, open_texts(nodes(element), document))
    left = b", ".join(text_of(each, text) for each in kept)
    return [Edit(*inside(parameters), left), Edit(*content.span, new)]


def _bindings(node: Node, document: Document) -> Iterator[tuple[bytes, Node, Node]]:
    """Yield what a loop or a pattern with one body declares, its value and its body."""
    text = document.text
    body = next(filter(None, map(node.child_by_field_name, _BOUND_BODIES)), None)
    if body is None:
        return
    arms = [child for child in body.named_children if child.child_by_field_name(_PATTERN)]
    holders = [node, *(child for child in node.named_children if _may_declare(child, body))]
    for holder in holders:
        variable = next(filter(None, map(holder.child_by_field_name, _VARIABLES)), None)
        value = next(filter(None, map(holder.child_by_field_name, _VALUES)), None)
        if variable and value and variable.end_byte <= value.start_byte:
            kind = holder.child_by_field_name(_TYPE)
            if variable.type in _LISTS and variable.named_children:
                variable = variable.named_children[-1]
            start = kind.start_byte if kind else variable.start_byte
            yield text[start : variable.end_byte], value, body
            return
    value = node.child_by_field_name(_VALUES[-1])
    inner = arms[0].child_by_field_name(_VALUES[-1]) if len(arms) == 1 else None
    pattern = arms[0].child_by_field_name(_PATTERN) if inner else None
    if value and inner and pattern:
        yield text_of(pattern, text), value, inner


def _may_declare(child: Node, body: Node) -> bool:
    return child != body and _EXPRESSION not in child.type
