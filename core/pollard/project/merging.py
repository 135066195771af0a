"""Files whose contents take the place of the lines that name them, such as an `#include`.

A line that names another file of the tree is replaced by that file's contents, and the file goes. If
several lines name it, all of them get the contents, or the first does and the others go. The oracle
decides whether that is still the same failure. The guard holds: the file that grows may have as many
syntax errors as both had.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pollard.file_tree import weight
from pollard.project.contents import is_binary
from pollard.project.imports import names_of, syntax_errors, words_in

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from pollard.file_tree import FileTree

# Larger files hardly become smaller by it, and so many lines are no imports.
_MAX_MERGED_BYTES = 65_536
_MAX_LINES = 16


@dataclass(frozen=True, slots=True)
class _NumberedLine:
    """A line of a file, by its number from 0."""

    path: bytes
    number: int


def mergers(
    tree: FileTree, kept: Collection[bytes], *, guard: bool
) -> list[tuple[bytes, FileTree]]:
    """Return trees in which one file, none of those `kept`, is merged into those that name it."""
    texts = {
        path: entry.content.split(b"\n")
        for path, entry in sorted(tree.items())
        if entry.is_file and entry.weight <= _MAX_MERGED_BYTES and not is_binary(entry.content)
    }
    words = {
        _NumberedLine(path, number): words_in(line)
        for path, lines in texts.items()
        for number, line in enumerate(lines)
    }
    found: list[tuple[bytes, FileTree]] = []
    naming = {path: _naming(path, words) for path in texts.keys() - {*kept}}
    for path in _innermost_first(tree, naming):
        if 0 < len(naming[path]) <= _MAX_LINES:
            found += [
                (path, new)
                for new in _variants(tree, texts, path, naming[path])
                if weight(new) <= weight(tree) and not (guard and _has_new_errors(tree, new, path))
            ]
    return found


def _naming(path: bytes, words: dict[_NumberedLine, set[bytes]]) -> list[_NumberedLine]:
    """Return the lines of other files that name a file."""
    names = names_of(path)
    return [line for line, of in words.items() if line.path != path and of & names]


def _innermost_first(tree: FileTree, naming: dict[bytes, list[_NumberedLine]]) -> list[bytes]:
    """Sort files: those that name the fewest others first, since relative paths break by a move."""
    named = Counter(line.path for lines in naming.values() for line in lines)
    return sorted(naming, key=lambda path: (named[path], tree[path].weight, path))


def _variants(
    tree: FileTree, texts: dict[bytes, list[bytes]], path: bytes, naming: list[_NumberedLine]
) -> Iterator[FileTree]:
    """Yield the tree with the contents in the place of all lines, and of the first alone."""
    content = tree[path].content.removesuffix(b"\n")
    yield _replaced(tree, texts, path, dict.fromkeys(naming, content))
    if len(naming) > 1:
        yield _replaced(tree, texts, path, {naming[0]: content, **dict.fromkeys(naming[1:])})


def _replaced(
    tree: FileTree,
    texts: dict[bytes, list[bytes]],
    merged: bytes,
    lines: dict[_NumberedLine, bytes | None],
) -> FileTree:
    """Return the tree without a file and with other lines; None removes a line."""
    changed = dict(tree)
    del changed[merged]
    for path in {line.path for line in lines}:
        new = [lines.get(_NumberedLine(path, n), line) for n, line in enumerate(texts[path])]
        content = b"\n".join(line for line in new if line is not None)
        changed[path] = replace(tree[path], content=content)
    return changed


def _has_new_errors(tree: FileTree, new: FileTree, merged: bytes) -> bool:
    """Return whether a file that changed has more syntax errors than it had and the merged one has."""
    more = syntax_errors(merged, tree[merged])
    changed = [path for path in new if new[path] != tree[path]]
    return any(
        syntax_errors(path, new[path]) > syntax_errors(path, tree[path]) + more for path in changed
    )
