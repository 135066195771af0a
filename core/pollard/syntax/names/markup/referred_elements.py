"""Elements in the place of what refers to them.

An element with a `name` or an `id` is like a function, and an element with that value in an attribute
is like its call: templates of XSLT, definitions of RELAX NG, groups of SVG. In XSLT a call has
arguments, which are elements with the names of parameters.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pollard.syntax.names.definitions import is_in
from pollard.syntax.names.markup.tagged_elements import attribute_name, attribute_value, elements
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pollard.syntax.names.markup.tagged_elements import Element
    from pollard.syntax.tree.document import Document


_NAMING = (b"name", b"id", b"xml:id")
_MAX_USES = 4
# How many elements of one that refers to itself are tried in its place.
_MAX_PARTS = 4
_FRAGMENT = b"#"
# What needs no brackets in the place of a parameter.
_ATOM = re.compile(rb"""[\w.@/:-]+|'[^']*'|\(.*\)""")


def with_referred_elements(document: Document) -> Iterator[list[Edit]]:
    """Yield the edits that put an element's content, then all of it, in the place of its references.

    The element goes. Of one that refers to itself, only an element in it that does not refer to it, or
    the content of that, can take that place. An element without content stays.
    """
    text, by_value = document.text, _by_value(document)
    for element in (each for found in by_value.values() for each in found):
        start, end = element.content(text)
        content = text[start:end].strip()
        name = _name_of(element, text)
        uses = [each for each in by_value.get(name, ()) if each.node != element.node]
        own = element.node
        outer = [each for each in uses if not is_in(each.node, own)]
        if not content or not name or not 0 < len(outer) <= _MAX_USES:
            continue
        if any(is_in(own, each.node) for each in uses):
            continue
        gone = Edit(*own.byte_range)
        if len(outer) == len(uses):
            contents = [content, text[gone.start : gone.end]]
        else:
            inner = [each for each in uses if each not in outer]
            contents = _parts_without(document, element, inner)
        calls = [(each.node, _arguments(each, document)) for each in outer]
        for new in contents:
            filled = (
                Edit(*call.byte_range, _with_arguments(new, arguments)) for call, arguments in calls
            )
            yield sorted([gone, *filled])


def _parts_without(document: Document, whole: Element, uses: Sequence[Element]) -> list[bytes]:
    """Return the longest elements with content inside of an element that contain none of `uses`.

    Each is followed by its content.
    """
    text = document.text
    parts = [
        each
        for each in elements(document)
        if is_in(each.node, whole.node)
        and each.node != whole.node
        and text[slice(*each.content(text))].strip()
        and not any(is_in(use.node, each.node) for use in uses)
    ]
    spans = (span for each in parts for span in (each.node.byte_range, each.content(text)))
    found = {text[start:end].strip() for start, end in spans}
    return sorted(found, key=lambda part: (-len(part), part))[:_MAX_PARTS]


def _arguments(call: Element, document: Document) -> dict[bytes, bytes]:
    """Return the values that elements inside of a call have, by their names."""
    start, end = call.content(document.text)
    found = {}
    for each in elements(document) if start < end else ():
        name = _name_of(each, document.text)
        values = (attribute_value(attribute, document.text) for attribute in each.attributes)
        value = next((value for value in values if value != name), b"")
        if name and value and start <= each.node.start_byte < end:
            found[name] = value
    return found


def _with_arguments(content: bytes, arguments: Mapping[bytes, bytes]) -> bytes:
    """Return a content with arguments in the place of its parameters."""
    for name, value in arguments.items():
        quoted = re.escape(name)
        declaration = rb"<[\w:.-]+\s+name=([\"'])" + quoted + rb"\1[^<>]*/>"
        content = re.sub(declaration, b"", content)
        inner = value if _ATOM.fullmatch(value) else b"(" + value + b")"
        whole, part = (each.replace(b"\\", rb"\\") for each in (value, inner))
        content = re.sub(rb"""(?<=["'])\$""" + quoted + rb"""(?=["'])""", whole, content)
        content = re.sub(rb"\$" + quoted + rb"(?![\w.-])", part, content)
    return content


def _by_value(document: Document) -> dict[bytes, Sequence[Element]]:
    """Map each value of an attribute to the elements that have it."""
    found: dict[bytes, dict[int, Element]] = {}
    for element in elements(document):
        for attribute in element.attributes:
            value = attribute_value(attribute, document.text).removeprefix(_FRAGMENT)
            found.setdefault(value, {})[element.node.start_byte] = element
    return {value: list(having.values()) for value, having in found.items() if len(having) > 1}


def _name_of(element: Element, text: bytes) -> bytes:
    """Return the value of the first attribute that names an element; empty without one."""
    values = (
        attribute_value(attribute, text)
        for attribute in element.attributes
        if attribute_name(attribute, text) in _NAMING
    )
    return next(values, b"")
