"""Collections that are written in a text, their elements, and the names that a pattern gives these.

The pattern `{a, b: [c]}` takes `{a: 1, b: [2]}` apart: it gives 1 the name `a`, and 2 the name `c`.
"""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING

from pollard.syntax.names.calls import with_sigil
from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import child_in, leaves, nodes, parameter_names, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


#: What stands before a collection whose elements are spread in another one.
SPREADING = (b"...", b"*", b"**")  # the last one for values with keys
_ENDS_OF_LISTS, _ENDS_OF_TUPLES, _TUPLE = b"[]", b"()", "tuple"
_ENDS_OF_VALUES, _SEPARATORS = b"{}", (b",", b";")
# What looks like a list or a tuple, and declares what is in it.
_PATTERNS = ("pattern", "declarator")
# Between the key and the value of an element, and the marks of a key.
_BETWEEN_KEY_AND_VALUE, _MARKS_OF_KEYS = re.compile(rb"\]?\s*(?::|=>?)\s*"), b"\"'`:.[]"
_PARTS_OF_PAIR = _PARTS_OF_SPREAD = _SEVERAL = _MIN_PARTS_OF_CHOICE = 2
# Between a collection and the member or the index that is taken of it, and after that.
_CHOOSING = {b".": b"", b"?.": b"", b"[": b"]", b"?.[": b"]"}

# The fields of a parameter or a part of a pattern with what declares names, and with the value of
# these where none is given.
_DECLARING = ("pattern", "left")
_DEFAULTS = ("default", "value", "right", "default_value")
_ENDS_OF_PATTERNS, _END_OF_KEYED, _TYPE = (b"]", b")", b"}"), b"}", "type"
# Between a value and the member that a pattern takes of it.
_MEMBER = b"."


def appending_statements(document: Document) -> Iterator[tuple[Node, re.Match[bytes]]]:
    """Yield the statements that append to a list, and matches whose groups are list and element."""
    text, known = document.text, conventions(document.language)
    patterns = [re.compile(pattern, re.DOTALL) for pattern in known.tokens.appending]
    for node in nodes(document.root) if patterns else ():
        if node.parent is not None and node.parent.type in known.kinds.blocks:
            found = (each.fullmatch(text, *node.byte_range) for each in patterns)
            match = next(filter(None, found), None)
            if match:
                yield node, match


def chosen_part(node: Node, text: bytes) -> tuple[Node, bytes, Node] | None:
    """Return what a node takes a member or an element of, the sign after that, and the name or key."""
    if node.named_child_count < _MIN_PARTS_OF_CHOICE:
        return None
    head, key = node.named_children[0], node.named_children[-1]
    sign, after = text[head.end_byte : key.start_byte].strip(), text[key.end_byte : node.end_byte]
    if head.start_byte > node.start_byte or _CHOOSING.get(sign) != after.strip():
        return None
    return head, sign, key


def is_list(node: Node, document: Document) -> bool:
    """Return whether a node is a list with elements, or a tuple."""
    if not node.named_child_count or _is_pattern(node):
        return False
    ends = _ends(node, document.text)
    return ends == _ENDS_OF_LISTS or (ends == _ENDS_OF_TUPLES and _TUPLE in node.type)


def is_collection(node: Node, document: Document) -> bool:
    """Return whether a node is a list with elements, a tuple, or has keys and values in braces."""
    has_values = _ends(node, document.text) == _ENDS_OF_VALUES and not _is_pattern(node)
    return has_values or is_list(node, document)


def _is_pattern(node: Node) -> bool:
    return any(word in node.type for word in _PATTERNS)


def elements_of(head: Node, document: Document) -> list[Node]:
    """Return the elements of a collection, which may stand in brackets or after its type."""
    while head.named_child_count == 1 and document.text.startswith(b"(", head.start_byte):
        head = head.named_children[0]
    if is_collection(head, document):
        return head.named_children
    last = head.named_children[-1] if head.named_child_count else None
    is_value = last is not None and _ends(last, document.text) == _ENDS_OF_VALUES
    return last.named_children if last and is_value else []


def without_marks(key: bytes) -> bytes:
    """Return a key without the quotes or other signs around it."""
    return key.strip(_MARKS_OF_KEYS)


def keyed(element: Node, text: bytes) -> tuple[bytes | None, Node]:
    """Return the key of an element of a collection, without its marks, and the value."""
    parts = element.named_children
    if len(parts) == _PARTS_OF_PAIR:
        key, value = parts
        if _BETWEEN_KEY_AND_VALUE.fullmatch(text, key.end_byte, value.start_byte):
            return without_marks(text_of(key, text)), value
    return None, element


def with_separator(element: Node, text: bytes) -> tuple[int, int]:
    """Return the span (start, end) of an element with the separator after it, or else before it."""
    after, before = element.next_sibling, element.prev_sibling
    if after is not None and text_of(after, text) in _SEPARATORS:
        return element.start_byte, after.end_byte
    if before is not None and text_of(before, text) in _SEPARATORS:
        return before.start_byte, element.end_byte
    return element.byte_range


def is_taken_apart(pattern: Node, text: bytes) -> bool:
    """Return whether a pattern or a parameter gives names to parts of a value."""
    inner = child_in(pattern, _DECLARING) or pattern
    separators = [child for child in inner.children if not child.is_named]
    if not separators or not inner.named_child_count:
        return False
    last = text_of(inner.children[-1], text)
    return last in _ENDS_OF_PATTERNS or any(text_of(each, text) == b"," for each in separators)


def is_rest(parameter: Node, text: bytes) -> bool:
    """Return whether a parameter gets a list of all arguments that are left: `...x`, `*x`, `x ...T`."""
    inner = child_in(parameter, _DECLARING) or parameter
    first = inner.children[:1]
    signs = [text_of(child, text) for child in inner.children if not child.is_named]
    return any(text_of(each, text) in SPREADING[:-1] for each in first) or SPREADING[0] in signs


def bound(pattern: Node, value: Node | None, document: Document) -> dict[bytes, bytes]:
    """Map the names of a pattern or a parameter to what they get of a value, or of their default.

    Of a pattern without parts that is all of the value. Nothing if the value does not have the parts.
    Where there is none, a name gets what the language gives it, if anything.
    """
    text = document.text
    inner, value = child_in(pattern, _DECLARING) or pattern, value or child_in(pattern, _DEFAULTS)
    if not is_taken_apart(inner, text):
        given = (text_of(value, text),) if value else conventions(document.language).tokens.absent
        return dict(zip(_names(inner, document)[:1], given, strict=False))
    if value is None or any(_is_spread(each, text) for each in (*inner.children, *value.children)):
        return {}
    if text_of(inner.children[-1], text) == _END_OF_KEYED:
        return _bound_by_key(inner, value, document)
    places = _places(inner, text)
    values = [*elements_of(value, document)] or _places(value, text)
    if len(values) < _SEVERAL and not is_list(value, document):
        return {}
    pairs = zip_longest(places, values[: len(places)])
    return _joined(bound(part, own, document) for part, own in pairs if part)


def _bound_by_key(pattern: Node, value: Node, document: Document) -> dict[bytes, bytes]:
    """Map the names of a pattern with keys to the values that these have in a collection.

    Where the value is not written there, they get its members.
    """
    text, kind = document.text, pattern.child_by_field_name(_TYPE)
    parts = [_part(each, text) for each in pattern.named_children if each != kind]
    elements = elements_of(value, document)
    if not elements:
        if any(is_taken_apart(part, text) for _, part in parts):
            return {}
        whole = text_of(value, text) + _MEMBER
        return {name: whole + key for key, part in parts for name in _names(part, document)[:1]}
    found = (keyed(each, text) for each in elements)
    values = {key or text_of(own, text): own for key, own in found}
    return _joined(bound(part, values.get(key), document) for key, part in parts)


def _names(part: Node, document: Document) -> list[bytes]:
    """Return the names in a part of a pattern, which may be known by their signs alone."""
    text, language = document.text, document.language
    signed = (leaf for leaf in leaves(part) if with_sigil(leaf, text, language) != leaf)
    return parameter_names(part, text, language) or [text_of(leaf, text) for leaf in signed]


def _part(element: Node, text: bytes) -> tuple[bytes, Node]:
    """Return the key of a part of a pattern, and what that declares."""
    declared = element.child_by_field_name(_DECLARING[-1])
    key, part = keyed(element, text)
    if declared is not None:  # with a default
        return text_of(declared, text), element
    return (text_of(element, text), element) if key is None else (key, part)


def _joined(parts: Iterator[dict[bytes, bytes]]) -> dict[bytes, bytes]:
    """Return all that the parts of a pattern get; nothing if one gets nothing."""
    found: dict[bytes, bytes] = {}
    for part in parts:
        if not part:
            return {}
        found |= part
    return found


def _places(node: Node, text: bytes) -> list[Node | None]:
    """Return what stands at each place between the commas of a list; None where that has no name."""
    places: list[Node | None] = [None]
    for child in node.children:
        if text_of(child, text) == b",":
            places.append(None)
        elif child.is_named:
            places[-1] = child
    return places


def _is_spread(node: Node, text: bytes) -> bool:
    return bool(node.child_count) and text_of(node.children[0], text) in SPREADING


def spread_around(leaf: Node, text: bytes) -> Node | None:
    """Return the node that spreads the elements of a variable in a list, as `...x` or `x...`."""
    above = leaf.parent
    if above is None or above.child_count != _PARTS_OF_SPREAD:
        return None
    sign = next(child for child in above.children if child != leaf)
    return above if text_of(sign, text) in SPREADING[:-1] else None


def _ends(node: Node, text: bytes) -> bytes:
    """Return the texts of the first and the last child of a node, such as two brackets."""
    ends = (*node.children[:1], *node.children[-1:])
    return b"".join(text_of(each, text) for each in ends)
