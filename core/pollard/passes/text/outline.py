"""The outline of a text: blocks by the indentation of its lines, where the grammar misreads all over.

A dialect, or a language that another one's grammar reads, can have an error in nearly every line. The
tree is then a list of words, and what belongs together is in no unit. But people and programs indent
what is inside something else, in nearly every language. So the lines make a tree of their own, which
is reduced from the top as in HDD.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from pollard.engine.subject import Candidate
from pollard.passes.text.lines import line_spans, units
from pollard.search.first import mapped
from pollard.search.sweeps import remove_each
from pollard.syntax.tree.edits import Edit, join

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pollard.engine.subject import Subject
    from pollard.syntax.tree.document import Document

# With more than one error in this many lines, a tree is hardly more than a list of words. Less and awk
# have one in one to three lines; dialects of SQL, and C++ with many macros, one in six or more.
_MAX_LINES_PER_ERROR = 4
# In a few lines one error may be what the failure is about, and the rest of the tree is right.
_MIN_ERRORS = 8

# Lines that belong to what is above them without being deeper: `}`, `end if`, `{% endfor %}`, `</p>`.
_CLOSING = re.compile(rb"[)\]}]|</|\W*(?:end|(?:fi|done|esac)\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class IndentedLine:
    """The span of a line that is not blank, with the blank ones after it, and its leading blanks."""

    start: int
    end: int
    indent: int


@dataclass(slots=True)
class Block:
    """A line, the deeper ones below it, and those that close it.

    `own` has the numbers of the first line and of the closing ones; `end` is the number after the last
    line. `depth` says in how many other blocks it is.
    """

    depth: int
    own: list[int]
    end: int


def reduce_outline(subject: Subject) -> None:
    """Remove blocks of a text that the grammar misreads all over, from the outermost to the innermost.

    On each level, a block that is needed gives way to what is in it if that is enough. The syntax guard
    is off where the grammar is another language's, since it would mean nothing.
    """
    if not _is_misread_all_over(subject.document):
        return
    first, depth = partial(subject.first, guard=not subject.foreign_grammar), 0
    while (level := _blocks_at(subject, depth)).blocks:
        numbers = range(len(level.blocks))
        remove_each(numbers, mapped(first, level.keeping), whole=depth > 0, backward=True)
        if first(_blocks_at(subject, depth).lifted()) is None:
            depth += 1


def _is_misread_all_over(document: Document) -> bool:
    errors = document.errors
    return errors >= _MIN_ERRORS and errors * _MAX_LINES_PER_ERROR > document.text.count(b"\n")


@dataclass(frozen=True, slots=True)
class _BlocksAtDepth:
    """The blocks of one depth in a document, and its lines."""

    document: Document
    lines: Sequence[IndentedLine]
    blocks: Sequence[Block]

    def keeping(self, kept: Sequence[int]) -> Candidate:
        """Return the candidate that keeps only the `kept` blocks of this level, given by number."""
        gone = set(range(len(self.blocks))).difference(kept)
        return Candidate(self.document, join(self._removal(self.blocks[number]) for number in gone))

    def _removal(self, block: Block) -> Edit:
        return Edit(self.lines[block.own[0]].start, self.lines[block.end - 1].end)

    def lifted(self) -> Iterator[Candidate]:
        """Yield the document with what is in a block in its place, less indented, for each block."""
        for block in self.blocks:
            if block.end - block.own[0] > len(block.own):
                yield Candidate(self.document, join(self._lifting(block)))

    def _lifting(self, block: Block) -> Iterator[Edit]:
        own, everything = set(block.own), range(block.own[0], block.end)
        yield from (Edit(self.lines[n].start, self.lines[n].end) for n in everything if n in own)
        inner = [self.lines[n] for n in everything if n not in own]
        width = inner[0].indent - self.lines[block.own[0]].indent
        for line in inner:
            yield Edit(line.start, line.start + min(line.indent, width))


def _blocks_at(subject: Subject, depth: int) -> _BlocksAtDepth:
    lines, closing = list[IndentedLine](), list[bool]()
    text = subject.document.text
    for start, end in units(subject, line_spans):
        rest = text[start:end].lstrip(b" \t")
        if rest.strip():
            lines.append(IndentedLine(start, end, end - start - len(rest)))
            closing.append(_CLOSING.match(rest) is not None)
        elif lines:
            lines[-1] = IndentedLine(lines[-1].start, end, lines[-1].indent)
    return _BlocksAtDepth(
        subject.document, lines, [b for b in outline(lines, closing) if b.depth == depth]
    )


def outline(lines: Sequence[IndentedLine], closing: Sequence[bool]) -> Sequence[Block]:
    """Return the blocks that the indentation of the lines makes, in the order of their first lines.

    `closing` says of each line whether it closes the block before it, rather than begin another.
    """
    blocks, around = list[Block](), list[Block]()
    for number, line in enumerate(lines):
        while around and lines[around[-1].own[0]].indent > line.indent:
            around.pop().end = number
        if around and lines[around[-1].own[0]].indent == line.indent:
            if closing[number]:
                around[-1].own.append(number)
                continue
            around.pop().end = number
        around.append(Block(len(around), [number], len(lines)))
        blocks.append(around[-1])
    return blocks
