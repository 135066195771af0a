"""Packages: all files become those of one, so that they find each other without imports.

Files of several packages cannot be merged, since each begins with the name of its own. In Java and PHP
all of them can do without a package. In Go they become one file, that of the program, since files in
different folders are different packages.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pollard.project.phases.imports import extension
from pollard.project.phases.merging import joined
from pollard.project.phases.questions import QuestionsAbout, questions

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from pollard.file_tree import FileTree
    from pollard.project.phases.tree_subject import TreeSubject

_DECLARED = {
    b"java": re.compile(rb"^package\s+([\w.]+)\s*;[^\S\n]*\n", re.MULTILINE),
    b"php": re.compile(rb"^namespace\s+([\w\\]+)\s*;[^\S\n]*\n", re.MULTILINE),
}
# In Java, a public class must have the name of its file.
_PUBLIC = re.compile(
    rb"^public\s+(?=(?:(?:abstract|final|sealed|strictfp)\s+)*(?:class|interface|enum|record)\b)",
    re.MULTILINE,
)
_IN_GO = re.compile(rb"^package[^\S\n]+(\w+)", re.MULTILINE)
_GO_IMPORTS = re.compile(rb"^import\s*(?:\(([^()]*)\)|([^\n(]*))\n", re.MULTILINE)
_GO_MAIN = re.compile(rb"^func\s+main\s*\(", re.MULTILINE)


def flatten_packages(subject: TreeSubject) -> None:
    """Make all files those of one package. One run if there are packages, otherwise none."""
    plan, before = subject.plan, subject.tree
    flat = flattened(before, plan.needed)
    if plan.merging and flat != before:

        def tree_of(chosen: frozenset[bool]) -> FileTree:
            return flat if chosen else before

        with questions(subject, QuestionsAbout("packages", [True], tree_of)) as first:
            first([frozenset([True])])


def flattened(tree: FileTree, kept: Collection[bytes] = ()) -> FileTree:
    """Return a tree whose files have one package or none; the files in `kept` do not go."""
    new = dict(tree)
    for of, declared in _DECLARED.items():
        files = _files(tree, of)
        packages = {name for path in files for name in declared.findall(tree[path].content)}
        for path in files if packages else ():
            content = _without_packages(tree[path].content, packages, declared)
            new[path] = replace(tree[path], content=content)
    return _with_one_file_of_go(new, kept)


def _files(tree: FileTree, of: bytes) -> list[bytes]:
    return sorted(path for path, entry in tree.items() if entry.is_file and extension(path) == of)


def _without_packages(
    content: bytes, packages: Collection[bytes], declared: re.Pattern[bytes]
) -> bytes:
    """Return a text without its package, and without the names of packages in front of others."""
    names = b"|".join(re.escape(name) for name in sorted(packages, key=len, reverse=True))
    imports = rb"(?m)^(?:import|use)\s+\\?(?:%b)[.\\](?:\w+|\*)\s*;[^\S\n]*\n" % names
    qualifiers = rb"(?<![\w.\\])\\?(?:%b)[.\\](?=\w)" % names
    content = re.sub(imports, b"", declared.sub(b"", content))
    return _PUBLIC.sub(b"", re.sub(qualifiers, b"", content))


def _with_one_file_of_go(tree: FileTree, kept: Collection[bytes]) -> FileTree:
    """Return the tree with all files of Go behind that of the program, if there is one."""
    found = {path: _IN_GO.search(tree[path].content) for path in _files(tree, b"go")}
    names = {path: match[1] for path, match in found.items() if match}
    programs = [path for path in names if _GO_MAIN.search(tree[path].content)]
    others = names.keys() - {*programs}
    if len(programs) != 1 or not others or not others.isdisjoint(kept):
        return tree
    packages = {path.rpartition(b"/")[0]: name for path, name in names.items() if name != b"main"}
    new = dict(tree)
    for path in names:
        new[path] = replace(tree[path], content=_in_program(tree[path].content, packages))
    for path in sorted(others):
        new = dict(joined(new, programs[0], path))
    return new


def _in_program(content: bytes, packages: Mapping[bytes, bytes]) -> bytes:
    """Return a text of Go in the package `main`, which has taken in others; these are by folders."""
    own: list[bytes] = []

    def left(match: re.Match[bytes]) -> bytes:
        lines: list[bytes] = []
        for line in (match[1] or match[2] or b"").split(b"\n"):
            alias, _, path = line.strip().removesuffix(b'"').rpartition(b'"')
            folder = next((each for each in packages if (b"/" + path).endswith(b"/" + each)), None)
            if folder is not None:
                own.append(alias.strip() or packages[folder])
            elif path:
                lines.append(b"import " + line.strip() + b"\n")
        return b"".join(lines)

    content = _GO_IMPORTS.sub(left, _IN_GO.sub(b"package main", content, count=1))
    names = b"|".join(re.escape(name) for name in own)
    return re.sub(rb"(?<![\w.])(?:%b)\.(?=[A-Z])" % names, b"", content) if own else content
