"""Uses among siblings: which of them must go when another one goes.

Definitions are those of the module `definitions`. Uses are found in the index of words that a document
keeps, not in `Names`. That is cheap, since most units are never looked up, and cautious, since words
in comments and strings count as uses too.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from pollard.syntax.names.conventions import (
    splits_word,
    word_places,
    words,
)
from pollard.syntax.names.definitions import assigned, defined
from pollard.syntax.names.presence import definition_places

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.tree.document import Document


class _NameIndices(NamedTuple):
    """The indices of the branches that define a name, and of those that use it.

    The users are None if the name is used outside of all branches.
    """

    definers: frozenset[int]
    users: frozenset[int] | None


def _known_definitions(_: Document) -> dict[int, frozenset[bytes]]:
    """Return what each node of a document defines, by the identity of the node; empty at first.

    All stages of a pass ask for the same nodes, and a document keeps the trees of its islands.
    """
    return {}


class Uses:
    """The uses among `branches`, siblings in the order of the text, which are known by their index.

    The branches may be in islands. Other definitions of a name, such as a prototype, are no uses, nor
    are its `companions`: offsets of mentions that go with it.
    """

    def __init__(
        self,
        document: Document,
        branches: Sequence[Branch],
        companions: Callable[[bytes], Collection[int]] = lambda _: (),
    ) -> None:
        self._document = document
        self._companions = companions
        self._branches = branches
        self._defined = document.once(_known_definitions)
        self._known_names: dict[bytes, _NameIndices] = {}

    def closure(
        self, index: int, present: Collection[int], going: Collection[int] = ()
    ) -> frozenset[int] | None:
        """Return a branch with all that are `present` and use it, and all that use those in turn.

        If another branch defines the same name, as methods of several types do, the uses may be of that
        one and stay. Only if all branches that define the name are `going`, they all go with its uses.
        None if one of the names is used outside of all branches.
        """
        if not self._defined_in(index):  # true of most branches, and this is called very often
            return frozenset((index,))
        found = {index}
        waiting = [index]
        while waiting:
            for name in self._defined_in(waiting.pop()):
                definers, users = self._indices_of(name)
                if not (definers.intersection(present) - found).issubset(going):
                    continue
                if users is None:
                    return None
                others = {other for other in definers - found if other in present}
                newly_found = others | ({user for user in users if user in present} - found)
                found |= newly_found
                waiting += newly_found
        return frozenset(found)

    def lost(self, indices: frozenset[int]) -> frozenset[bytes]:
        """Return the names that only the branches with these indices define."""
        names = {name for index in indices for name in self._defined_in(index)}
        definers = {name: self._indices_of(name).definers for name in names}
        return frozenset(name for name in names if definers[name] and definers[name] <= indices)

    def users_of(self, name: bytes) -> frozenset[int] | None:
        """Return the indices of the branches that use a name; None if it is used outside of all."""
        return self._indices_of(name).users

    def _defined_in(self, index: int) -> frozenset[bytes]:
        branch = self._branches[index]
        key = branch.node.id
        if key not in self._defined:
            self._defined[key] = self._definitions(branch)
        return self._defined[key]

    def _definitions(self, branch: Branch) -> frozenset[bytes]:
        """Return the names that a branch defines, including those that it is the first to assign."""
        own, text = branch.own_document_in(self._document), self._document.text
        if not definition_places(own).overlap(branch.start, branch.end):
            return frozenset()
        language = own.language
        known = (name for name in assigned(branch.node, text, language) if name in self._words)
        first = (name for name in known if self._words[name][0] >= branch.start)
        return defined(branch.node, text, language).union(first)

    def _indices_of(self, name: bytes) -> _NameIndices:
        if name not in self._known_names:
            counts = self._counts(name)
            total = len(self._words.get(name, ())) - len(self._companions(name))
            outside = total > sum(counts.values())
            definers = frozenset(index for index in counts if name in self._defined_in(index))
            using = (index for index, count in counts.items() if count > (index in definers))
            self._known_names[name] = _NameIndices(definers, None if outside else frozenset(using))
        return self._known_names[name]

    def _counts(self, name: bytes) -> Counter[int]:
        """Count a name, without its companions, in each branch that has it."""
        counts = Counter(self._words_in_splitting.get(name, ()))
        companions = self._companions(name)
        for start in self._words.get(name, ()):
            if start in companions:
                continue
            index = bisect_right(self._starts, start) - 1
            if index < 0 or index in self._splitting_words or start >= self._branches[index].end:
                continue
            counts[index] += 1
        return counts

    @cached_property
    def _words(self) -> Mapping[bytes, Sequence[int]]:
        return word_places(self._document)

    @cached_property
    def _starts(self) -> list[int]:
        return [branch.start for branch in self._branches]

    @cached_property
    def _splitting_words(self) -> frozenset[int]:
        """The branches that begin or end inside a word, because the grammar cuts words there."""
        text, language = self._document.text, self._document.language
        return frozenset(
            index
            for index, branch in enumerate(self._branches)
            if any(splits_word(text, offset, language) for offset in (branch.start, branch.end))
        )

    @cached_property
    def _words_in_splitting(self) -> dict[bytes, Counter[int]]:
        """By word: how often it is in each of the `_splitting_words`, read as texts of their own."""
        found: dict[bytes, Counter[int]] = {}
        for index in self._splitting_words:
            branch = self._branches[index]
            text = self._document.text[branch.start : branch.end]
            for name, count in words(text, self._document.language).items():
                found.setdefault(name, Counter())[index] = count
        return found
