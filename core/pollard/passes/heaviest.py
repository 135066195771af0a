"""Heaviest first: what weighs most is tried first, wherever in the tree it is.

HDD minimises a level down to its lightest unit before it looks at the next one, so that it asks
about every small declaration while whole function bodies are still there that need it: the *priority
inversion* that Pardis names (Gharachorlu & Sumner, FASE 2019). Here a threshold comes down from half
of the text to a single byte; at each stage the levels are walked as in HDD, but only steps are tried
that take at least that much away:

- groups of neighbouring units that weigh so much together, from the last to the first;
- a minimal fragment in the place of a branch;
- a far descendant in the place of a branch, over as many steps as it takes.

What failed is not tried again while the text is about the same; that is also remembered of a branch
for descendants that are hardly lighter. What is still in use elsewhere by its name is left alone
until that use is gone. All of this only saves runs: passes with guarantees come after this one.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeVar

from pollard.passes.far import hoist_far
from pollard.passes.prune import Units, remove, replace
from pollard.search.gallop import gallop
from pollard.syntax.branches import below
from pollard.syntax.identifiers import Uses
from pollard.syntax.replacements import Replacements
from pollard.syntax.sizes import size

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pollard.passes.subject import Subject
    from pollard.search.first import First
    from pollard.syntax.branches import Branch
    from pollard.syntax.units import Unit

T = TypeVar("T")

# The thresholds of two stages, one after the other, are so many times apart.
_FACTOR = 4
# What failed is tried again once the text has so many times less.
_AGAIN = 4


def heaviest(subject: Subject) -> None:
    """Take away the heaviest first: a threshold comes down, and at each stage all levels are walked.

    O(n) steps at each of O(log n) stages, but hardly ever more than the text has weight over it.
    """
    if subject.document.language is None:
        return
    memory = Memory(subject)
    replacements = Replacements()
    threshold = memory.weight // 2
    while threshold >= 1:
        _Stage(subject, memory, replacements, threshold).walk()
        threshold = min(threshold // _FACTOR, memory.weight // 2)
    subject.explored = True


class Memory:
    """Remembers what was tried in vain, by the step and its text, with the text's weight by then."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._tried: dict[tuple[str, bytes], int] = {}

    @property
    def weight(self) -> int:
        """How many bytes of the region are no white space now."""
        start, end = self._subject.span
        return size(self._subject.document.text[start:end])

    def note(self, step: str, text: bytes) -> None:
        """Take note that a step is about to be tried on a piece of the text."""
        self._tried[step, text] = self.weight

    def knows(self, step: str, text: bytes) -> bool:
        """Tell whether that was tried in a text not much larger than it is now."""
        then = self._tried.get((step, text))
        return then is not None and then < self.weight * _AGAIN


class _Stage:
    """One walk down the levels with one threshold, in bytes that are no white space."""

    def __init__(
        self, subject: Subject, memory: Memory, replacements: Replacements, threshold: int
    ) -> None:
        self._subject = subject
        self._memory = memory
        self._replacements = replacements
        self._threshold = threshold

    def walk(self) -> None:
        subject = self._subject
        level = below([subject.root], subject.span)
        subject.level = 0
        while level:
            subject.level += 1
            level = self._heavy(self._pruned(level))
            level = self._heavy(
                replace(subject, level, gallop, self._replacements, self._is_worth_replacing)
            )
            level = hoist_far(subject, level, self._threshold, partial(self._is_news, "hoist"))
            level = below(self._heavy(level), subject.span)

    def _text(self, branch: Branch) -> bytes:
        return self._subject.document.text[branch.start : branch.end]

    def _heavy(self, level: Sequence[Branch]) -> list[Branch]:
        return [branch for branch in level if size(self._text(branch)) >= self._threshold]

    def _pruned(self, level: Sequence[Branch]) -> list[Branch]:
        weight = sum(size(self._text(branch)) for branch in level)
        units = Units(self._subject).of(level) if weight >= self._threshold else []
        groups = Groups(self._subject.document.text, units, self._threshold, self._memory)
        return remove(self._subject, level, units, groups) if units else list(level)

    def _is_worth_replacing(self, branch: Branch, new: bytes) -> bool:
        saved = size(self._text(branch)) - size(new)
        return saved >= self._threshold and self._is_news("replace", branch)

    def _is_news(self, step: str, branch: Branch) -> bool:
        """Tell whether a step was tried neither on a branch nor on one that is hardly heavier."""
        text = self._text(branch)
        above: Branch | None = branch
        while above and above.parent and size(self._text(above)) - size(text) < self._threshold:
            if self._memory.knows(step, self._text(above)):
                return False
            above = above.parent
        self._memory.note(step, text)
        return True


class Groups:
    """Minimises a list of units by groups that weigh `threshold` bytes at least, from the last on.

    A group has neighbours of which nothing else is in use, or a unit with all that uses it.
    """

    def __init__(self, text: bytes, units: Sequence[Unit], threshold: int, memory: Memory) -> None:
        self._texts = [text[branch.start : branch.end] for branch, _ in units]
        self._uses = Uses(text, [branch.node for branch, _ in units])
        self._threshold = threshold
        self._memory = memory

    def __call__(self, items: Sequence[T], first: First[tuple[T, ...]], /) -> tuple[T, ...]:
        """Return the places of the units that stay; every group is tried once."""
        rest, stop = tuple(items), len(self._texts)
        places = dict(enumerate(items))
        failed: list[frozenset[int]] = []
        while True:
            present = frozenset(place for place, item in places.items() if item in rest)
            groups = list(self._groups(present, stop, failed))
            hit = first(
                tuple(item for place, item in places.items() if place in present - group)
                for _, group in groups
            )
            for _, group in groups[: len(groups) if hit is None else hit.index]:
                self._memory.note("remove", self._joined(group))
                failed.append(group)
            if hit is None:
                return rest
            rest, stop = hit.candidate, groups[hit.index][0]

    def _groups(
        self, present: frozenset[int], stop: int, failed: Sequence[frozenset[int]]
    ) -> Iterator[tuple[int, frozenset[int]]]:
        """Yield groups of those `present` that begin before `stop`, each with where it begins.

        None has all of one that has failed: what is needed in that is in this one too.
        """
        tried = list(failed)
        group: frozenset[int] = frozenset()
        for place in sorted(present, reverse=True):
            closed = self._closed(place, present) if place < stop else None
            if closed is None:
                continue
            beside = closed - group == {place}
            if beside:
                group = closed = group | closed
            if self._weight(closed) >= self._threshold:
                if not any(closed >= one for one in tried) and not self._is_known(closed):
                    tried.append(closed)
                    yield place, closed
                group = frozenset() if beside else group

    def _closed(self, place: int, present: frozenset[int]) -> frozenset[int] | None:
        """Return a unit with all that uses it; None if one of them is known to be needed."""
        if self._is_needed(place):
            return None
        closed = self._uses.closure(place, present)
        return None if closed is None or any(map(self._is_needed, closed)) else closed

    def _is_needed(self, place: int) -> bool:
        return self._memory.knows("remove", self._texts[place])

    def _is_known(self, group: frozenset[int]) -> bool:
        return self._memory.knows("remove", self._joined(group))

    def _weight(self, group: Iterable[int]) -> int:
        return sum(size(self._texts[place]) for place in group)

    def _joined(self, group: Iterable[int]) -> bytes:
        return b"\0".join(self._texts[place] for place in sorted(group))
