"""Hollowing: the bodies of many functions at once give way to the least that a function may do.

Compilers want every function that something calls, and of most a result. So what functions do can go
long before they can: each body becomes one that never returns, which is right whatever the result
(rustc's former `everybody_loops` did that to a whole crate). Imports that nothing else uses go with it.

Bodies of functions, and the least that may be in their place.

Where they are not between braces, that is told of those languages of which a style is known.
"""

from __future__ import annotations

from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from pollard.engine.memory import GroupAttempts, branch_key
from pollard.engine.subject import Candidate
from pollard.passes.coupling.by_use import Orphans
from pollard.passes.coupling.couples import Couple, Found
from pollard.syntax.branches.branches import below
from pollard.syntax.names.conventions import conventions, may_have
from pollard.syntax.tree.edits import Edit
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pollard.engine.subject import Subject
    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.names.conventions import BodyStyle

    Group = frozenset[int]


#: In bytes that are not white space: shorter bodies would hardly get shorter.
MIN_BODY = 24


class Body(NamedTuple):
    """What a function does, the `edits` that make it do nothing, and its weight.

    The weight is in bytes that are no white space, with what goes with it.
    """

    branch: Branch
    edits: tuple[Edit, ...]
    weight: int


def bodies(subject: Subject) -> Iterator[Body]:
    """Yield the outermost bodies of functions, inside the region, that are worth replacing."""
    text = subject.document.text
    has_functions = may_have(subject.document, "functions")
    level = below([subject.root], subject.span) if has_functions else []
    while level:
        around: list[Branch] = []
        for branch in level:
            if size(text[branch.start : branch.end]) < MIN_BODY:
                continue
            body = _body(subject, branch)
            if body is None:
                around.append(branch)
            else:
                yield body
        level = below(around, subject.span)


def _body(subject: Subject, branch: Branch) -> Body | None:
    text = subject.document.text
    styles = conventions(branch.home_in(subject.document).language).bodies
    style = next((one for one in styles if _is_body(branch, text, one)), None)
    if style is None:
        return None
    siblings = (other for other in branch.siblings if other is not branch)
    local = [other for other in siblings if other.node.type in style.local]
    if not all(one.is_within(subject.span) for one in (branch, *local)):
        return None
    going = tuple(Edit(other.start, other.end) for other in local)
    edits = (*going, Edit(branch.start, branch.end, style.stub))
    return Body(branch, edits, sum(size(text[edit.start : edit.end]) for edit in edits))


def _is_body(branch: Branch, text: bytes, style: BodyStyle) -> bool:
    """Return whether a branch is the body of a function; no field tells that in all grammars."""
    if not text.startswith(style.opening, branch.start):
        return False
    kinds = [sibling.node.type for sibling in branch.siblings]
    if style.bodies:
        is_it = kinds[branch.index] in style.bodies and style.bodies.isdisjoint(
            kinds[: branch.index]
        )
    else:  # a semicolon may follow
        is_it = all(other.is_token for other in branch.siblings[branch.index + 1 :])
    above = branch.parent
    inside = is_it and above is not None and above.trunk.type in style.functions
    if style.beside:
        return inside and not style.beside.isdisjoint(kinds)
    return inside or (bool(style.opening) and branch.node.type in style.functions)


_STEP = "hollow"
# In longer texts imports stay: to find their uses takes seconds then, and some hundred megabytes.
_LONGEST = 256_000
# After five failures in a row, if nothing was accepted before, it is left for the next stage.
_LEAST_CHANCE = 0.3


def hollow(subject: Subject, threshold: int, again: float) -> None:
    """Replace groups of bodies that weigh `threshold` bytes at least, from the last to the first.

    First all bodies that are in no other one. What failed is tried again once `again` times less of
    the text is left. At most as many runs as the bodies have weight over the threshold, and two.
    """
    found = list(bodies(subject)) if threshold >= MIN_BODY else []
    if sum(body.weight for body in found) >= threshold:
        _Hollowing(subject, found, threshold, again).run()


class _Hollowing:
    """One walk over the bodies of the subject's document, which are known by their places."""

    def __init__(
        self, subject: Subject, found: Sequence[Body], threshold: int, again: float
    ) -> None:
        text = subject.document.text
        self._subject = subject
        self._bodies = found
        self._threshold = threshold
        self._again = again
        traces = [branch_key(text, body.branch) for body in found]
        self._attempts = GroupAttempts(subject.memory.attempts, _STEP, traces)
        self._found = Found(subject, quick=True)

    def run(self) -> None:
        """Try every group once; after one that could go, first one twice as heavy."""
        left, stop = set(range(len(self._bodies))), len(self._bodies)
        least = sum(body.weight for body in self._bodies)
        while True:
            asked: list[Group] = []
            hit = self._subject.first(self._candidates(left, stop, least, asked))
            for group in asked[: None if hit is None else hit.index]:
                self._attempts.note(group, self._subject.weight)
                self._subject.memory.rates.note(_STEP, accepted=False)
            if hit is None:
                return
            self._subject.memory.rates.note(_STEP, accepted=True)
            gone = asked[hit.index]
            left -= gone
            stop = min(gone)
            least = 2 * (least if hit.index == 0 else self._threshold)

    def _candidates(
        self, left: set[int], stop: int, least: int, asked: list[Group]
    ) -> Iterator[Candidate]:
        """Yield texts without groups of those `left`, and without all that went; note the groups."""
        gone = set(range(len(self._bodies))) - left
        most = self._subject.weight * self._again
        for group in self._groups(left, stop, least):
            if self._subject.memory.rates.chance(_STEP, len(asked)) < _LEAST_CHANCE:
                return
            if not self._attempts.knows(group, most):
                asked.append(group)
                couple = self._couple(gone | group)
                yield Candidate(self._found.document, self._found.written(couple))

    def _groups(self, left: set[int], stop: int, least: int) -> Iterator[Group]:
        """Yield one that weighs `least`, those before `stop`, and one from the beginning on."""
        places = sorted((place for place in left if place < stop), reverse=True)
        if least > self._threshold:
            yield from islice(self._of_weight(places, least), 1)
        yield from self._of_weight(places, self._threshold)
        yield from islice(self._of_weight(sorted(left), self._threshold), 1)

    def _of_weight(self, places: Iterable[int], least: int) -> Iterator[Group]:
        """Yield groups of neighbours, each of which weighs at least so much."""
        group: set[int] = set()
        weight = 0
        for place in places:
            group.add(place)
            weight += self._bodies[place].weight
            if weight >= least:
                yield frozenset(group)
                group, weight = set(), 0

    def _couple(self, places: set[int]) -> Couple:
        instead = tuple(edit for place in sorted(places) for edit in self._bodies[place].edits)
        without = tuple(Edit(edit.start, edit.end) for edit in instead)
        imports = self._imports.of(Couple((), without)) if self._imports else Couple()
        return Couple((), instead) + imports

    @cached_property
    def _imports(self) -> Orphans | None:
        document = self._subject.document
        looked_for = len(document.text) <= _LONGEST and may_have(document, "imports")
        return Orphans(self._found, imports=True) if looked_for else None
