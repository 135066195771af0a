"""Which pieces of a text use what others define, by name.

Most pieces are never asked about, and most words name nothing: so everything is found when asked for,
from an index of the words that the document keeps.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from pollard.syntax.grammars.spelling import is_torn, words
from pollard.syntax.names.identifiers import assigned, defined, names_anything

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.tree.document import Document


def is_missed(document: Document, branch: Branch, instead: Branch) -> bool:
    """Tell whether what is outside of a branch uses a name that it defines, but not `instead`.

    That is another branch, which is to take its place.
    """
    language = branch.home_in(document).language
    if language is None or not names_anything(language):
        return False
    names = defined(branch.node, document.text, language)
    lost = names - defined(instead.node, document.text, language) if names else names
    return any(_is_outside(branch, document.words.get(name, ())) for name in lost)


def _is_outside(branch: Branch, places: Sequence[int]) -> bool:
    """Tell whether one of some places, which are in order, is before a branch or after it."""
    return bool(places) and not branch.start <= places[0] <= places[-1] < branch.end


class _Places(NamedTuple):
    """Which pieces define a name, and which use it; None if something outside of them does."""

    definers: frozenset[int]
    users: frozenset[int] | None


class Uses:
    """The uses among `branches`, pieces of a document one beside the other, in order.

    Their nodes may be of the trees of its islands. Places where other pieces define the same name (a
    function's prototype, say) are no uses, nor are a name's `entries`: places that go with it.
    """

    def __init__(
        self,
        document: Document,
        branches: Sequence[Branch],
        entries: Callable[[bytes], Collection[int]] = lambda _: (),
    ) -> None:
        self._document = document
        self._entries = entries
        self._branches = branches
        self._defined: dict[int, frozenset[bytes]] = {}
        self._places: dict[bytes, _Places] = {}

    def closure(
        self, place: int, present: Collection[int], going: Collection[int] = ()
    ) -> frozenset[int] | None:
        """Return a piece with all those that are `present` and use it, and all that use them.

        What uses a name that another piece defines as well may stay with that: methods of many types
        have one name, as have the clauses of a function. Only if all of these are `going` too, it goes
        with all of them. None if one of their names is used outside of all pieces.
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

    def _defined_in(self, place: int) -> frozenset[bytes]:
        if place not in self._defined:
            self._defined[place] = self._definitions(self._branches[place])
        return self._defined[place]

    def _definitions(self, branch: Branch) -> frozenset[bytes]:
        """Return what a piece defines: of what it gives a value to, what has none before."""
        language = branch.home_in(self._document).language
        if language is None or not names_anything(language):
            return frozenset()
        text, places = self._document.text, self._document.words
        given = assigned(branch.node, text)
        new = (name for name in given if name in places and places[name][0] >= branch.start)
        return defined(branch.node, text, language).union(new)

    def lost(self, places: frozenset[int]) -> frozenset[bytes]:
        """Return the names that only the pieces at some places define."""
        names = {name for place in places for name in self._defined_in(place)}
        definers = {name: self._places_of(name).definers for name in names}
        return frozenset(name for name in names if definers[name] and definers[name] <= places)

    def users_of(self, name: bytes) -> frozenset[int] | None:
        """Return the places of the pieces that use a name; None if something outside does."""
        return self._places_of(name).users

    def _places_of(self, name: bytes) -> _Places:
        if name not in self._places:
            times = self._times(name)
            every = len(self._document.words.get(name, ())) - len(self._entries(name))
            outside = every > sum(times.values())
            definers = frozenset(place for place in times if name in self._defined_in(place))
            using = (place for place, number in times.items() if number > (place in definers))
            self._places[name] = _Places(definers, None if outside else frozenset(using))
        return self._places[name]

    def _times(self, name: bytes) -> Counter[int]:
        """Count a name in each piece that has it, but for its entries."""
        times = Counter(self._torn.get(name, ()))
        entries = self._entries(name)
        for start in self._document.words.get(name, ()):
            if start in entries:
                continue
            place = bisect_right(self._starts, start) - 1
            if place >= 0 and place not in self._torn_places and start < self._branches[place].end:
                times[place] += 1
        return times

    @cached_property
    def _starts(self) -> list[int]:
        return [branch.start for branch in self._branches]

    @cached_property
    def _torn_places(self) -> frozenset[int]:
        """The pieces that begin or end inside of a word, as the grammar sees it."""
        text, language = self._document.text, self._document.language
        return frozenset(
            place
            for place, branch in enumerate(self._branches)
            if is_torn(text, branch.start, language) or is_torn(text, branch.end, language)
        )

    @cached_property
    def _torn(self) -> dict[bytes, Counter[int]]:
        """How often each word is in such pieces, each read as if it was all of the text."""
        found: dict[bytes, Counter[int]] = {}
        for place in self._torn_places:
            branch = self._branches[place]
            text = self._document.text[branch.start : branch.end]
            for name, times in words(text, self._document.language).items():
                found.setdefault(name, Counter())[place] = times
        return found
