"""The choice of files: which can go. Candidates are sets of paths."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pollard.file_tree import FileTree, parents
from pollard.project.links.imports import Imports, namers, with_namers
from pollard.project.phases.halving import Part, removable, with_others, without_each
from pollard.project.phases.questions import QuestionsAbout, questions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from contextlib import AbstractContextManager

    from pollard.project.phases.tree_subject import TreeSubject
    from pollard.search.first import First

# If not one of two halves can go, nearly all files are needed.
_MAX_PARTS_IN_VAIN = 2
# If not one of so many groups of files can go, most files are needed for now.
_MAX_IN_VAIN = 8

# As many single files take so many more runs than all of them at once.
_MIN_OTHERS = 4


def remove_clearly_unneeded(subject: TreeSubject) -> None:
    """Remove folders, and halves of them, as long as enough of them can go."""
    parts = folder_parts(subject.tree, _may_go(subject))
    with _questions_on_files(subject) as first:
        removable(parts, first, in_vain=_MAX_IN_VAIN)


def remove_probably_unneeded(subject: TreeSubject, paths: frozenset[bytes]) -> None:
    """Remove files that are probably not needed: all, or large parts of them."""
    if not paths:
        return
    chosen = sorted(paths - subject.plan.needed)
    parts = [Part(frozenset([path]), subject.tree[path].weight) for path in chosen]
    with _questions_on_files(subject) as first:
        removable(parts, first, in_vain=_MAX_PARTS_IN_VAIN)


def keep_only(subject: TreeSubject, path: bytes) -> None:
    """Remove all files but one, if that can be; a few others are tried one by one anyway."""
    others = sorted(subject.tree.keys() - subject.plan.needed - {path})
    if len(others) >= _MIN_OTHERS:
        with _questions_on_files(subject) as first:
            with_others([frozenset(others)], first)


def remove_unneeded(subject: TreeSubject, *, anew: bool) -> None:
    """Remove single files until none can go.

    Before that, with `anew`, whole folders and halves of them; after it, single files together with
    those that name them.
    """
    if len(subject.tree) == 1:
        return  # the tree without any file was the first candidate
    tree, paths = subject.tree, _may_go(subject)
    with _questions_on_files(subject) as first:
        removed = removable(folder_parts(tree, paths), first) if anew else frozenset[bytes]()
        while True:
            removed |= without_each([path for path in paths if path not in removed], first)
            left = [path for path in paths if path not in removed]
            more = with_others(_with_namers(tree, left), first)
            if not more:
                return
            removed |= more


def _questions_on_files(subject: TreeSubject) -> AbstractContextManager[First[frozenset[bytes]]]:
    base, plan = subject.tree, subject.plan
    imports = Imports(base, guard=plan.each.guard, untouched=plan.partly)
    return questions(subject, QuestionsAbout("files", sorted(base), imports.without, "imports"))


def folder_parts(tree: FileTree, paths: Iterable[bytes]) -> tuple[Part[bytes], ...]:
    """Return the paths as a hierarchy of folders."""
    inside: dict[bytes, list[bytes]] = {}
    above: dict[bytes, list[bytes]] = {}
    for path in paths:
        around = [b"", *parents(path)]
        inside.setdefault(around[-1], []).append(path)
        for outer, inner in pairwise(around):
            if inner not in above.setdefault(outer, []):
                above[outer].append(inner)

    def parts(folder: bytes) -> Iterator[Part[bytes]]:
        for path in inside.get(folder, ()):
            yield Part(frozenset([path]), tree[path].weight)
        for inner in above.get(folder, ()):
            inner_parts = tuple(parts(inner))
            items = frozenset[bytes]().union(*(part.items for part in inner_parts))
            yield Part(items, sum(part.weight for part in inner_parts), inner_parts)

    return tuple(parts(b""))


def _may_go(subject: TreeSubject) -> list[bytes]:
    """Return the files that are not known to be needed, the heaviest first."""
    tree = subject.tree
    return sorted(tree.keys() - subject.plan.needed, key=lambda path: (-tree[path].weight, path))


def _with_namers(tree: FileTree, paths: list[bytes]) -> list[frozenset[bytes]]:
    """Return each path with all that name it, if any do and these are not all."""
    by = namers(tree, paths)
    groups = (with_namers(path, by) for path in paths)
    return list(dict.fromkeys(group for group in groups if 1 < len(group) < len(paths)))
