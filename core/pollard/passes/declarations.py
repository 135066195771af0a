"""Where the names of a document are declared, as far as the declaration can be removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.passes.prune import Units
from pollard.syntax.branches import below
from pollard.syntax.identifiers import assigned, defined
from pollard.syntax.occurrences import is_identifier
from pollard.syntax.units import removal

if TYPE_CHECKING:
    from tree_sitter import Node

    from pollard.passes.subject import Subject
    from pollard.syntax.edits import Edit
    from pollard.syntax.units import Unit


def declarations(subject: Subject) -> dict[bytes, Unit]:
    """Return the outermost unit that declares each name, in the order of levels."""
    text = subject.document.text
    units = Units(subject)
    found: dict[bytes, Unit] = {}
    level = below([subject.root], subject.span)
    while level:
        for unit in units.of(level):
            node = unit[0].node
            for name in sorted(defined(node, text) | assigned(node, text) | _bare(node, text)):
                found.setdefault(name, unit)
        level = below(level, subject.span)
    return found


def _bare(node: Node, text: bytes) -> frozenset[bytes]:
    """Return the name of which a piece has nothing else: what a declaration is reduced to, as in C."""
    while node.named_child_count == 1:
        node = node.named_children[0]
    return frozenset({text[node.start_byte : node.end_byte]} if is_identifier(node) else ())


def cut(unit: Unit) -> Edit:
    """Return the edit that removes a declaration."""
    return removal(*unit)
