"""The sweep before the detailed search: what is coupled goes early, and soon or not at all."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from pollard.engine.declaration import declare
from pollard.passes.coupling.by_place import here_documents
from pollard.passes.coupling.by_use import Orphans, last_uses
from pollard.passes.coupling.coupled import delete
from pollard.passes.coupling.inlining import dissolve_modules, inline
from pollard.passes.coupling.tagged_blocks import tagged_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.engine.subject import Subject
    from pollard.passes.coupling.joint_deletions import Analysis, JointDeletion

# In bytes other than white space: in shorter texts the detailed search is as cheap.
_MIN_WEIGHT = 128
# How many failures in a row end each part of the pass.
_MAX_FAILURES = 6
# The same for modules: those of a text go together, or hardly ever alone.
_MAX_MODULES = 2


@declare("early-coupled", runs="6 failures in a row, twice", source="as coupled and inline")
def early_coupled(subject: Subject) -> None:
    """Remove last uses with what only they used, then do what `inline` does; give up soon.

    Blocks of templates that `heavy` could not remove may be unused now. The pass comes before the
    detailed search, which would keep a declaration and its uses apart. In a short text it does nothing.
    """
    if subject.weight >= _MIN_WEIGHT:
        delete(subject, _deletions, _MAX_FAILURES)
    if subject.weight >= _MIN_WEIGHT and subject.is_ready_for_late_passes():
        dissolve_modules(subject, _MAX_MODULES)
        inline(subject, _MAX_FAILURES)


def _deletions(analysis: Analysis) -> Iterator[JointDeletion]:
    by_place = chain(here_documents(analysis), tagged_blocks(analysis))
    return chain(by_place, last_uses(analysis, Orphans(analysis)))
