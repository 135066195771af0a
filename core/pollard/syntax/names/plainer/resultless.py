"""Functions without a result: their type for it goes together with the values that they return.

A compiler that finds the one without the other often stops before the failure that is wanted. A value
is left out, or stays as a statement: `fn f() -> T { g() }` becomes `fn f() { }` or `fn f() { g(); }`.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from pollard.syntax.names.calls import arguments_of
from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import child_in, nodes, text_of
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from pollard.syntax.names.conventions import Conventions
    from pollard.syntax.tree.document import Document


_END = b";"
# Stands for the value of a branch that is not in brackets.
_NOTHING = b"{}"
# A sign before the type of a result, which goes with it.
_SIGNS = (b"->", b":")
_LOOP = re.compile("for|while|loop")
# Of the parts of a last value, so many stand in its place.
_MAX_PARTS = 3


def without_results(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each function with a result, the edits that remove its type and its values.

    First those that leave no values, then those that keep them as statements.
    """
    text, known = document.text, conventions(document.language)
    if not known.fields.results:
        return
    for function in nodes(document.root):
        kind = child_in(function, known.fields.results)
        body = child_in(function, known.fields.bodies)
        if function.type not in known.kinds.functions or kind is None or body is None:
            continue
        gone = _without_type(kind, text, known)
        returns = [*returns_in(body, known)]
        last = _last_value(body, text, known)
        if not returns and last is None:
            continue
        values = [value for each in returns for value in each.named_children]
        emptied = [Edit(*value.byte_range) for value in values]
        yield [gone, *emptied, *(_emptied(last, text, known) if last else ())]
        kept = [Edit(each.start_byte, each.named_children[0].start_byte) for each in returns]
        yield [gone, *kept, *([Edit(last.end_byte, last.end_byte, _END)] if last else ())]


def with_parts_of_last_values(document: Document) -> Iterator[list[Edit]]:
    """Yield the edits that put a part of the last value of a block in its place, as a statement.

    Only where nothing takes the value, as in a loop, but where types are declared, so that another one
    would be wrong: `for x in y { f(&mut x) }` becomes `for x in y { &mut x; }`.
    """
    text, known = document.text, conventions(document.language)
    if known.runs_statements or not known.kinds.valued_blocks:
        return
    for block in nodes(document.root):
        above = block.parent
        is_unused = above is not None and (
            _LOOP.search(above.type)
            or (above.type in known.kinds.functions and not child_in(above, known.fields.results))
        )
        last = _last_value(block, text, known) if is_unused else None
        if last is not None and last.type in known.kinds.calls:
            for part in islice(_arguments_in(last, document), _MAX_PARTS):
                yield [
                    Edit(last.start_byte, part.start_byte),
                    Edit(part.end_byte, last.end_byte, _END),
                ]


def _arguments_in(call: Node, document: Document) -> Iterator[Node]:
    """Yield the arguments of a call, those of calls among them first."""
    for each in arguments_of(call, document.text, document.language):
        if each.type in conventions(document.language).kinds.calls:
            yield from _arguments_in(each, document)
        yield each


def _without_type(kind: Node, text: bytes, known: Conventions) -> Edit:
    """Return the edit that removes the type of a result, or puts the word for none in its place."""
    if known.tokens.no_result:
        return Edit(*kind.byte_range, known.tokens.no_result[0])
    sign = kind.prev_sibling
    has_sign = sign is not None and text_of(sign, text) in _SIGNS
    return Edit(sign.start_byte if sign and has_sign else kind.start_byte, kind.end_byte)


def returns_in(body: Node, known: Conventions) -> Iterator[Node]:
    """Yield what returns a value from a function, but not from the functions in it."""
    stack: list[Node] = [body]
    while stack:
        node = stack.pop()
        if node.type in known.kinds.returns and node.named_child_count:
            yield node
        elif node.type not in known.kinds.functions:
            stack += reversed(node.children)


def _last_value(block: Node, text: bytes, known: Conventions) -> Node | None:
    """Return the last expression of a block if the block has its value, as in Rust."""
    if block.type not in known.kinds.valued_blocks or not block.named_child_count:
        return None
    last = block.named_children[-1]
    return None if text_of(last, text).endswith(_END) or last.type in known.kinds.returns else last


def _emptied(value: Node, text: bytes, known: Conventions) -> list[Edit]:
    """Return the edits that leave nothing of a last expression but its branches, if it has some."""
    inner = [*_branches(value, known)]
    if not inner:
        return [Edit(*value.byte_range)]
    edits: list[Edit] = []
    for branch in inner:
        last = _last_value(branch, text, known)
        if last is not None:
            edits += _emptied(last, text, known)
        elif branch.type not in known.kinds.valued_blocks:
            edits.append(Edit(*branch.byte_range, _NOTHING))
    return edits


def _branches(value: Node, known: Conventions) -> Iterator[Node]:
    """Yield the blocks and values of which one becomes the value of an expression."""
    if value.type in known.kinds.valued_blocks:
        yield value
    elif len(value.named_children) == 1 and value.type not in known.kinds.identifiers:
        yield from _branches(value.named_children[0], known)
    elif (arms := child_in(value, known.fields.bodies)) is not None:
        yield from filter(None, (child_in(arm, known.fields.values) for arm in arms.named_children))
    else:
        branches = map(value.child_by_field_name, ("consequence", "alternative"))
        yield from (inner for each in branches if each for inner in _branches(each, known))
