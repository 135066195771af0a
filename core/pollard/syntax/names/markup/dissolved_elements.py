"""Elements that leave their attributes to a child: `<a x="1"><b/></a>` becomes `<b x="1"/>`.

Hoisting puts the child in the place of the element without the attributes. These may be needed, above
all declarations of namespaces.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from pollard.syntax.names.definitions import text_of
from pollard.syntax.names.markup.tagged_elements import attribute_name, elements
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.syntax.names.markup.tagged_elements import Element
    from pollard.syntax.tree.document import Document


# Most attributes belong to their element.
_MAX_CANDIDATES = 16


def dissolved(document: Document) -> Iterator[list[Edit]]:
    """Yield the edits that put a child in the place of an element with attributes, and keep these."""
    return islice(_dissolved(document), _MAX_CANDIDATES)


def _dissolved(document: Document) -> Iterator[list[Edit]]:
    around: list[Element] = []
    for element in elements(document):
        while around and around[-1].node.end_byte <= element.node.start_byte:
            around.pop()
        if around and around[-1].attributes:
            outer = around[-1]
            yield [Edit(*outer.node.byte_range, _with_attributes(element, outer, document.text))]
        around.append(element)


def _with_attributes(element: Element, outer: Element, text: bytes) -> bytes:
    """Return the text of an element with the attributes of another one that it does not have."""
    own = {attribute_name(attribute, text) for attribute in element.attributes}
    added = b"".join(
        b" " + text_of(attribute, text)
        for attribute in outer.attributes
        if attribute_name(attribute, text) not in own
    )
    beginning = text[element.node.start_byte : element.name.end_byte]
    return beginning + added + text[element.name.end_byte : element.node.end_byte]
