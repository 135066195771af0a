"""The types that a document declares for its variables, parameters and members."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import child_in, defining, is_in, nodes, text_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pollard.syntax.tree.document import Document

    DeclaredTypes = Mapping[bytes, Sequence["DeclaredType"]]


# In the kinds of declarations whose type is more than the one before the name.
_MORE = ("pointer", "array", "function")
# In the kinds of types that say nothing, such as C++'s `auto`, and words for them.
_UNKNOWN = ("placeholder", "auto", "inferred")
_UNKNOWN_WORDS = (b"auto", b"var")
_LOOP = "for"
_SIGN = b": \t"


class DeclaredType(NamedTuple):
    """A type, the place of the name for which it is declared, and whether that is a member's."""

    place: int
    text: bytes
    is_member: bool


def type_at(types: DeclaredTypes, name: bytes, place: int, *, is_member: bool) -> bytes | None:
    """Return the type that is declared for a name last before a place, or else first after it.

    For a member only members count if there are some, and for a variable only variables.
    """
    declared = types.get(name, ())
    alike = [each for each in declared if each.is_member == is_member] or declared
    before = [each.text for each in alike if each.place < place]
    return before[-1] if before else next((each.text for each in alike), None)


def declared_types(document: Document) -> DeclaredTypes:
    """Map names to where types are declared for them, and the types without a sign before them."""
    known, text = conventions(document.language), document.text
    found: dict[bytes, list[DeclaredType]] = {}
    for node in nodes(document.root):
        kind = child_in(node, known.fields.types)
        is_function = child_in(node, known.fields.bodies) is not None and _LOOP not in node.type
        if kind is None or is_function or any(word in kind.type for word in _UNKNOWN):
            continue
        if text_of(kind, text) in _UNKNOWN_WORDS:
            continue
        others = [child for child in node.named_children if child != kind]
        if any(word in child.type for child in others for word in _MORE):
            continue
        for name in defining(node, text, document.language)[:1]:
            if not is_in(name, kind):
                above = node.parent
                is_member = above is not None and above.type in known.kinds.field_lists
                plain = text_of(kind, text).lstrip(_SIGN)
                declared = DeclaredType(name.start_byte, plain, is_member)
                found.setdefault(text_of(name, text), []).append(declared)
    return found
