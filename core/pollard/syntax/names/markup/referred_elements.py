"""Elements in the place of what refers to them.

An element with a `name` or an `id` is like a function, and an element with that value in an attribute
is like its call: templates of XSLT, definitions of RELAX NG, groups of SVG.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.syntax.names.definitions import is_in
from pollard.syntax.names.markup.tagged_elements import attribute_name, attribute_value, elements
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pollard.syntax.names.markup.tagged_elements import Element
    from pollard.syntax.tree.document import Document


_NAMING = (b"name", b"id", b"xml:id")
_MAX_USES = 4
_FRAGMENT = b"#"


def with_referred_elements(document: Document) -> Iterator[list[Edit]]:
    """Yield the edits that put an element's content, then all of it, in the place of its references.

    The element goes. One that refers to itself stays, and so does one without content.
    """
    text, by_value = document.text, _by_value(document)
    for element in (each for found in by_value.values() for each in found):
        start, end = element.content(text)
        content = text[start:end].strip()
        name = _name_of(element, text)
        uses = [each for each in by_value.get(name, ()) if each.node != element.node]
        if not content or not name or not 0 < len(uses) <= _MAX_USES:
            continue
        gone = Edit(*element.node.byte_range)
        own = element.node
        if any(is_in(each.node, own) or is_in(own, each.node) for each in uses):
            continue
        for new in (content, text[gone.start : gone.end]):
            yield sorted([gone, *(Edit(*each.node.byte_range, new) for each in uses)])


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
