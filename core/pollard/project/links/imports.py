"""Which files name which others, and the lines that do nothing else, such as an `#include`.

A file names another if the other's name is among its words, or the name without its extension, as in
`import parser` for `parser.py`. No grammar is needed, and words in comments count, too. A wrong guess
costs one run.

A file that is imported cannot go alone, since the line would fail. In languages with such lines, most
files can go with them. Which lines these are is known from their first words, in any language. In a
list of files, such as the objects in a Makefile, the name of each can go with it, and so can a line
that is an item of a list.

Whatever imports other files needs them as long as it has those lines. So a search that begins with the
files that no other imports, and goes on with those that these import, finds most files unneeded before
it has looked at their contents.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from pollard.file_tree import Entry, FileTree, shown
from pollard.project.links.spelled_paths import SpelledPaths
from pollard.syntax.encodings.encoding import is_binary, text_of
from pollard.syntax.grammars.languages import grammar_for
from pollard.syntax.tree.document import Document
from pollard.syntax.tree.edits import Edit, apply

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from pollard.syntax.grammars.languages import Grammar

_IMPORT = re.compile(
    rb"\s*(?:#\s*(?:include|import)\b|@?import\b|from\b|use\b|using\b|(?:pub\s+)?mod\b|require\b"
    rb"|@(?:use|forward)\b|add_subdirectory\b|subdir\b|<(?:[\w-]+:)?(?:include|import)\b"
    rb"|require_once\b|require_relative\b|include\b|source\b|\.\s|load\b|\(?(?:use|require)\b"
    rb"|(?:const|let|var)\b.*\brequire\(|local\b.*\brequire\b|export\b.*\bfrom\b"
    rb"|<script\b|<link\b|\\(?:input|include)\b|\.\.\s+include::)"
)
_WORD = re.compile(rb"[\w+-]+(?:\.[\w+-]+)*")
# A name with an extension, and two or more of them.
_LISTED = re.compile(rb"""(?<![\w./${}()+-])["']?([\w./${}()+-]{1,200}\.\w+)["']?""")
_LIST = re.compile(_LISTED.pattern + rb"(?:[\s,\\]+" + _LISTED.pattern + rb")+")
_MIN_STEM_BYTES = 2
# What a folder is named for.
_INDEXES = (b"__init__", b"index", b"init", b"mod", b"CMakeLists", b"meson")
# Style sheets that are only parts of others have a `_` in front of their names.
PARTIALS = (b".scss", b".sass")
"""The ends of their names."""
# Folders inside of packages that no import mentions, as in `packages/core/src/index.ts`.
_SOURCE_FOLDERS = (b"src", b"lib")
# A longer file is data, and its words are no names of files.
_MAX_READ_BYTES = 1_000_000


class Imports:
    """The import lines of a tree, and its lists of files. Any thread may use it."""

    def __init__(self, tree: FileTree, *, guard: bool, untouched: bytes | None = None) -> None:
        """With `guard`, lines and names stay in a file that has more syntax errors without them.

        The lines of the file `untouched` always stay.
        """
        self._tree = tree
        self._guard = guard
        listed = _listed_lines(tree, SpelledPaths(tree))
        lines = _import_lines(tree, listed)
        self._lines = {path: of for path, of in lines.items() if path != untouched}
        self._lists = {path: of for path, of in _lists(tree).items() if path != untouched}
        self._listed = {
            path: frozenset[bytes]().union(*(each for each in of.values() if len(each) == 1))
            for path, of in listed.items()
            if path != untouched
        }
        self._without: dict[tuple[bytes, tuple[Edit, ...]], Entry] = {}

    def beside(self, path: bytes) -> frozenset[bytes]:
        """Return the files that are named in a list with another one."""
        all_names = [
            [named for *_, named in each.names] for of in self._lists.values() for each in of
        ]
        lists = [frozenset[bytes]().union(*names) for names in all_names]
        lists += self._listed.values()
        return frozenset[bytes]().union(*(each for each in lists if path in each)) - {path}

    def without(self, removed: frozenset[bytes]) -> FileTree:
        """Return the tree without files, and without what names these and no others.

        That is whole lines that import, and single names in lists of files.
        """
        left = {path: entry for path, entry in self._tree.items() if path not in removed}
        for path in left.keys() & (self._lines.keys() | self._lists.keys()):
            edits = tuple(self._edits(path, removed))
            if edits:
                left[path] = self._edited(path, edits)
        return left

    def unlinked(self, path: bytes) -> bytes:
        """Return the content of a file without the lines that import other files of the tree."""
        content = self._tree[path].content
        return apply(content, [*self._edits(path, frozenset(self._tree))])

    def _edits(self, path: bytes, removed: frozenset[bytes]) -> Iterator[Edit]:
        """Yield the edits that remove what names removed files only, in the order of the text."""
        lines, content = self._lines.get(path, {}), self._tree[path].content
        gone = {number for number, named in lines.items() if named <= removed}
        edits: list[Edit] = []
        start = 0
        for number, line in enumerate(content.splitlines(keepends=True) if gone else ()):
            if number in gone:
                edits.append(Edit(start, start + len(line)))
            start += len(line)
        edits += [
            edit for each in self._lists.get(path, ()) for edit in each.without(content, removed)
        ]
        end = 0
        for edit in sorted(edits):
            if edit.start >= end:
                yield edit
                end = edit.end

    def _edited(self, path: bytes, edits: tuple[Edit, ...]) -> Entry:
        key = path, edits
        if key not in self._without:
            entry = self._tree[path]
            new = replace(entry, content=apply(entry.content, edits))
            if self._guard and syntax_errors(path, new) > syntax_errors(path, entry):
                new = entry
            self._without[key] = new
        return self._without[key]


@dataclass(frozen=True, slots=True)
class _ListOfFiles:
    """Names of files one behind the other, as in a Makefile; each with its span and what it names."""

    names: tuple[tuple[int, int, frozenset[bytes]], ...]

    def without(self, content: bytes, removed: frozenset[bytes]) -> list[Edit]:
        """Return the edit that removes the names of removed files; none if there are no such names."""
        ends = [self.names[0][0], *(end for _, end, _ in self.names)]
        left = [n for n, (*_, named) in enumerate(self.names) if not named or named - removed]
        if len(left) == len(self.names):
            return []
        texts = [content[self.names[n][0] : ends[n + 1]] for n in left]
        between = [b"", *(content[ends[n] : self.names[n][0]] for n in left[1:])]
        new = b"".join(part for each in zip(between, texts, strict=False) for part in each)
        return [Edit(ends[0], ends[-1], new)]


def grammar_of(path: bytes, text: bytes) -> Grammar | None:
    """Return the grammar of a file, by its name or its text; None if no grammar knows it."""
    return grammar_for(shown(path.rpartition(b"/")[2]), text)


def syntax_errors(path: bytes, entry: Entry) -> int:
    """Return the number of syntax errors in a file; 0 if no grammar knows it."""
    text = text_of(entry.content)
    grammar = grammar_of(path, text)
    return Document(text, grammar.language).errors if grammar else 0


def _import_lines(
    tree: FileTree, listed: Mapping[bytes, Mapping[int, frozenset[bytes]]]
) -> Mapping[bytes, Mapping[int, frozenset[bytes]]]:
    """Map the paths of files to the numbers of their import lines, with the other files named there.

    The `listed` lines are among them.
    """
    by_name: dict[bytes, set[bytes]] = {}
    for path in tree:
        for name in names_of(path, imported=True):
            by_name.setdefault(name, set()).add(path)
    extensions = {extension(path) for path in tree}
    found: dict[bytes, dict[int, frozenset[bytes]]] = {}
    for path, content in _readable(tree):
        for number, line in _lines_that_import(content):
            words = words_in(line, extensions)
            named = set().union(*(by_name.get(word, set()) for word in words)) - {path}
            if named:
                found.setdefault(path, {})[number] = frozenset(named)
    for path, lines in listed.items():
        found[path] = {**lines, **found.get(path, {})}
    return found


def _listed_lines(
    tree: FileTree, paths: SpelledPaths
) -> Mapping[bytes, Mapping[int, frozenset[bytes]]]:
    """Map the paths of files to the numbers of their lines that are items of a list of files."""
    found = {path: paths.in_lines(path, content) for path, content in _readable(tree)}
    return {path: lines for path, lines in found.items() if lines}


def _lists(tree: FileTree) -> Mapping[bytes, list[_ListOfFiles]]:
    """Map the paths of files to the lists of two or more files in them."""
    found: dict[bytes, list[_ListOfFiles]] = {}
    by_stem: dict[bytes, set[bytes]] = {}
    for path in tree:
        by_stem.setdefault(_without_extension(path.rpartition(b"/")[2]), set()).add(path)
    for path, content in _readable(tree):
        for start, text in _places_of_lists(content):
            names = [
                (start + name.start(), start + name.end(), _listed(name[1], by_stem) - {path})
                for name in _LISTED.finditer(text)
            ]
            if any(named for *_, named in names):
                found.setdefault(path, []).append(_ListOfFiles(tuple(names)))
    return found


def _readable(tree: FileTree) -> Iterator[tuple[bytes, bytes]]:
    """Yield the path and the content of each file that may name others."""
    for path, entry in tree.items():
        if entry.is_file and entry.weight <= _MAX_READ_BYTES and not is_binary(entry.content):
            yield path, entry.content


def _listed(name: bytes, by_stem: Mapping[bytes, set[bytes]]) -> frozenset[bytes]:
    """Return the files that an entry of a list names, which may be an object file made of one."""
    stem = _without_extension(name)
    same_name = by_stem.get(stem.rpartition(b"/")[2], set())
    near = {path for path in same_name if (b"/" + path).endswith(b"/" + name.removeprefix(b"./"))}
    near = near or {path for path in same_name if stem.endswith(_without_extension(path))}
    return frozenset(near or same_name)


def _without_extension(path: bytes) -> bytes:
    return path.rpartition(b".")[0] or path


@lru_cache(maxsize=512)  # each step of the search looks at all files, of which few changed
def _lines_that_import(content: bytes) -> tuple[tuple[int, bytes], ...]:
    lines = enumerate(content.splitlines())
    return tuple((number, line) for number, line in lines if is_import(line))


@lru_cache(maxsize=512)  # likewise
def _places_of_lists(content: bytes) -> tuple[tuple[int, bytes], ...]:
    return tuple((place.start(), place[0]) for place in _LIST.finditer(content))


def is_import(line: bytes) -> bool:
    """Return whether a line looks as if it imports something."""
    return _IMPORT.match(line) is not None


class Links:
    """The import lines of a tree, and the paths in quotes, as a graph."""

    def __init__(self, tree: FileTree, main: bytes | None = None) -> None:
        """`main` is where a program begins, if that is known."""
        self._tree = tree
        self._main = main
        paths = SpelledPaths(tree)
        lines = _import_lines(tree, _listed_lines(tree, paths))
        named = {
            path: paths.in_quotes(path, content).union(*lines.get(path, {}).values())
            for path, content in _readable(tree)
        }
        self._named = {path: others for path, others in named.items() if others}

    def names_others(self, path: bytes) -> bool:
        """Return whether a file imports any other."""
        return path in self._named

    def roots(self) -> list[bytes]:
        """Return files that lead to all: those that no other imports, and one of each circle."""
        named = frozenset[bytes]().union(*self._named.values())
        found = self._heaviest_first(self._tree.keys() - named - {self._main})
        if self._main is not None and self._main in self._tree:
            found.insert(0, self._main)
        while rest := self.unreached(found):
            found.append(self._heaviest_first(rest)[0])
        return found

    def outside_in(self) -> list[bytes]:
        """Return all files: the roots, then what they import, and so on."""
        return list(self._reached(self.roots()))

    def unreached(self, roots: Iterable[bytes], without: bytes | None = None) -> frozenset[bytes]:
        """Return the files that no root leads to, except through the file `without`."""
        starts = [path for path in roots if path in self._tree and path != without]
        hidden = frozenset() if without is None else frozenset([without])
        return frozenset(self._tree).difference(self._reached(starts, hidden))

    def _reached(
        self, starts: Iterable[bytes], hidden: frozenset[bytes] = frozenset()
    ) -> Iterator[bytes]:
        """Yield the files that some lead to, level by level, but for those that are hidden."""
        level = list(starts)
        seen = hidden.union(level)
        while level:
            yield from level
            new = frozenset[bytes]().union(*(self._named.get(path, ()) for path in level)) - seen
            seen |= new
            level = self._heaviest_first(new)

    def _heaviest_first(self, paths: Iterable[bytes]) -> list[bytes]:
        return sorted(paths, key=lambda path: (-self._tree[path].weight, path))


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


def names_of(path: bytes, *, imported: bool = False) -> set[bytes]:
    """Return the words that may stand for a path; a package's `__init__` is named by its folder.

    So is an `index`; if its folder only holds the sources of a package, it is named by that above, too.
    A single letter means something else, except in a line that imports.
    """
    folder, _, name = path.rpartition(b"/")
    stem = own_stem(path)
    if stem in _INDEXES and folder:
        above, _, stem = folder.rpartition(b"/")
        if stem in _SOURCE_FOLDERS and above:
            return {name, stem} | names_of(above, imported=imported)
    return {name, stem} if imported or len(stem) >= _MIN_STEM_BYTES else {name}


def own_stem(path: bytes) -> bytes:
    """Return the name of a file as others import it: up to the first dot."""
    name = path.rpartition(b"/")[2]
    stem = name.partition(b".")[0]
    return stem.removeprefix(b"_") if name.endswith(PARTIALS) else stem


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
