"""Packages: all files become those of one, so that they find each other without imports.

Files of several packages cannot be merged, since each begins with the name of its own. In Java and PHP
all of them can do without a package; a program in Java may be called by its package, and others take
that one then. In Go they become one file, that of the program or of its tests, since files in different
folders are different packages. In PHP they do so, too, since a class that a program loads by a path
that it computes from the name is found nowhere else. In Rust a program or a test takes in the crates
that it uses, each as a module.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from pollard.project.links.imports import extension
from pollard.project.phases.merging import in_command, joined
from pollard.project.phases.questions import first_of_trees

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

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
_JAVA_MAIN = re.compile(rb"\bstatic\s+void\s+main\s*\(")
_IN_GO = re.compile(rb"^package[^\S\n]+(\w+)", re.MULTILINE)
_GO_IMPORTS = re.compile(rb"^import\s*(?:\(([^()]*)\)|([^\n(]*))\n", re.MULTILINE)
_GO_MODULE = re.compile(rb"^module\s+(\S+)", re.MULTILINE)
_GO_DECLARED = re.compile(rb"^(?:func|type|var|const)\s+(\w+)", re.MULTILINE)
# Where a program of Go begins, and where its tests do.
_GO_BEGINNINGS = tuple(
    re.compile(rb"^func\s+%b\s*\(" % name, re.MULTILINE) for name in (rb"main", rb"Test\w*")
)
_CARGO = b"Cargo.toml"
_CRATE = re.compile(rb"^\[package\][^\[]*?^name\s*=\s*[\"']([\w-]+)[\"']", re.MULTILINE)
_LIBRARY = re.compile(rb"^\[lib\][^\[]*?^path\s*=\s*[\"']([^\"']+)[\"']", re.MULTILINE)
# Where tests of Rust begin outside of a crate, and where a program does.
_RUST_BEGINNINGS = (re.compile(rb"#\[test\]"), re.compile(rb"\bfn\s+main\s*\("))
_NO_PROGRAM = b"fn main() {}\n"
# In PHP, a class must stand behind those that it is made of.
_DECLARES = re.compile(rb"^[a-z ]*\b(?:class|interface|trait|enum|function)\s+\w", re.MULTILINE)
_MADE_OF = re.compile(rb"(?:\b(?:extends|implements)\b|^\s+use\b)([^;{]*)", re.MULTILINE)


def flatten_packages(subject: TreeSubject) -> None:
    """Make all files those of one package. A run or two if there are packages, otherwise none."""
    if subject.plan.merging:
        first_of_trees(subject, "packages", list(_flat_trees(subject)))


def _flat_trees(subject: TreeSubject) -> Iterator[FileTree]:
    """Yield other trees whose files have one package or none, those with the fewest files first."""
    tree, needed = subject.tree, subject.plan.needed
    named = [path for path, _ in subject.original.named_places]
    flat = flattened(tree, needed, named)
    inner = _with_namespaces(subject.plan.tree) & flat.keys() - needed
    others = [path for path in _files(flat, b"php") if path not in inner] if inner else []
    # Where a list of calls begins is named last.
    likely = [subject.plan.main, *in_command(subject, others), *reversed(named)]
    program = next((path for path in likely if path in others), None)
    together = in_program(flat, program, inner) if program is not None else flat
    if together != flat:
        yield together
    if flat != tree:
        yield flat
        package = _package_of_program(tree, named)
        if package is not None:
            new = flattened(tree, needed, named, package)
            yield from [new] if new != tree else []


def flattened(
    tree: FileTree,
    kept: Collection[bytes] = (),
    named: Collection[bytes] = (),
    package: bytes = b"",
) -> FileTree:
    """Return a tree whose files have one package or none; the files in `kept` do not go.

    `named` are the files that the failure's output names, and `package` is the one that those of Java
    have then.
    """
    new = dict(tree)
    for of, declared in _DECLARED.items():
        files = _files(tree, of)
        packages = {name for path in files for name in declared.findall(tree[path].content)}
        for path in files if packages else ():
            content = _without_packages(tree[path].content, packages, declared)
            if package and of == b"java":
                content = b"package %b;\n%b" % (package, content)
            new[path] = replace(tree[path], content=content)
    return _with_crates_inside(_with_one_file_of_go(new, kept, named), kept, named)


def _package_of_program(tree: FileTree, named: Collection[bytes]) -> bytes | None:
    """Return the package of the only program in Java, or of the one that is named last."""
    files = _files(tree, b"java")
    programs = [path for path in files if _JAVA_MAIN.search(tree[path].content)]
    chosen = programs if len(programs) == 1 else [path for path in named if path in programs][-1:]
    found = [_DECLARED[b"java"].search(tree[path].content) for path in chosen]
    return next((match[1] for match in found if match), None)


def _with_namespaces(tree: FileTree) -> frozenset[bytes]:
    declared, files = _DECLARED[b"php"], _files(tree, b"php")
    return frozenset(path for path in files if declared.search(tree[path].content))


def in_program(flat: FileTree, program: bytes, inner: Collection[bytes]) -> FileTree:
    """Return a flattened tree of PHP with the files `inner`, such as classes, in its program."""
    names = b"|".join(re.escape(path.rpartition(b"/")[2]) for path in inner)
    loads = rb"(?m)^[^\S\n]*(?:require|include)(?:_once)?\b[^;\n]*\b(?:%b)['\"][\s)]*;\n" % names
    whole = flat[program]
    for path in reversed(_after_what_they_are_made_of(flat, inner)):
        both = {path: flat[path], program: whole}
        whole = replace(whole, content=joined(both, path, program)[path].content)
    whole = replace(whole, content=re.sub(loads, b"", whole.content))
    return {path: entry for path, entry in flat.items() if path not in inner} | {program: whole}


def _after_what_they_are_made_of(tree: FileTree, paths: Collection[bytes]) -> list[bytes]:
    """Sort files of classes so that each is behind those that it extends, implements or uses.

    Files that declare nothing come last.
    """
    by_name = {path.rpartition(b"/")[2].removesuffix(b".php"): path for path in paths}
    found: dict[bytes, None] = {}
    seen: set[bytes] = set()

    def add(path: bytes) -> None:
        if path not in seen:
            seen.add(path)
            for names in _MADE_OF.findall(tree[path].content):
                for name in re.findall(rb"\w+", names):
                    if name in by_name:
                        add(by_name[name])
            found[path] = None

    for path in sorted(paths, key=lambda path: (not _DECLARES.search(tree[path].content), path)):
        add(path)
    return list(found)


def _files(tree: FileTree, of: bytes) -> list[bytes]:
    return sorted(path for path, entry in tree.items() if entry.is_file and extension(path) == of)


def _without_packages(
    content: bytes, packages: Collection[bytes], declared: re.Pattern[bytes]
) -> bytes:
    """Return a text without its package, and without the names of packages in front of others."""
    names = b"|".join(re.escape(name) for name in sorted(packages, key=len, reverse=True))
    some = rb"(?:\w+|\*|\{(?![^{}]*\sas\s)[^{}]*\})"
    imports = rb"(?m)^(?:import|use)\s+\\?(?:%b)[.\\]%b\s*;[^\S\n]*\n" % (names, some)
    qualifiers = rb"(?<![\w.\\])\\?(?:%b)[.\\](?=\w)" % names
    content = re.sub(imports, b"", declared.sub(b"", content))
    content = _with_names_of_members(content, names)
    return _PUBLIC.sub(b"", re.sub(qualifiers, b"", content))


def _with_names_of_members(content: bytes, packages: bytes) -> bytes:
    """Return a text of Java that imports no members of classes of packages, but names the classes.

    A class that has no package can be named, but nothing can be imported from it.
    """
    member = rb"(?m)^import\s+(?:static\s+)?(?:%b)\.(\w+)\.(\w+)\s*;[^\S\n]*\n" % packages
    classes = {name: of for of, name in re.findall(member, content)}
    if not classes:
        return content
    used = rb"(?<![\w.])(?:%b)(?!\w)" % b"|".join(classes)
    return re.sub(
        used, lambda found: classes[found[0]] + b"." + found[0], re.sub(member, b"", content)
    )


def _with_one_file_of_go(
    tree: FileTree, kept: Collection[bytes], named: Collection[bytes]
) -> FileTree:
    """Return the tree with all files of Go behind that of the program or its tests, if there is one."""
    found = {path: _IN_GO.search(tree[path].content) for path in _files(tree, b"go")}
    names = {path: match[1] for path, match in found.items() if match}
    program = _program_among(tree, names, named, _GO_BEGINNINGS)
    others = names.keys() - {program}
    if program is None or not others or not others.isdisjoint(kept):
        return tree
    folders = {path.rpartition(b"/")[0]: name for path, name in names.items() if name != b"main"}
    module = _GO_MODULE.search(tree[b"go.mod"].content) if b"go.mod" in tree else None
    packages = {folder or (module[1] if module else b""): of for folder, of in folders.items()}
    prefixed = _prefixed_names(tree, names, program.rpartition(b"/")[0])
    new = dict(tree)
    for path, package in names.items():
        own = prefixed.get(package, {}) if path.rpartition(b"/")[0] in folders else {}
        content = _renamed(tree[path].content, own)
        new[path] = replace(tree[path], content=_in_program(content, packages, prefixed))
    for path in sorted(others):
        new = dict(joined(new, program, path))
    return new


def _prefixed_names(
    tree: FileTree, packages: Mapping[bytes, bytes], program: bytes
) -> dict[bytes, dict[bytes, bytes]]:
    """Map packages of Go to what several of them declare, and to other names for these.

    `packages` is by file. What the folder of the program declares keeps its names.
    """
    declared: dict[bytes, set[bytes]] = {}
    for path in packages:
        names = _GO_DECLARED.findall(tree[path].content)
        declared.setdefault(path.rpartition(b"/")[0], set()).update(names)
    counts = Counter(name for names in declared.values() for name in names)
    return {
        package: {
            name: package + name
            for name in sorted(declared[path.rpartition(b"/")[0]])
            if counts[name] > 1
        }
        for path, package in packages.items()
        if path.rpartition(b"/")[0] != program
    }


def _renamed(content: bytes, names: Mapping[bytes, bytes]) -> bytes:
    if not names:
        return content
    word = rb"(?<![\w.])(?:%b)(?!\w)" % b"|".join(names)
    return re.sub(word, lambda found: names[found[0]], content)


def _program_among(
    tree: FileTree,
    paths: Collection[bytes],
    named: Collection[bytes],
    beginnings: Sequence[re.Pattern[bytes]],
) -> bytes | None:
    """Return the only file with one of the beginnings; of several, the only one that is `named`."""
    for beginning in beginnings:
        found = [path for path in paths if beginning.search(tree[path].content)]
        found = found if len(found) == 1 else [path for path in found if path in named]
        if len(found) == 1:
            return found[0]
    return None


def _in_program(
    content: bytes,
    packages: Mapping[bytes, bytes],
    prefixed: Mapping[bytes, Mapping[bytes, bytes]],
) -> bytes:
    """Return a text of Go in the package `main`, which has taken in others; these are by folders.

    `prefixed` has the other names of what these packages declare.
    """
    own: dict[bytes, bytes] = {}

    def left(match: re.Match[bytes]) -> bytes:
        lines: list[bytes] = []
        for line in (match[1] or match[2] or b"").split(b"\n"):
            alias, _, path = line.strip().removesuffix(b'"').rpartition(b'"')
            fitting = [each for each in packages if (b"/" + path).endswith(b"/" + each)]
            if fitting:
                package = packages[max(fitting, key=len)]
                own[alias.strip() or package] = package
            elif path:
                lines.append(b"import " + line.strip() + b"\n")
        return b"".join(lines)

    def alone(match: re.Match[bytes]) -> bytes:
        return prefixed.get(own[match[1]], {}).get(match[2], match[2])

    content = _GO_IMPORTS.sub(left, _IN_GO.sub(b"package main", content, count=1))
    names = b"|".join(re.escape(name) for name in own)
    return re.sub(rb"(?<![\w.])(%b)\.([A-Z]\w*)" % names, alone, content) if own else content


def _with_crates_inside(
    tree: FileTree, kept: Collection[bytes], named: Collection[bytes]
) -> FileTree:
    """Return the tree with all crates of Rust as modules of the program or the test that uses them.

    Other programs and tests that use them go. What a `Cargo.toml` needs stays, and is empty.
    """
    crates = _crates(tree)
    if not crates:
        return tree
    uses = re.compile(
        rb"(?m)(^\s*extern\s+crate\s+(?:%b)\s*;)|(?<![\w:])(?:%b)(?=\s*::)|(?<=use )(?:%b)(?=\s+as\b)"
        % (names := b"|".join(crates), names, names)
    )
    users = [path for path in _files(tree, b"rs") if path not in crates.values()]
    users = [path for path in users if uses.search(tree[path].content)]
    program = _program_among(tree, users, named, _RUST_BEGINNINGS)
    gone = {*users, *crates.values()} - {program}
    if program is None or not gone.isdisjoint(kept):
        return tree
    own = _folder_of_crate(tree, program)
    manifest = tree[own + _CARGO].content if own + _CARGO in tree else b""
    new = {path: entry for path, entry in tree.items() if path not in gone}
    for path in sorted(gone):
        if _folder_of_crate(tree, path) != own or path.removeprefix(own) in manifest:
            content = b"" if path in crates.values() else _NO_PROGRAM
            new[path] = replace(tree[path], content=content)
    parts = [_from_outside(tree[program].content, b"", uses)]
    for name, path in crates.items():
        content = _from_outside(tree[path].content, b"crate::%b::" % name, uses)
        parts += [b"mod %b {" % name, content, b"}"]
    lines = b"\n".join(part.removesuffix(b"\n") for part in [*parts, b""])
    new[program] = replace(tree[program], content=lines)
    return new


def _crates(tree: FileTree) -> dict[bytes, bytes]:
    """Map the names of the crates of a tree, as programs use them, to the files of their libraries."""
    found: dict[bytes, bytes] = {}
    for path in sorted(path for path in tree if path.rpartition(b"/")[2] == _CARGO):
        manifest = tree[path].content
        crate, library = _CRATE.search(manifest), _LIBRARY.search(manifest)
        source = path.removesuffix(_CARGO) + (library[1] if library else b"src/lib.rs")
        if crate and source in tree:
            found[crate[1].replace(b"-", b"_")] = source
    return found


def _folder_of_crate(tree: FileTree, path: bytes) -> bytes:
    """Return the innermost folder around a file that has a `Cargo.toml`, with a slash, or nothing."""
    while (folder := path.rpartition(b"/")[0]) and folder + b"/" + _CARGO not in tree:
        path = folder
    return folder + b"/" if folder else b""


def _from_outside(content: bytes, inside: bytes, uses: re.Pattern[bytes]) -> bytes:
    """Return a text of Rust that begins its paths to crates, and its own with `inside`, outside."""
    content = re.sub(rb"(?<![\w:])crate::", inside, content) if inside else content
    return uses.sub(lambda found: b"" if found[1] else b"crate::" + found[0], content)
