"""Empty files: those of which only the name is needed become empty, and empty ones go."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pollard.project.phases.file_choice import folder_parts
from pollard.project.phases.halving import removable
from pollard.project.phases.questions import QuestionsAbout, questions

if TYPE_CHECKING:
    from pollard.file_tree import FileTree
    from pollard.project.phases.tree_subject import TreeSubject

# If not one of so many groups of files can be empty, the contents of most are needed.
_MAX_IN_VAIN = 8


def empty_files(subject: TreeSubject) -> None:
    """Empty the files of which only the name is needed."""
    base = subject.tree
    empty = {path: replace(entry, content=b"") for path, entry in base.items()}

    def with_empty(paths: frozenset[bytes]) -> FileTree:
        return {path: empty[path] if path in paths else base[path] for path in base}

    paths = sorted(path for path, entry in base.items() if entry.weight)
    with questions(subject, QuestionsAbout("empty files", paths, with_empty)) as first:
        removable(folder_parts(base, paths), first, in_vain=_MAX_IN_VAIN)


def remove_empty_files(subject: TreeSubject) -> None:
    """Remove empty files whose names other files need, such as the `__init__.py` of a package."""
    base = subject.tree

    def without(removed: frozenset[bytes]) -> FileTree:
        return {path: entry for path, entry in base.items() if path not in removed}

    empty = {path for path, entry in base.items() if entry.is_file and not entry.content}
    parts = folder_parts(base, sorted(empty - subject.plan.needed))
    with questions(subject, QuestionsAbout("files", sorted(base), without)) as first:
        removable(parts, first)
