"""The contents of files: which are reduced, and in which order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.file_tree import fingerprint
from pollard.project.links.imports import Links
from pollard.project.phases.binary_files import reduce_binary
from pollard.project.phases.single_file import reduce_text
from pollard.project.phases.unlinking import remove_unlinked
from pollard.syntax.encodings.encoding import is_binary

if TYPE_CHECKING:
    from pollard.project.phases.tree_subject import TreeSubject


class Contents:
    """Reduces the contents of all files, and remembers beside which others each was reduced."""

    def __init__(self, subject: TreeSubject) -> None:
        self._subject = subject
        self._second_look = subject.plan.each.chosen_strategy().second_look()
        # For each file, a hash of the others when its contents were last reduced, and the result.
        self._last: dict[bytes, tuple[str, bytes]] = {}

    def reduce(self) -> None:
        """Reduce each file, unless nothing changed beside it since the last time.

        Files that import others come first, since what they no longer import goes at once.
        """
        subject = self._subject
        links = Links(subject.tree, subject.plan.main)
        roots = links.roots()
        for path in links.outside_in():
            before = subject.tree
            if path in before and before[path].weight:
                self._reduce_file(path)
                remove_unlinked(subject, before, roots)

    def _reduce_file(self, path: bytes) -> None:
        """Reduce a file, unless nothing changed beside it since the last time."""
        subject = self._subject
        beside = fingerprint(subject.beside(path))
        last_beside, last_content = self._last.get(path, (None, None))
        if last_beside == beside:
            return
        content = subject.tree[path].content
        if is_binary(content) and path != subject.plan.partly:
            reduce_binary(subject, path)
        else:
            reduce_text(subject, path, self._second_look if content == last_content else None)
        self._last[path] = beside, subject.tree[path].content
