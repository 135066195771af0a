"""A declaration's content in the place of its use, and the declaration gone.

What a person does last by hand: a variable's value, a type's meaning, a function's only statement goes
where it is used, with arguments in the place of parameters (`pollard.passes.contents`). It is the one
step that no deletion and no hoisting can do, since what moves is outside of where it goes; LPR
(ISSTA 2024) asks a language model for it. Here the grammar's fields say what is a value, a body, a
parameter, and the guard what fits.
"""

from __future__ import annotations

from itertools import islice, pairwise
from typing import TYPE_CHECKING

from pollard.passes.contents import arguments_of, contents, with_arguments
from pollard.passes.declarations import are_within, declarations
from pollard.passes.last import is_short
from pollard.passes.subject import Candidate
from pollard.syntax.edits import Edit
from pollard.syntax.layout import Layout
from pollard.syntax.sizes import size

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from pollard.passes.declarations import Declared
    from pollard.passes.subject import Subject
    from pollard.syntax.document import Document

_CALLED = ("function", "name", "macro", "method")
_MOST_USES = 4
_CONTENTS = 3
# What is replaced: the name, its call, or the statement that the call is.
_HEIGHTS = range(3)
# A call is hardly further above the name of its function; a node's parent is looked for from the root.
_STEPS = 8


def inline(subject: Subject, patience: int | None = None) -> None:
    """Put what a declaration contains where its name is used: nine candidates at most for each.

    Begins again after each success; as every candidate is smaller than the text, that ends. After
    `patience` failures, if given, without a success in between it gives up.
    """
    if is_short(subject):
        while subject.first(islice(_candidates(subject), patience)) is not None:
            pass


def _candidates(subject: Subject) -> Iterator[Candidate]:
    base, span = subject.document, subject.span
    layout = Layout(base, span)
    for declared in declarations(subject)[0]:
        for edits in _inlinings(base, declared):
            if are_within(edits, span) and _are_apart(edits):
                tidied = layout.tidy(edits)
                if size(base.edited(tidied).text) < size(base.text):
                    yield Candidate(base, tidied)


def _are_apart(edits: Sequence[Edit]) -> bool:
    """Tell whether no edit, in any order, overlaps another: `f(f(1))` cannot be replaced twice."""
    return all(last.end <= edit.start for last, edit in pairwise(sorted(edits)))


def _inlinings(base: Document, declared: Declared) -> Iterator[list[Edit]]:
    """Yield the edits for each content, in the place of the name, of its call, or of a statement."""
    if len(declared.uses) > _MOST_USES:
        return
    leaves = [base.root.descendant_for_byte_range(*use) for use in declared.uses]
    for content in contents(declared.node)[:_CONTENTS]:
        for height in _HEIGHTS:
            edits = [
                _inlined(base.text, declared.node, content, leaf, height)
                for leaf in leaves
                if leaf is not None
            ]
            if None not in edits:
                yield [declared.gone, *(edit for edit in edits if edit is not None)]


def _inlined(text: bytes, declaration: Node, content: Node, leaf: Node, height: int) -> Edit | None:
    """Return the edit of one use, a leaf; None if there is nothing of that height."""
    call = _call_of(leaf) if height else None
    target = (leaf, call, _alone(call))[height]
    if target is None:
        return None
    new = with_arguments(text, declaration, content, call)
    return Edit(target.start_byte, target.end_byte, new)


def _alone(call: Node | None) -> Node | None:
    """Return what a call is all of, such as a statement."""
    above = call.parent if call is not None else None
    return above if above is not None and above.named_child_count == 1 else None


def _call_of(leaf: Node) -> Node | None:
    """Return the call whose function a name is, or is the last part of."""
    node = leaf
    for _ in range(_STEPS):
        above = node.parent
        if above is None:
            return None
        if arguments_of(above) is not None:
            called = [above.child_by_field_name(field) for field in _CALLED]
            return above if node in called else None
        if above.end_byte != leaf.end_byte:
            return None
        node = above
    return None
