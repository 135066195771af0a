"""Names that can be replaced: all their places in a document's own tree, and the outermost definition.

`Names` knows scopes and the innermost unit that defines a name, which is what a deletion needs. A
replacement must change every place of a name, whatever its scope, and removes the outermost unit that
defines it: a method, and not the body of its class. Names in islands are left alone, since they may
mean something else.

`undeclared_constants` has the names that only a macro or a header can declare.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from pollard.syntax.branches.branches import below
from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import (
    Definition,
    assigned,
    child_in,
    declared_names,
    defining,
    is_identifier,
    leaves,
    nodes,
    parameter_leaves,
    text_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from tree_sitter import Node

    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.branches.units import Unit
    from pollard.syntax.tree.document import Document

    Span = tuple[int, int]


# A text with more names than this is not reduced far enough yet.
_MAX_NAMES = 60
# No grammar wraps a bare name deeper, but brackets may be nested thousands of levels deep.
_MAX_WRAPPERS = 8
# A body of one part is the same branch as that part.
_SEVERAL = 2


class ReplaceableNames:
    """The names of a document, each with the outermost unit below `root` that defines it.

    `units_of` returns the units among some branches. In a document with more than 60 names no name can
    be replaced.
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
        is_short = len(identifiers(document)) <= _MAX_NAMES
        self.places: Mapping[bytes, Sequence[Span]] = (
            identifiers(document, declared_names(document)) if is_short else {}
        )
        """The places (start, end) of each name, in order."""
        self.are_few = is_short and len(self.places) <= _MAX_NAMES
        """Whether the document has at most 60 names, or none."""
        has_some = self.are_few and bool(self.places)
        self._units = self._outermost_units(root, units_of) if has_some else {}

    @property
    def definitions(self) -> list[Definition]:
        """One definition for each name in use, level by level.

        Definitions that reach out of the span, or whose uses do, are left out.
        """
        everywhere = 0, len(self._document.text)
        found = [
            Definition(unit, frozenset({name}), everywhere, is_local_or_import=False)
            for name, unit in self._units.items()
        ]
        return [
            each
            for each in found
            if (uses := self.uses(each)) and self._may_change([each.span, *uses])
        ]

    def uses(self, definition: Definition) -> list[Span]:
        """Return the places (start, end) of a definition's name outside of it.

        What a parameter of another function hides is no use.
        """
        first, last = definition.span
        hidden = {
            place
            for name in definition.names
            for function, places in self._hidden.get(name, ())
            if not function[0] <= first < function[1]
            for place in places
        }
        return [
            (start, end)
            for name in definition.names
            for start, end in self.places.get(name, ())
            if (end <= first or start >= last) and (start, end) not in hidden
        ]

    @cached_property
    def _hidden(self) -> dict[bytes, list[tuple[Span, list[Span]]]]:
        """The functions with a parameter of each name, and its places there.

        In C, what has the name of a parameter may also be a type: those are leaves of other kinds.
        """
        text, language = self._document.text, self._document.language
        known = conventions(language)
        found: dict[bytes, list[tuple[Span, list[Span]]]] = {}
        for function in nodes(self._document.root):
            if function.type not in known.kinds.functions:
                continue
            parameters = child_in(function, known.fields.parameter_lists)
            for parameter in parameters.named_children if parameters else ():
                for own in parameter_leaves(parameter, text, language):
                    name = text_of(own, text)
                    places = [
                        leaf.byte_range
                        for leaf in leaves(function)
                        if leaf.type == own.type and text_of(leaf, text) == name
                    ]
                    found.setdefault(name, []).append((function.byte_range, places))
        return found

    def _may_change(self, spans: Iterable[Span]) -> bool:
        """Return whether all of some spans may be changed."""
        return all(self._span[0] <= start and end <= self._span[1] for start, end in spans)

    def _outermost_units(
        self, root: Branch, units_of: Callable[[Sequence[Branch]], Iterable[Unit]]
    ) -> dict[bytes, Unit]:
        """Map each name to the outermost unit that defines it and that leaves a use outside.

        If that defines other such names, as in `int a = 1, b = 2;`, a unit in it that defines only one
        is better. No other branches are parsed.
        """
        found: dict[bytes, Unit] = {}
        alone: set[bytes] = set()
        level = below([root], self._span)
        while level:
            names = {
                branch: {
                    name
                    for name in self._names(branch).difference(alone)
                    if self._is_outside(name, branch)
                }
                for branch in level
                if not self._is_body(branch)
            }
            for unit in units_of([branch for branch in level if names.get(branch)]):
                own = names[unit[0]]
                for name in sorted(own):
                    if name not in found or (len(own) == 1 and name not in alone):
                        found[name] = unit
                alone |= own if len(own) == 1 else set()
            level = below(level, self._span)
        return found

    def _is_body(self, branch: Branch) -> bool:
        """Return whether a branch is a body with several parts, such as the members of a class."""
        if branch.parent is None or branch.node.named_child_count < _SEVERAL:
            return False
        language = branch.parent.own_document_in(self._document).language
        body = child_in(branch.parent.inner_node, conventions(language).fields.bodies)
        return body is not None and body.byte_range == branch.node.byte_range

    def _is_outside(self, name: bytes, branch: Branch) -> bool:
        """Return whether a name also stands outside of a branch, such as not in a block's."""
        places = self.places.get(name, ())
        return any(end <= branch.start or start >= branch.end for start, end in places)

    def _names(self, branch: Branch) -> frozenset[bytes]:
        node, text = branch.node, self._document.text
        language = branch.own_document_in(self._document).language
        own = _bare_name(node, self._document)
        kinds = conventions(language).kinds
        mentioning = kinds.mentions | kinds.paths
        names = {
            text_of(leaf, text)
            for leaf in defining(node, text, language)
            if leaf.parent is None or leaf.parent.type not in mentioning
        }
        return own | names | assigned(node, text, language)


def _bare_name(node: Node, document: Document) -> frozenset[bytes]:
    """Return the name if a node has nothing else: in C, what is left of a reduced declaration."""
    for _ in range(_MAX_WRAPPERS):
        if node.named_child_count != 1:
            break
        node = node.named_children[0]
    is_name = is_identifier(node, document.language)
    return frozenset({text_of(node, document.text)} if is_name else ())


def identifiers(
    document: Document, declared: Collection[bytes] = frozenset()
) -> dict[bytes, list[Span]]:
    """Return the places (start, end) of each name in a document's own tree, in the order of the text.

    Names that are `declared` may be any leaves but strings and comments, since C's grammar takes
    `int32_t` for a keyword. Islands are leaves of the tree, and no names.
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


def undeclared_constants(document: Document) -> Iterator[list[Span]]:
    """Yield the places (start, end) of each variable that nothing in a document's own tree declares.

    Only in languages whose macros may declare it, and if each place is all of a value: not called, no
    part of a path, and with no member or element after it.
    """
    known, text = conventions(document.language), document.text
    if not known.kinds.constants:
        return
    declared = declared_names(document)
    found: dict[bytes, list[Node]] = {}
    for leaf in leaves(document.root):
        if is_identifier(leaf, document.language) and text_of(leaf, text) not in declared:
            found.setdefault(text_of(leaf, text), []).append(leaf)
    for places in found.values():
        if all(
            leaf.type in known.kinds.constants
            and not text.startswith(known.tokens.tails, leaf.end_byte)
            and not text.endswith(known.tokens.path_separators, 0, leaf.start_byte)
            for leaf in places
        ):
            yield [leaf.byte_range for leaf in places]
