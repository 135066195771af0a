"""The choice of files: which can go, and which may be empty. Candidates are sets of paths."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pollard.file_tree import FileTree, parents
from pollard.project.halving import Part, removable, with_others, without_each
from pollard.project.imports import namers, with_namers

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from pollard.search.first import First

# If not one of two halves can go, nearly all files are needed.
_MAX_PARTS_IN_VAIN = 2
# If not one of so many groups of files can go, most files are needed for now.
_MAX_IN_VAIN = 8


def clearly_unneeded(
    tree: FileTree, kept: Collection[bytes], first: First[frozenset[bytes]]
) -> frozenset[bytes]:
    """Return paths whose files can go; those in `kept` stay.

    Folders and halves of them are tried, as long as enough of them can go.
    """
    paths = _heaviest_first(tree, set(tree) - set(kept))
    return removable(folder_parts(tree, paths), first, in_vain=_MAX_IN_VAIN)


def some_of(
    tree: FileTree, paths: Collection[bytes], first: First[frozenset[bytes]]
) -> frozenset[bytes]:
    """Return which of files that are probably unneeded can go: all, or large parts of them."""
    parts = [Part(frozenset([path]), tree[path].weight) for path in sorted(paths)]
    return removable(parts, first, in_vain=_MAX_PARTS_IN_VAIN)


def unneeded(
    tree: FileTree, kept: Collection[bytes], first: First[frozenset[bytes]], *, anew: bool
) -> frozenset[bytes]:
    """Return paths whose files can go; those in `kept` stay.

    Single files are tried until none can go. Before that, with `anew`, whole folders and halves of
    them; after it, single files together with those that name them.
    """
    paths = _heaviest_first(tree, set(tree) - set(kept))
    removed = removable(folder_parts(tree, paths), first) if anew else frozenset[bytes]()
    while True:
        removed |= without_each([path for path in paths if path not in removed], first)
        left = [path for path in paths if path not in removed]
        more = with_others(_with_namers(tree, left), first)
        if not more:
            return removed
        removed |= more


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


def _heaviest_first(tree: FileTree, paths: Iterable[bytes]) -> list[bytes]:
    return sorted(paths, key=lambda path: (-tree[path].weight, path))


def _with_namers(tree: FileTree, paths: list[bytes]) -> list[frozenset[bytes]]:
    """Return each path with all that name it, if any do and these are not all."""
    by = namers(tree, paths)
    groups = (with_namers(path, by) for path in paths)
    return list(dict.fromkeys(group for group in groups if 1 < len(group) < len(paths)))
