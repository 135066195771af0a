"""Loops over the elements of a list that is written there, and one element in the place of a loop.

`for x in [7]: f(x)`, `[f(x) for x in [7]]` and `[7].each { |x| f(x) }` become `f(7)`. Of other loops
the declaration of the variable stays, and gets all of the list: `for (auto x : y) f(x);` becomes
`auto x = y; f(x);`. So does that of a pattern with a single body, as in Rust's `match` of one arm.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import child_in, is_in, leaves, nodes, text_of
from pollard.syntax.names.inlinable import Inlinable, moved, open_texts, parameters_of, with_values
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


# The list of a loop is a child of the loop, or of one of its children.
_MAX_DEPTH_OF_LIST = 2
# A function in a call is an argument, or stands after the arguments.
_MAX_DEPTH_OF_FUNCTION = 3
_LOOPS = ("for", "comprehension", "generator")
_ENDS_OF_LISTS, _ENDS_OF_TUPLES, _TUPLE = b"[]", b"()", "tuple"
# The variables of a loop may stand in brackets, too.
_PATTERNS = ("pattern", "declarator")

# Where a loop or a pattern has what it declares, the value of that, and what uses it.
_VARIABLES = ("declarator", "left", "name", "pattern")
_VALUES, _BOUND_BODIES = ("right", "value"), ("body", "consequence")
_PATTERN, _TYPE, _LISTS, _EXPRESSION = "pattern", "type", ("expression_list",), "expression"

# The variables of a loop, the elements that they get, and what is repeated.
_Loop = tuple["Sequence[bytes | None]", "Sequence[Node]", "Node"]


def with_single_elements(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each loop over a written list, the edits that put its last or first element in.

    A loop is a statement, a comprehension, or a call of a list's method with a function.
    """
    for node in nodes(document.root):
        for variables, elements, body in (*_loops(node, document), *_calls(node, document)):
            content = _content(body, document)
            for place in dict.fromkeys((len(elements) - 1, 0)):
                values = _values(variables, elements[place], place, document)
                opened = open_texts((elements[place],), document)
                new = with_values(document, content, values, opened)
                new = moved(new, document.text, content.span[0], node.start_byte)
                yield [Edit(*node.byte_range, new)]


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


def _values(
    variables: Sequence[bytes | None], element: Node, place: int, document: Document
) -> dict[bytes | None, bytes]:
    """Return the values of a loop's variables: an element and its place, or the parts of it."""
    parts = element.named_children
    if len(parts) == len(variables) > 1:
        texts = [text_of(part, document.text) for part in parts]
    else:
        texts = [text_of(element, document.text), b"%d" % place]
    return dict(zip(variables, texts, strict=False))


def _loops(node: Node, document: Document) -> Iterator[_Loop]:
    """Yield a node that is a loop with a body."""
    body = child_in(node, conventions(document.language).fields.bodies)
    if body is None or not any(word in node.type for word in _LOOPS):
        return
    elements = _first(
        node, _MAX_DEPTH_OF_LIST, lambda each: not is_in(each, body) and _is_list(each, document)
    )
    inner = elements
    while inner is not None and elements is not None and inner != node and inner.parent is not None:
        heads = [each for each in inner.parent.named_children if each not in (inner, body)]
        if heads:
            named = [leaf for leaf in leaves(heads[0]) if leaf.is_named]
            yield [text_of(leaf, document.text) for leaf in named], elements.named_children, body
            return
        inner = inner.parent


def _calls(node: Node, document: Document) -> Iterator[_Loop]:
    """Yield a node that is a call of a list's method with a function."""
    text, fields = document.text, conventions(document.language).fields
    if child_in(node, fields.called) is None:
        return
    head = node
    while head.child_count and not _is_list(head, document):
        head = head.children[0]
    if not _is_list(head, document):
        return
    function = _first(
        node,
        _MAX_DEPTH_OF_FUNCTION,
        lambda each: each.start_byte >= head.end_byte and child_in(each, fields.bodies) is not None,
    )
    body = child_in(function, fields.bodies) if function is not None else None
    if function and body and text[function.end_byte : node.end_byte].strip() in (b"", b")"):
        yield parameters_of(function, document), head.named_children, body


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


def _is_list(node: Node, document: Document) -> bool:
    """Return whether a node is a list with elements, or a tuple."""
    if not node.named_child_count or any(word in node.type for word in _PATTERNS):
        return False
    first, last = node.children[0], node.children[-1]
    ends = text_of(first, document.text) + text_of(last, document.text)
    return ends == _ENDS_OF_LISTS or (ends == _ENDS_OF_TUPLES and _TUPLE in node.type)
