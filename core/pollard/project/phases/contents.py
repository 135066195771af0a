"""The contents of files: which are reduced, and in which order."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from pollard.project.links.imports import Links, words_in
from pollard.project.phases.binary_files import reduce_binary
from pollard.project.phases.file_choice import keep_only
from pollard.project.phases.named_file import file_that_fails, put_into_program
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


class _Done(Enum):
    """What a file has been through: the first steps, all but those that shorten it, or all."""

    BEGUN = auto()
    REDUCED = auto()
    SHORTENED = auto()


@dataclass(frozen=True, slots=True)
class _Look:
    """How a file was reduced last: beside which others, and the result."""

    beside: FileTree
    content: bytes
    done: _Done

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

    def look_at_named(self) -> None:
        """Reduce the file in which the failure happens by the first steps, if the output names it.

        What is left of it often needs no other file, and can stand in the place of the program.
        """
        path = file_that_fails(self._subject)
        if path is not None:
            self._look(path, self._strategy.first_look(), _Done.BEGUN)

    def look_at_first(self) -> None:
        """Reduce each file by the first steps only, if there are several.

        From the inside out: a file that fails as soon as it is read needs hardly anything of those that
        lead to it.
        """
        if self._has_several:
            for path in self._in_order(inside_out=True):
                if path not in self._looks:
                    self._look(path, self._strategy.first_look(), _Done.BEGUN)

    def reduce(self) -> None:
        """Reduce each file, unless nothing that concerns it changed beside it since the last time.

        Files that import others come first, since what they no longer import goes at once. None is
        shortened as long as there are several, since one may take in another.
        """
        for path in self._in_order():
            strategy, done = self._strategy, _Done.SHORTENED
            if self._has_several:
                strategy, done = strategy.unshortened(), _Done.REDUCED
            tree, look = self._subject.tree, self._looks.get(path)
            if look is None or look.content != tree[path].content:
                self._look(path, strategy, done)
            elif look.done is not _Done.BEGUN:
                if look.is_concerned(tree):
                    self._look(path, strategy.second_look(), look.done)
            elif look.is_concerned(tree):
                self._look(path, strategy.second_look(finished=False), done)
            else:
                self._look(path, strategy.after_first_look(), done)

    def shorten(self) -> None:
        """Shorten what is left of each file, after all else."""
        strategy = self._strategy.shortening()
        for path in self._in_order() if strategy.steps else ():
            look = self._looks.get(path)
            if look is None or look.done is not _Done.SHORTENED:
                self._look(path, strategy, _Done.SHORTENED)

    @property
    def _has_several(self) -> bool:
        return sum(entry.weight > 0 for entry in self._subject.tree.values()) > 1

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

    def _look(self, path: bytes, strategy: Strategy, done: _Done) -> None:
        """Reduce a file by a strategy, and remember what it has been through then."""
        subject = self._subject
        beside, before = subject.beside(path), subject.tree[path].weight
        if is_binary(subject.tree[path].content) and path != subject.plan.partly:
            reduce_binary(subject, path)
        else:
            reduce_text(subject, path, strategy)
        self._looks[path] = _Look(beside, subject.tree[path].content, done)
        if subject.tree[path].weight <= before * _MAX_PART_LEFT:
            put_into_program(subject, path)
            keep_only(subject, path)
