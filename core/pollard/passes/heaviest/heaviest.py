"""Heaviest first: what weighs most is tried first, wherever in the tree it is.

The threshold of a stage goes down from half of the text to a single byte (see the room's docstring for
why). At each stage the levels are walked as in HDD, but only steps are tried that save at least the
threshold:

- groups of neighbouring units that weigh as much together, from the last to the first;
- a minimal fragment in the place of a branch;
- a descendant in the place of a branch, over any number of levels.

After each stage the remaining bodies of functions are emptied, if together they weigh the threshold.
A token that is half of the text or more, such as a comment that must stay, is shortened.

A failed step is tried again only once much less of the text is left. The same holds for a hardly
lighter branch inside the one that it failed on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.engine.declaration import declare
from pollard.engine.memory import branch_key
from pollard.engine.needed import HOIST_INNER_STEP, HOIST_STEP, REMOVE_STEP, NeededPieces
from pollard.engine.pruning import Units, remove, replace
from pollard.passes.coupling.coupled import delete
from pollard.passes.coupling.tagged_blocks import tagged_blocks
from pollard.passes.heaviest.annotations import drop_annotations
from pollard.passes.heaviest.descent import HoistingRules, hoist_far, unnest
from pollard.passes.heaviest.groups import Groups
from pollard.passes.heaviest.hollowing import hollow
from pollard.passes.heaviest.listed import NamedUnits, removing_with_entries
from pollard.passes.shortening.tokens import polish_heavy
from pollard.passes.text.outline import reduce_outline
from pollard.search.sweeps import gallop
from pollard.syntax.branches.branches import below
from pollard.syntax.branches.replacements import Replacements
from pollard.syntax.tree.sizes import size, weighs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pollard.engine.subject import Subject
    from pollard.syntax.branches.branches import Branch


# Each threshold is a quarter of the one before.
_THRESHOLD_FACTOR = 4
# A failed step is tried again once the text has shrunk by this factor; at the end, where runs are cheap
# and there is no later chance, sooner.
_RETRY_FACTOR = 4.0
_FINAL_RETRY_FACTOR = 1.5
# At the end, descendants inside a candidate are candidates too, if they save this many bytes more, or
# this part of a short text.
_MIN_INNER_SAVING = 8
_MIN_INNER_PART = 16
# There one that saves this much may lose what could not go alone. So 42 files ended at 1,836 bytes in
# 3,212 runs. Whatever it saves: 1,859 in 3,250. Never: 1,862 in 3,128.
_MIN_LOSING_SAVING = 16
# In bytes. Lighter units are hardly more than a name and its punctuation.
_MIN_HEAVY_THRESHOLD = 8
# With such low thresholds most of what is left is needed. So this many descendants at most are tried in
# the place of a branch; the heaviest come first. Of 311 others one was interesting. In a Ruby program
# of which 1 kB had to stay, the others took 729 of 3,912 runs and none was.
_MAX_FINE_HOISTINGS = 2
# How many branches above one are searched for an attempt. Where thousands are nested, searching all of
# them for each takes time that grows with the square of their number.
_MAX_BRANCHES_ABOVE = 64
# Each level has a budget of parsed bytes for its units. All levels below so many share one budget.
_MAX_LEVELS_WITH_BUDGET = 64
# How many blocks of a template may fail in a row before the rest is left for later.
_MAX_FAILED_BLOCKS = 16
_REPLACE_STEP = "replace"


@declare(
    "heaviest", runs="O(n) at each of O(log n) stages", source="own; priorities from pardis-2019"
)
def heaviest(subject: Subject) -> None:
    """Remove the heaviest first: walk all levels, with a threshold that falls to a single byte.

    It begins where `heavy` stopped. O(n) steps at each of O(log n) stages, but hardly ever more than
    the weight of the text divided by the threshold. Once every unit was tried it walks the levels only
    once, with a threshold of one byte.
    """
    if subject.memory.every_unit_tried:
        _Stage(subject, Units(subject), 1, _FINAL_RETRY_FACTOR).walk()
        return
    _walk_stages(subject, 0)
    subject.memory.every_unit_tried = True


@declare("heavy", runs="O(n) at each stage", source="own; priorities from pardis-2019")
def heavy(subject: Subject) -> None:
    """Drop annotations and undo deep nesting; then run those stages of `heaviest` that remove most.

    These are the stages with thresholds of more than a few bytes. Where the grammar makes hardly any
    tree of the text, what its indentation tells goes first. Then blocks of templates go, which no tree
    shows.
    """
    reduce_outline(subject)
    delete(subject, tagged_blocks, _MAX_FAILED_BLOCKS)
    if subject.document.errors:
        drop_annotations(subject)
    unnest(subject)
    if not subject.memory.every_unit_tried:
        _walk_stages(subject, _MIN_HEAVY_THRESHOLD)


def _walk_stages(subject: Subject, lower_bound: int) -> None:
    """Walk the stages with thresholds above `lower_bound` bytes that were not walked yet."""
    memory, half = subject.memory, subject.weight // 2
    threshold = half if memory.next_threshold is None else memory.next_threshold
    units = Units(subject)
    while threshold > lower_bound:
        _Stage(subject, units, threshold, _RETRY_FACTOR).walk()
        hollow(subject, threshold, _RETRY_FACTOR)
        polish_heavy(subject, _RETRY_FACTOR)
        threshold = min(threshold // _THRESHOLD_FACTOR, subject.weight // 2)
    memory.next_threshold = threshold


class _Stage:
    """One walk down the levels with one threshold."""

    def __init__(self, subject: Subject, units: Units, threshold: int, retry_factor: float) -> None:
        self._subject = subject
        self._units = units
        self._replacements = Replacements()
        self._threshold = threshold
        self._retry_factor = retry_factor

    def walk(self) -> None:
        """Walk all levels down once."""
        subject = self._subject
        level = below([subject.root], subject.span)
        subject.level = 0
        while level:
            subject.level += 1
            level = self._hoist(self._prune(level))
            level = below(self._heavy(level), subject.span)

    def _text(self, branch: Branch) -> bytes:
        return self._subject.document.text[branch.start : branch.end]

    def _heavy(self, level: Sequence[Branch]) -> list[Branch]:
        return [branch for branch in level if self._is_heavy(branch)]

    def _is_heavy(self, branch: Branch) -> bool:
        return weighs(self._subject.document.text, branch.start, branch.end, self._threshold)

    def _weigh_enough(self, level: Sequence[Branch]) -> bool:
        """Return whether branches weigh the threshold together."""
        weight = 0
        for branch in level:
            weight += size(self._text(branch))
            if weight >= self._threshold:
                return True
        return False

    def _prune(self, level: Sequence[Branch]) -> list[Branch]:
        if not self._weigh_enough(level):
            return list(level)
        if self._subject.level <= _MAX_LEVELS_WITH_BUDGET:
            self._units.next_level()
        else:
            self._units.refresh()
        worth = list(self._worth_parsing(level))
        attempts = _BranchAttempts(self._subject, self._threshold, self._retry_factor)
        if all(attempts.was_tried(REMOVE_STEP, branch) for branch in worth):
            return list(level)  # none can go, so their units need not be found
        units = self._units.of(worth)
        if not units:
            return list(level)
        is_final = self._subject.memory.every_unit_tried
        named = NamedUnits(self._subject, units)
        groups = Groups(
            self._subject, named, self._threshold, self._retry_factor, try_unlikely=is_final
        )
        writer = removing_with_entries(self._subject, named)
        return remove(self._subject, level, units, groups, writer=writer)

    def _worth_parsing(self, level: Sequence[Branch]) -> Iterator[Branch]:
        """Leave out light tokens: finding the unit of each would cost a parse."""
        for branch in level:
            if not branch.is_token or self._is_heavy(branch):
                yield branch

    def _hoist(self, level: Sequence[Branch]) -> list[Branch]:
        level = replace(
            self._subject,
            self._heavy(level),
            gallop,
            self._replacements,
            is_open=self._is_open,
            is_worth=self._is_worth_replacing,
        )
        return hoist_far(self._subject, self._heavy(level), self._rules)

    def _rules(self) -> HoistingRules:
        attempts = _BranchAttempts(self._subject, self._threshold, self._retry_factor)
        is_final = self._subject.memory.every_unit_tried
        step = HOIST_INNER_STEP if is_final else HOIST_STEP
        is_fine = self._threshold <= _MIN_HEAVY_THRESHOLD
        inner_saving = min(_MIN_INNER_SAVING, max(self._subject.weight // _MIN_INNER_PART, 1))
        return HoistingRules(
            self._threshold,
            inner_saving=inner_saving if is_final else 0,
            keeps_endings=is_final,
            losing_saves=_MIN_LOSING_SAVING if is_final else None,
            max_candidates=_MAX_FINE_HOISTINGS if is_fine else None,
            is_worth=lambda branch: attempts.is_new(step, branch),
            on_failed=lambda branch: attempts.note(step, branch),
        )

    def _is_open(self, branch: Branch) -> bool:
        """Return whether to replace a branch; not if removing a part of it failed already."""
        attempts = _BranchAttempts(self._subject, self._threshold, self._retry_factor)
        return (
            not attempts.was_tried(REMOVE_STEP, branch)
            and attempts.is_new(_REPLACE_STEP, branch)
            and not NeededPieces(self._subject).inside(branch)
        )

    def _is_worth_replacing(self, branch: Branch, new: bytes) -> bool:
        """Return whether to try a replacement of a branch that is open."""
        attempts = _BranchAttempts(self._subject, self._threshold, self._retry_factor)
        if size(attempts.text(branch)) - size(new) < self._threshold:
            return False
        attempts.note(_REPLACE_STEP, branch)
        return True


class _BranchAttempts:
    """The attempts on branches of the subject's present document."""

    def __init__(self, subject: Subject, threshold: int, retry_factor: float) -> None:
        self._subject = subject
        self._document = subject.document
        self._weight = subject.weight
        self._threshold = threshold
        self._retry_weight = subject.weight * retry_factor

    def text(self, branch: Branch) -> bytes:
        """Return the text of a branch."""
        return self._document.text[branch.start : branch.end]

    def is_new(self, step: str, branch: Branch) -> bool:
        """Return whether a step was tried neither on a branch nor on a hardly heavier ancestor."""
        weight = size(self.text(branch))
        above: Branch | None = branch
        for _ in range(_MAX_BRANCHES_ABOVE):
            if not above or not above.parent or self._is_heavier(above, weight):
                return True
            if self.was_tried(step, above):
                return False
            above = above.parent
        return True

    def _is_heavier(self, branch: Branch, weight: int) -> bool:
        """Return whether a branch weighs at least the threshold more than `weight` bytes."""
        least = weight + self._threshold
        return weighs(self._document.text, branch.start, branch.end, least)

    def note(self, step: str, branch: Branch) -> None:
        """Note that a step is tried on a branch."""
        self._subject.memory.attempts.note(step, self._key(branch), self._weight)

    def was_tried(self, step: str, branch: Branch) -> bool:
        """Return whether a step was tried on a branch when the text was not much heavier than now."""
        return self._subject.memory.attempts.knows(step, self._key(branch), self._retry_weight)

    def _key(self, branch: Branch) -> bytes:
        return branch_key(self._document.text, branch)
