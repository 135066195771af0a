"""Files that are needed only by parts of others: these parts go, and then what they lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.project.links.imports import Links
from pollard.project.phases.file_choice import remove_probably_unneeded
from pollard.project.phases.single_file import reduce_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pollard.file_tree import FileTree
    from pollard.project.phases.tree_subject import TreeSubject

# In a smaller file, too little is left for a coarse reduction, unless it alone leads to others: a test
# or a program may be short, and what all others are needed for.
_MIN_COARSE_BYTES = 512


def unlink_files(subject: TreeSubject) -> None:
    """Remove the files that are needed only by parts of others, and these parts.

    Each file that imports others is reduced coarsely, from the outside in. What it no longer leads
    to goes before anybody looks at its contents.
    """
    coarse, main = subject.plan.each.chosen_strategy().coarse(), subject.plan.main
    roots, tried = Links(subject.tree, main).roots(), set[bytes]()
    while coarse and (path := _next_to_unlink(subject, tried)) is not None:
        tried.add(path)
        alone = Links(subject.tree).unreached(roots, without=path)
        remove_probably_unneeded(subject, alone)
        before = subject.tree
        left = before.get(path)
        if left is not None and (left.weight >= _MIN_COARSE_BYTES or len(alone) > 1):
            reduce_text(subject, path, coarse)
            remove_unlinked(subject, before, roots)


def remove_unlinked(subject: TreeSubject, before: FileTree, roots: Sequence[bytes]) -> None:
    """Remove the files to which the roots led in the tree `before`, and do not any more."""
    if subject.tree != before:
        old, new = Links(before), Links(subject.tree)
        remove_probably_unneeded(subject, new.unreached(roots) - old.unreached(roots))


def _next_to_unlink(subject: TreeSubject, tried: set[bytes]) -> bytes | None:
    """Return the first file from the outside in that imports others and was not tried."""
    links = Links(subject.tree, subject.plan.main)
    roots = links.roots()
    return next(
        (
            path
            for path in links.outside_in()
            if path not in tried
            and links.names_others(path)
            and (path in roots or subject.tree[path].weight >= _MIN_COARSE_BYTES)
        ),
        None,
    )
