"""Uses between units that are beside each other: which must go when another one goes.

Names are looked up in the index of words that a document keeps, not in the tree: most units are never
asked about, and most words name nothing. Words in comments and strings count as uses here.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from pollard.syntax.names.conventions import conventions, splits_word, word_places, words
from pollard.syntax.names.definitions import assigned, defined

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.tree.document import Document


def is_missed(document: Document, branch: Branch, instead: Branch) -> bool:
    """Return whether anything outside of a branch uses a name that it defines, but not `instead`.

    That is another branch, which is to take its place.
    """
    language = branch.own_document_in(document).language
    if not conventions(language).has_definitions:
        return False
    names = defined(branch.node, document.text, language)
    lost = names - defined(instead.node, document.text, language) if names else names
    return any(_is_outside(branch, word_places(document).get(name, ())) for name in lost)


def _is_outside(branch: Branch, places: Sequence[int]) -> bool:
    """Return whether one of some places, which are in order, is before a branch or after it."""
    return bool(places) and not branch.start <= places[0] <= places[-1] < branch.end


class _Places(NamedTuple):
    """The numbers of the branches that define a name, and of those that use it.

    The users are None if something outside of all branches uses it.
    """

    definers: frozenset[int]
    users: frozenset[int] | None


class Uses:
    """The uses among `branches` of a document, one beside the other, in order.

    Their nodes may be in the trees of its islands. It is no use of a name where another branch defines
    it too (a function's prototype, say), nor are a name's `companions`, places that go with it.
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
        self._defined: dict[int, frozenset[bytes]] = {}
        self._places: dict[bytes, _Places] = {}

    def closure(
        self, place: int, present: Collection[int], going: Collection[int] = ()
    ) -> frozenset[int] | None:
        """Return a branch with all those that are `present` and use it, and all that use them.

        If another branch defines a name as well, its uses may stay with that one: methods of many types
        share a name, as do the clauses of a function. Only if all of these are `going` too, the branch
        goes with all of them. None if one of the names is used outside of all branches.
        """
        if not self._defined_in(place):  # most are asked about again and again
            return frozenset((place,))
        found = {place}
        waiting = [place]
        while waiting:
            for name in self._defined_in(waiting.pop()):
                definers, users = self._places_of(name)
                others = {other for other in definers - found if other in present}
                if any(other not in going for other in others):
                    continue
                if users is None:
                    return None
                more = others | ({user for user in users if user in present} - found)
                found |= more
                waiting += more
        return frozenset(found)

    def lost(self, places: frozenset[int]) -> frozenset[bytes]:
        """Return the names that only the branches at some places define."""
        names = {name for place in places for name in self._defined_in(place)}
        definers = {name: self._places_of(name).definers for name in names}
        return frozenset(name for name in names if definers[name] and definers[name] <= places)

    def users_of(self, name: bytes) -> frozenset[int] | None:
        """Return the places of the branches that use a name; None if something outside does."""
        return self._places_of(name).users

    def _defined_in(self, place: int) -> frozenset[bytes]:
        if place not in self._defined:
            self._defined[place] = self._definitions(self._branches[place])
        return self._defined[place]

    def _definitions(self, branch: Branch) -> frozenset[bytes]:
        """Return the names that a branch defines, those among them that it is the first to assign."""
        language, text = branch.own_document_in(self._document).language, self._document.text
        if not conventions(language).has_definitions:
            return frozenset()
        given = (name for name in assigned(branch.node, text, language) if name in self._words)
        first = (name for name in given if self._words[name][0] >= branch.start)
        return defined(branch.node, text, language).union(first)

    def _places_of(self, name: bytes) -> _Places:
        if name not in self._places:
            times = self._times(name)
            every = len(self._words.get(name, ())) - len(self._companions(name))
            outside = every > sum(times.values())
            definers = frozenset(place for place in times if name in self._defined_in(place))
            using = (place for place, number in times.items() if number > (place in definers))
            self._places[name] = _Places(definers, None if outside else frozenset(using))
        return self._places[name]

    def _times(self, name: bytes) -> Counter[int]:
        """Count a name in each branch that has it, but for its companions."""
        times = Counter(self._split_words.get(name, ()))
        companions = self._companions(name)
        for start in self._words.get(name, ()):
            if start in companions:
                continue
            place = bisect_right(self._starts, start) - 1
            if place < 0 or place in self._splitting or start >= self._branches[place].end:
                continue
            times[place] += 1
        return times

    @cached_property
    def _words(self) -> Mapping[bytes, Sequence[int]]:
        return word_places(self._document)

    @cached_property
    def _starts(self) -> list[int]:
        return [branch.start for branch in self._branches]

    @cached_property
    def _splitting(self) -> frozenset[int]:
        """The branches that begin or end inside of a word, as the grammar sees it."""
        text, language = self._document.text, self._document.language
        return frozenset(
            place
            for place, branch in enumerate(self._branches)
            if any(splits_word(text, offset, language) for offset in (branch.start, branch.end))
        )

    @cached_property
    def _split_words(self) -> dict[bytes, Counter[int]]:
        """How often each word is in each of these branches, read as if that was all of the text."""
        found: dict[bytes, Counter[int]] = {}
        for place in self._splitting:
            branch = self._branches[place]
            text = self._document.text[branch.start : branch.end]
            for name, times in words(text, self._document.language).items():
                found.setdefault(name, Counter())[place] = times
        return found
