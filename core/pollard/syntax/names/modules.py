"""What namespaces and modules hold, in their place.

`mod m { pub struct A; } use m::A; fn f(a: A, b: m::A) {}` becomes `pub struct A; fn f(a: A, b: A) {}`,
and Ruby's `module M; class A; end; end; M::A.new` becomes `class A; end; A.new`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import (
    child_in,
    defined,
    defining,
    inside,
    leaves,
    nodes,
    text_of,
)
from pollard.syntax.tree.edits import Edit, outermost

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


_PATH, _DOT = b"::", b"."
_QUALIFIED = "qualified"
# In Rust, the module around a module; the one around all, and the same module.
_OUTER = b"super"
_ROOTS = (_OUTER, b"crate", b"self")
_SEGMENTS = re.compile(rb"\b(?:\w+::)+")
_WORD = re.compile(rb"\w+")


def without_modules(document: Document) -> Iterator[list[Edit]]:
    """Yield the edits that put what namespaces and modules hold in their place: of all, then of each.

    One alone often cannot go, since modules import from each other.
    """
    known = conventions(document.language)
    parts = [*nodes(document.root)] if known.kinds.namespaces else ()
    found = {
        part: body
        for part in parts
        if part.type in known.kinds.namespaces
        and (body := child_in(part, known.fields.bodies)) is not None
    }
    if len(found) > 1:
        yield _edits(found, frozenset(), parts, document)
    for module, body in found.items():
        others = found.keys() - {module}
        yield _edits({module: body}, _names(others, document), parts, document)


def _edits(
    modules: Mapping[Node, Node],
    left: frozenset[bytes],
    parts: Sequence[Node],
    document: Document,
) -> list[Edit]:
    """Return the edits that put what some modules hold in their place, given the body of each.

    `left` are the names of modules that stay, perhaps with other members of the same namespace.
    """
    text, language = document.text, document.language
    names, bodies = _names(modules, document), [*modules.values()]
    children = (child for body in bodies for child in body.named_children)
    held = frozenset(name for child in children for name in defined(child, text, language))
    edits = [edit for pair in modules.items() for edit in _without_ends(*pair)]
    whole = names - left
    edits += _without_imports(bodies, names, held | whole, parts, document)
    words = [*leaves(document.root)]  # a macro's arguments are no paths
    for leaf, after, member in zip(words, words[1:], words[2:], strict=False):
        word = text_of(leaf, text)
        is_outer = word == _OUTER and any(_contains(body, leaf) for body in bodies)
        is_of_these = word in whole or (word in names and text_of(member, text) in held)
        if (is_of_these or is_outer) and _separates(after, leaf, text):
            edits.append(Edit(leaf.start_byte, after.end_byte))
    return outermost([*dict.fromkeys(edits)])


def _names(modules: Iterable[Node], document: Document) -> frozenset[bytes]:
    text, language = document.text, document.language
    return frozenset(
        text_of(leaf, text) for each in modules for leaf in defining(each, text, language)
    )


def _without_ends(module: Node, body: Node) -> Iterator[Edit]:
    """Yield the edits that remove what is before and after what a module holds."""
    start, end = inside(body)
    yield Edit(module.start_byte, start)
    yield Edit(end, module.end_byte)


def _without_imports(
    bodies: Sequence[Node],
    names: frozenset[bytes],
    imported: frozenset[bytes],
    parts: Sequence[Node],
    document: Document,
) -> Iterator[Edit]:
    """Yield the edits that remove imports of nothing but `imported`, and repeated ones in the bodies.

    Another name for what is imported stays, and so does an import of what is elsewhere.
    """
    text, language = document.text, document.language
    seen: set[bytes] = set()
    for part in parts:
        if part.type not in conventions(language).kinds.imports:
            continue
        whole, is_inside = text_of(part, text), any(_contains(body, part) for body in bodies)
        own = defined(part, text, language) or names  # if it imports all of a module
        is_ours = own <= imported and _is_of_modules(whole, names, is_inside=is_inside)
        if is_ours or (is_inside and whole in seen):
            yield Edit(*part.byte_range)
        seen.add(whole)


def _is_of_modules(whole: bytes, names: Collection[bytes], *, is_inside: bool) -> bool:
    """Return whether an import is of some modules or of what they hold, or of what is around them."""
    path = _SEGMENTS.search(whole)
    segments = path[0].split(_PATH)[:-1] if path else []
    if not {*segments} <= {*names, *_ROOTS}:
        return False
    is_named = any(word in names for word in (*segments, *_WORD.findall(whole)[-1:]))
    return is_named or (is_inside and bool(segments))


def _separates(token: Node, name: Node, text: bytes) -> bool:
    """Return whether a token after a name makes that the beginning of a path."""
    sign = text_of(token, text)
    is_qualified = name.parent is not None and _QUALIFIED in name.parent.type
    return sign == _PATH or (sign == _DOT and is_qualified)


def _contains(body: Node, part: Node) -> bool:
    return body.start_byte <= part.start_byte and part.end_byte <= body.end_byte
