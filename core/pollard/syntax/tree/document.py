"""A text with its syntax tree: immutable, parsed on demand, cheap to derive the next one from.

*Incremental reparse.* tree-sitter can reuse the tree of an earlier text. Given the bytes that
changed, it parses only what the changes touch. Nearly every candidate of a reduction is parsed
like this.

*Exact and rough trees.* How tree-sitter recovers from a syntax error depends on the tree that it
reused, so two incremental reparses of one text may disagree about its errors. The tree of a
document must depend on the text alone, or resumed and parallel reductions would differ. Where an
incremental tree has errors, `Document.tree` is therefore parsed again from scratch. For the guard the
incremental tree, called the *rough* tree, is good enough to refuse a text: of some 6,000 texts of 22
files in which it had more errors than allowed, the exact tree had fewer in none. What it accepts, the
exact tree confirms. `is_certain` is False if an answer may have come from the rough tree. And where the
errors of a long text are those of its base, none of which an edit touched, the incremental tree counts
as exact: preprocessed C++ has hundreds of errors that no candidate has to do with.
"""

from __future__ import annotations

import bisect
from collections import deque
from functools import cache, cached_property, partial
from itertools import accumulate
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

from tree_sitter import Parser, Tree

from pollard.errors import Cancelled
from pollard.syntax.grammars.language_facts import needs_full_parses, needs_line_end
from pollard.syntax.grammars.languages import grammar_of
from pollard.syntax.tree.edits import Edit, apply

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tree_sitter import Language, Node


T = TypeVar("T")

_LINE_END, _COMMENT = b"\n", b"#"

# Start, end, and whether something is missing there.
ErrorSpan = tuple[int, int, bool]

# The cost of an incremental reparse, measured in bytes that a parse from scratch handles in the same
# time (for C and JSON): for each edit, and for each deleted byte, since the deleted nodes must be
# marked.
_BYTES_PER_EDIT = 400
_BYTES_PER_DELETED_BYTE = 1 / 6

# The parser reads longer texts in pieces, so that other threads of Python can run in between: parsing
# 500 kB of C in one go blocks them for 0.1 to 0.2 s. Pieces cost no time, but tree-sitter 0.26 never
# frees a piece that it has read. So shorter texts are read in one go, and those that are parsed again
# after an edit, too: a token of a megabyte is read as a whole for each edit in it.
_MAX_BYTES_READ_IN_ONE_GO = 131_072
_READ_PIECE_BYTES = 4_096

# In longer texts, parsing again to recover from an error exactly takes too long for each candidate.
_MAX_BYTES_PARSED_TWICE = 16_384


class Cancellation(Protocol):
    """A flag that another thread sets to stop the work, such as a `threading.Event`."""

    def is_set(self) -> bool:
        """Return whether to stop."""


class Document:
    """`text` and, if `language` is given, its syntax tree, parsed on first use.

    A document never changes; `edited` derives another one. Once `cancelled` is set, current and later
    parses raise Cancelled. With `has_islands` False the text is not searched for other languages (see
    `pollard.syntax.islands`).
    """

    __slots__ = (
        "__dict__",
        "_base",
        "_cancelled",
        "_edits",
        "_errors_of_base",
        "_is_incremental",
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
        self._errors_of_base: list[ErrorSpan] = []
        self._is_incremental = False
        self._once: dict[object, object] = {}

    def once(self, compute: Callable[[Document], T]) -> T:
        """Return `compute(self)`, called only the first time.

        Modules that build on this one keep what they derive from a document here.
        """
        if compute not in self._once:
            self._once[compute] = compute(self)
        return cast("T", self._once[compute])

    def edited(self, edits: Sequence[Edit]) -> Document:
        """Return the document after `edits`, which must be in order and disjoint."""
        return Document(
            apply(self.text, edits),
            self.language,
            cancelled=self._cancelled,
            has_islands=self.has_islands,
            _base=self._as_base,
            _edits=edits,
        )

    def stop_if_cancelled(self) -> None:
        """Raise Cancelled if the work is to stop; for what takes long without a parse."""
        if self._cancelled is not None and self._cancelled.is_set():
            message = "the reduction was cancelled"
            raise Cancelled(message)

    def without_islands(self) -> Document:
        """Return a copy that is not searched for islands."""
        return Document(
            self.text,
            self.language,
            cancelled=self._cancelled,
            has_islands=False,
            _base=self._as_base,
        )

    @property
    def _as_base(self) -> Document | None:
        """The document, if derived documents can reuse its tree; None if it is not parsed yet.

        A chain of documents that are never parsed would otherwise keep all its members in memory.
        """
        return self if "tree" in self.__dict__ or self._base is None else None

    @cached_property
    def tree(self) -> Tree | None:
        """The exact syntax tree, which depends on the text alone; None without a grammar."""
        first = self._rough_tree
        if first is None or not (self._is_incremental and first.root_node.has_error):
            return first
        return first if self._has_expected_errors else self._parsed(None)

    @property
    def _has_expected_errors(self) -> bool:
        """Whether the incremental tree's errors are those of the base, moved by the edits."""
        expected = _moved(self._errors_of_base, self._edits) if self._errors_of_base else None
        return expected is not None and expected == _error_spans(self._rough_tree)

    @property
    def rough_root(self) -> Node:
        """The root of the rough tree."""
        return self.root if self._rough_tree is None else self._rough_tree.root_node

    @property
    def is_long(self) -> bool:
        """Whether an exact tree with errors takes too long to parse for each candidate."""
        return self._length > _MAX_BYTES_PARSED_TWICE

    @cached_property
    def _rough_tree(self) -> Tree | None:
        """The tree of the cheapest parse: exact, or incremental, which is exact except for errors."""
        if self.language is None:
            return None
        base, edits = self._base, self._edits
        self._base = None
        if (
            base is None
            or base.tree is None
            or _cost(edits) > self._length
            or _is_known_to(needs_full_parses, self.language)
            or self._line_end
            or base._line_end
        ):
            return self._parsed(None)
        self._is_incremental = True
        if self.is_long:
            self._errors_of_base = base.error_spans
        return self._parsed(_outdated(base, base.tree, edits))

    @property
    def _length(self) -> int:
        """How many bytes are parsed."""
        return len(self.text)

    @cached_property
    def _line_end(self) -> bytes:
        """What the parser reads after the text so that it returns, such as after a comment in Perl."""
        if self.language is None or not _is_known_to(needs_line_end, self.language):
            return b""
        last = self.text[self.text.rfind(_LINE_END) + 1 :]
        return _LINE_END if _COMMENT in last else b""

    def _parser(self) -> Parser:
        return Parser(self.language)

    def _parsed(self, old: Tree | None) -> Tree:
        # The reader must not refer to the document: the tree refers to its reader, and Python cannot
        # free a cycle that passes through the parser's own objects.
        in_pieces = old is None and self._length > _MAX_BYTES_READ_IN_ONE_GO
        text = self.text + self._line_end
        source = partial(_piece, text, self._cancelled) if in_pieces else text
        parse = partial(self._parser().parse, source)
        tree = parse() if old is None else parse(old)
        self.stop_if_cancelled()
        return tree

    @property
    def root(self) -> Node:
        """The root of the exact tree. Raises ValueError for a document without a grammar."""
        if self.tree is None:
            message = "a document without a grammar has no tree"
            raise ValueError(message)
        return self.tree.root_node

    @property
    def errors(self) -> int:
        """How many ERROR and MISSING nodes the tree has; the syntax guard compares these counts."""
        return len(self.error_spans)

    @cached_property
    def error_spans(self) -> list[ErrorSpan]:
        """Where the ERROR and MISSING nodes of the tree are, in document order."""
        return _error_spans(self.tree)

    def has_more_errors_than(self, limit: int, *, roughly: bool = False) -> bool:
        """Return whether the tree has more than `limit` ERROR and MISSING nodes.

        The rough tree answers. If it has no more errors than that, the exact tree has the last word,
        unless `roughly` is set. Afterwards `is_certain` says whether the answer depends on the text
        alone.
        """
        is_more = _has_more_errors(self._rough_tree, limit)
        if is_more or roughly or self.tree is self._rough_tree:
            return is_more
        return _has_more_errors(self.tree, limit)

    @property
    def hides_uses(self) -> bool:
        """Whether the tree has errors and so may miss uses of names, as below an unknown C++ macro."""
        return self.has_more_errors_than(0)

    @property
    def is_certain(self) -> bool:
        """Whether answers about errors so far depend on the text alone, and may be remembered."""
        return "tree" in self.__dict__ or not self._is_incremental

    @cached_property
    def _line_starts(self) -> list[int]:
        ended = self.text.split(b"\n")[:-1]
        return [0, *accumulate(len(line) + 1 for line in ended)]

    def point(self, offset: int) -> tuple[int, int]:
        """Return the row and the column of an offset, both from 0 and the column in bytes."""
        row = bisect.bisect_right(self._line_starts, offset) - 1
        return row, offset - self._line_starts[row]

    def line_start(self, offset: int) -> int:
        """Return the offset of the start of the line that `offset` is in."""
        return self._line_starts[bisect.bisect_right(self._line_starts, offset) - 1]

    def line_starts_between(self, start: int, end: int) -> list[int]:
        """Return the starts of the lines that begin after `start` and before `end`."""
        first = bisect.bisect_right(self._line_starts, start)
        return self._line_starts[first : bisect.bisect_left(self._line_starts, end)]

    @property
    def line_count(self) -> int:
        """How many lines there are; after a final newline there is an empty last line."""
        return len(self._line_starts)

    def lines(self, first: int, last: int) -> tuple[int, int]:
        """Return the byte span of the lines `first` to `last`, counted from 1, both included."""
        starts = self._line_starts
        end = starts[last] if last < len(starts) else len(self.text)
        return starts[first - 1], end


def _piece(text: bytes, cancelled: Cancellation | None, offset: int, _: object) -> bytes:
    """Return the text that the parser reads next; nothing once cancelled, which soon ends the parse.

    The parser's own means to be stopped, its progress callback, crashes tree-sitter 0.25.0.
    """
    stopped = cancelled is not None and cancelled.is_set()
    return b"" if stopped else text[offset : offset + _READ_PIECE_BYTES]


def _error_spans(tree: Tree | None) -> list[ErrorSpan]:
    if tree is None:
        return []
    nodes = errors_below(tree.root_node)
    return [(node.start_byte, node.end_byte, node.is_missing) for node in nodes]


def _moved(spans: Sequence[ErrorSpan], edits: Sequence[Edit]) -> list[ErrorSpan] | None:
    """Return where errors are after ordered edits; None if an edit touches one and leaves some of it.

    Those inside deleted text are gone.
    """
    moved: list[ErrorSpan] = []
    waiting, shift = deque(edits), 0
    for start, end, is_missing in spans:
        while waiting and waiting[0].end < start:
            edit = waiting.popleft()
            shift += len(edit.new) - (edit.end - edit.start)
        if not waiting or end < waiting[0].start:
            moved.append((start + shift, end + shift, is_missing))
        elif start < waiting[0].start or end > waiting[0].end:
            return None
    return moved


def _has_more_errors(tree: Tree | None, limit: int) -> bool:
    if tree is None or not tree.root_node.has_error:
        return False
    return any(number > limit for number, _ in enumerate(errors_below(tree.root_node), 1))


def errors_below(node: Node) -> Iterator[Node]:
    """Yield the ERROR and MISSING nodes at and below `node`, in document order."""
    stack = [node]
    while stack:
        current = stack.pop()
        if current.is_error or current.is_missing:
            yield current
        if current.has_error:  # an ERROR node's children may be errors though it reports none below
            stack += [
                child
                for child in reversed(current.children)
                if child.has_error or child.is_error or child.is_missing
            ]


@cache
def _is_known_to(need: Callable[[str], bool], language: Language) -> bool:
    """Return whether a grammar is known to need something, by one of the `language_facts`."""
    grammar = grammar_of(language)
    return grammar is not None and need(grammar.name)


def _cost(edits: Sequence[Edit]) -> float:
    deleted = sum(edit.end - edit.start for edit in edits)
    return len(edits) * _BYTES_PER_EDIT + deleted * _BYTES_PER_DELETED_BYTE


def _outdated(base: Document, tree: Tree, edits: Sequence[Edit]) -> Tree:
    """Return a copy of the tree on which the edits are recorded, for the parser to reuse.

    The last edit is recorded first, so that the offsets of the others still hold.
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
