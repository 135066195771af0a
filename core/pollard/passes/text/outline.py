"""The outline of a text: blocks by indentation and brackets, where the grammar misreads all over.

A dialect, or a language that another one's grammar reads, can have an error in nearly every line. The
tree is then a list of words, and what belongs together is in no unit. But people and programs indent
what is inside something else, in nearly every language. So the lines make a tree of their own, which
is reduced from the top as in HDD.

Once little is left, several blocks share a line, as in `a { b(c) }`. So in a short text a line is a
tree, too: of what is between its brackets, and of what commas and semicolons separate.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from pollard.engine.subject import Candidate
from pollard.passes.text.spans import line_spans
from pollard.search.first import mapped
from pollard.search.sweeps import remove_each
from pollard.syntax.tree.edits import Edit, join

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pollard.engine.subject import Subject
    from pollard.syntax.tree.document import Document

# With more than one error in this many lines, a tree is hardly more than a list of words. Less and awk
# have one in one to three lines; dialects of SQL, and C++ with many macros, one in six or more.
_MAX_LINES_PER_ERROR = 4
# In a few lines one error may be what the failure is about, and the rest of the tree is right.
_MIN_ERRORS = 8

# Lines that belong to what is above them without being deeper: `}`, `end if`, `{% endfor %}`, `</p>`.
_CLOSING = re.compile(rb"[)\]}]|</|\W*(?:end|(?:fi|done|esac)\b)", re.IGNORECASE)


# Strings, brackets and separators.
_TOKEN = re.compile(
    rb""" "(?:\\.|[^"\\\r\n])*" | '(?:\\.|[^'\\\r\n])*' | [()\[\]{},;] """, re.VERBOSE
)
# After a block: the head of another one.
_NEXT = re.compile(rb"\s+[^\s()\[\]{},;]")


@dataclass(frozen=True, slots=True)
class Piece:
    """A line that is not blank, or a part of one that brackets or separators set off.

    `start` and `end` are its span. `indent` counts the leading blanks of its line, `nested` says in how
    many brackets of that line it is, and `closes` whether it ends the block before it. A line has its
    end and the blank lines after it; of a line in several pieces, the last has neither.
    """

    start: int
    end: int
    indent: int
    nested: int = 0
    closes: bool = False
    blanks: int = 0

    @property
    def level(self) -> tuple[int, int]:
        """How deep it is, to be compared with others."""
        return self.indent, self.nested


@dataclass(slots=True)
class Block:
    """A piece, the deeper ones after it, and those that close it.

    `own` has the numbers of the first piece and of the closing ones; `end` is the number after the last
    piece. `depth` says in how many other blocks it is.
    """

    depth: int
    own: list[int]
    end: int

    def parts(self) -> Iterator[range]:
        """Yield the numbers of the pieces after each own one, where there are any."""
        for here, after in pairwise((*self.own, self.end)):
            if after - here > 1:
                yield range(here + 1, after)


def reduce_outline(subject: Subject) -> None:
    """Remove blocks of a text that the grammar misreads all over, from the outermost to the innermost.

    On each level, a block that is needed gives way to what is in it if that is enough. The syntax guard
    is off where the grammar is another language's, since it would mean nothing.
    """
    if _is_misread_all_over(subject.document):
        _reduce(subject, whole_lines)


def reduce_brackets(subject: Subject) -> None:
    """Remove blocks likewise, and what brackets and separators set off within a line."""
    _reduce(subject, pieces)


def _reduce(subject: Subject, split: Callable[[bytes], Sequence[Piece]]) -> None:
    first, depth = partial(subject.first, guard=not subject.is_foreign()), 0
    while (level := _blocks_at(subject, depth, split)).blocks:
        numbers = range(len(level.blocks))
        remove_each(numbers, mapped(first, level.keeping), whole=depth > 0, backward=True)
        if first(_blocks_at(subject, depth, split).lifted()) is None:
            depth += 1


def _is_misread_all_over(document: Document) -> bool:
    errors = document.errors
    return errors >= _MIN_ERRORS and errors * _MAX_LINES_PER_ERROR > document.text.count(b"\n")


@dataclass(frozen=True, slots=True)
class _BlocksAtDepth:
    """The blocks of one depth in a document, and its pieces, with their spans in the document."""

    document: Document
    pieces: Sequence[Piece]
    blocks: Sequence[Block]

    def keeping(self, kept: Sequence[int]) -> Candidate:
        """Return the candidate that keeps only the `kept` blocks of this level, given by number."""
        gone = set(range(len(self.blocks))).difference(kept)
        return Candidate(self.document, join(self._removal(self.blocks[number]) for number in gone))

    def _removal(self, block: Block) -> Edit:
        return Edit(self.pieces[block.own[0]].start, self.pieces[block.end - 1].end)

    def lifted(self) -> Iterator[Candidate]:
        """Yield the document with what is in a block in its place, less indented, for each block.

        First each part of it alone, then all, which would join parts of one line.
        """
        for block in self.blocks:
            parts = list(block.parts())
            for kept in (*parts, [*chain(*parts)] if len(parts) > 1 else ()):
                if kept:
                    yield Candidate(self.document, join(self._lifting(block, kept)))

    def _lifting(self, block: Block, kept: Sequence[int]) -> Iterator[Edit]:
        everything = range(block.own[0], block.end)
        for number in set(everything).difference(kept):
            yield Edit(self.pieces[number].start, self.pieces[number].end)
        width = self.pieces[kept[0]].indent - self.pieces[block.own[0]].indent
        for number in kept:
            piece = self.pieces[number]
            yield Edit(piece.start, piece.start + min(piece.blanks, width))


def _blocks_at(
    subject: Subject, depth: int, split: Callable[[bytes], Sequence[Piece]]
) -> _BlocksAtDepth:
    start, end = subject.span
    found = [
        replace(piece, start=start + piece.start, end=start + piece.end)
        for piece in split(subject.document.text[start:end])
    ]
    return _BlocksAtDepth(subject.document, found, [b for b in outline(found) if b.depth == depth])


def whole_lines(text: bytes) -> Sequence[Piece]:
    """Return the lines of a text."""
    lines = list[Piece]()
    for start, end in line_spans(text):
        rest = text[start:end].lstrip(b" \t")
        if rest.strip():
            indent = end - start - len(rest)
            closes = _CLOSING.match(rest) is not None
            lines.append(Piece(start, end, indent, closes=closes, blanks=indent))
        elif lines:
            lines[-1] = replace(lines[-1], end=end)
    return lines


def pieces(text: bytes) -> Sequence[Piece]:
    """Return the pieces of each line of a text."""
    return [piece for line in whole_lines(text) for piece in _pieces_of(line, text)]


def _pieces_of(line: Piece, text: bytes) -> Sequence[Piece]:
    """Return the pieces of a line: between brackets that it opens and closes, and after separators."""
    tokens = list(_TOKEN.finditer(text, line.start, line.end))
    paired = _paired(tokens)
    found, here, start = list[Piece](), replace(line, blanks=0), line.start

    def cut(end: int) -> None:
        nonlocal here, start
        if text[start:end].strip():
            blanks = 0 if found else line.blanks
            found.append(replace(here, start=start, end=end, blanks=blanks))
            here, start = replace(here, closes=False), end

    for token in tokens:
        sign, is_paired = token[0], token.start() in paired
        if sign in b",;":
            cut(token.end())
        elif is_paired and sign in b"([{":
            cut(token.end())
            here = replace(here, nested=here.nested + 1)
        elif is_paired and sign in b")]}":
            cut(token.start())
            here = replace(here, nested=here.nested - 1, closes=True)
            if sign == b"}" and _NEXT.match(text, token.end(), line.end):
                cut(token.end())
    if not found:
        return [line]
    cut(start + len(text[start : line.end].rstrip()))
    return found


def _paired(tokens: Sequence[re.Match[bytes]]) -> set[int]:
    """Return the places of those brackets that are closed among the tokens, and of what closes them."""
    opened, paired = list[re.Match[bytes]](), set[int]()
    for token in tokens:
        if token[0] in b"([{":
            opened.append(token)
        elif opened and opened[-1][0] + token[0] in (b"()", b"[]", b"{}"):
            paired |= {opened.pop().start(), token.start()}
    return paired


def outline(pieces: Sequence[Piece]) -> Sequence[Block]:
    """Return the blocks that the pieces make, in the order of their first pieces."""
    blocks, around = list[Block](), list[Block]()
    for number, piece in enumerate(pieces):
        while around and pieces[around[-1].own[0]].level > piece.level:
            around.pop().end = number
        if around and pieces[around[-1].own[0]].level == piece.level:
            if piece.closes:
                around[-1].own.append(number)
                continue
            around.pop().end = number
        around.append(Block(len(around), [number], len(pieces)))
        blocks.append(around[-1])
    return blocks
