"""Files whose contents take the place of the lines that name them, such as an `#include`.

A line that names another file of the tree is replaced by that file's contents, and the file goes. If
several lines name it, all of them get the contents, or the first does and the others go. If one file
imports it and calls its names by its own, as in `orders.total()`, they lose that qualifier.

Files of a package find each other without an import in Java and Go. There one is put behind the other:
the line of the package once, then the imports of both. So it is with sources in one list of files, as
in a Makefile, which goes without the name then, and with a file that uses what another one declares
without naming it, such as a test whose fixtures are in a file that its framework finds.

Before that, all files that others include as texts stand in their place at once, such as the headers of
a program in C and the modules of one in Rust. What is left is reduced as one text then.

The oracle decides whether that is still the same failure. The guard holds: the file that grows may have
as many syntax errors as both had. It does not look at texts that are included all at once, since a
compiler reads just the same.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from pollard.file_tree import fingerprint, weight
from pollard.oracle import CommandOracle
from pollard.oracle.command import inner_words
from pollard.project.links.forms import included
from pollard.project.links.imports import (
    Imports,
    Links,
    extension,
    is_import,
    names_of,
    syntax_errors,
    words_in,
)
from pollard.project.links.inclusion import Expansion, imported_from, moved, short_names
from pollard.project.phases.questions import first_of_trees
from pollard.project.phases.shared_names import outer_names
from pollard.syntax.encodings.encoding import is_binary

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from pollard.file_tree import FileTree
    from pollard.project.phases.tree_subject import TreeSubject

# Larger files hardly become smaller by it, and so many lines are no imports.
_MAX_MERGED_BYTES = 65_536
_MAX_LINES = 16
# What stands around a content in its new place is about as long as the line was.
_MAX_MORE_BYTES = 32
# Files that are included more than once make a text longer than its files.
_MAX_GROWTH = 1.25
# Each of them takes a run.
_MAX_PROGRAMS = 3
# Each join is parsed, and each merge that holds makes all of them new.
_MAX_JOINED_FILES = 32
_PACKAGE = re.compile(rb"\s*(?:package|namespace)\s+[\w.\\]+\s*;?\s*$")
# The ends of the names of files that may have several documents.
_OF_DOCUMENTS = (b"yaml", b"yml")
# What a file of PHP begins with, before anything else.
_OPENING = re.compile(rb"\s*(?:<\?php\s*$|declare\s*\()")


@dataclass(frozen=True, slots=True)
class _NumberedLine:
    """A line of a file, by its number from 0."""

    path: bytes
    number: int


@dataclass(frozen=True, slots=True)
class _Paths:
    """The files of a tree from the outside in, and what they may be called relative to a folder."""

    outside_in: list[bytes]
    known: frozenset[bytes]


def merge_files(subject: TreeSubject) -> None:
    """Put the contents of files in the place of the lines that name them.

    Each file is tried once, and those that are left once more if others were merged since.
    """
    before, tried = None, set[str]()
    while subject.plan.merging and subject.tree != before:
        before = subject.tree
        _merge_each(subject, tried)


def _merge_each(subject: TreeSubject, tried: set[str]) -> None:
    """Try once to merge each file; `tried` are changes of trees that do not hold."""
    plan = subject.plan
    done = set(plan.needed)
    while True:
        tree = subject.tree
        found = [
            (path, new, change)
            for path, new in mergers(tree, done, guard=plan.each.guard)
            if (change := _change(tree, new)) not in tried
        ]
        hit = first_of_trees(subject, "merging", [new for _, new, _ in found])
        failed = found if hit is None else found[: hit.index]
        tried.update(change for *_, change in failed)
        if hit is None:
            return
        done.update(path for path, *_ in found[: hit.index + 1])


def _change(tree: FileTree, new: FileTree) -> str:
    """Return a hash of the files that a new tree has differently, and of those that are gone."""
    gone = {path: replace(tree[path], content=b"") for path in tree.keys() - new.keys()}
    changed = {path: entry for path, entry in new.items() if entry is not tree.get(path)}
    return fingerprint(gone | changed)


def include_files(subject: TreeSubject) -> None:
    """Put files at once in the place of the lines that include them as a text.

    First all that a program includes which the oracle's command or the failure's output names; then
    those that only one program includes, whatever it is.
    """
    plan, tree = subject.plan, subject.tree
    if not plan.merging:
        return
    expansion = Expansion(tree, plan.needed)
    likely = islice(_likely_programs(subject, expansion), _MAX_PROGRAMS)
    found: list[FileTree] = []
    for new in (*map(expansion.of_program, likely), expansion.of_all()):
        if _is_worth(tree, new) and new not in found:  # all of the only program is the program
            found.append(new)
    first_of_trees(subject, "merging", found)


def _likely_programs(subject: TreeSubject, expansion: Expansion) -> Iterator[bytes]:
    """Yield the programs that are named: by the user, by the oracle's command, and by the failure."""
    programs = expansion.programs
    named = [path for path, _ in subject.original.named_places]
    by_failure = [root for path in named for root in programs if path in (root, *programs[root])]
    main = [root for root in programs if root == subject.plan.main]
    yield from dict.fromkeys([*main, *in_command(subject, programs), *by_failure])


def in_command(subject: TreeSubject, paths: Iterable[bytes]) -> list[bytes]:
    """Return those of some files that the oracle's command names."""
    oracle = subject.plan.each.oracle
    if not isinstance(oracle, CommandOracle):
        return []
    words = [b"/" + os.fsencode(word) for word in inner_words(oracle.command, oracle.workspace)]
    return sorted(path for path in paths if any(word.endswith(b"/" + path) for word in words))


def _is_worth(tree: FileTree, new: FileTree) -> bool:
    return len(new) < len(tree) and weight(new) <= weight(tree) * _MAX_GROWTH


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
    naming = {path: _naming(path, texts, words) for path in texts.keys() - {*kept}}
    paths = _Paths(Links(tree).outside_in(), short_names(tree))
    for path in _innermost_first(tree, naming):
        found += [
            (path, new)
            for new in _variants(tree, texts, path, naming[path], paths)
            if weight(new) <= weight(tree) + _MAX_MORE_BYTES
            and not (guard and _has_new_errors(tree, new, path))
        ]
    return found


def _naming(
    path: bytes, texts: dict[bytes, list[bytes]], words: dict[_NumberedLine, set[bytes]]
) -> list[_NumberedLine]:
    """Return the lines of other files that name a file."""
    names, imported = names_of(path), names_of(path, imported=True)
    found = [line for line, of in words.items() if line.path != path and of & imported]
    inside = _named_inside(path, texts)
    found = [
        line
        for line in found
        if imported & words_in(inside.sub(b"", texts[line.path][line.number]))
    ]
    if names == imported:
        return found
    return [
        line for line in found if words[line] & names or is_import(texts[line.path][line.number])
    ]


def _named_inside(path: bytes, paths: Iterable[bytes]) -> re.Pattern[bytes]:
    """Return what finds the names of files that are in the folder which a file stands for."""
    folder = path.rpartition(b"/")[0]
    name = folder.rpartition(b"/")[2]
    if name not in names_of(path):
        return re.compile(rb"(?!)")
    near = [other for other in paths if other != path and other.startswith(folder + b"/")]
    inner = {other[len(folder) + 1 :].partition(b"/")[0].partition(b".")[0] for other in near}
    names = b"|".join(map(re.escape, sorted(inner)))
    return re.compile(rb"(?<!\w)%b(?:\.|/|::)(?:%b)(?!\w)" % (re.escape(name), names or b"(?!)"))


def _innermost_first(tree: FileTree, naming: dict[bytes, list[_NumberedLine]]) -> list[bytes]:
    """Sort files: those that name the fewest others first, since relative paths break by a move."""
    named = Counter(line.path for lines in naming.values() for line in lines)
    return sorted(naming, key=lambda path: (named[path], tree[path].weight, path))


def _variants(
    tree: FileTree,
    texts: dict[bytes, list[bytes]],
    path: bytes,
    naming: list[_NumberedLine],
    paths: _Paths,
) -> Iterator[FileTree]:
    """Yield the tree with the contents in the place of all lines, of the first, and of the import.

    If import lines name the file, its name in other lines means something else.
    """
    imports = [line for line in naming if is_import(texts[line.path][line.number])]
    content = tree[path].content
    contents = {
        line: moved(
            content, path, line.path, texts[line.path][line.number], paths.known
        ).removesuffix(b"\n")
        for line in naming
    }
    forms = {
        line: included(texts[line.path][line.number], path, content)
        for line, content in contents.items()
    }
    new: dict[_NumberedLine, bytes | None] = {
        line: of for line, of in forms.items() if of is not None
    }
    new = new or {line: contents[line] for line in imports or naming}
    if not imports and len(texts) <= _MAX_JOINED_FILES:
        others = [line.path for line in naming] + _of_package(texts, path)
        alike = [other for other in others if extension(other) == extension(path)]
        in_list = [*_joined_in_list(tree, path)]
        yield from in_list
        if alike:
            yield from _joined_and_unlisted(tree, alike[0], path)
        elif not in_list:
            yield from _joined_to_user(tree, texts, path)
    if 0 < len(new) <= _MAX_LINES:
        yield _replaced(tree, texts, path, new)
        if len(new) > 1:
            yield _replaced(tree, texts, path, dict.fromkeys(new) | dict([next(iter(new.items()))]))
    if len({line.path for line in imports}) > 1:
        yield from _in_innermost(tree, texts, path, imports, contents, paths)
    if len({line.path for line in imports}) == 1:
        yield from _without_qualifiers(tree, texts, path, imports, contents[imports[0]])


def _in_innermost(
    tree: FileTree,
    texts: dict[bytes, list[bytes]],
    path: bytes,
    imports: list[_NumberedLine],
    contents: dict[_NumberedLine, bytes],
    paths: _Paths,
) -> Iterator[FileTree]:
    """Yield the tree with the contents in the innermost of the files that import it.

    The others import that one instead.
    """
    importing = {line.path for line in imports}
    inner = [other for other in paths.outside_in if other in importing][-1]
    new: dict[_NumberedLine, bytes | None] = {}
    for line in imports:
        text = texts[line.path][line.number]
        if line.path == inner:
            new[line] = None if inner in {each.path for each in new} else contents[line]
        else:
            new[line] = imported_from(text, line.path, path, inner)
            if new[line] is None:
                return
    yield _replaced(tree, texts, path, new)


def _without_qualifiers(
    tree: FileTree,
    texts: dict[bytes, list[bytes]],
    path: bytes,
    imports: list[_NumberedLine],
    content: bytes,
) -> Iterator[FileTree]:
    """Yield the tree whose one importing file has the contents, and uses its names as its own."""
    importing = imports[0].path
    lines = texts[importing]
    qualifier = _qualifier([lines[line.number] for line in imports], path)
    unqualified = {n: qualifier.sub(b"", line) for n, line in enumerate(lines)}
    new: dict[_NumberedLine, bytes | None] = {
        _NumberedLine(importing, n): line for n, line in unqualified.items() if line != lines[n]
    }
    if new.keys() - {*imports}:
        rests = [_without_name(lines[line.number], path) for line in imports]
        new |= dict(zip(imports, rests, strict=True))
        parts = [rests[0], content]
        new[imports[0]] = b"\n".join(part for part in parts if part is not None)
        yield _replaced(tree, texts, path, new)


def _without_name(line: bytes, path: bytes) -> bytes | None:
    """Return what a line imports besides a file, from a list with commas; None if that is nothing."""
    name = rb"(?<![\w.:])(?:\w+(?:\.|::))*(?:%b)(?:\s+as\s+\w+)?" % _own_names(path)
    rest = re.sub(rb",\s*%b(?!\w)|%b\s*,\s*" % (name, name), b"", line, count=1)
    return rest if rest != line else None


def _joined_and_unlisted(tree: FileTree, first: bytes, second: bytes) -> Iterator[FileTree]:
    """Yield the tree with a file behind another one, as it is and without strings that name it.

    Such strings are in lists, as of plug-ins or applications that are loaded by their names.
    """
    yield joined(tree, first, second)
    string = rb"([\"'])(?:[\w./-]*[./])?(?:%b)(?:\.\w+)?\1[^\S\n]*,?" % _own_names(second)
    entry = tree[first]
    content = re.sub(string, b"", entry.content)
    if content != entry.content:
        yield joined({**tree, first: replace(entry, content=content)}, first, second)


def _joined_in_list(tree: FileTree, path: bytes) -> Iterator[FileTree]:
    """Yield the tree with a file behind another one of its kind that is in the same list of files."""
    lists = Imports(tree, guard=True)
    beside = [other for other in lists.beside(path) if extension(other) == extension(path)]
    for other in sorted(beside)[:1]:
        together = joined(tree, other, path)[other]
        yield {**lists.without(frozenset([path])), other: together}


def _joined_to_user(
    tree: FileTree, texts: dict[bytes, list[bytes]], path: bytes
) -> Iterator[FileTree]:
    """Yield the tree with a file behind the one of its kind that uses most of what it declares."""
    declared, package = outer_names(path, tree[path]), _packages_of(texts[path])
    used = {
        other: declared & words_in(tree[other].content)
        for other in texts
        if other != path
        and extension(other) == extension(path)
        and _packages_of(texts[other]) == package
    }
    if any(used.values()):
        yield joined(tree, max(used, key=lambda other: (len(used[other]), other)), path)


def _of_package(texts: dict[bytes, list[bytes]], path: bytes) -> list[bytes]:
    """Return the other files of a folder that belong to the package of a file."""
    folder = path.rpartition(b"/")[0]
    packages = _packages_of(texts[path])
    near = (other for other in texts if other != path and other.rpartition(b"/")[0] == folder)
    return [other for other in near if not packages.isdisjoint(texts[other])]


def _packages_of(lines: list[bytes]) -> set[bytes]:
    return {line for line in lines if _PACKAGE.match(line)}


def joined(tree: FileTree, first: bytes, second: bytes) -> FileTree:
    """Return the tree with one file behind the other: a package, the imports of both, then the rest."""
    contents = [tree[path].content.removesuffix(b"\n") for path in (first, second)]
    if extension(first) in _OF_DOCUMENTS:
        contents.insert(1, b"---")
    lines = b"\n".join(contents).split(b"\n")
    openings = [line for line in lines if _OPENING.match(line)]
    packages = [line for line in lines if _PACKAGE.match(line)]
    imports = [line for line in lines if is_import(line) and not line[:1].isspace()]
    before = {*openings, *packages, *imports}
    rest = [line for line in lines if line not in before]
    content = b"\n".join(
        [*dict.fromkeys(openings), *packages[:1], *dict.fromkeys(imports), *rest, b""]
    )
    others = {path: entry for path, entry in tree.items() if path != second}
    return others | {first: replace(tree[first], content=content)}


def _qualifier(imports: list[bytes], path: bytes) -> re.Pattern[bytes]:
    """Return what finds the name of a file in front of one of its names, with folders around it.

    A line that imports the file may have given it another name.
    """
    own = _own_names(path)
    alias = rb"(?:\b(?:%b)[\"']?|\*)\s+as\s+(\w+)|\b(?:const|let|var|local)\s+(\w+)\s*=" % own
    aliases = {name for line in imports for found in re.findall(alias, line) for name in found}
    names = b"|".join([own, *sorted(aliases - {b""})])
    folders = b"|".join(map(re.escape, path.split(b"/")[:-1])) or b"(?!)"
    around = rb"(?:(?:%b)(?:\.|::)|(?:crate|self|super)::)*" % folders
    return re.compile(rb"(?<![\w.:])%b(?:%b)(?:\.|::)(?=[\w$])" % (around, names))


def _own_names(path: bytes) -> bytes:
    return b"|".join(map(re.escape, sorted(names_of(path, imported=True))))


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
