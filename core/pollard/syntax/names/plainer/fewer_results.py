"""Functions with one result less: it goes from the type, from what is returned and from each call.

Functions in Go return an error beside their result, and each call has a place for both. What no call
keeps can go everywhere at once: `func f() (T, error) { return t, nil }` and `x, _ := f()` become
`func f() (T) { return t }` and `x := f()`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.syntax.names.calls import call_of
from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import child_in, defining, leaves, nodes, text_of
from pollard.syntax.names.plainer.resultless import returns_in
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


# Ends with it: the sign between what is assigned and its value.
_SIGN = b"="


def with_fewer_results(document: Document) -> Iterator[list[Edit]]:
    """Yield the edits that leave out one of several results of a function, if no call keeps it."""
    text, known = document.text, conventions(document.language)
    blank = known.unused.blank if known.unused is not None else b""
    places: dict[bytes, list[Node]] = {}
    for leaf in leaves(document.root):
        if leaf.is_named and leaf.type not in known.kinds.texts:
            places.setdefault(text_of(leaf, text), []).append(leaf)
    for function in nodes(document.root):
        if function.type not in known.kinds.functions:
            continue
        returned = _returned(function, document)
        count = len(returned[0]) if returned else 0
        for name in defining(function, text, document.language) if count > 1 else ():
            uses = [leaf for leaf in places.get(text_of(name, text), ()) if leaf != name]
            targets = [kept for use in uses if (kept := _targets(use, document)) is not None]
            lists = [*returned, *targets]
            if any(len(each) != count for each in lists):
                continue
            for place in range(count):
                kept_names = {text_of(each[place], text) for each in targets} - {blank}
                if all(len(places.get(each, ())) <= 1 for each in kept_names):
                    yield [_without(each, place) for each in lists]


def _returned(function: Node, document: Document) -> list[Sequence[Node]]:
    """Return the types of a function's results, if they are a list, and what each statement returns."""
    known = conventions(document.language)
    body = child_in(function, known.fields.bodies)
    if body is None:
        return []
    found: list[Sequence[Node]] = []
    for each in returns_in(body, known):
        value = each.named_children[0]
        is_list = value.type in known.kinds.value_lists
        found.append(value.named_children if is_list else each.named_children)
    kind = child_in(function, known.fields.results)
    if found and kind is not None and kind.named_child_count == len(found[0]):
        found.append(kind.named_children)
    return found


def _targets(leaf: Node, document: Document) -> Sequence[Node] | None:
    """Return what the results of a call are assigned to; None if the call is a statement.

    They are none if something else uses the results.
    """
    text, known = document.text, conventions(document.language)
    value = call_of(leaf, text, document.language)
    while value is not None and (above := value.parent) is not None:
        if above.type in known.kinds.blocks:
            return None
        if above.named_child_count > 1:
            first = above.named_children[0]
            is_assigned = _SIGN in text[first.end_byte : value.start_byte]
            return first.named_children if is_assigned and above.named_child_count == 2 else ()
        value = above
    return ()


def _without(siblings: Sequence[Node], place: int) -> Edit:
    """Return the edit that removes an element of a list with one of the separators beside it."""
    if place + 1 < len(siblings):
        return Edit(siblings[place].start_byte, siblings[place + 1].start_byte)
    return Edit(siblings[place - 1].end_byte, siblings[place].end_byte)
