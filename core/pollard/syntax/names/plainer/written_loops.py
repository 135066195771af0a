"""Loops over a list that is written there, and what they do with one element in their place.

`for x in [7]: f(x)`, `[f(x) for x in [7]]` and `[7].each { |x| f(x) }` become `f(7)`, and the shell's
`for x in 7 8; do f $x; done` becomes `f 8`.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pollard.syntax.names.calls import parameters_of
from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import (
    child_in,
    is_in,
    leaves,
    nodes,
    parameter_names,
    text_of,
)
from pollard.syntax.names.inlinable import Inlinable, moved, open_texts, with_values
from pollard.syntax.names.written_collections import bound, is_collection, is_list, is_taken_apart
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
_STATEMENT, _TYPE = "statement", "type"


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
    content = content_of(loop.body, document)
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


def content_of(body: Node, document: Document) -> Inlinable:
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
