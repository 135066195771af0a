"""What nothing uses any more after an edit, in languages that refuse it.

Go compiles no import and no local variable without a use. So a variable has to go with whatever holds
its last use, whether that is removed or a part of it takes its place. Here an import goes too, and a
variable becomes `_`, which keeps no value. Nothing else has to change then: what was assigned is still
computed, and may go later.

Zig refuses the same of parameters, and of what a loop or a condition names. It also refuses a variable
that nothing changes: such a `var` becomes `const`.
"""

from __future__ import annotations

import bisect
from collections import Counter
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import leaves, text_of, with_fields
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from tree_sitter import Node

    from pollard.syntax.names.roles import UnusedNames
    from pollard.syntax.tree.document import Document


@dataclass(slots=True, eq=False)
class _Meaning:
    """What `name` means from the offset `since` on, up to the end of a scope.

    `places` has the leaves that define or assign it, each with the node that does so; `imports` has the
    imports that define it. `uses` counts all other leaves, and `changes` those of them that may change
    what the variable holds.
    """

    name: bytes
    since: int
    places: list[tuple[Node, Node]] = field(default_factory=list)
    imports: list[Node] = field(default_factory=list)
    uses: int = 0
    changes: int = 0


_END = attrgetter("end")
_Scopes = tuple[dict[bytes, _Meaning], ...]


def left_unused(document: Document, edits: Sequence[Edit]) -> list[Edit]:
    """Return edits for the imports and variables that nothing uses any more after `edits`.

    `edits` are in order and disjoint; nothing that is returned overlaps them. What had no use before
    stays as it is.
    """
    if conventions(document.language).unused is None or not edits:
        return []
    return document.once(_UsedNames).left_by(edits)


class _UsedNames:
    """The imports and the local variables of a document, with their uses."""

    def __init__(self, document: Document) -> None:
        known = conventions(document.language)
        assert known.unused is not None
        self._rules: UnusedNames = known.unused
        self._import_kinds, self._word = known.kinds.imports, known.word
        self._text = document.text
        self._meanings: dict[int, _Meaning] = {}
        self._bind(document.root)
        self._starts = sorted(self._meanings)

    # Binding.

    def _bind(self, root: Node) -> None:
        """Find what each leaf means, in the order of the text."""
        outside: dict[bytes, _Meaning] = {}
        defining: set[int] = set()
        stack: list[tuple[Node, str | None, _Scopes]] = [(root, None, (outside,))]
        while stack:
            node, name, scopes = stack.pop()
            if node.type in self._rules.scopes:
                scopes = (*scopes, {})
            if node.type in self._import_kinds and self._is_single_import(node):
                self._import(node, outside)
                continue
            if len(scopes) > 1 and self._is_local_definition(node):
                defining.update(self._define(node, scopes))
            elif self._is_use(node, name) and node.start_byte not in defining:
                self._use(node, scopes)
            fields = [(child, name, scopes) for name, child in with_fields(node)]
            stack += reversed(fields)

    def _is_local_definition(self, node: Node) -> bool:
        is_outside = node.parent is not None and node.parent.type in self._rules.outside
        return node.type in self._rules.definitions and not is_outside

    def _is_use(self, node: Node, name: str | None) -> bool:
        """Return whether a node in the field `name` is a leaf that may use a variable."""
        used = self._rules.used
        return node.type in self._rules.leaves and (not used or name in used)

    def _import(self, node: Node, outside: dict[bytes, _Meaning]) -> None:
        """Note what an import defines: its alias, or else the last word of its path."""
        alias = (leaf for leaf in leaves(node) if leaf.type in self._rules.leaves)
        for name in self._word.findall(text_of(next(alias, node), self._text))[-1:]:
            outside.setdefault(name, _Meaning(name, 0)).imports.append(node)

    def _is_single_import(self, node: Node) -> bool:
        return not any(child.type in self._import_kinds for child in node.named_children)

    def _define(self, node: Node, scopes: _Scopes) -> Iterator[int]:
        """Note the leaves that a node defines or assigns, and yield their offsets."""
        sign = self._sign(node)
        signed = b"" if sign is None else text_of(sign, self._text)
        assigns = signed == self._rules.assignment and node.type not in self._rules.declarations
        if signed not in (b"", self._rules.declaration, self._rules.assignment):
            return  # such as `+=`, which uses the name
        since = self._end_of_value(node)
        for leaf in self._targets(node):
            name = text_of(leaf, self._text)
            if assigns:
                meaning = _meaning(scopes, name, leaf.start_byte)
            else:
                meaning = scopes[-1].setdefault(name, _Meaning(name, since))
            if meaning is not None and name != self._rules.blank:
                meaning.places.append((leaf, node))
            yield leaf.start_byte

    def _use(self, leaf: Node, scopes: _Scopes) -> None:
        meaning = _meaning(scopes, text_of(leaf, self._text), leaf.start_byte)
        if meaning is not None:
            meaning.uses += 1
            meaning.changes += self._changes(self._text, leaf.start_byte)
            self._meanings[leaf.start_byte] = meaning

    def _changes(self, text: bytes, offset: int) -> bool:
        """Return whether what stands at an offset may change the variable that it names."""
        pattern = self._rules.changing
        return pattern is not None and pattern.match(text, offset) is not None

    def _targets(self, node: Node) -> Iterator[Node]:
        """Yield the leaves in the fields of a node that define or assign a name."""
        for name, child in with_fields(node):
            if name in self._rules.targets:
                for leaf in child.children or (child,):
                    if leaf.type in self._rules.leaves:
                        yield leaf

    def _sign(self, node: Node) -> Node | None:
        """Return the token after the targets of a node, if it ends with a sign of equality."""
        tokens = (child for child in node.children if not child.is_named)
        return next((each for each in tokens if each.type.endswith("=")), None)

    def _end_of_value(self, node: Node) -> int:
        """Return where the names that a node defines begin to have their meaning."""
        ends = [child.end_byte for name, child in with_fields(node) if name in self._rules.values]
        return ends[0] if ends else node.start_byte

    # What edits leave without a use.

    def left_by(self, edits: Sequence[Edit]) -> list[Edit]:
        """Do what `left_unused` does, for this document."""
        lost: Counter[_Meaning] = Counter()
        unchanged: Counter[_Meaning] = Counter()
        for edit in edits:
            first = bisect.bisect_left(self._starts, edit.start)
            last = bisect.bisect_left(self._starts, edit.end)
            for start in self._starts[first:last]:
                lost[self._meanings[start]] += 1
                unchanged[self._meanings[start]] += self._changes(self._text, start)
        places = [(found, edit.new) for edit in edits for found in self._word.finditer(edit.new)]
        written = {found[0] for found, _ in places}
        changed = {found[0] for found, new in places if self._changes(new, found.start())}
        blanks: dict[Node, list[Node]] = {}
        found: list[Edit] = []
        for meaning, count in lost.items():
            if count < meaning.uses or meaning.name in written:
                if meaning.changes and unchanged[meaning] == meaning.changes:
                    found += self._constant(meaning, changed)
                continue
            found += (self._without_import(node) for node in meaning.imports)
            for leaf, node in meaning.places:
                blanks.setdefault(node, []).append(leaf)
        for node, unused in blanks.items():
            found += self._blanked(node, unused, edits)
        return [edit for edit in found if not _overlaps(edit, edits)]

    def _constant(self, meaning: _Meaning, changed: Collection[bytes]) -> Iterator[Edit]:
        """Yield the edit after which nothing may change a variable, unless its name is in `changed`."""
        for _, node in meaning.places if meaning.name not in changed else ():
            keyword = node.children[0]
            if new := self._rules.constants.get(keyword.type):
                yield Edit(keyword.start_byte, keyword.end_byte, new)

    def _without_import(self, node: Node) -> Edit:
        """Delete an import, and the declaration that holds nothing else."""
        while (above := node.parent) and above.type in self._import_kinds:
            if above.named_child_count > 1:
                break
            node = above
        return Edit(node.start_byte, node.end_byte)

    def _blanked(self, node: Node, unused: Sequence[Node], edits: Sequence[Edit]) -> Iterator[Edit]:
        """Yield edits that keep no value in the `unused` targets of a definition."""
        sign, blank = self._sign(node), self._rules.blank
        if node.parent is not None and node.parent.type in self._rules.omitting:
            yield Edit(node.start_byte, node.end_byte)
            return
        if node.type in self._rules.discarded and sign is not None:
            yield from self._discarded(node, sign, edits)
            return
        if node.type in self._rules.optional:
            if sign is not None:
                end = sign.next_sibling.start_byte if sign.next_sibling else sign.end_byte
                yield Edit(unused[0].start_byte, end)
            return
        gone = {leaf.start_byte for leaf in unused}
        for leaf in unused:
            counter = self._counter(leaf, node)
            yield from counter or [Edit(_with_pointer(leaf), leaf.end_byte, blank)]
        defines_nothing = all(
            leaf.start_byte in gone
            or text_of(leaf, self._text) == blank
            or _overlaps(Edit(leaf.start_byte, leaf.end_byte), edits)
            for leaf in self._targets(node)
        )
        if defines_nothing and sign is not None and node.type not in self._rules.declarations:
            yield Edit(sign.start_byte, sign.end_byte, self._rules.assignment)

    def _discarded(self, node: Node, sign: Node, edits: Sequence[Edit]) -> list[Edit]:
        """Return edits that compute the value of a declaration, but keep it in no variable."""
        typed, end = self._rules.typed
        opening = self._rules.blank + b" " + self._rules.declaration
        colon = next((child for child in node.children if child.type == ":"), None)
        if colon is None:
            found = [Edit(node.start_byte, sign.end_byte, opening)]
        else:
            last = node.children[-1].start_byte
            found = [
                Edit(node.start_byte, colon.end_byte, opening + typed),
                Edit(sign.start_byte, sign.end_byte, b","),
                Edit(last, last, end),
            ]
        return [] if any(_overlaps(edit, edits) for edit in found) else found

    def _counter(self, leaf: Node, node: Node) -> list[Edit]:
        """Return edits without a name that only counts, and what it counts, as in `(x, 0..) |y, i|`."""
        lists = node.parent.children if node.parent is not None else []
        counted = next((each for each in lists if each.type in self._rules.counted), None)
        if counted is None or leaf.prev_sibling is None:
            return []  # no loop
        index = [each.start_byte for each in node.children if each.is_named].index(leaf.start_byte)
        value = counted.named_children[index] if index < counted.named_child_count else None
        if value is None or value.prev_sibling is None or value.children[-1].is_named:
            return []
        pairs = ((leaf.prev_sibling, leaf), (value.prev_sibling, value))
        return [Edit(before.start_byte, each.end_byte) for before, each in pairs]


def _with_pointer(leaf: Node) -> int:
    """Return where a name begins, with the sign before it that asks for a pointer to it."""
    before = leaf.prev_sibling
    return before.start_byte if before is not None and before.type == "*" else leaf.start_byte


def _meaning(scopes: _Scopes, name: bytes, offset: int) -> _Meaning | None:
    """Return what a name means at an offset, in the innermost scope that defines it before."""
    found = (scope.get(name) for scope in reversed(scopes))
    return next((each for each in found if each is not None and each.since <= offset), None)


def _overlaps(edit: Edit, others: Sequence[Edit]) -> bool:
    """Return whether an edit overlaps one of others, which are disjoint and in order."""
    after = bisect.bisect_right(others, edit.start, key=_END)
    return after < len(others) and others[after].start < edit.end
