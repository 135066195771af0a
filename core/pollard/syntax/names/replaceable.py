"""Names that can be replaced: all their places in a document's own tree, and what declares them.

`Names` knows scopes and the innermost unit that defines a name, which is what deletions need. To put
something in the place of a name, every place counts, whatever its scope, and the outermost unit: the
whole declaration goes. Names in islands are left alone, since their texts may mean something else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.syntax.branches.branches import below
from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import (
    Definition,
    assigned,
    defined,
    is_identifier,
    leaves,
    text_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from tree_sitter import Node

    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.branches.units import Unit
    from pollard.syntax.tree.document import Document

    Span = tuple[int, int]


# A text with more names than this is not reduced far enough yet.
_MAX_NAMES = 60
# No grammar wraps a bare name deeper; brackets may be nested thousands of levels deep.
_MAX_WRAPPERS = 8


class ReplaceableNames:
    """The names of a document, each with the outermost unit below `root` that declares it.

    `units_of` returns those of some branches that are units. There are no names if a document has more
    than 60.
    """

    def __init__(
        self,
        document: Document,
        root: Branch,
        span: Span,
        units_of: Callable[[Sequence[Branch]], Iterable[Unit]],
    ) -> None:
        self._document = document
        self._span = span
        is_short = 0 < len(identifiers(document)) <= _MAX_NAMES
        self._units = self._declaring(root, units_of) if is_short else {}
        self.places: Mapping[bytes, Sequence[Span]] = identifiers(document, self._units)
        """Where each name stands (start, end), in order."""

    @property
    def definitions(self) -> list[Definition]:
        """The definitions of the names in use, level by level, one for each name.

        Those that reach out of the span, or whose uses do, are left out.
        """
        everywhere = 0, len(self._document.text)
        found = [
            Definition(unit, frozenset({name}), everywhere, is_local_or_import=False)
            for name, unit in self._units.items()
        ]
        return [
            one for one in found if (uses := self.uses(one)) and self._reaches([one.span, *uses])
        ]

    def uses(self, definition: Definition) -> list[Span]:
        """Return the places (start, end) of a definition's name outside of it."""
        first, last = definition.span
        return [
            (start, end)
            for name in definition.names
            for start, end in self.places.get(name, ())
            if end <= first or start >= last
        ]

    def _reaches(self, spans: Iterable[Span]) -> bool:
        """Return whether the replacements may reach all of the spans."""
        return all(self._span[0] <= start and end <= self._span[1] for start, end in spans)

    def _declaring(
        self, root: Branch, units_of: Callable[[Sequence[Branch]], Iterable[Unit]]
    ) -> dict[bytes, Unit]:
        """Return the outermost unit that declares each name; the parser is asked about no others."""
        found: dict[bytes, Unit] = {}
        level = below([root], self._span)
        while level:
            names = {branch: self._names(branch).difference(found) for branch in level}
            for unit in units_of([branch for branch in level if names[branch]]):
                for name in sorted(names[unit[0]]):
                    found.setdefault(name, unit)
            level = below(level, self._span)
        return found

    def _names(self, branch: Branch) -> frozenset[bytes]:
        node, text = branch.node, self._document.text
        language = branch.own_document_in(self._document).language
        own = _bare_name(node, self._document)
        return defined(node, text, language) | assigned(node, text, language) | own


def _bare_name(node: Node, document: Document) -> frozenset[bytes]:
    """Return the name of which a piece has nothing else: what a declaration is reduced to, as in C."""
    for _ in range(_MAX_WRAPPERS):
        if node.named_child_count != 1:
            break
        node = node.named_children[0]
    is_name = is_identifier(node, document.language)
    return frozenset({text_of(node, document.text)} if is_name else ())


def identifiers(
    document: Document, declared: Collection[bytes] = frozenset()
) -> dict[bytes, list[Span]]:
    """Return where each name stands (start, end) in a document's own tree, in the order of the text.

    What is `declared` is a name in any kind of leaf but strings and comments: C's grammar takes
    `int32_t` for a keyword. Islands are leaves of the tree, and not names.
    """
    found: dict[bytes, list[Span]] = {}
    kinds, text = conventions(document.language).kinds, document.text
    for leaf in leaves(document.root):
        name = text_of(leaf, text)
        if not name or not leaf.is_named:
            continue
        if leaf.type in kinds.identifiers or (name in declared and leaf.type not in kinds.texts):
            found.setdefault(name, []).append(leaf.byte_range)
    return found
