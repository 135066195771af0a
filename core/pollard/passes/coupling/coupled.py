"""Coupled deletion: remove in one candidate what can only go together.

Shrink Ray deletes declarations with the imports that only they used, and DRReduce follows dependencies
between definitions and uses. Here each candidate is one text with several edits, of one of these kinds:

- a definition with its uses: the innermost unit around each goes, or a literal stands in for it, or the
  language's value for nothing, such as `null`;
- a unit with the imports and the local definitions that nothing else uses;
- a parameter with the arguments at its place (also type parameters, columns of tables, and the like);
- a parameter whose uses become its argument, which goes or becomes a literal;
- the beginning and the end of an element;
- a block of a template, or its tags;
- the attributes that have a value in common;
- the tag at the end of an empty element, which closes itself then;
- the elements at the same place of neighbouring lists, such as a column of a table;
- several keywords with what is between them, such as SQL's `NOT NULL` and `CHECK (a > 0)`;
- the text of a here-document with what opens it, for which a string stands in;
- a placeholder in a string with its value, which may move into the string if it is a literal;
- the end of an element with the beginning of the next, so that both become one.
"""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING

from pollard.engine.declaration import declare
from pollard.engine.subject import Candidate
from pollard.passes.coupling.by_place import (
    closed_elements,
    columns,
    equal_attributes,
    here_documents,
    joined_neighbours,
    phrases,
    unwrapped,
)
from pollard.passes.coupling.by_use import Orphans, definitions_with_uses, last_uses
from pollard.passes.coupling.joint_deletions import Analysis, JointDeletion
from pollard.passes.coupling.parameters import moved_arguments, parameters_with_arguments
from pollard.passes.coupling.placeholders import placeholders_with_values
from pollard.passes.coupling.tagged_blocks import tagged_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pollard.engine.subject import Subject


# How many candidates one sweep tries; those that save most come first.
_MAX_CANDIDATES = 256
# The neighbours in a long list are all alike, and joining a few of them is enough.
_MAX_JOINED = 16
_MIN_PARTS = 2


@declare("coupled", runs="256", source="Shrink Ray; DRReduce, arXiv 2605.19412")
def coupled(subject: Subject) -> None:
    """Delete what can only go together, such as a declaration with its uses; what saves most first.

    Takes at most 256 runs, about three for each definition in use. Where an argument moved to the use
    of its parameter, definitions are tried with their uses once more: it may have been the only use
    that was needed. It has no guarantee.
    """
    moves: list[JointDeletion] = []

    def deletions(analysis: Analysis) -> Iterator[JointDeletion]:
        orphans = Orphans(analysis)
        moves.extend(_with_orphans(moved_arguments(analysis), orphans))
        return chain(_by_name(analysis, orphans), _by_place(analysis, orphans), moves)

    if any(each in moves for each in delete(subject, deletions, _MAX_CANDIDATES)):
        delete(subject, lambda each: _by_name(each, Orphans(each)), _MAX_CANDIDATES)


def _by_name(analysis: Analysis, orphans: Orphans) -> Iterator[JointDeletion]:
    return chain(definitions_with_uses(analysis, orphans), last_uses(analysis, orphans))


def _some_joined_neighbours(analysis: Analysis) -> Iterator[JointDeletion]:
    return islice(joined_neighbours(analysis), _MAX_JOINED)


#: What can only go together because of where it stands.
BY_PLACE = (
    unwrapped,
    tagged_blocks,
    closed_elements,
    equal_attributes,
    here_documents,
    columns,
    phrases,
    _some_joined_neighbours,
)
#: The same for values, any of which may have been the last use of a name.
VALUES_BY_PLACE = (parameters_with_arguments, placeholders_with_values)


def _by_place(analysis: Analysis, orphans: Orphans) -> Iterator[JointDeletion]:
    for deletions in VALUES_BY_PLACE:
        yield from _with_orphans(deletions(analysis), orphans)
    for deletions in BY_PLACE:
        yield from deletions(analysis)


def _with_orphans(deletions: Iterable[JointDeletion], orphans: Orphans) -> Iterator[JointDeletion]:
    """Yield each deletion with the definitions whose last uses it has, then without them."""
    for deletion in deletions:
        orphaned = orphans.of(deletion)
        if orphaned.parts:
            yield deletion + orphaned
        yield deletion


def delete(
    subject: Subject, deletions: Callable[[Analysis], Iterable[JointDeletion]], patience: int
) -> list[JointDeletion]:
    """Try each deletion once, on top of the accepted ones, until `patience` failed in a row.

    Return the accepted ones.
    """
    if subject.document.language is None:
        return []
    accepted: list[JointDeletion] = []
    analysis, done = Analysis(subject), JointDeletion()
    waiting = _worthwhile(analysis, deletions(analysis))
    while waiting:
        hit = subject.first(_candidates(analysis, done, waiting[:patience]))
        if hit is None:
            break
        accepted.append(waiting[hit.index])
        done += waiting[hit.index]
        waiting = _still_useful(analysis, done, waiting[hit.index + 1 :])
    return accepted


def _worthwhile(analysis: Analysis, deletions: Iterable[JointDeletion]) -> list[JointDeletion]:
    """Return the deletions with several parts that save something, what saves most first.

    Once every unit was tried, units with more than half of the text hardly ever go at once: of 80 such
    deletions none was interesting.
    """
    text, subject = analysis.document.text, analysis.subject
    most = subject.weight // 2 if subject.memory.every_unit_tried else subject.weight
    joint = (deletion for deletion in deletions if deletion.parts >= _MIN_PARTS)
    saving = {deletion: deletion.saved(text) for deletion in joint}
    useful = [
        deletion
        for deletion, saved in saving.items()
        if 0 < saved <= (most if deletion.units else subject.weight)
    ]
    return sorted(useful, key=lambda deletion: -saving[deletion])[:_MAX_CANDIDATES]


def _still_useful(
    analysis: Analysis, done: JointDeletion, waiting: Sequence[JointDeletion]
) -> list[JointDeletion]:
    """Return the deletions that still save something: some may be gone already."""
    text = analysis.document.text
    saved = done.saved(text)
    return [deletion for deletion in waiting if (done + deletion).saved(text) > saved]


def _candidates(
    analysis: Analysis, done: JointDeletion, waiting: Sequence[JointDeletion]
) -> Iterator[Candidate]:
    return (Candidate(analysis.document, analysis.written(done + deletion)) for deletion in waiting)
