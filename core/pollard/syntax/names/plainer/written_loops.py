"""Loops over a list that is written there, and what they do with one element in their place.

`for x in [7]: f(x)`, `[f(x) for x in [7]]` and `[7].each { |x| f(x) }` become `f(7)`, and the shell's
`for x in 7 8; do f $x; done` becomes `f 8`. Where both elements are needed, it becomes `f 7` and `f 8`.
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
from pollard.syntax.names.inlinable import (
    Inlinable,
    indentation_at,
    moved,
    open_texts,
    with_values,
)
from pollard.syntax.names.written_collections import bound, is_collection, is_list, is_taken_apart
from pollard.syntax.tree.edits import Edit
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


# The list of a loop may be an argument of a call, or have its methods called: `[7].iter().enumerate()`.
_MAX_DEPTH_OF_LIST = 5
# A function in a call is an argument, or stands after the arguments.
_MAX_DEPTH_OF_FUNCTION = 3
_LOOPS = ("for", "comprehension", "generator")
_LIST, _PARTS_OF_HEAD = "list", 2
_STATEMENT, _TYPE, _END = "statement", "type", b";"


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
    value, a list of the one result is tried, too, and else all rounds, one after the other.
    """
    for node in nodes(document.root):
        loops = (*_loops(node, document), *_word_loops(node, document), *_calls(node, document))
        for loop in filter(lambda each: each.elements, loops):
            last = len(loop.elements) - 1
            edits = [_round(node, loop, place, document) for place in dict.fromkeys((last, 0))]
            yield from ([edit] for edit in edits)
            if _is_value(node, document):
                yield from ([replace(edit, new=b"[" + edit.new + b"]")] for edit in edits)
            elif last > 0 and (written := _all_rounds(node, loop, document)) is not None:
                yield [written]


def _is_value(loop: Node, document: Document) -> bool:
    """Return whether a loop is a value, which may have to be a list."""
    above, blocks = loop.parent, conventions(document.language).kinds.blocks
    if above is None or above.type in blocks or _STATEMENT in loop.type:
        return False
    return _STATEMENT not in above.type or above.children[0] != loop


def _round(node: Node, loop: _Loop, place: int, document: Document) -> Edit:
    """Return the edit that puts what a loop does with one of its elements in the place of the loop."""
    content = content_of(loop.body, document)
    values = _values(loop, place, document)
    opened = open_texts(nodes(loop.elements[place]), document)
    new = with_values(document, content, values, opened)
    new = moved(new, document.text, content.span[0], node.start_byte)
    return Edit(*_without_brackets(node, document.text), new)


def _all_rounds(node: Node, loop: _Loop, document: Document) -> Edit | None:
    """Return the edit that puts what a loop does with all of its elements in the place of the loop.

    None as soon as that is no shorter: a list may be long.
    """
    text, rounds = document.text, list[Edit]()
    left = size(text[slice(*_without_brackets(node, text))])
    for place in range(len(loop.elements)):
        rounds.append(_round(node, loop, place, document))
        left -= size(rounds[-1].new)
        if left <= 0:
            return None
    last = rounds[-1]
    ends = last.end, content_of(loop.body, document).span[1]
    is_ended = any(text.startswith(_END, place) for place in ends)
    end = _END * is_ended + b"\n" + indentation_at(text, last.start)
    return replace(last, new=end.join(each.new for each in rounds))


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
        lambda each: (
            not is_in(each, body)
            and (is_collection(each, document) or _is_called_list(each, document))
        ),
    )
    head = None if elements is None else _head(elements, node, body, document)
    if head is not None and elements is not None:
        named = [leaf for leaf in leaves(head) if leaf.is_named]
        patterns = [head] if is_taken_apart(head, document.text) else named
        yield _Loop(patterns, _elements(elements, document), body, places_first=True)


def _word_loops(node: Node, document: Document) -> Iterator[_Loop]:
    """Yield a node that is a loop over words, which are no list with ends of its own."""
    kinds, parts = conventions(document.language).kinds, node.named_children
    body = next((each for each in parts if each.type in kinds.blocks), None)
    if node.type not in kinds.word_loops or body is None:
        return
    head = [each for each in parts if each.end_byte <= body.start_byte]
    if len(head) == 1 and head[0].named_child_count:
        head = head[0].named_children[-1].named_children
    if len(head) == _PARTS_OF_HEAD and _LIST in head[1].type:
        head[1:] = head[1].named_children
    if len(head) > 1:
        yield _Loop(head[:1], head[1:], body, places_first=True)


def _head(elements: Node, loop: Node, body: Node, document: Document) -> Node | None:
    """Return what a loop declares, which stands beside its list or before the call with that."""
    inner, fields = elements, conventions(document.language).fields
    while inner != loop and inner.parent is not None:
        above = inner.parent
        kind, called = above.child_by_field_name(_TYPE), child_in(above, fields.called)
        others = [each for each in above.named_children if each not in (inner, body, kind)]
        is_after = bool(others) and others[0].start_byte > inner.start_byte
        is_part = kind is not None or (called is not None and called.parent == above)
        if others and (above == loop or not (is_part or is_after)):
            return others[0]
        inner = above
    return None


def _calls(node: Node, document: Document) -> Iterator[_Loop]:
    """Yield a node that is a call of a list's method with a function."""
    text, fields = document.text, conventions(document.language).fields
    if child_in(node, fields.called) is None:
        return
    head = node
    while head.child_count and not (is_list(head, document) or _is_called_list(head, document)):
        head = head.children[0]
    if not head.child_count:
        return
    function = _first(
        node,
        _MAX_DEPTH_OF_FUNCTION,
        lambda each: each.start_byte >= head.end_byte and child_in(each, fields.bodies) is not None,
    )
    body = child_in(function, fields.bodies) if function is not None else None
    if function and body and text[function.end_byte : node.end_byte].strip() in (b"", b")"):
        parameters = parameters_of(function, document)
        yield _Loop(parameters, _elements(head, document), body, places_first=False)


def _is_called_list(node: Node, document: Document) -> bool:
    """Return whether a call makes a list of its arguments, as Java's `List.of(1, 2)`."""
    known, content = conventions(document.language), text_of(node, document.text)
    if node.type not in known.kinds.calls or not known.tokens.list_ends:
        return False
    opening, closing = known.tokens.list_ends
    start = node.start_byte + len(opening) - len(closing)
    return content.startswith(opening) and node.named_children[-1].start_byte == start


def _elements(written: Node, document: Document) -> Sequence[Node]:
    """Return the elements of a list, which may be the arguments of a call."""
    is_called = _is_called_list(written, document)
    return (written.named_children[-1] if is_called else written).named_children


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
