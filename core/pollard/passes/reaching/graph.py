"""What reaches what in one document, through names.

Its *parts* are branches at which the text can be cut: the elements of the list at the root, and of the
lists in *scopes*, such as namespaces. A part reaches the parts that define the words in it, unless it
defines these words for itself, as a function does with its variables.

All of that is a guess about the language: words are found in comments, too, and a name that several
parts define reaches all of them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from pollard.passes.reaching.placed_words import PlacedWords
from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import child_in, defined
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from pollard.engine.subject import Subject
    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.names.conventions import Conventions

    Span = tuple[int, int]


# Kinds of nodes whose elements are cut like those of the whole text.
_NAMESPACE = re.compile("namespace|module|(^|_)mod_item|package|linkage")


@dataclass(slots=True, eq=False)
class GraphPart:
    """A branch, the number of the part around it, the names that it defines, and its weight in bytes.

    `parts` are the numbers of those inside, which it has if it is a scope or opened.
    """

    branch: Branch
    above: int
    names: frozenset[bytes]
    weight: int
    parts: list[int] = field(default_factory=list)
    is_scope: bool = False


class ReachGraph:
    """The graph of the subject's present document; parts are known by their number, the root is 0.

    The parts that begin in the spans `opened` are cut further, `depth` times.
    """

    def __init__(self, subject: Subject, opened: Sequence[Span] = (), depth: int = 0) -> None:
        self._document = subject.document
        self._span = subject.span
        self._words = PlacedWords(subject.document)
        self._known = conventions(subject.document.language)
        self._opened = opened
        self.parts: list[GraphPart] = []
        self._uses: dict[int, frozenset[int]] = {}
        self._local: dict[int, Mapping[bytes, Sequence[int]]] = {}
        self._add(subject.root, 0)
        self._open(0, depth)

    def within(self, spans: Sequence[Span]) -> list[int]:
        """Return the innermost parts that begin inside of some spans."""
        return [
            number
            for number, part in enumerate(self.parts)
            if not part.parts and _is_in(part.branch, spans)
        ]

    @cached_property
    def elements(self) -> list[int]:
        """The parts of scopes that are no scopes themselves, in the order of the text."""
        found = [number for number, part in enumerate(self.parts) if self._is_element(part)]
        return sorted(found, key=lambda number: self.parts[number].branch.start)

    def _is_element(self, part: GraphPart) -> bool:
        return self.parts[part.above].is_scope and not part.is_scope

    def first(self, count: int) -> set[int]:
        """Return the first `count` of the elements, and the scopes around them."""
        alive = {0}
        for element in self.elements[:count]:
            part = element
            while part not in alive:
                alive.add(part)
                part = self.parts[part].above
        return alive

    def reached(self, roots: Iterable[int], *, companions: bool = False) -> set[int]:
        """Return the parts that `roots` reach, they and the scopes around them included.

        With `companions` also parts without names, such as operators, all of whose words are reached.
        """
        alive = {0}
        self._spread(roots, alive)
        while companions:
            new = [
                part for part in self._nameless if part not in alive and self.uses(part) <= alive
            ]
            if not new:
                break
            self._spread(new, alive)
        return alive

    def _spread(self, roots: Iterable[int], alive: set[int]) -> None:
        waiting = [root for root in roots if root not in alive]
        alive.update(waiting)
        while waiting:
            part = waiting.pop()
            new = self.uses(part) - alive
            if self.parts[part].above not in alive:
                new |= {self.parts[part].above}
            alive |= new
            waiting += new

    def with_users(self, going: Iterable[int], others: Collection[int]) -> set[int]:
        """Return the parts `going` and those of the `others` that use one of them, directly or not."""
        gone = set(going)
        while new := [part for part in others if part not in gone and self.uses(part) & gone]:
            gone.update(new)
        return gone

    def reaches_weight(self, part: int, known: Collection[int], weight: int) -> bool:
        """Return whether a part reaches `weight` bytes outside of the parts `known`."""
        found = set(known)
        waiting = [other for other in self.uses(part) if other not in found]
        while waiting and weight > 0:
            other = waiting.pop()
            if other not in found:
                found.add(other)
                weight -= 0 if self.parts[other].parts else self.parts[other].weight
                waiting += self.uses(other)
        return weight <= 0

    def without(self, alive: Collection[int]) -> list[Branch]:
        """Return the outermost branches in which nothing is alive, in order."""
        gone: list[Branch] = []
        stack = [0]
        while stack:
            for inner in self.parts[stack.pop()].parts:
                branch = self.parts[inner].branch
                if inner in alive:
                    stack.append(inner)
                elif branch.is_within(self._span):
                    gone.append(branch)
        return sorted(gone, key=lambda branch: branch.start)

    def weight_without(self, alive: Collection[int]) -> int:
        """Return how many bytes go if only the parts `alive` stay."""
        text = self._document.text
        return sum(size(text[branch.start : branch.end]) for branch in self.without(alive))

    def uses(self, part: int) -> frozenset[int]:
        """Return the parts that define what a part mentions outside of its own parts."""
        if part not in self._uses:
            self._uses[part] = self._found_uses(part)
        return self._uses[part]

    def _found_uses(self, part: int) -> frozenset[int]:
        self._document.stop_if_cancelled()
        return frozenset(self._definers_for(part)) - {part} if part else frozenset()

    def _definers_for(self, part: int) -> Iterator[int]:
        branch = self.parts[part].branch
        own = self._words.defined_between(branch.start, branch.end)
        words = {word for gap in self._gaps(part) for word in self._words.between(*gap)}
        local = self._local_definers(self._outermost(part))
        for word in words - own:
            yield from local.get(word, self._definers.get(word, ()))

    def _outermost(self, part: int) -> int:
        """Return the part of a scope that a part is, or is inside of."""
        while not self.parts[self.parts[part].above].is_scope:
            part = self.parts[part].above
        return part

    def _local_definers(self, outermost: int) -> Mapping[bytes, Sequence[int]]:
        """Return which of the parts inside an opened one define each of the names that it defines."""
        if outermost not in self._local:
            local: dict[bytes, list[int]] = defaultdict(list)
            inner = self._inner(outermost)
            branch = self.parts[outermost].branch
            if inner:
                own = self._words.defined_between(branch.start, branch.end)
                local.update((name, []) for name in own - self.parts[outermost].names)
            for number in inner:
                part = self.parts[number].branch
                for name in self._words.defined_between(part.start, part.end) & local.keys():
                    local[name].append(number)
            self._local[outermost] = local
        return self._local[outermost]

    def _inner(self, part: int) -> list[int]:
        """Return the innermost parts inside of an opened part."""
        found: list[int] = []
        waiting = self.parts[part].parts[::-1]
        while waiting:
            number = waiting.pop()
            inner = self.parts[number].parts
            waiting += inner[::-1]
            found += () if inner else (number,)
        return found

    def _gaps(self, part: int) -> Iterator[Span]:
        """Yield the spans of a part that are outside of its own parts."""
        start = self.parts[part].branch.start
        for inner in self.parts[part].parts:
            yield start, self.parts[inner].branch.start
            start = self.parts[inner].branch.end
        yield start, self.parts[part].branch.end

    @cached_property
    def _definers(self) -> dict[bytes, list[int]]:
        """The parts that define each name."""
        definers: dict[bytes, list[int]] = defaultdict(list)
        for number, part in enumerate(self.parts):
            is_outermost = number and not part.is_scope and self.parts[part.above].is_scope
            for name in part.names if is_outermost else ():
                definers[name].append(number)
        return definers

    @cached_property
    def _nameless(self) -> list[int]:
        return [
            number
            for number, part in enumerate(self.parts)
            if number and not part.parts and not part.names
        ]

    def _open(self, number: int, depth: int) -> None:
        """Cut a part into its elements if it is a scope, or if it is opened."""
        waiting = [(number, depth)]
        while waiting:
            number, depth = waiting.pop()
            part = self.parts[number]
            for element in self._elements(number, depth):
                if not element.is_token:
                    part.parts.append(len(self.parts))
                    self._add(element, number)
            below = depth if part.is_scope else depth - 1
            waiting += [(inner, below) for inner in reversed(part.parts)]

    def _elements(self, number: int, depth: int) -> Sequence[Branch]:
        part = self.parts[number]
        elements = self._elements_of_scope(number)
        part.is_scope = bool(elements)
        if not part.is_scope and depth > 0 and _is_in(part.branch, self._opened):
            elements = _list_in(part.branch, self._known) or part.branch.children
        return elements

    def _elements_of_scope(self, number: int) -> Sequence[Branch]:
        branch = self.parts[number].branch
        if number == 0:
            return branch.children
        may_be_scope = self.parts[self.parts[number].above].is_scope
        is_namespace = may_be_scope and _NAMESPACE.search(branch.inner_node.type)
        return _list_in(branch, self._known) if is_namespace else ()

    def _add(self, branch: Branch, above: int) -> None:
        document = self._document
        document.stop_if_cancelled()
        language = branch.own_document_in(document).language
        names = frozenset[bytes]()
        for node in (branch.node, child_in(branch.inner_node, self._known.fields.bodies)):
            if node is not None and branch.parent is not None and not names:
                names = defined(node, document.text, language)
        weight = size(document.text[branch.start : branch.end])
        self.parts.append(GraphPart(branch, above, names, weight))


def _is_in(branch: Branch, spans: Sequence[Span]) -> bool:
    return any(start <= branch.start < end for start, end in spans)


def _list_in(branch: Branch, known: Conventions) -> Sequence[Branch]:
    """Return the children of the body of a branch, or of its heaviest child; none without a body."""
    inner: Branch | None = branch
    while inner is not None:
        body = child_in(inner.inner_node, known.fields.bodies)
        if body is not None:
            same = (child for child in inner.children if child.node.byte_range == body.byte_range)
            children = next((child.children for child in same), ())
            return children if children and children[0].is_token else ()
        named = (child for child in inner.children if not child.is_token)
        inner = max(named, key=lambda child: child.end - child.start, default=None)
    return ()
