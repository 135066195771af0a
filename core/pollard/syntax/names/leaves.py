"""The names in a tree: its leaves that are names, by their text and by their place."""

from __future__ import annotations

import bisect
import re
from functools import cached_property
from typing import TYPE_CHECKING

from pollard.syntax.grammars.spelling import is_word
from pollard.syntax.names.identifiers import defining

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tree_sitter import Language, Node

    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.branches.units import Reach, Unit

    Span = tuple[int, int]


# Leaves of such kinds are texts, not names.
_TEXT = re.compile("comment|string|char|text|content|fragment|literal|regex|escape")
# The first part of what gives something to a field or a parameter by its name.
_KEYS = frozenset({"name", "key", "field", "label", "designator"})


class Names:
    """The names in a text, of which the tree's branches are given level by level, with their units."""

    def __init__(
        self,
        text: bytes,
        branches: Sequence[Branch],
        units: Iterable[Unit],
        language: Language | None,
    ) -> None:
        self.text = text
        self.language = language
        self.branches = branches
        self.units: Mapping[Branch, Reach] = dict(units)

    @cached_property
    def leaves(self) -> list[Branch]:
        """The leaves that are names, in order."""
        found = [branch for branch in self.branches if self._is_name(branch)]
        return sorted(found, key=lambda leaf: leaf.start)

    @cached_property
    def _starts(self) -> list[int]:
        return [leaf.start for leaf in self.leaves]

    @cached_property
    def by_name(self) -> Mapping[bytes, Sequence[Branch]]:
        """The leaves, in order, that each name has."""
        found: dict[bytes, list[Branch]] = {}
        for leaf in self.leaves:
            found.setdefault(self.name(leaf), []).append(leaf)
        return found

    def name(self, branch: Branch) -> bytes:
        """Return a branch's text."""
        return self.text[branch.start : branch.end]

    def _is_name(self, branch: Branch) -> bool:
        node = branch.trunk
        return (
            not branch.children
            and node.is_named
            and not _TEXT.search(node.type)
            and is_word(self.name(branch), self.language)
        )

    def defining(self, branch: Branch) -> list[Node]:
        """Return the leaves by which a branch defines something for what is outside of it."""
        language = branch.home.language if branch.home is not None else self.language
        return defining(branch.trunk, self.text, language)

    def within(self, span: Span) -> Sequence[Branch]:
        """Return the names inside a span, in order."""
        return self.leaves[
            bisect.bisect_left(self._starts, span[0]) : bisect.bisect_left(self._starts, span[1])
        ]

    def called(self, names: Iterable[bytes], scope: Span) -> list[Branch]:
        """Return the leaves inside a scope that have one of the names, in order."""
        found = (leaf for name in names for leaf in self.by_name.get(name, ()))
        inside = (leaf for leaf in found if leaf.is_within(scope))
        return sorted(inside, key=lambda leaf: leaf.start)

    def above(self, leaf: Branch) -> Iterator[Branch]:
        """Yield the units around a name, the innermost first; none is a mere name of a value."""
        branch: Branch | None = leaf
        if leaf.parent and leaf.index == 0 and field_of(leaf) in _KEYS:
            branch = leaf.parent
        while branch is not None:
            if branch in self.units:
                yield branch
            branch = branch.parent

    def is_listed(self, branch: Branch) -> bool:
        """Tell whether a comma is beside a branch."""
        beside = (branch.sibling(-1), branch.sibling(1))
        return any(one is not None and self.name(one) == b"," for one in beside)


def field_of(branch: Branch) -> str | None:
    """Return the field of its parent that a branch is in, if it is in one."""
    if branch.parent is None:
        return None
    above = branch.parent.trunk
    for index, child in enumerate(above.children):
        if child.byte_range == branch.node.byte_range:
            return above.field_name_for_child(index)
    return None
