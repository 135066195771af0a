"""Files and folders that others name by their paths: as items of a list, or in quotes.

An item of a list is a line that says nothing else. So are the resources of a kustomization listed, and
the pages of a manual. A path is relative to the file that names it or to the whole tree. It may lack
the extension.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_ITEM = re.compile(
    rb"\s*(?:[-*]\s+(?:[\w.-]+:\s+)?)?([\"']?)((?:\.{0,2}/)*[\w+-][\w./+-]*)\1\s*,?\s*"
)
# Other words in quotes are no paths.
_QUOTED = re.compile(rb"""(?<=["'])\.\.?/[\w./+-]+(?=["'])""")
# A single word means something else, unless it is an item of a list.
_PATH = re.compile(rb"\s*[-*]\s|.*[./]")


class SpelledPaths:
    """The paths of a tree, as its files name them."""

    def __init__(self, paths: Iterable[bytes]) -> None:
        self._paths = sorted(paths)
        self._spelled: dict[bytes, set[bytes]] = {}
        for path in self._paths:
            folder, slash, name = path.rpartition(b"/")
            for each in {name, name.rpartition(b".")[0] or name}:
                self._spelled.setdefault(folder + slash + each, set()).add(path)

    def in_lines(self, path: bytes, content: bytes) -> Mapping[int, frozenset[bytes]]:
        """Map the numbers of the lines of a file that only name others to these."""
        named = {
            number: self._named(path, name) - {path} for number, name in _items_of_lists(content)
        }
        return {number: files for number, files in named.items() if files}

    def in_quotes(self, path: bytes, content: bytes) -> frozenset[bytes]:
        """Return the files that a file names relative to its folder, or whose folders it names."""
        named = (self._named(path, name) for name in _quoted_paths(content))
        return frozenset[bytes]().union(*named) - {path}

    def _named(self, path: bytes, name: bytes) -> frozenset[bytes]:
        for each in (normpath(join(dirname(path), name.lstrip(b"/"))), normpath(name.lstrip(b"/"))):
            files = self._spelled.get(each) or self._inside(each)
            if files:
                return frozenset(files)
        return frozenset()

    def _inside(self, folder: bytes) -> list[bytes]:
        start = bisect_left(self._paths, folder + b"/")
        return self._paths[start : bisect_left(self._paths, folder + b"0")]  # 0 comes after /


@lru_cache(maxsize=512)  # each step of the search looks at all files, of which few changed
def _items_of_lists(content: bytes) -> tuple[tuple[int, bytes], ...]:
    found = ((n, _ITEM.fullmatch(line)) for n, line in enumerate(content.splitlines()))
    return tuple((n, item[2]) for n, item in found if item and _PATH.match(item[0]))


@lru_cache(maxsize=512)  # likewise
def _quoted_paths(content: bytes) -> tuple[bytes, ...]:
    return tuple(dict.fromkeys(_QUOTED.findall(content)))
