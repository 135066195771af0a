"""Stand-ins for a name: what its definition contains, a literal, or another name."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from pollard.syntax.branches.replacements import supertypes
from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import (
    child_in,
    is_identifier,
    leaves,
    parameter_names,
    text_of,
    with_fields,
)
from pollard.syntax.tree.edits import Edit, apply

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from tree_sitter import Language, Node

    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.names.conventions import Conventions
    from pollard.syntax.names.names import Names
    from pollard.syntax.tree.document import Document


# A call is hardly ever further above its function's name; each step costs a walk down from the root.
_MAX_STEPS_TO_CALL = 8
_MAX_NAMES_OF_A_KIND = 3


def contents(definition: Node, language: Language | None) -> list[Node]:
    """Return the values, results and bodies in a definition, the shortest first."""
    known = conventions(language)
    found: list[Node] = []
    stack = [definition]
    while stack:
        node = stack.pop()
        for field, child in with_fields(node):
            if field not in known.fields.parameter_lists:
                found += _contents(node, field, child, known)
                stack.append(child)
    unique = {node.byte_range: node for node in found if node.end_byte > node.start_byte}
    return sorted(unique.values(), key=lambda node: node.end_byte - node.start_byte)


def _contents(node: Node, field: str | None, child: Node, known: Conventions) -> list[Node]:
    """Return the parts of a child of `node` that can stand in for the name."""
    if field in known.fields.bodies:
        return child.named_children or [child]
    is_value = field in known.fields.values or child.type in known.kinds.value_lists
    if not child.is_named or not (is_value or node.type in known.kinds.returns):
        return []
    return [child, *child.named_children] if child.named_child_count == 1 else [child]


def with_arguments(document: Document, definition: Node, content: Node, call: Node | None) -> bytes:
    """Return the text of a content, with the arguments of a call in the place of parameters."""
    text, start, language = document.text, content.start_byte, document.language
    fields = conventions(language).fields.arguments
    arguments = child_in(call, fields) if call is not None else None
    children = arguments.named_children if arguments else []
    argument_texts = [text_of(child, text) for child in children]
    values = dict(zip(_parameters(definition, document), argument_texts, strict=False))
    edits = [
        Edit(leaf.start_byte - start, leaf.end_byte - start, value)
        for leaf in leaves(content)
        if is_identifier(leaf, language) and (value := values.get(text_of(leaf, text))) is not None
    ]
    return apply(text_of(content, text), edits)


def call_of(leaf: Node, language: Language | None) -> Node | None:
    """Return the call of the function that `leaf` names, alone or at the end of a path."""
    fields = conventions(language).fields
    node = leaf
    for _ in range(_MAX_STEPS_TO_CALL):
        above = node.parent
        if above is None:
            return None
        if child_in(above, fields.arguments) is not None:
            return above if node in map(above.child_by_field_name, fields.called) else None
        if above.end_byte != leaf.end_byte:
            return None
        node = above
    return None


def _parameters(definition: Node, document: Document) -> list[bytes | None]:
    """Return the names of the outermost parameters in order, None for each that has none."""
    fields = conventions(document.language).fields.parameter_lists
    waiting = deque([definition])
    while waiting:
        node = waiting.popleft()
        parameters = child_in(node, fields)
        if parameters is not None:
            return [
                next(iter(parameter_names(child, document.text, document.language)), None)
                for child in parameters.named_children
            ]
        waiting.extend(node.named_children)
    return []


class StandIns:
    """Finds a literal or another name of the same kind for the place of a name.

    `fits` returns whether the document still parses with an edit.
    """

    def __init__(self, names: Names, fits: Callable[[Edit], bool]) -> None:
        self._names = names
        self._fits = fits
        self._by_kind: dict[int, list[bytes]] = {}
        for leaf in names.leaves:
            self._by_kind.setdefault(leaf.inner_node.kind_id, []).append(names.text_of(leaf))
        for texts in self._by_kind.values():
            texts[:] = sorted(dict.fromkeys(texts), key=lambda text: (len(text), text))
        self._known: dict[tuple[tuple[int, ...], int, bytes], bool] = {}

    def of(self, leaf: Branch, names: Collection[bytes]) -> Edit | None:
        """Return the edit that puts something other than `names` in the place of a leaf.

        A call, an index or a member after the name goes with it. The first edit that parses is taken.
        """
        place = leaf
        while self._is_head(place) and place.parent is not None:
            place = place.parent
        texts = list(self._texts(leaf, names))
        edits = (Edit(b.start, b.end, text) for b in dict.fromkeys((place, leaf)) for text in texts)
        return next((edit for edit in edits if self._does_fit(leaf, edit)), None)

    def _is_head(self, branch: Branch) -> bool:
        after = branch.sibling(1)
        if after is None or branch.index:
            return False
        return self._names.text.startswith(
            self._names.conventions_of(branch).tokens.tails, after.start
        )

    def _texts(self, leaf: Branch, names: Collection[bytes]) -> Iterator[bytes]:
        """Yield literals, the shortest names of related kinds, and some of the leaf's own kind."""
        own, language = leaf.inner_node.kind_id, self._names.language_of(leaf)
        above = supertypes(own, language)
        near = [
            text
            for kind, texts in self._by_kind.items()
            if kind != own and above & supertypes(kind, language)
            for text in texts[:1]
        ]
        alike = [text for text in self._by_kind.get(own, ()) if text not in names]
        literals = self._names.conventions_of(leaf).tokens.literals
        texts = (*literals, *near, *alike[:_MAX_NAMES_OF_A_KIND])
        yield from (text for text in texts if text not in names)

    def _does_fit(self, leaf: Branch, edit: Edit) -> bool:
        """Ask the parser once for all leaves of the same shape."""
        key = (leaf.shape, edit.end - leaf.end, edit.new)
        if key not in self._known:
            self._known[key] = self._fits(edit)
        return self._known[key]
