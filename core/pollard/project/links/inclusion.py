"""A content in another place than its file, and programs that become one text.

In another folder, what a content names relative to its own is named anew.

Where a line includes a file as a text, and no name changes its meaning by that, whole trees of files
become one text in a single step.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from posixpath import commonpath, dirname, join, normpath, relpath
from typing import TYPE_CHECKING

from pollard.project.links.forms import included
from pollard.project.links.imports import (
    PARTIALS,
    extension,
    is_import,
    names_of,
    own_stem,
    words_in,
)
from pollard.syntax.encodings.encoding import is_binary

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from pollard.file_tree import FileTree


# What is named relative to the folder of the file: by a path, or by a module of Python.
_NAMES_PATH = re.compile(
    rb"\b(?:import|from|export|include|require|require_relative)\b|@(?:use|forward)\b"
)
_RELATIVE_MODULE = re.compile(rb"^(\s*from\s+)(\.+)([\w.]*)(?=\s+import\b)", re.MULTILINE)
_NAMES_OF_MODULE = re.compile(rb"(\s*from\s+)(\.*)([\w.]*)(?=\s+import\b)")
_MODULE = re.compile(rb"^\s*(?:from|import)\s+(\.*)([\w.]*)")
_QUOTED_PATH = re.compile(rb"(?<=[\"'])[\w./+-]+(?=[\"'])")


def moved(
    content: bytes, path: bytes, place: bytes, line: bytes, known: Collection[bytes]
) -> bytes:
    """Return the content of a file for the place of a line of another one.

    Where the folders differ, modules and files that it imports relative to its own are named anew.
    `known` are the names of all files as `short_names` returns them.
    """
    old, new = dirname(path), dirname(place)
    if old == new:
        return content
    if extension(path) == b"py":
        return _with_modules_from(content, path, new, line)

    def from_new(quoted: re.Match[bytes]) -> bytes:
        target = normpath(join(old, quoted[0]))
        if target not in known:  # such as a package that is no part of the tree
            return quoted[0]
        name = relpath(join(b"/", target), join(b"/", new))
        return name if name.startswith(b".") or not quoted[0].startswith(b".") else b"./" + name

    lines = content.split(b"\n")
    return b"\n".join(
        _QUOTED_PATH.sub(from_new, each) if _NAMES_PATH.search(each) else each for each in lines
    )


def _with_modules_from(content: bytes, path: bytes, folder: bytes, line: bytes) -> bytes:
    """Return a content whose relative imports are for a file of another folder.

    They stay relative if the line that imports it is, and otherwise begin with the same package.
    """
    importing = _MODULE.match(line)
    if importing is None:
        return content
    own = dirname(path).split(b"/")
    package = importing[2].partition(b".")[0]

    def from_new(module: re.Match[bytes]) -> bytes:
        around = own[: len(own) + 1 - len(module[2])]
        target = [*filter(None, around), *filter(None, module[3].split(b"."))]
        if not importing[1]:
            begin = target.index(package) if package in target else 0
            return module[1] + b".".join(target[begin:])
        return module[1] + _relative_module(target, folder)

    return _RELATIVE_MODULE.sub(from_new, content)


def _relative_module(parts: list[bytes], folder: bytes) -> bytes:
    """Return the name of a module of Python in files of a folder, with dots before it."""
    steps = relpath(b"/" + b"/".join(parts), b"/" + folder).split(b"/")
    ups = steps.count(b"..")
    return b"." * (ups + 1) + b".".join(each for each in steps[ups:] if each != b".")


def imported_from(line: bytes, importing: bytes, path: bytes, other: bytes) -> bytes | None:
    """Return a line that imports names of a file, with another file in its place.

    None if it does not import single names, or has a form that is not known.
    """
    folder = dirname(importing)
    if extension(path) == b"py":
        module = _NAMES_OF_MODULE.match(line)
        old, new = _module_parts(path), _module_parts(other)
        if module is None:
            return None
        if module[2]:
            name = _relative_module(new, folder)
            is_same = module[2] + module[3] == _relative_module(old, folder)
        else:
            spelled = module[3].split(b".")
            root = old[: -len(spelled)]
            name, is_same = b".".join(new[len(root) :]), old[len(root) :] == spelled
        return module[1] + name + line[module.end() :] if is_same else None
    known = short_names([path])
    for quoted in _QUOTED_PATH.finditer(line):
        target = normpath(join(folder, quoted[0]))
        if target in known:
            whole = other if target == path else other.rpartition(b".")[0] or other
            name = relpath(join(b"/", whole), join(b"/", folder))
            name = name if name.startswith(b".") else b"./" + name
            return line[: quoted.start()] + name + line[quoted.end() :]
    return None


def _module_parts(path: bytes) -> list[bytes]:
    return path.removesuffix(b".py").removesuffix(b"/__init__").split(b"/")


def short_names(paths: Iterable[bytes]) -> frozenset[bytes]:
    """Return paths, also without extensions, and the folders that stand for an index."""
    stems = {path: path.rpartition(b".")[0] or path for path in paths}
    folders = {dirname(path) for path, stem in stems.items() if stem.endswith(b"/index")}
    partials = {join(dirname(path), own_stem(path)) for path in stems if path.endswith(PARTIALS)}
    return frozenset(stems).union(stems.values(), folders, partials)


# A line that means the text of the file that it names, in C, Verilog, a shell, TeX, reStructuredText.
_TEXTUAL = re.compile(
    rb"\s*(?:[#`%]\s*include\b|source\s|\.\s|\\(?:input|include)\b|\.\.\s+include::)"
)
_QUOTED = re.compile(rb"[\"'<{]([^\"'<>{}]+)[\"'>}]")
# What is included only once: by the word, and by the first directive of the file.
_DIRECTIVE = re.compile(rb"\s*[#`]")
_ONCE, _GUARD = b"_once", re.compile(rb"\s*#\s*(?:pragma\s+once|ifndef\s+\w+\s*$)|\s*`ifndef\b")
_MAX_EXPANDED_BYTES = 1 << 23


class Expansion:
    """The lines of a tree that include other files of it, and trees with these files in their place.

    The files `kept` stay.
    """

    def __init__(self, tree: FileTree, kept: Collection[bytes]) -> None:
        self._tree = tree
        texts = {
            path: entry.content
            for path, entry in sorted(tree.items())
            if entry.is_file
            and entry.weight <= _MAX_EXPANDED_BYTES
            and not is_binary(entry.content)
        }
        self._lines = {path: text.split(b"\n") for path, text in texts.items()}
        self._by_name: dict[bytes, list[bytes]] = {}
        for path in texts.keys() - {*kept}:
            for name in names_of(path, imported=True):
                self._by_name.setdefault(name, []).append(path)
        self._included = {path: self._includes(path) for path in texts}
        inner = {path for of in self._included.values() for path in of.values()}
        roots = [path for path in texts if path not in inner and self._included[path]]
        self.programs = {root: self._reached(root) for root in roots}
        """The files that no other includes, but that include some; with all that they include."""

    def of_program(self, root: bytes) -> FileTree:
        """Return the tree with all files that a program includes in their places, and nowhere else."""
        return self._with({root: self.programs[root]})

    def of_all(self) -> FileTree:
        """Return the tree with each file that only one program includes in its place."""
        counts = Counter(path for inside in self.programs.values() for path in inside)
        own = {
            root: frozenset(path for path in inside if counts[path] == 1)
            for root, inside in self.programs.items()
        }
        return self._with(own)

    def _with(self, programs: Mapping[bytes, Collection[bytes]]) -> FileTree:
        """Return the tree with some files in the places of programs that include them."""
        changed, gone = dict(self._tree), set[bytes]()
        for root, inside in programs.items():
            writer = _ProgramText(self._lines, self._included, inside)
            content = writer.text(root)
            if len(content) <= _MAX_EXPANDED_BYTES:
                changed[root] = replace(self._tree[root], content=content)
                gone |= writer.done
        return {path: entry for path, entry in changed.items() if path not in gone}

    def _includes(self, path: bytes) -> Mapping[int, bytes]:
        """Map the numbers of lines to the files that they include."""
        found: dict[int, bytes] = {}
        for number, line in enumerate(self._lines[path]):
            if not (is_import(line) or _TEXTUAL.match(line)):
                continue
            named = {other for word in words_in(line) for other in self._by_name.get(word, ())}
            fitting = [
                other
                for other in named - {path}
                if _TEXTUAL.match(line) or included(line, other, b"") is not None
            ]
            if fitting:
                found[number] = max(fitting, key=lambda other: _fit(other, line, path))
        return found

    def _reached(self, root: bytes) -> frozenset[bytes]:
        """Return the files that a root includes, directly or not."""
        found: set[bytes] = set()
        waiting = [*self._included[root].values()]
        while waiting:
            path = waiting.pop()
            if path not in found:
                found.add(path)
                waiting += self._included[path].values()
        return frozenset(found)


class _ProgramText:
    """Writes the text of a program with the files `inside` it; `done` are those that are in it."""

    def __init__(
        self,
        lines: Mapping[bytes, Sequence[bytes]],
        included: Mapping[bytes, Mapping[int, bytes]],
        inside: Collection[bytes],
    ) -> None:
        self.done: set[bytes] = set()
        self._lines = lines
        self._included = included
        self._inside = inside
        self._length = 0
        self._open: list[bytes] = []  # the file that is being written, after those around it

    def text(self, path: bytes) -> bytes:
        """Return the text of a file. A file that guards against that is not included again."""
        self._open.append(path)
        new: list[bytes] = []
        for number, line in enumerate(self._lines[path]):
            other = self._included[path].get(number)
            if other is None or not self._may_include(other):
                new.append(line)
            elif other not in self.done or not self._is_guarded(other, line):
                self.done.add(other)
                content = self.text(other).removesuffix(b"\n")
                whole = included(line, other, content)
                new.append(content if whole is None else whole)
        text = b"\n".join(new)
        self._length += len(text)
        self._open.pop()
        return text

    def _may_include(self, path: bytes) -> bool:
        is_circle = path in self._open
        return path in self._inside and not is_circle and self._length <= _MAX_EXPANDED_BYTES

    def _is_guarded(self, path: bytes, line: bytes) -> bool:
        directives = filter(_DIRECTIVE.match, self._lines[path])
        return _ONCE in line or _GUARD.match(next(directives, b"")) is not None


def _fit(path: bytes, line: bytes, including: bytes) -> tuple[bool, int, int, bytes]:
    """Sort files by how well they fit what a line of a file names: by path, then by folder."""
    quoted = [name.removeprefix(b"./") for name in _QUOTED.findall(line)]
    is_named = any((b"/" + path).endswith(b"/" + name) for name in quoted)
    return is_named, len(commonpath([path, including])), -len(path), path
