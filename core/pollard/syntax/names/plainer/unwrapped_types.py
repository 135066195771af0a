"""Types that wrap another one, and the wrapped type in their place.

`fn f() -> Result<T, E> { Ok(x) }` and `f()?` become `fn f() -> T { x }` and `f()`. A language's data
says how its wrappers are made and what takes their values out. A type of the program with a single
value, such as `struct S(T);` or `enum E { A(T) }`, says so itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pollard.syntax.names.calls import arguments_of
from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import child_in, is_identifier, nodes, text_of
from pollard.syntax.tree.edits import Edit, apply, outermost

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


_PATH = b"::"
_PATTERN = "pattern"
# In the kinds of types with arguments; those of functions are others.
_TYPES = ("type", "qualified", "generic_name")
_MIN_PLACES = 2
# A suffix such as `.unwrap()` begins up to this many levels below the node that ends with it.
_MAX_SUFFIX_DEPTH = 2
# A type at several places is mostly needed, and each success of `inline` tries the others again.
_MAX_REPEATED_TYPES = 2


@dataclass(frozen=True, slots=True)
class _Wrapper:
    """How values of a type are made from what they wrap, and what takes it out again."""

    makers: frozenset[bytes]
    takers: frozenset[bytes]
    failing: frozenset[bytes] = frozenset()
    """What makes a value that wraps none."""


def with_unwrapped_types(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each type that wraps another one, the edits that put that in its place.

    Then, for each type at several places, those that put the shortest type of the language there.
    """
    parts = [*nodes(document.root)]
    yield from _of_own_types(parts, document)
    yield from _of_generic_types(parts, document)
    yield from _of_repeated_types(parts, document)


def _of_generic_types(parts: Sequence[Node], document: Document) -> Iterator[list[Edit]]:
    """Yield the edits that put the first or the last argument in the place of each generic type."""
    text, known = document.text, conventions(document.language)
    tokens = known.tokens
    wrapper = _Wrapper(
        frozenset(tokens.wrapping), frozenset(tokens.unwrapping), frozenset(tokens.failing)
    )
    found: dict[bytes, list[tuple[Node, Node]]] = {}
    for part in parts:
        if part.type in known.kinds.type_arguments and part.named_child_count:
            whole = _whole_type(part, text)
            if whole is not None:
                name = text[whole.start_byte : part.start_byte]
                found.setdefault(name, []).append((whole, part))
    known_names = {name for name in found if name.split(_PATH)[-1] in tokens.wrappers}
    values = [*_value_edits(parts, wrapper, document)] if known_names else []
    for name, places in found.items():
        is_known = name in known_names
        if not is_known and len(places) < _MIN_PLACES:
            continue  # hoisting does that
        most = 1 if is_known else max(each.named_child_count for _, each in places)
        for index in (0, -1)[:most]:
            edits = [
                edit
                for whole, arguments in places
                for edit in _kept(whole, arguments.named_children[index])
            ]
            yield _apart([*edits, *(values if is_known else ())])


def _apart(edits: Sequence[Edit]) -> list[Edit]:
    """Return the edits that change something and are in no other one."""
    return outermost([edit for edit in dict.fromkeys(edits) if edit.start < edit.end])


def _kept(whole: Node, part: Node) -> tuple[Edit, Edit]:
    """Return the edits that leave only a part of a node."""
    return Edit(whole.start_byte, part.start_byte), Edit(part.end_byte, whole.end_byte)


def _whole_type(arguments: Node, text: bytes) -> Node | None:
    """Return the type that ends with some arguments, with its path; None if it is no type."""
    node, above = arguments, arguments.parent
    while above is not None and above.end_byte == arguments.end_byte:
        if node != arguments and not text.endswith(_PATH, above.start_byte, node.start_byte):
            break
        node, above = above, above.parent
    return node if any(word in node.type for word in _TYPES) else None


def _of_own_types(parts: Sequence[Node], document: Document) -> Iterator[list[Edit]]:
    """Yield the edits that put what a type of the program has as its only value in its place."""
    text, known = document.text, conventions(document.language)
    for part in parts:
        if part.type not in known.kinds.wrapped_lists:
            continue
        types = [kind for each in known.fields.types for kind in part.children_by_field_name(each)]
        owner, above = part.parent, part.parent.parent if part.parent else None
        name = child_in(owner, known.fields.names) if owner else None
        if len(types) != 1 or owner is None or above is None or name is None:
            continue
        path = [text_of(name, text)]
        if above.parent is not None and child_in(above.parent, known.fields.bodies) == above:
            if above.named_child_count != 1:
                continue
            outer = child_in(above.parent, known.fields.names)
            path, owner = [text_of(outer, text), *path] if outer else path, above.parent
        yield _own_edits(owner, path, types[0], parts, document)


def _own_edits(
    owner: Node, path: Sequence[bytes], wrapped: Node, parts: Sequence[Node], document: Document
) -> list[Edit]:
    """Return the edits for a type of the program: `path` makes its values from those of `wrapped`.

    Inside of itself the shortest type takes its place.
    """
    text, known = document.text, conventions(document.language)
    wrapper = _Wrapper(frozenset({_PATH.join(path)}), frozenset({b".0"}))
    edits = [*_value_edits(parts, wrapper, document)]
    named = [
        part
        for part in parts
        if not part.child_count and "type" in part.type and text_of(part, text) == path[0]
    ]
    inner = [
        Edit(*each.byte_range, shortest)
        for shortest in known.tokens.shortest_types[:1]
        for each in named
        if wrapped.start_byte <= each.start_byte < wrapped.end_byte
    ]
    new = apply(text, inner, wrapped.byte_range)
    edits += [Edit(each.start_byte, _end_with_arguments(each, document), new) for each in named]
    return _apart([Edit(*owner.byte_range), *edits])


def _end_with_arguments(name: Node, document: Document) -> int:
    """Return where the name of a type ends, with its arguments, such as those for lifetimes in Rust."""
    after = name.next_named_sibling
    has_some = (
        after is not None and after.type in conventions(document.language).kinds.type_arguments
    )
    return after.end_byte if after is not None and has_some else name.end_byte


def _value_edits(parts: Sequence[Node], wrapper: _Wrapper, document: Document) -> Iterator[Edit]:
    """Yield the edits that leave what is wrapped, where values are made or taken out."""
    text, language = document.text, document.language
    known = conventions(language)
    for part in parts:
        if not part.child_count:
            if text_of(part, text) in wrapper.takers and not is_identifier(part, language):
                yield Edit(*part.byte_range)
            continue
        called = child_in(part, known.fields.called | known.fields.types)
        maker = text[part.start_byte : called.end_byte] if called is not None else b""
        if called is not None and maker.split(b"<")[0] in wrapper.makers:
            given = arguments_of(part, text, language) or [
                each for each in part.named_children if each.start_byte >= called.end_byte
            ]
            if len(given) == 1:
                yield from _kept(part, given[0])
        if maker in wrapper.failing and not part.type.endswith(_PATTERN):
            yield Edit(*part.byte_range, known.bodies[0].stub[1:-1].strip())
        inner = part
        for _ in range(_MAX_SUFFIX_DEPTH):
            if not inner.named_child_count:
                break
            inner = inner.named_children[0]
            if text[inner.end_byte : part.end_byte] in wrapper.takers:
                yield Edit(inner.end_byte, part.end_byte)
                break


def _of_repeated_types(parts: Sequence[Node], document: Document) -> Iterator[list[Edit]]:
    """Yield the edits that put the shortest type in the place of one that occurs several times."""
    text, known = document.text, conventions(document.language)
    places: dict[bytes, list[Node]] = {}
    for part in parts:
        kind = child_in(part, known.fields.types)
        found = [kind] if kind is not None else []
        if part.type in known.kinds.type_arguments:
            found = part.named_children
        for each in found:
            if text.startswith(b"<", each.end_byte):
                continue  # the name of a generic type
            places.setdefault(text_of(each, text), []).append(each)
    heaviest = sorted(places, key=lambda name: -len(name) * len(places[name]))
    for shortest in known.tokens.shortest_types[:1]:
        repeated = [
            name
            for name in heaviest
            if len(places[name]) >= _MIN_PLACES and len(name) > len(shortest)
        ]
        for name in repeated[:_MAX_REPEATED_TYPES]:
            yield _apart([Edit(*each.byte_range, shortest) for each in places[name]])
