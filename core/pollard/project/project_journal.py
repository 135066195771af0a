"""The journal of a reduction of several files: what changed in which file, for each accepted tree."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from pollard import other_failures
from pollard.file_tree import Entry, EntryKind, FileTree, fingerprint, shown
from pollard.journal import JournalError, JournalHeader, Recording
from pollard.journal.journal import (
    decoded,
    encoded,
    nothing_to_resume,
    read_header,
    require_same,
    write_header,
)
from pollard.journal.recording import unwritable
from pollard.syntax.tree.edits import splice
from pollard.system import make_directory

if TYPE_CHECKING:
    from pathlib import Path

    from pollard.project.project_plan import ProjectPlan

_CHANGED = (
    "The files have changed since the reduction was interrupted; begin anew instead of resuming."
)


@dataclass(frozen=True, slots=True)
class ProjectHeader(JournalHeader):
    """The conditions of a reduction of several files; `file` is a hash of the original tree.

    `main`, `lines` and `merging` are as in `ProjectPlan`.
    """

    main: str = ""
    lines: str = ""
    merging: bool = True

    @classmethod
    def of_project(cls, plan: ProjectPlan, oracle: str) -> ProjectHeader:
        """Return the header for a plan, with the fingerprint of its oracle."""
        common = JournalHeader.of(plan.each, oracle, plan.each.chosen_strategy().name)
        main, kept = shown(plan.main or b""), plan.kept_around
        lines = f"{shown(kept.path)} {len(kept.head)} {len(kept.tail)}" if kept else ""
        own = {"file": fingerprint(plan.tree), "main": main, "lines": lines}
        return cls(**{**asdict(common), **own, "merging": plan.merging})


class ProjectJournal(Recording[FileTree]):
    """The accepted trees of one reduction: the files `terms` (header) and `reductions`.

    The original is not stored: nothing writes to it. A hash of it is in the header.
    """

    @classmethod
    def begin(cls, directory: Path, header: ProjectHeader, original: FileTree) -> ProjectJournal:
        """Start a journal and discard an older one. Raises JournalError if it cannot be written."""
        journal = cls(directory, original)
        try:
            make_directory(directory)
            journal.clear()
            other_failures.discard(directory)
            write_header(directory, header)
        except OSError as error:
            raise unwritable(directory, error) from error
        return journal

    @classmethod
    def resume(cls, directory: Path, header: ProjectHeader, original: FileTree) -> ProjectJournal:
        """Go on with a journal. Raises JournalError if there is none, or none for this reduction."""
        journal = cls.read(directory, original)
        require_same(read_header(directory, ProjectHeader), header)
        journal.cut(journal.count)
        return journal

    @classmethod
    def read(cls, directory: Path, original: FileTree) -> ProjectJournal:
        """Read the journal of a reduction of these files. Raises JournalError if there is none."""
        try:
            recorded = read_header(directory, ProjectHeader)
        except JournalError:
            raise nothing_to_resume("these files") from None
        if recorded.file != fingerprint(original):
            raise JournalError(_CHANGED)
        journal = cls(directory, original)
        journal.reread()
        return journal

    def difference(self, before: FileTree, after: FileTree) -> dict[str, object]:
        """Return the changed files' replacements, and None for those that are gone.

        A file that comes back, since the search went back, is a change of the original's.
        """
        gone = {shown(path): None for path in before.keys() - after.keys()}
        changed = {
            shown(path): encoded(splice(self._earlier(before, path).content, entry.content))
            for path, entry in after.items()
            if entry is not before.get(path) and entry != before.get(path)
        }
        return {**dict(sorted(gone.items())), **changed}

    def changed(self, before: FileTree, difference: Any) -> FileTree:
        """Return the tree after a change; see `Recording.changed`."""
        tree = dict(before)
        for name, value in difference.items():
            path = os.fsencode(name)
            if value is None:
                del tree[path]
            else:
                start, end, new = decoded(value)
                earlier = self._earlier(tree, path)
                content = earlier.content[:start] + new + earlier.content[end:]
                tree[path] = replace(earlier, content=content)
        return tree

    def _earlier(self, tree: FileTree, path: bytes) -> Entry:
        return tree[path] if path in tree else self.original[path]

    def explains(self, found: FileTree) -> bool:
        """Return whether files are what was written of these trees, even if a crash cut one off."""
        left = [each for each in found.items() if each[1].kind is not EntryKind.FOLDER]
        for tree in (self.original, *self.states()):
            left = [(path, entry) for path, entry in left if not _begins(tree.get(path), entry)]
        return not left


def _begins(whole: Entry | None, part: Entry) -> bool:
    return whole is not None and whole.kind is part.kind and whole.content.startswith(part.content)
