"""Where the names of a document are declared, as far as the declaration can be removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.passes.prune import Units
from pollard.syntax.branches import below
from pollard.syntax.identifiers import assigned, defined
from pollard.syntax.units import removal

if TYPE_CHECKING:
    from pollard.passes.subject import Subject
    from pollard.syntax.edits import Edit
    from pollard.syntax.units import Unit


def declarations(subject: Subject) -> dict[bytes, Unit]:
    """Return the outermost unit that declares each name, in the order of levels."""
    units = Units(subject)
    found: dict[bytes, Unit] = {}
    level = below([subject.root], subject.span)
    while level:
        for unit in units.of(level):
            node = unit[0].node
            for name in sorted(defined(node) | assigned(node)):
                found.setdefault(name, unit)
        level = below(level, subject.span)
    return found


def cut(unit: Unit) -> Edit:
    """Return the edit that removes a declaration."""
    return removal(*unit)
