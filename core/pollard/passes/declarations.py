"""Where the names of a document are declared, as far as the declaration can be removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.passes.prune import Units
from pollard.syntax.branches import below
from pollard.syntax.identifiers import assigned, defined, is_identifier
from pollard.syntax.units import removal

if TYPE_CHECKING:
    from tree_sitter import Node

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
            for name in sorted(defined(node) | assigned(node) | _bare(node)):
                found.setdefault(name, unit)
        level = below(level, subject.span)
    return found


def _bare(node: Node) -> frozenset[bytes]:
    """Return the name of which a piece has nothing else: what a declaration is reduced to, as in C."""
    while node.named_child_count == 1:
        node = node.named_children[0]
    is_name = not node.child_count and is_identifier(node) and node.text
    return frozenset({node.text} if is_name and node.text else ())


def cut(unit: Unit) -> Edit:
    """Return the edit that removes a declaration."""
    return removal(*unit)
