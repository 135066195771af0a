"""Coupled deletion: what can only go together.

Deleting one unit at a time, as all of HDD's family does, never gets rid of a function that is called,
of a parameter (its arguments would be too many), or of an import where the language allows none
without a use. Shrink Ray deletes declarations with the imports that only they used, and DRReduce
follows dependencies between definitions and uses. Here each candidate is one text with several edits:

- a declaration without its uses: the innermost unit around each goes, or a literal stands in for it;
- a unit with the imports and the local declarations that nothing else uses;
- a parameter with the arguments at its place (types' parameters, tables' columns ... likewise);
- an element without its beginning and its end, or a statement with the one that closes it;
- the end of an element with the beginning of the next, so that both become one.
"""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING

from pollard.engine.declaration import declare
from pollard.engine.subject import Candidate
from pollard.passes.coupling.by_place import joined, paired, peeled, positional
from pollard.passes.coupling.by_use import Orphans, declared, orphaning
from pollard.passes.coupling.couples import Couple, Found

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pollard.engine.subject import Subject


# So many candidates are tried in one sweep, the heaviest first.
_MOST = 256
# Of neighbours so many are joined: all of a long list are alike, and so would be what comes of it.
_JOINS = 16
_TWO = 2

#: How many failures in a row end an early pass.
MAX_EARLY_FAILURES = 6
_BYTES_PER_EARLY_FAILURE = 16


@declare("coupled", runs="256", source="Shrink Ray; DRReduce, arXiv 2605.19412")
def coupled(subject: Subject) -> None:
    """Delete what can only go together, such as a declaration with its uses; what saves most first.

    At most 256 runs, two or so for each declaration that is in use; with `*` until none goes. It
    promises nothing.
    """
    _delete(subject, lambda found: chain(_by_name(found), _by_place(found)), _MOST)


@declare("early-coupled", runs="6 failures in a row, or 1 for each 16 bytes", source="as coupled")
def early_coupled(subject: Subject) -> None:
    """Do what `coupled` does by name, in a text of some length and with little patience.

    Before every unit was tried by itself, only last uses go with what only they used. After that, all
    that needs each other may be most of the text, hence patience grows with its weight.
    """
    if not subject.is_worth_early_passes():
        return
    if subject.memory.every_unit_tried:
        named(subject, subject.weight // _BYTES_PER_EARLY_FAILURE)
    else:
        orphaned(subject, MAX_EARLY_FAILURES)


def orphaned(subject: Subject, patience: int) -> None:
    """Try to delete units with the imports and local declarations that nothing else uses, likewise.

    After `patience` failures without a success in between it gives up.
    """
    _delete(subject, lambda found: orphaning(found, Orphans(found)), patience)


def named(subject: Subject, patience: int) -> None:
    """Try to delete what belongs together by name, likewise; give up as `orphaned` does."""
    _delete(subject, _by_name, patience)


def _by_name(found: Found) -> Iterator[Couple]:
    orphans = Orphans(found)
    return chain(declared(found, orphans), orphaning(found, orphans))


def _by_place(found: Found) -> Iterator[Couple]:
    return chain(positional(found), peeled(found), paired(found), islice(joined(found), _JOINS))


def _delete(subject: Subject, couples: Callable[[Found], Iterable[Couple]], patience: int) -> None:
    """Try each couple once, on top of those that went, until so many failed in a row."""
    if subject.document.language is None:
        return
    found, done = Found(subject), Couple()
    waiting = _worthwhile(found, couples(found))
    while waiting:
        hit = subject.first(_candidates(found, done, waiting[:patience]))
        if hit is None:
            return
        done += waiting[hit.index]
        waiting = _left(found, done, waiting[hit.index + 1 :])


def _worthwhile(found: Found, every: Iterable[Couple]) -> list[Couple]:
    """Return the couples of which each takes several things away, what saves most first."""
    text = found.document.text
    saving = {couple: couple.saved(text) for couple in every if couple.parts >= _TWO}
    worth = [couple for couple, saved in saving.items() if saved > 0]
    return sorted(worth, key=lambda couple: -saving[couple])[:_MOST]


def _left(found: Found, done: Couple, waiting: Sequence[Couple]) -> list[Couple]:
    """Return the couples that still save something: of some the most part may be gone."""
    text = found.document.text
    saved = done.saved(text)
    return [couple for couple in waiting if (done + couple).saved(text) > saved]


def _candidates(found: Found, done: Couple, waiting: Sequence[Couple]) -> Iterator[Candidate]:
    return (Candidate(found.document, found.written(done + couple)) for couple in waiting)
