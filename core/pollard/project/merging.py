"""Files whose contents take the place of the lines that name them, such as an `#include`.

A line that names another file of the tree is replaced by that file's contents, and the file goes. If
several lines name it, all of them get the contents, or the first does and the others go. The oracle
decides whether that is still the same failure. The guard holds: the file that grows may have as many
syntax errors as both had.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pollard.file_tree import shown, weight
from pollard.project.contents import is_binary
from pollard.project.mentions import names_of, words_in
from pollard.syntax.encodings.encoding import text_of
from pollard.syntax.grammars.languages import grammar_for
from pollard.syntax.tree.document import Document

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
    for path in sorted(texts.keys() - {*kept}, key=lambda path: (tree[path].weight, path)):
        names = names_of(path)
        naming = [line for line, of in words.items() if line.path != path and of & names]
        if 0 < len(naming) <= _MAX_LINES:
            found += [
                (path, new)
                for new in _variants(tree, texts, path, naming)
                if weight(new) <= weight(tree) and not (guard and _has_new_errors(tree, new, path))
            ]
    return found


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
    more = _errors(tree, merged)
    changed = [path for path in new if new[path] != tree[path]]
    return any(_errors(new, path) > _errors(tree, path) + more for path in changed)


def _errors(tree: FileTree, path: bytes) -> int:
    text = text_of(tree[path].content)
    grammar = grammar_for(shown(path.rpartition(b"/")[2]), text)
    return Document(text, grammar.language).errors if grammar else 0
