"""Stand-ins for a name: a literal, the value for nothing, or another name of the same kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.syntax.branches.replacements import supertypes
from pollard.syntax.names.calls import with_sigil
from pollard.syntax.names.inlinable import as_object
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.names.names import Names


_MAX_NAMES_OF_A_KIND = 3
# In the kinds of nodes in the place of which only a type makes sense.
_TYPE = "type"


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

    def nothing(self, leaf: Branch) -> Edit | None:
        """Return the edit that puts the language's value for nothing in the place of a leaf.

        Many failures come from it, and it takes a long way through variables, calls and fields.
        """
        for text in self._names.conventions_of(leaf).tokens.nothing:
            edit = put_in_place(self._names, leaf, text)
            if self._does_fit(leaf, edit):
                return edit
        return None

    def of(self, leaf: Branch, names: Collection[bytes]) -> Edit | None:
        """Return the edit that puts something other than `names` in the place of a leaf.

        A call, an index or a member after the name goes with it. The first edit that parses is taken.
        """
        place = leaf
        while place.parent is not None and (self._is_head(place) or self._ends_path(place)):
            place = place.parent
        texts = list(self._texts(leaf, names))
        edits = (
            Edit(branch.start, branch.end, text)
            for branch in dict.fromkeys((place, leaf))
            for text in (*self._types(branch), *texts)
        )
        return next((edit for edit in edits if self._does_fit(leaf, edit)), None)

    def _is_head(self, branch: Branch) -> bool:
        after = branch.sibling(1)
        if after is None or branch.index:
            return False
        return self._names.text.startswith(
            self._names.conventions_of(branch).tokens.tails, after.start
        )

    def _types(self, branch: Branch) -> tuple[bytes, ...]:
        """Return what is shortest in the place of a type."""
        is_type = _TYPE in branch.inner_node.type
        return self._names.conventions_of(branch).tokens.shortest_types if is_type else ()

    def _ends_path(self, branch: Branch) -> bool:
        """Return whether a branch is the last part of a path or the member of an object."""
        before = branch.sibling(-1)
        if before is None or branch.sibling(1) is not None:
            return False
        separators = self._names.conventions_of(branch).tokens.path_separators
        return self._names.text[before.start : before.end] in separators

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


def put_in_place(names: Names, leaf: Branch, text: bytes, *, is_open: bool = False) -> Edit:
    """Return the edit that puts a text in the place of a name and its sign, such as `$`.

    A value that is `open`, such as `a + b`, gets brackets before a member or a call.
    """
    language = names.language_of(leaf)
    node = with_sigil(leaf.inner_node, names.text, language)
    return Edit(*node.byte_range, as_object(text, node, names.text, language, is_open=is_open))
