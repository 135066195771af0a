"""What shortens much by little, before the search goes into detail.

Names are most of a text from which the heavy parts have gone. Shorter ones, and uses replaced by what
they stand for, save those who watch a reduction the wait for its last passes, which do the rest. So do
units that cannot go because an import would be left without a use. Where hardly anything is left there
is nothing to wait for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.passes.coupling.coupled import named, orphaned
from pollard.passes.coupling.inlining import inline
from pollard.passes.shortening.renaming import rename
from pollard.passes.shortening.spelling import shorten

if TYPE_CHECKING:
    from pollard.engine.subject import Subject

# In bytes that are no white space: a few declarations.
_MUCH = 128
# So many failures in a row say that it is too early.
_PATIENCE = 6
# Later, one for so many bytes that are no white space: what all needs each other may be most of it.
_PATIENT = 16


def early_coupled(subject: Subject) -> None:
    """Delete what belongs together by name, as `coupled` does, in a text of some length.

    Before every unit was tried by itself, only last uses with what only they used.
    """
    if not _has_much(subject):
        return
    if subject.memory.every_unit_tried:
        named(subject, subject.weight // _PATIENT)
    else:
        orphaned(subject, _PATIENCE)


def early_inline(subject: Subject) -> None:
    """Inline names, as the pass `inline` does, in a text of some length."""
    if _has_much(subject):
        inline(subject, _PATIENCE)


def early_rename(subject: Subject) -> None:
    """Give names one letter each, as the pass `rename` does, in a text of some length."""
    if _has_much(subject):
        rename(subject)


def early_shorten(subject: Subject) -> None:
    """Give other words one letter each, as the pass `shorten` does, in a text of some length."""
    if _has_much(subject):
        shorten(subject)


def _has_much(subject: Subject) -> bool:
    return subject.weight >= _MUCH
