"""Couples by place: an element's beginning with its end, and what opens with what closes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pollard.passes.couples import Couple
from pollard.passes.hoister import Hoister, Hoisting, Run
from pollard.syntax.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.passes.couples import Found
    from pollard.syntax.branches import Branch

_FEW = 2
# What opens an element: a token, or in the name of its kind.
_BRACKETS = frozenset("([{<")
_TAG = re.compile("start|open|begin|STag")
# What opens, and what closes it, in the names of macros and functions.
_PAIRS = (
    ("begin", "end"),
    ("start", "end"),
    ("start", "stop"),
    ("open", "close"),
    ("push", "pop"),
    ("lock", "unlock"),
    ("enter", "leave"),
    ("enter", "exit"),
    ("acquire", "release"),
)


def peeled(found: Found) -> Iterator[Couple]:
    """Yield, for each branch with several elements between brackets or tags, it without these.

    What has a single one is left to hoisting.
    """
    hoister = Hoister(found.subject)
    for branch in found.branches:
        inner = branch.children[1:-1]
        if sum(not child.is_token for child in inner) < _FEW or not _is_enclosed(branch):
            continue
        if branch.is_within(found.subject.span):
            yield Couple((), hoister.edits([Hoisting(branch, Run(inner))]))


def joined(found: Found) -> Iterator[Couple]:
    """Yield, for neighbours of one kind, the end of the first with the beginning of the second.

    What is inside of both is in the first then: of `f() { a(); } g() { b(); }` this leaves
    `f() { a(); b(); }`, of `[1], [2]` it leaves `[1, 2]`.
    """
    start, end = found.subject.span
    for branch in found.branches:
        after = _neighbour(branch)
        if after is None or not (start <= branch.start and after.end <= end):
            continue
        closed, opened = _bracketed(branch), _bracketed(after)
        if closed is not None and opened is not None:
            closing, opening = closed.children[-1], opened.children[0]
            ends = Edit(closing.start, closing.end), Edit(after.start, opening.end)
            yield Couple((), ends)


def _neighbour(branch: Branch) -> Branch | None:
    """Return the next sibling of a branch, or the one after a separator, if it is of its kind."""
    if branch.is_token or (after := branch.sibling(1)) is None:
        return None
    after = after.sibling(1) if after.is_token else after
    return after if after is not None and after.node.kind_id == branch.node.kind_id else None


def _bracketed(branch: Branch) -> Branch | None:
    """Return what is between brackets or tags: a branch, or the last one below it, as a body is."""
    for one in (branch, *branch.children[-1:]):
        if len(one.children) >= _FEW and _is_enclosed(one) and _is_opening(one.children[0]):
            return one
    return None


def _is_opening(branch: Branch) -> bool:
    kind = branch.node.type
    return kind in _BRACKETS if branch.is_token else _TAG.search(kind) is not None


def _is_enclosed(branch: Branch) -> bool:
    first, last = branch.children[0], branch.children[-1]
    return first.is_token == last.is_token and first.node.kind_id != last.node.kind_id


def paired(found: Found) -> Iterator[Couple]:
    """Yield siblings of which the one's text is the other's but for `begin` and `end` or the like."""
    by_text: dict[tuple[int, bytes], Branch] = {}
    for branch in found.branches:
        if branch in found.names.units and not branch.is_token:
            text = found.names.name(branch)
            for opening in _opened(text):
                first = by_text.pop((id(branch.parent), opening), None)
                if first is not None:
                    yield Couple((found.unit(first), found.unit(branch)))
                    break
            by_text[id(branch.parent), text] = branch


def _opened(text: bytes) -> Iterator[bytes]:
    """Yield what would be closed by a text: the same with another word, in its first word's case."""
    for opening, closing in _PAIRS:
        for write in (str.lower, str.upper, str.capitalize):
            old, new = write(closing).encode(), write(opening).encode()
            if re.search(rb"(?<![a-z])" + old if old.islower() else old, text):
                yield text.replace(old, new, 1)
