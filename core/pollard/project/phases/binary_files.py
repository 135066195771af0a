"""The removal of pieces of binary files."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pollard.file_tree import FileTree, shown
from pollard.project.phases.halving import Part, removable
from pollard.project.phases.questions import QuestionsAbout, questions

if TYPE_CHECKING:
    from pollard.project.phases.tree_subject import TreeSubject

# So many that their number hardly adds runs, and that what remains is one of them at most too large.
_MAX_PIECES = 256


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
