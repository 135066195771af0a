"""Which files of a tree name which others: by includes, imports, or plain paths.

No grammar is needed: a file names another if the other's name is among its words, or the name without
its extension, as in `import parser` for `parser.py`. Words in comments count, too. A wrong guess costs
one run.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from pollard.file_tree import FileTree

_WORD = re.compile(rb"[\w+-]+(?:\.[\w+-]+)*")
_MIN_STEM_BYTES = 2
# A longer file is data, and its words are no names of files.
_MAX_READ_BYTES = 1_000_000


def namers(tree: FileTree, paths: Iterable[bytes]) -> Mapping[bytes, frozenset[bytes]]:
    """Map each of `paths` to the others among them that name it."""
    chosen = sorted(paths)
    by_name: dict[bytes, list[bytes]] = {}
    for path in chosen:
        for name in names_of(path):
            by_name.setdefault(name, []).append(path)
    found: dict[bytes, set[bytes]] = {path: set() for path in chosen}
    for path in chosen:
        for word in words_in(tree[path].content):
            for named in by_name.get(word, ()):
                found[named].add(path)
    return {named: frozenset(by - {named}) for named, by in found.items()}


def with_namers(path: bytes, by: Mapping[bytes, frozenset[bytes]]) -> frozenset[bytes]:
    """Return a path with all that name it, and all that name these, and so on."""
    found, new = {path}, {path}
    while new:
        new = set().union(*(by.get(each, ()) for each in new)) - found
        found |= new
    return frozenset(found)


def names_of(path: bytes) -> set[bytes]:
    """Return the words that may stand for a path; a package's `__init__` is named by its folder."""
    folder, _, name = path.rpartition(b"/")
    stem = name.partition(b".")[0]
    if stem in (b"__init__", b"index", b"mod") and folder:
        stem = folder.rpartition(b"/")[2]
    return {name, stem} if len(stem) >= _MIN_STEM_BYTES else {name}


def words_in(content: bytes, extensions: Collection[bytes] = ()) -> set[bytes]:
    """Return the words of a content, and the parts of words with dots.

    A word with one of the `extensions` is the name of a file, and its parts are not.
    """
    words = set(_WORD.findall(content[:_MAX_READ_BYTES]))
    parted = (word for word in words if b"." in word and extension(word) not in extensions)
    return words.union(*(word.split(b".") for word in parted))


def extension(path: bytes) -> bytes:
    """Return what follows the last dot of a path, or of a word."""
    return path.rpartition(b".")[2]
