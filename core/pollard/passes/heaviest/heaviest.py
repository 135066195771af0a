"""Heaviest first: what weighs most is tried first, wherever in the tree it is.

HDD minimises a level down to its lightest unit before it looks at the next one, so that it asks
about every small declaration while whole function bodies are still there that need it: the *priority
inversion* that Pardis names (Gharachorlu & Sumner, FASE 2019). Here a threshold comes down from half
of the text to a single byte; at each stage the levels are walked as in HDD, but only steps are tried
that take at least that much away:

- groups of neighbouring units that weigh so much together, from the last to the first;
- a minimal fragment in the place of a branch;
- a far descendant in the place of a branch, over as many steps as it takes.

Once removing has been accepted more often than the other two, it comes first at all levels of a stage:
what is below a branch has gone when a descendant is tried in its place.

After each stage the bodies of functions that stayed are emptied as far as they are heavy together, and
a token that is half of the text or more, such as a comment that must stay, loses what it can of its
characters.

What failed is not tried again while the text is about the same; that is also remembered of a branch
for descendants that are hardly lighter. What is still in use elsewhere by its name is left alone until
that use is gone: no descendant without that name takes its place either, unless that saves half of the
text. What is unlikely, by what has failed of the same group or the same kind, is left for a later
stage. All of this only saves runs: passes with guarantees come after this one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.engine.declaration import declare
from pollard.engine.memory import branch_key
from pollard.engine.pruning import Units, remove, replace
from pollard.passes.heaviest.descent import Terms, hoist_far
from pollard.passes.heaviest.groups import Groups
from pollard.passes.heaviest.hollowing import hollow
from pollard.passes.heaviest.listed import Named, removing_named
from pollard.passes.shortening.tokens import polish_most
from pollard.search.sweeps import gallop
from pollard.syntax.branches.branches import below
from pollard.syntax.branches.replacements import Replacements
from pollard.syntax.names.uses import is_missed
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pollard.engine.subject import Subject
    from pollard.syntax.branches.branches import Branch


# The thresholds of two stages, one after the other, are so many times apart.
_FACTOR = 4
# What failed is tried again once so many times less of the text is left; at the end, where it is
# cheap and the last chance, much sooner.
_AGAIN = 4.0
_AGAIN_AT_THE_END = 3.0
# In the end what may be hoisted is also looked for inside of what may be, if it saves so much more.
_INNER = 8
# So many bytes are much to be left at the end.
_MUCH = 512
# Units of so many bytes are hardly more than a name and its punctuation.
_LIGHT = 8


@declare(
    "heaviest", runs="O(n) at each of O(log n) stages", source="own; priorities from pardis-2019"
)
def heaviest(subject: Subject) -> None:
    """Take away the heaviest first: walk all levels for a threshold in bytes that goes down to one.

    O(n) steps at each of O(log n) stages, but hardly ever more than the text has weight over it. Once
    every unit was tried, single steps only, where the text has changed since. Goes on where `heavy`
    has stopped.
    """
    if subject.memory.every_unit_tried:
        _Stage(subject, Units(subject), 1, _AGAIN_AT_THE_END).walk()
        return
    _come_down(subject, 0)
    subject.memory.every_unit_tried = True


@declare("heavy", runs="O(n) at each stage", source="own; priorities from pardis-2019")
def heavy(subject: Subject) -> None:
    """Run the first stages of `heaviest`, which take away more than a few bytes at a time."""
    if not subject.memory.every_unit_tried:
        _come_down(subject, _LIGHT)


def _come_down(subject: Subject, least: int) -> None:
    """Walk the stages whose thresholds are over `least`, from the first one that was not walked."""
    memory, half = subject.memory, subject.weight // 2
    threshold = half if memory.next_threshold is None else memory.next_threshold
    units = Units(subject)
    while threshold > least:
        _Stage(subject, units, threshold, _AGAIN).walk()
        hollow(subject, threshold, _AGAIN)
        polish_most(subject, _AGAIN)
        threshold = min(threshold // _FACTOR, subject.weight // 2)
    memory.next_threshold = threshold


class _Stage:
    """One walk down the levels with one threshold, in bytes that are no white space."""

    def __init__(self, subject: Subject, units: Units, threshold: int, again: float) -> None:
        self._subject = subject
        self._units = units
        self._replacements = Replacements(subject.memory.texts)
        self._threshold = threshold
        self._again = again

    def walk(self) -> None:
        """Walk down once, or twice if what can be removed below a branch should go before it moves."""
        if self._subject.memory.rates.is_likelier("remove", "hoist"):
            self._walk(self._pruned)
            self._walk(self._hoisted)
        else:
            self._walk(self._pruned, self._hoisted)

    def _walk(self, *steps: Callable[[Sequence[Branch]], list[Branch]]) -> None:
        subject = self._subject
        level = below([subject.root], subject.span)
        subject.level = 0
        while level:
            subject.level += 1
            for step in steps:
                level = step(level)
            level = below(self._heavy(level), subject.span)

    def _text(self, branch: Branch) -> bytes:
        return self._subject.document.text[branch.start : branch.end]

    def _heavy(self, level: Sequence[Branch]) -> list[Branch]:
        return [branch for branch in level if size(self._text(branch)) >= self._threshold]

    def _pruned(self, level: Sequence[Branch]) -> list[Branch]:
        weight = sum(size(self._text(branch)) for branch in level)
        if weight < self._threshold:
            return list(level)
        self._units.next_level()
        units = self._units.of(self._telling(level))
        if not units:
            return list(level)
        last = self._subject.memory.every_unit_tried
        named = Named(self._subject, units)
        groups = Groups(self._subject, named, self._threshold, self._again, unlikely=last)
        writer = removing_named(self._subject, named)
        with self._subject.memory.rates.counting("remove", self._subject.tally):
            return remove(self._subject, level, units, groups, writer=writer)

    def _telling(self, level: Sequence[Branch]) -> Iterator[Branch]:
        """Leave out tokens that are too light by themselves: the parser is asked about each unit."""
        for branch in level:
            if not branch.is_token or size(self._text(branch)) >= self._threshold:
                yield branch

    def _hoisted(self, level: Sequence[Branch]) -> list[Branch]:
        subject, worth = self._subject, self._is_worth_replacing
        with subject.memory.rates.counting("hoist", subject.tally):
            level = replace(subject, self._heavy(level), gallop, self._replacements, worth)
            return hoist_far(subject, self._heavy(level), self._terms)

    def _terms(self) -> Terms:
        past = _Past(self._subject, self._threshold, self._again)
        return Terms(
            self._threshold,
            inner=_INNER if self._subject.memory.every_unit_tried else 0,
            is_worth=lambda branch: past.is_news(past.hoisting(branch), branch),
            is_missed=past.is_missed,
            tried=lambda branch: past.note(past.hoisting(branch), branch),
        )

    def _is_worth_replacing(self, branch: Branch, new: bytes) -> bool:
        """Tell whether to try it: what could be removed is needed, and would be hardly by halves."""
        past = _Past(self._subject, self._threshold, self._again)
        saved = size(past.text(branch)) - size(new)
        if saved < self._threshold or past.was_tried("remove", branch):
            return False
        if not past.is_news("replace", branch):
            return False
        past.note("replace", branch)
        return True


class _Past:
    """What was tried on the branches of the subject's document as it is now, and what they define."""

    def __init__(self, subject: Subject, threshold: int, again: float) -> None:
        self._subject = subject
        self._document = subject.document
        self._weight = subject.weight
        self._threshold = threshold
        self._most = subject.weight * again

    def text(self, branch: Branch) -> bytes:
        """Return the text of a branch."""
        return self._document.text[branch.start : branch.end]

    def hoisting(self, branch: Branch) -> str:
        """Return the step of hoisting into a branch.

        It is another one at last, where most of a text that is still long is in the branch: what is
        light enough to save that much may have been too light whenever that was tried.
        """
        is_most = 2 * size(self.text(branch)) >= self._weight >= _MUCH
        return "hoist at last" if self._subject.memory.every_unit_tried and is_most else "hoist"

    def is_news(self, step: str, branch: Branch) -> bool:
        """Tell whether a step was tried neither on a branch nor on one that is hardly heavier."""
        weight = size(self.text(branch))
        above: Branch | None = branch
        while above and above.parent and size(self.text(above)) - weight < self._threshold:
            if self.was_tried(step, above):
                return False
            above = above.parent
        return True

    def is_missed(self, branch: Branch, instead: Branch) -> bool:
        """Tell whether names would be missed, unless all was tried or half of the text would go."""
        saved = size(self.text(branch)) - size(self.text(instead))
        if self._subject.memory.every_unit_tried or 2 * saved >= self._weight:
            return False
        return not self._document.hides_uses and is_missed(self._document, branch, instead)

    def note(self, step: str, branch: Branch) -> None:
        """Take note that a step is tried on a branch."""
        self._subject.memory.attempts.note(step, self._trace(branch), self._weight)

    def was_tried(self, step: str, branch: Branch) -> bool:
        """Tell whether it was tried when hardly more of the text was left."""
        return self._subject.memory.attempts.knows(step, self._trace(branch), self._most)

    def _trace(self, branch: Branch) -> bytes:
        return branch_key(self._document.text, branch)
