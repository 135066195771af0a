"""A text with its syntax tree: immutable, and cheap to derive the next one from."""

from __future__ import annotations

import bisect
from functools import cached_property, partial
from itertools import accumulate
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

from tree_sitter import Parser, Tree

from pollard.errors import Cancelled
from pollard.syntax.grammars.spelling import word_places
from pollard.syntax.tree.edits import Edit, apply

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tree_sitter import Language, Node


T = TypeVar("T")

# What an incremental reparse costs, in bytes that could be parsed from scratch meanwhile (measured on
# C and JSON): each edit, and each deleted byte, whose nodes are visited to mark them.
_BYTES_PER_EDIT = 400
_BYTES_PER_DELETED_BYTE = 1 / 6

# Longer texts are given to the parser piece by piece, so that Python's other threads get their turn
# meanwhile: parsing 500 kB of C at once keeps them waiting for 0.1 to 0.2 s. It takes no longer so. But
# no shorter ones: tree-sitter 0.26 never frees a piece that it has read.
_LONG = 131_072
_PIECE = 4_096

# Recovering from an error twice is dear in longer texts.
_DEAR = 16_384


class Cancellation(Protocol):
    """Tells whether to stop."""

    def is_set(self) -> bool:
        """Whether to stop."""


class Document:
    """`text` and, if `language` is given, the tree that tree-sitter makes of it, parsed on demand.

    A document never changes. `edited` derives another one; its tree is an incremental reparse, or a
    parse from scratch where it has errors, or so many edits that this is cheaper. Once `cancelled` is
    set, asking for a tree that is not there yet raises Cancelled; so does a long parse that goes on
    then. `has_islands` False means that nobody looks for other languages inside
    (`pollard.syntax.islands.islands`).
    """

    __slots__ = (
        "__dict__",
        "_base",
        "_cancelled",
        "_edits",
        "_is_draft",
        "_once",
        "has_islands",
        "language",
        "text",
    )

    def __init__(
        self,
        text: bytes,
        language: Language | None = None,
        *,
        cancelled: Cancellation | None = None,
        has_islands: bool = True,
        _base: Document | None = None,
        _edits: Sequence[Edit] = (),
    ) -> None:
        self.text = text
        self.language = language
        self.has_islands = has_islands
        self._cancelled = cancelled
        self._base = _base
        self._edits = _edits
        self._is_draft = False
        self._once: dict[object, object] = {}

    def once(self, compute: Callable[[Document], T]) -> T:
        """Return what `compute` makes of the document, and call it only the first time.

        For what modules that build on this one know of a document, which never changes.
        """
        if compute not in self._once:
            self._once[compute] = compute(self)
        return cast("T", self._once[compute])

    def edited(self, edits: Sequence[Edit]) -> Document:
        """Return the document with ordered, disjoint `edits` made."""
        return Document(
            apply(self.text, edits),
            self.language,
            cancelled=self._cancelled,
            has_islands=self.has_islands,
            _base=self._as_base,
            _edits=edits,
        )

    def without_islands(self) -> Document:
        """Return the same document, in which nobody looks for islands."""
        return Document(
            self.text,
            self.language,
            cancelled=self._cancelled,
            has_islands=False,
            _base=self._as_base,
        )

    @property
    def _as_base(self) -> Document | None:
        """Itself where its tree is worth keeping for what is derived from it.

        Documents that nobody asks for their trees would keep all that they come from in memory.
        """
        return self if "tree" in self.__dict__ or self._base is None else None

    @cached_property
    def tree(self) -> Tree | None:
        """The syntax tree, or None without a grammar."""
        # How the parser recovers from an error depends on what it was before: the tree is to depend on
        # the text alone, as does what the guard says of it, whichever way the text was come to.
        draft = self._draft
        if (
            draft is None
            or self.language is None
            or not (self._is_draft and draft.root_node.has_error)
        ):
            return draft
        return self._parsed(self._parser(self.language), None)

    @property
    def rough_root(self) -> Node:
        """The root of the tree that guesses are made from."""
        return self.root if self._rough_tree is None else self._rough_tree.root_node

    @property
    def _rough_tree(self) -> Tree | None:
        """The tree, of a long text as an incremental reparse has it."""
        return self._draft if self.is_rough else self.tree

    @property
    def is_rough(self) -> bool:
        """Whether guesses are made from an incremental reparse, as recovering from errors is dear."""
        return self._length > _DEAR

    @cached_property
    def _draft(self) -> Tree | None:
        """The tree, but for errors: the parser may recover from them as the tree before suggests."""
        if self.language is None:
            return None
        base, edits = self._base, self._edits
        self._base = None
        parser = self._parser(self.language)
        if base is None or base.tree is None or _cost(edits) > self._length:
            return self._parsed(parser, None)
        self._is_draft = True
        return self._parsed(parser, _outdated(base, base.tree, edits))

    @property
    def _length(self) -> int:
        """How many bytes are parsed."""
        return len(self.text)

    def _parser(self, language: Language) -> Parser:
        return Parser(language)

    def _parsed(self, parser: Parser, old: Tree | None) -> Tree:
        # What reads for the parser must not know the document: the tree keeps it, and a circle through
        # the parser's own objects is never freed.
        long = self._length > _LONG
        source = partial(_piece, self.text, self._cancelled) if long else self.text
        parse = partial(parser.parse, source)
        tree = parse() if old is None else parse(old)
        if self._is_cancelled():
            message = "the reduction was cancelled"
            raise Cancelled(message)
        return tree

    def _is_cancelled(self) -> bool:
        return self._cancelled is not None and self._cancelled.is_set()

    @property
    def root(self) -> Node:
        """The root of the tree; asking a document without a grammar for it is a mistake."""
        if self.tree is None:
            message = "a document without a grammar has no tree"
            raise ValueError(message)
        return self.tree.root_node

    @cached_property
    def errors(self) -> int:
        """How many ERROR and MISSING nodes the tree has: what the guard compares."""
        return 0 if self.tree is None else sum(1 for _ in errors_below(self.tree.root_node))

    def has_more_errors_than(self, most: int, *, roughly: bool = False) -> bool:
        """Tell whether there are more than `most` ERROR and MISSING nodes; counts no further.

        Of a long text the errors of an incremental reparse are believed: recovering from them twice
        would take long. `roughly` means that it is also believed that there are no more of them.
        `is_certain` tells whether the answer depends on the text alone.
        """
        is_more = _has_more_errors(self._rough_tree, most)
        if is_more or roughly or not self.is_rough:
            return is_more
        return _has_more_errors(self.tree, most)

    @property
    def hides_uses(self) -> bool:
        """Whether the grammar fails, which hides who uses what: in C++ macros that open namespaces."""
        return self.has_more_errors_than(0)

    @property
    def is_certain(self) -> bool:
        """Whether what was told of the errors depends on the text alone, and may be kept with it."""
        return "tree" in self.__dict__ or not self._is_draft

    @cached_property
    def words(self) -> Mapping[bytes, Sequence[int]]:
        """Where each word of the text begins, in order; an index that is made once."""
        return word_places(self.text, self.language)

    @cached_property
    def _line_starts(self) -> list[int]:
        ended = self.text.split(b"\n")[:-1]
        return [0, *accumulate(len(line) + 1 for line in ended)]

    def point(self, offset: int) -> tuple[int, int]:
        """Return row and column (in bytes, both from 0) of a byte offset."""
        row = bisect.bisect_right(self._line_starts, offset) - 1
        return row, offset - self._line_starts[row]

    def line_start(self, offset: int) -> int:
        """Return the offset at which the line of `offset` begins."""
        return self._line_starts[bisect.bisect_right(self._line_starts, offset) - 1]

    def line_starts_between(self, start: int, end: int) -> list[int]:
        """Return where the lines begin that start after `start` and before `end`."""
        first = bisect.bisect_right(self._line_starts, start)
        return self._line_starts[first : bisect.bisect_left(self._line_starts, end)]

    @property
    def line_count(self) -> int:
        """How many lines there are; a text that ends with a newline has an empty last one."""
        return len(self._line_starts)

    def lines(self, first: int, last: int) -> tuple[int, int]:
        """Return the byte span of the lines `first` to `last` (from 1, both included)."""
        starts = self._line_starts
        end = starts[last] if last < len(starts) else len(self.text)
        return starts[first - 1], end


def _piece(text: bytes, cancelled: Cancellation | None, offset: int, _: object) -> bytes:
    """Return what comes next; once cancelled nothing, which ends the parse soon.

    The parser's own way to be stopped, its progress callback, crashes tree-sitter 0.25.0.
    """
    stopped = cancelled is not None and cancelled.is_set()
    return b"" if stopped else text[offset : offset + _PIECE]


def _has_more_errors(tree: Tree | None, most: int) -> bool:
    if tree is None or not tree.root_node.has_error:
        return False
    return any(number > most for number, _ in enumerate(errors_below(tree.root_node), 1))


def errors_below(node: Node) -> Iterator[Node]:
    """Yield the ERROR and MISSING nodes at and below `node`, in document order."""
    stack = [node]
    while stack:
        current = stack.pop()
        if current.is_error or current.is_missing:
            yield current
        if current.has_error:  # some of what is inside of an ERROR node is one without having any
            stack += [
                child
                for child in reversed(current.children)
                if child.has_error or child.is_error or child.is_missing
            ]


def _cost(edits: Sequence[Edit]) -> float:
    deleted = sum(edit.end - edit.start for edit in edits)
    return len(edits) * _BYTES_PER_EDIT + deleted * _BYTES_PER_DELETED_BYTE


def _outdated(base: Document, tree: Tree, edits: Sequence[Edit]) -> Tree:
    """Return a copy of the tree that has been told of the edits, from the last to the first.

    From the end, so that each edit's offsets still hold in the tree that it is told to.
    """
    copy = tree.copy()
    for edit in reversed(edits):
        start = base.point(edit.start)
        copy.edit(
            start_byte=edit.start,
            old_end_byte=edit.end,
            new_end_byte=edit.start + len(edit.new),
            start_point=start,
            old_end_point=base.point(edit.end),
            new_end_point=_advance(start, edit.new),
        )
    return copy


def _advance(point: tuple[int, int], new: bytes) -> tuple[int, int]:
    rows = new.count(b"\n")
    if rows:
        return point[0] + rows, len(new) - new.rfind(b"\n") - 1
    return point[0], point[1] + len(new)
