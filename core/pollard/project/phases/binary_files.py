"""Binary files: which files are no texts, and the removal of pieces of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pollard.file_tree import FileTree, shown
from pollard.project.phases.halving import Part, removable
from pollard.project.phases.questions import QuestionsAbout, questions
from pollard.syntax.encodings.encoding import encoding_of

if TYPE_CHECKING:
    from pollard.project.phases.tree_subject import TreeSubject

# So many that their number hardly adds runs, and that what remains is one of them at most too large.
_MAX_PIECES = 256
_HEAD_BYTES = 8192


def is_binary(content: bytes) -> bool:
    """Return whether a file is no text: it has a zero byte early on, and is not UTF-16 or UTF-32."""
    head = content[:_HEAD_BYTES]
    return b"\0" in head and not encoding_of(head).codec.startswith(("utf-16", "utf-32"))


def reduce_binary(subject: TreeSubject, path: bytes) -> None:
    """Remove pieces of a file, and pieces of what is left, until none can go."""
    before = None
    while before != (entry := subject.tree[path]):
        before = entry
        _remove_pieces(subject, path)


def _remove_pieces(subject: TreeSubject, path: bytes) -> None:
    base, pieces = subject.tree, _pieces_of(subject.tree[path].content)
    numbers = range(len(pieces))

    def without(removed: frozenset[int]) -> FileTree:
        content = b"".join(piece for n, piece in enumerate(pieces) if n not in removed)
        return {**base, path: replace(base[path], content=content)}

    meaning = f"pieces of {len(pieces[0]) if pieces else 0}"
    with questions(subject, QuestionsAbout(shown(path), numbers, without, meaning)) as first:
        removable([Part(frozenset([n]), len(pieces[n])) for n in numbers], first)


def _pieces_of(content: bytes) -> list[memoryview]:
    """Divide a content into pieces of equal length, but for the last; nothing is copied."""
    length, view = -(-len(content) // _MAX_PIECES), memoryview(content)
    return [view[start : start + length] for start in range(0, len(content), length)]
