"""Names without their prefixes: `<a:b xmlns:a="u"/>` becomes `<b/>` or `<b xmlns="u"/>`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pollard.syntax.names.markup.tagged_elements import attribute_name, elements
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


_DECLARING = b"xmlns:"
_DEFAULT_DECLARATION = b"xmlns"


def without_prefixes(document: Document) -> Iterator[list[Edit]]:
    """Yield the edits that remove a prefix from all names: without its namespace, then with it.

    The namespace becomes the default one, which is that of elements without a prefix. Attributes
    without one are in no namespace.
    """
    for prefix, declarations in _declarations(document).items():
        uses = [Edit(start, end) for start, end in uses_of_prefix(prefix, document.text)]
        yield [*uses, *(Edit(*each.byte_range) for each in declarations)]
        renamed = (_as_default(declaration) for declaration in declarations)
        yield sorted([*uses, *renamed])


def _as_default(declaration: Node) -> Edit:
    name = declaration.children[0]
    return Edit(name.start_byte, name.end_byte, _DEFAULT_DECLARATION)


def declared_prefixes(document: Document) -> Sequence[bytes]:
    """Return the prefixes that attributes declare, in the order of the text."""
    return list(_declarations(document))


def _declarations(document: Document) -> dict[bytes, list[Node]]:
    """Map each prefix to the attributes that declare it."""
    found: dict[bytes, list[Node]] = {}
    if _DECLARING not in document.text:
        return found
    for element in elements(document):
        for attribute in element.attributes:
            name = attribute_name(attribute, document.text)
            if name.startswith(_DECLARING) and attribute.child_count:
                found.setdefault(name.removeprefix(_DECLARING), []).append(attribute)
    return found


def uses_of_prefix(prefix: bytes, text: bytes) -> list[tuple[int, int]]:
    """Return the places (start, end) of a prefix and its colon before names, in values too."""
    use = re.compile(rb"(?<![\w:.-])" + re.escape(prefix) + rb":(?=\w)")
    return [found.span() for found in use.finditer(text)]
