"""Where the names of a document are declared, as far as the declaration can be removed.

`coupled` asks for less and knows more of it (`pollard.syntax.names`): the innermost unit, and
the scope. Here it is the outermost unit and all uses, since the whole declaration goes and every use
must get something in its place. Islands are left alone: only names of the text's own tree are found.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pollard.engine.pruning import Units
from pollard.syntax.branches.branches import below
from pollard.syntax.branches.units import removal
from pollard.syntax.names.definitions import assigned, defined, is_identifier, text_of
from pollard.syntax.names.names import identifiers

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tree_sitter import Node

    from pollard.engine.subject import Subject
    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.branches.units import Unit
    from pollard.syntax.tree.document import Document
    from pollard.syntax.tree.edits import Edit

    Places = Mapping[bytes, Sequence[tuple[int, int]]]


# A text with more names than this is not reduced far enough yet.
_MOST = 60
# No grammar wraps a bare name deeper; brackets may be nested thousands of levels deep.
_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class Declared:
    """A name that `node` declares: `gone` removes it, `uses` (start, end) are the other places."""

    name: bytes
    node: Node
    gone: Edit
    uses: Sequence[tuple[int, int]]


def declarations(subject: Subject) -> tuple[list[Declared], Places]:
    """Return the names in use with the outermost unit that declares each, in the order of levels.

    Declarations and uses that reach out of the region are left out. The second value is where all
    names stand. Both are empty if there are too many.
    """
    base = subject.document
    if not 0 < len(identifiers(base)) <= _MOST:
        return [], {}
    units = _units(subject)
    places = identifiers(base, units)
    found = [_declared(name, unit, places) for name, unit in units.items()]
    return [one for one in found if one.uses and _is_within(one, subject.span)], places


def are_within(edits: Iterable[Edit], span: tuple[int, int]) -> bool:
    """Tell whether no edit reaches out of a span (start, end)."""
    return all(span[0] <= edit.start and edit.end <= span[1] for edit in edits)


def _units(subject: Subject) -> dict[bytes, Unit]:
    """Return the outermost unit that declares each name; the parser is asked about no others."""
    document = subject.document
    units = Units(subject)
    found: dict[bytes, Unit] = {}
    level = below([subject.root], subject.span)
    while level:
        names = {branch: _names(branch, document).difference(found) for branch in level}
        for unit in units.of([branch for branch in level if names[branch]]):
            for name in sorted(names[unit[0]]):
                found.setdefault(name, unit)
        level = below(level, subject.span)
    return found


def _names(branch: Branch, document: Document) -> frozenset[bytes]:
    node, text = branch.node, document.text
    language = branch.home_in(document).language
    own = _bare(node, document)
    return defined(node, text, language) | assigned(node, text, language) | own


def _bare(node: Node, document: Document) -> frozenset[bytes]:
    """Return the name of which a piece has nothing else: what a declaration is reduced to, as in C."""
    for _ in range(_DEEPEST):
        if node.named_child_count != 1:
            break
        node = node.named_children[0]
    is_name = is_identifier(node, document.language)
    return frozenset({text_of(node, document.text)} if is_name else ())


def _declared(name: bytes, unit: Unit, places: Places) -> Declared:
    gone = removal(*unit)
    uses = [(s, e) for s, e in places.get(name, ()) if e <= gone.start or s >= gone.end]
    return Declared(name, unit[0].node, gone, uses)


def _is_within(one: Declared, span: tuple[int, int]) -> bool:
    uses = all(span[0] <= start and end <= span[1] for start, end in one.uses)
    return uses and are_within([one.gone], span)
