"""Loops over the elements of a list that is written there, and one element in the place of a loop.

`for x in [7]: f(x)`, `[f(x) for x in [7]]` and `[7].each { |x| f(x) }` become `f(7)`. Of other loops
the declaration of the variable stays, and gets all of the list: `for (auto x : y) f(x);` becomes
`auto x = y; f(x);`. So does that of a pattern with a single body, as in Rust's `match` of one arm.

`{x: 7}.x` and `[7, 8][0]` become `7`, and `f(...[7, 8])` becomes `f(7, 8)`.
An empty list gets the element that is appended to it: `x = []` and `x.append(7)` become `x = [7]`.
A parameter gets an element of the list that a decorator has for its name, as those of pytest do:
`@parametrize("n", [7])` and `def test(n): f(n)` become `def test(): f(7)`.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from pollard.syntax.names.calls import parameters_of
from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import (
    child_in,
    end_with_semicolon,
    inside,
    is_in,
    leaves,
    nodes,
    parameter_names,
    statement_around,
    text_of,
)
from pollard.syntax.names.inlinable import (
    Inlinable,
    as_object,
    is_open_expression,
    moved,
    open_texts,
    with_values,
)
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
    from collections.abc import Callable, Iterator, Sequence

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


# The list of a loop may be an argument of a call, or have its methods called: `[7].iter().enumerate()`.
_MAX_DEPTH_OF_LIST = 5
# A function in a call is an argument, or stands after the arguments.
_MAX_DEPTH_OF_FUNCTION = 3
_LOOPS = ("for", "comprehension", "generator")
_STATEMENT = "statement"

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


class _Loop(NamedTuple):
    """The variables of a loop, the elements that they get, and what is repeated.

    Of two variables one gets the place of the element: the first one if `places_first`, as with Go's
    `range` and Python's `enumerate`, else the second one, as of a function that JavaScript calls.
    """

    patterns: Sequence[Node]
    elements: Sequence[Node]
    body: Node
    places_first: bool


def with_single_elements(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each loop over a written list, the edits that put its last or first element in.

    A loop is a statement, a comprehension, or a call of a list's method with a function. Where it is a
    value, a list of the one result is tried, too.
    """
    for node in nodes(document.root):
        loops = (*_loops(node, document), *_word_loops(node, document), *_calls(node, document))
        for loop in loops:
            edits = [*_with_elements(node, loop, document)]
            yield from ([edit] for edit in edits)
            if _is_value(node, document):
                yield from ([replace(edit, new=b"[" + edit.new + b"]")] for edit in edits)


def _is_value(loop: Node, document: Document) -> bool:
    """Return whether a loop is a value, which may have to be a list."""
    above, blocks = loop.parent, conventions(document.language).kinds.blocks
    if above is None or above.type in blocks or _STATEMENT in loop.type:
        return False
    return _STATEMENT not in above.type or above.children[0] != loop


def _with_elements(node: Node, loop: _Loop, document: Document) -> Iterator[Edit]:
    """Yield the edits that put what a loop does with its last and its first element in its place."""
    content = _content(loop.body, document)
    for place in dict.fromkeys((len(loop.elements) - 1, 0)):
        values = _values(loop, place, document)
        opened = open_texts(nodes(loop.elements[place]), document)
        new = with_values(document, content, values, opened)
        new = moved(new, document.text, content.span[0], node.start_byte)
        yield Edit(*_without_brackets(node, document.text), new)


def _without_brackets(node: Node, text: bytes) -> tuple[int, int]:
    """Return the span of a loop without brackets, which may be those of a call: `f(x for x in y)`."""
    start, end = node.byte_range
    first, last = (text_of(node.children[place], text) for place in (0, -1))
    return (start + 1, end - 1) if (first, last) == (b"(", b")") else (start, end)


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
            content = document.text[slice(*_content(body, document).span)]
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


def _values(loop: _Loop, place: int, document: Document) -> dict[bytes, bytes]:
    """Return the values of a loop's variables: an element and its place, or the parts of it."""
    patterns, element = loop.patterns, loop.elements[place]
    parts = element.named_children
    if len(parts) == len(patterns) > 1:
        pairs = zip(patterns, parts, strict=True)
        return {
            name: value
            for pattern, part in pairs
            for name, value in bound(pattern, part, document).items()
        }
    if len(patterns) == 1 and not bound(patterns[0], element, document):
        patterns = [leaf for leaf in leaves(patterns[0]) if leaf.is_named] or patterns
    if not patterns:
        return {}
    first, *others = patterns[1::-1] if loop.places_first else patterns
    found = bound(first, element, document)
    found = found or {text_of(first, document.text): text_of(element, document.text)}
    own = others[0] if others else None
    names = parameter_names(own, document.text, document.language) if own else []
    return found | dict.fromkeys(names[:1], b"%d" % place)


def _loops(node: Node, document: Document) -> Iterator[_Loop]:
    """Yield a node that is a loop with a body."""
    body = child_in(node, conventions(document.language).fields.bodies)
    if body is None or not any(word in node.type for word in _LOOPS):
        return
    elements = _first(
        node,
        _MAX_DEPTH_OF_LIST,
        lambda each: not is_in(each, body) and is_collection(each, document),
    )
    head = None if elements is None else _head(elements, node, body, document)
    if head is not None and elements is not None:
        named = [leaf for leaf in leaves(head) if leaf.is_named]
        patterns = [head] if is_taken_apart(head, document.text) else named
        yield _Loop(patterns, elements.named_children, body, places_first=True)


def _word_loops(node: Node, document: Document) -> Iterator[_Loop]:
    """Yield a node that is a loop over words, which are no list with ends of its own."""
    kinds, parts = conventions(document.language).kinds, node.named_children
    body = next((each for each in parts if each.type in kinds.blocks), None)
    if node.type not in kinds.word_loops or body is None:
        return
    head = [each for each in parts if each.end_byte <= body.start_byte]
    if len(head) == 1 and head[0].named_child_count:
        head = head[0].named_children[-1].named_children
    if len(head) > 1:
        yield _Loop(head[:1], head[1:], body, places_first=True)


def _head(elements: Node, loop: Node, body: Node, document: Document) -> Node | None:
    """Return what a loop declares, which stands beside its list or before the call with that."""
    inner, called = elements, conventions(document.language).fields.called
    while inner != loop and inner.parent is not None:
        above = inner.parent
        others = [each for each in above.named_children if each not in (inner, body)]
        is_after = bool(others) and others[0].start_byte > inner.start_byte
        is_part = child_in(above, called) or above.child_by_field_name(_TYPE)
        if others and not is_part and (above == loop or not is_after):
            return others[0]
        inner = above
    return None


def _calls(node: Node, document: Document) -> Iterator[_Loop]:
    """Yield a node that is a call of a list's method with a function."""
    text, fields = document.text, conventions(document.language).fields
    if child_in(node, fields.called) is None:
        return
    head = node
    while head.child_count and not is_list(head, document):
        head = head.children[0]
    if not is_list(head, document):
        return
    function = _first(
        node,
        _MAX_DEPTH_OF_FUNCTION,
        lambda each: each.start_byte >= head.end_byte and child_in(each, fields.bodies) is not None,
    )
    body = child_in(function, fields.bodies) if function is not None else None
    if function and body and text[function.end_byte : node.end_byte].strip() in (b"", b")"):
        parameters = parameters_of(function, document)
        yield _Loop(parameters, head.named_children, body, places_first=False)


def _content(body: Node, document: Document) -> Inlinable:
    """Return the statements of a body, or the value of its only one, a `return`."""
    kinds = conventions(document.language).kinds
    is_block = body.children and body.type in kinds.blocks and body.named_children
    parts = tuple(body.named_children) if is_block else (body,)
    if len(parts) == 1 and parts[0].type in kinds.returns and parts[0].named_children:
        parts = (parts[0].named_children[0],)
    return Inlinable(parts)


def _first(root: Node, max_depth: int, is_wanted: Callable[[Node], bool]) -> Node | None:
    """Return the outermost wanted node below another one, at most so many steps down."""
    waiting = deque((child, 1) for child in root.named_children)
    while waiting:
        node, depth = waiting.popleft()
        if is_wanted(node):
            return node
        if depth < max_depth:
            waiting.extend((child, depth + 1) for child in node.named_children)
    return None
