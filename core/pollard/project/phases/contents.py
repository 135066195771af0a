"""The contents of files: which are reduced, and in which order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pollard.project.links.imports import Links, words_in
from pollard.project.phases.binary_files import reduce_binary
from pollard.project.phases.file_choice import keep_only
from pollard.project.phases.named_file import put_into_program
from pollard.project.phases.single_file import reduce_text
from pollard.project.phases.unlinking import remove_unlinked
from pollard.syntax.encodings.encoding import is_binary

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pollard.file_tree import FileTree
    from pollard.passes.strategy import Strategy
    from pollard.project.phases.tree_subject import TreeSubject

# A file that lost so large a part at once may do without most others.
_MAX_PART_LEFT = 1 / 2


@dataclass(frozen=True, slots=True)
class _Look:
    """How a file was reduced last: beside which others, and the result.

    `finished` unless only the first steps of the strategy looked at it.
    """

    beside: FileTree
    content: bytes
    finished: bool

    def is_concerned(self, tree: FileTree) -> bool:
        """Return whether the others that changed have lost a word that the file has."""
        changed = [path for path, entry in self.beside.items() if entry != tree.get(path)]
        return bool(words_in(self.content) & _words(self.beside, changed) - _words(tree, changed))


def _words(tree: FileTree, paths: Iterable[bytes]) -> set[bytes]:
    return set[bytes]().union(*(words_in(tree[path].content) for path in paths if path in tree))


class Contents:
    """Reduces the contents of all files, and remembers beside which others each was reduced."""

    def __init__(self, subject: TreeSubject) -> None:
        self._subject = subject
        self._strategy = subject.plan.each.chosen_strategy()
        self._looks: dict[bytes, _Look] = {}

    def look_at_first(self) -> None:
        """Reduce each file by the first steps only, if there are several.

        From the inside out: a file that fails as soon as it is read needs hardly anything of those that
        lead to it.
        """
        if sum(entry.weight > 0 for entry in self._subject.tree.values()) > 1:
            for path in self._in_order(inside_out=True):
                self._look(path, self._strategy.first_look(), finished=False)

    def reduce(self) -> None:
        """Reduce each file, unless nothing that concerns it changed beside it since the last time.

        Files that import others come first, since what they no longer import goes at once.
        """
        for path in self._in_order():
            tree, look = self._subject.tree, self._looks.get(path)
            if look is None or look.content != tree[path].content:
                self._look(path, None)
            elif look.is_concerned(tree):
                self._look(path, self._strategy.second_look(finished=look.finished))
            elif not look.finished:
                self._look(path, self._strategy.after_first_look())

    def _in_order(self, *, inside_out: bool = False) -> Iterator[bytes]:
        """Yield the files that have contents; what one leads to no longer goes before the next."""
        subject = self._subject
        links = Links(subject.tree, subject.plan.main)
        roots, paths = links.roots(), links.outside_in()
        if inside_out:
            paths.sort(key=lambda path: (links.names_others(path), subject.tree[path].weight))
        for path in paths:
            before = subject.tree
            if path in before and before[path].weight:
                yield path
                remove_unlinked(subject, before, roots)

    def _look(self, path: bytes, strategy: Strategy | None, *, finished: bool = True) -> None:
        """Reduce a file by a strategy; None for the whole one of the plan."""
        subject = self._subject
        beside, before = subject.beside(path), subject.tree[path].weight
        if is_binary(subject.tree[path].content) and path != subject.plan.partly:
            reduce_binary(subject, path)
        else:
            reduce_text(subject, path, strategy)
        self._looks[path] = _Look(beside, subject.tree[path].content, finished)
        if subject.tree[path].weight <= before * _MAX_PART_LEFT:
            put_into_program(subject, path)
            keep_only(subject, path)
