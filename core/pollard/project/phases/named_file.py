"""The file that the failure's output names: one of its statements may be all that fails.

A failing value often comes a long way through other files. The statement that fails needs none of them
if it gets the value where it stands, as the pass `named` tries it. Then few other files are needed, and
most go in few runs. So it comes first, while the lines of the files are still those of the output.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.project.phases.imports import extension
from pollard.project.phases.single_file import reduce_text

if TYPE_CHECKING:
    from pollard.project.phases.tree_subject import TreeSubject

    Place = tuple[bytes, int]

_PASS = "named"


def reduce_named_file(subject: TreeSubject) -> None:
    """Put a statement that the output names in the place of its file.

    Only in the first or the last of the files that are named, where a list of calls has the innermost.
    """
    strategy = subject.plan.each.chosen_strategy().only(_PASS)
    before, places = subject.tree, subject.original.named_places
    for path in _innermost(places) if strategy else ():
        lines = tuple(number for named, number in places if named == path)
        reduce_text(subject, path, strategy, lines)
        if subject.tree != before:
            return


def _innermost(places: tuple[Place, ...]) -> list[bytes]:
    """Return the files at both ends of a list of calls, first the one that is probably innermost."""
    if not places:
        return []
    first, last = places[0][0], places[-1][0]
    calls_end_inside = extension(last) == b"py"  # as only Python prints them
    return list(dict.fromkeys((last, first) if calls_end_inside else (first, last)))
