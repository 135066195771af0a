"""The fate of each node of a small program's tree, as rows from the root down."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pollard.syntax.branches.branches import Branch, Preprocessing, root_branch
from pollard.syntax.tree.document import Document
from tests.bench.trace import Span, Trace

_MAX_LABEL_CHARACTERS = 26


class Fate(enum.Enum):
    """KEPT; REMOVED; REPLACED by something else; HOISTED; or removed WITH the node around it."""

    KEPT = enum.auto()
    REMOVED = enum.auto()
    REPLACED = enum.auto()
    HOISTED = enum.auto()
    WITH = enum.auto()


@dataclass(frozen=True)
class TreeRow:
    """A node or a line; `numbers` are those of the accepted candidates that decided its fate.

    `new` is the text in its place, `target` the number of the row whose place a hoisted row took.
    """

    depth: int
    label: str
    fate: Fate = Fate.KEPT
    numbers: tuple[int, ...] = ()
    new: str = ""
    target: int | None = None


def result_rows(made: Trace) -> list[TreeRow]:
    """Return the tree of the result; nodes that are new are marked as replaced."""
    return [
        TreeRow(depth, _label(branch), Fate.REPLACED if made.is_new(_span(branch)) else Fate.KEPT)
        for depth, branch in _walk(_tree(made.after), 0)
    ]


def line_rows(made: Trace) -> list[TreeRow]:
    """Return the original's lines, indented by two blanks for each step of depth."""
    rows, start = [], 0
    for line in made.before.text.splitlines(keepends=True):
        gone = made.gone_in((start, start + len(line)))
        start += len(line)
        fate = Fate.REMOVED if gone else Fate.KEPT
        text = line.decode().rstrip()
        depth = (len(text) - len(text.lstrip())) // 2
        rows.append(TreeRow(depth, text.lstrip(), fate, (gone,) if gone else ()))
    return rows


def original_rows(made: Trace, *, hoists: bool) -> list[TreeRow]:
    """Return the original's tree; without `hoists`, nodes around one that is left count as removed."""
    return list(_Rows(made, hoists).walk(_tree(made.before), 0, _Around()))


@dataclass(frozen=True)
class _Around:
    """What the nodes above decide: that it goes with them, or where and when it is hoisted."""

    goes: bool = False
    target: int | None = None
    numbers: tuple[int, ...] = ()
    hoisting: bool = False


class _Rows:
    """Numbers the rows, since the arrow of a hoisted node points at a row."""

    def __init__(self, made: Trace, hoists: bool) -> None:
        self._made = made
        self._hoists = hoists
        self._count = 0

    def walk(self, branch: Branch, depth: int, around: _Around) -> Iterator[TreeRow]:
        row, inner = self._judged(branch, depth, around)
        place = self._count
        self._count += 1
        yield row
        if inner.hoisting and inner.target is None:
            inner = _Around(target=place, numbers=inner.numbers, hoisting=True)
        for child in _inner(branch):
            yield from self.walk(child, depth + 1, inner)

    def _judged(self, branch: Branch, depth: int, around: _Around) -> tuple[TreeRow, _Around]:
        """Return a node's row, and what it decides for its children."""
        label, gone = _label(branch), self._gone(branch)
        if around.goes or (gone and gone in around.numbers):
            return TreeRow(depth, label, Fate.WITH), _Around(goes=True)
        if gone:
            new = self._made.replacement(_span(branch))
            fate = Fate.REPLACED if new else Fate.REMOVED
            return TreeRow(depth, label, fate, (gone,), new), _Around(goes=True)
        numbers = self._opened(branch)
        if numbers and not self._hoists:
            return TreeRow(depth, label, Fate.REMOVED, numbers), _Around()
        if numbers:
            so_far = tuple(sorted({*around.numbers, *numbers}))
            return TreeRow(depth, label, Fate.WITH), _Around(False, around.target, so_far, True)
        if around.hoisting:
            row = TreeRow(depth, label, Fate.HOISTED, around.numbers, target=around.target)
            return row, _Around()
        return TreeRow(depth, label), _Around()

    def _opened(self, branch: Branch) -> tuple[int, ...]:
        """Return the step that removed all of a node but one child; empty if none did."""
        left = [child for child in _inner(branch) if not self._gone(child)]
        if len(left) != 1 or branch.parent is None:
            return ()
        number = self._made.gone_in(_span(branch), but=_span(left[0]))
        return (number,) if number else ()

    def _gone(self, branch: Branch) -> int | None:
        return self._made.gone_in(_span(branch))


def _tree(document: Document) -> Branch:
    return root_branch(document.root, Preprocessing(), document)


def _walk(branch: Branch, depth: int) -> Iterator[tuple[int, Branch]]:
    yield depth, branch
    for child in _inner(branch):
        yield from _walk(child, depth + 1)


def _inner(branch: Branch) -> Sequence[Branch]:
    """Return the children that are drawn: no keywords or punctuation, and of a string nothing."""
    if branch.node.type == "string":
        return ()
    return [child for child in branch.children if not child.is_token]


def _label(branch: Branch) -> str:
    """Return a node's kind, or a leaf's text."""
    if _inner(branch) or branch.parent is None or not branch.node.text:
        return str(branch.node.type).replace("_", " ")
    text = " ".join(branch.node.text.decode().split())
    return text if len(text) <= _MAX_LABEL_CHARACTERS else text[: _MAX_LABEL_CHARACTERS - 1] + "…"


def _span(branch: Branch) -> Span:
    return branch.start, branch.end
