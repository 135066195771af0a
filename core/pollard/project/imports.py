"""Lines that only name other files, such as an `#include` or an `import`: they go with these files.

A file that is imported cannot go alone, since the line would fail. In languages with such lines, most
files can go with them. Which lines these are is known from their first words, in any language.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pollard.file_tree import Entry, FileTree, shown
from pollard.project.contents import is_binary
from pollard.project.mentions import names_of, words_in
from pollard.syntax.encodings.encoding import text_of
from pollard.syntax.grammars.languages import grammar_for
from pollard.syntax.tree.document import Document

if TYPE_CHECKING:
    from collections.abc import Mapping

_IMPORT = re.compile(
    rb"\s*(?:#\s*(?:include|import)\b|@?import\b|from\b|use\b|using\b|(?:pub\s+)?mod\b|require\b"
    rb"|require_once\b|require_relative\b|include\b|source\b|\.\s|load\b|\(?(?:use|require)\b"
    rb"|(?:const|let|var)\b.*\brequire\(|export\b.*\bfrom\b|<script\b|<link\b|\\(?:input|include)\b)"
)
# A longer file is data.
_MAX_READ_BYTES = 1_000_000


class Imports:
    """The import lines of a tree. Any thread may use it."""

    def __init__(self, tree: FileTree, *, guard: bool, untouched: bytes | None = None) -> None:
        """With `guard`, lines stay in a file that has more syntax errors without them.

        The lines of the file `untouched` always stay.
        """
        self._tree = tree
        self._guard = guard
        self._lines = {path: of for path, of in _import_lines(tree).items() if path != untouched}
        self._without: dict[tuple[bytes, frozenset[int]], Entry] = {}

    def without(self, removed: frozenset[bytes]) -> FileTree:
        """Return the tree without files, and without the lines that name these and no others."""
        left = {path: entry for path, entry in self._tree.items() if path not in removed}
        for path, lines in self._lines.items():
            if path in left:
                gone = frozenset(number for number, named in lines.items() if named <= removed)
                if gone:
                    left[path] = self._without_lines(path, gone)
        return left

    def _without_lines(self, path: bytes, numbers: frozenset[int]) -> Entry:
        key = path, numbers
        if key not in self._without:
            entry = self._tree[path]
            lines = entry.content.splitlines(keepends=True)
            content = b"".join(line for n, line in enumerate(lines) if n not in numbers)
            new = replace(entry, content=content)
            if self._guard and syntax_errors(path, new) > syntax_errors(path, entry):
                new = entry
            self._without[key] = new
        return self._without[key]


def syntax_errors(path: bytes, entry: Entry) -> int:
    """Return the number of syntax errors in a file; 0 if no grammar knows it."""
    text = text_of(entry.content)
    grammar = grammar_for(shown(path.rpartition(b"/")[2]), text)
    return Document(text, grammar.language).errors if grammar else 0


def _import_lines(tree: FileTree) -> Mapping[bytes, Mapping[int, frozenset[bytes]]]:
    """Map the paths of files to the numbers of their import lines, with the other files named there."""
    by_name: dict[bytes, set[bytes]] = {}
    for path in tree:
        for name in names_of(path):
            by_name.setdefault(name, set()).add(path)
    found: dict[bytes, dict[int, frozenset[bytes]]] = {}
    for path, entry in tree.items():
        if not entry.is_file or entry.weight > _MAX_READ_BYTES or is_binary(entry.content):
            continue
        for number, line in enumerate(entry.content.splitlines()):
            if _IMPORT.match(line):
                named = set().union(*(by_name.get(word, set()) for word in words_in(line))) - {path}
                if named:
                    found.setdefault(path, {})[number] = frozenset(named)
    return found
