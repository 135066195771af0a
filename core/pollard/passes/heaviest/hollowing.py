"""Hollowing: replace the bodies of many functions by stubs in one candidate.

Compilers require every called function, and a result from most of them. So a function's body can go
long before the function itself. The stub never returns, which type-checks whatever the result type
(rustc's former option `everybody_loops` did that to a whole crate). Imports that only the removed
bodies use go with them.

Where a body is and what its stub looks like is data for each language: `Conventions.bodies`.
"""

from __future__ import annotations

from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from pollard.engine.memory import GroupAttempts, branch_key
from pollard.engine.subject import Candidate
from pollard.passes.coupling.by_use import Orphans
from pollard.passes.coupling.joint_deletions import Analysis, JointDeletion
from pollard.syntax.branches.branches import below
from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.presence import function_places, may_have
from pollard.syntax.tree.edits import Edit
from pollard.syntax.tree.sizes import size, weighs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pollard.engine.subject import Subject
    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.names.roles import BodyStyle

    Group = frozenset[int]


# In bytes other than white space: a stub would hardly be shorter than a lighter body.
_MIN_BODY_WEIGHT = 24
# In longer texts imports stay: finding their uses would take seconds and some hundred megabytes.
_MAX_BYTES_FOR_IMPORTS = 256_000
_HOLLOW_STEP = "hollow"


class Body(NamedTuple):
    """A function's body, the `edits` that replace it by a stub, and the bytes that they remove.

    The weight counts bytes other than white space, local declarations beside the body included.
    """

    branch: Branch
    edits: tuple[Edit, ...]
    weight: int


def bodies(subject: Subject) -> Iterator[Body]:
    """Yield the outermost function bodies inside the region that are worth replacing."""
    text, places = subject.document.text, function_places(subject.document)
    level = below([subject.root], subject.span) if places else []
    while level:
        to_search: list[Branch] = []
        for branch in level:
            start, end = branch.start, branch.end
            if not (places.overlap(start, end) and weighs(text, start, end, _MIN_BODY_WEIGHT)):
                continue
            body = _body(subject, branch)
            if body is None:
                to_search.append(branch)
            else:
                yield body
        level = below(to_search, subject.span)


def _body(subject: Subject, branch: Branch) -> Body | None:
    text = subject.document.text
    styles = conventions(branch.own_document_in(subject.document).language).bodies
    style = next((each for each in styles if _is_body(branch, text, each)), None)
    if style is None:
        return None
    siblings = (other for other in branch.siblings if other is not branch)
    local = [other for other in siblings if other.node.type in style.local]
    if not all(each.is_within(subject.span) for each in (branch, *local)):
        return None
    deletions = tuple(Edit(other.start, other.end) for other in local)
    edits = (*deletions, Edit(branch.start, branch.end, style.stub))
    return Body(branch, edits, sum(size(text[edit.start : edit.end]) for edit in edits))


def _is_body(branch: Branch, text: bytes, style: BodyStyle) -> bool:
    """Return whether a branch is the body of a function; not all grammars have a field for it."""
    if not text.startswith(style.opening, branch.start):
        return False
    kinds = [sibling.node.type for sibling in branch.siblings]
    if style.bodies:
        is_last = kinds[branch.index] in style.bodies and style.bodies.isdisjoint(
            kinds[: branch.index]
        )
    else:  # a semicolon may follow
        is_last = all(other.is_token for other in branch.siblings[branch.index + 1 :])
    above = branch.parent
    inside = is_last and above is not None and above.inner_node.type in style.functions
    if style.beside:
        return inside and not style.beside.isdisjoint(kinds)
    return inside or (bool(style.opening) and branch.node.type in style.functions)


def hollow(subject: Subject, threshold: int, retry_factor: float) -> None:
    """Replace by stubs groups of bodies that together weigh at least `threshold` bytes.

    First all bodies, then groups from the last to the first. A failed group is tried again once the
    text has shrunk by `retry_factor`. At most two runs more than the weight of all bodies divided by
    the threshold.
    """
    found = list(bodies(subject)) if threshold >= _MIN_BODY_WEIGHT else []
    if sum(body.weight for body in found) >= threshold:
        _Hollowing(subject, found, threshold, retry_factor).run()


class _Hollowing:
    """One walk over the bodies of the subject's document; a group holds their indices."""

    def __init__(
        self, subject: Subject, found: Sequence[Body], threshold: int, retry_factor: float
    ) -> None:
        text = subject.document.text
        self._subject = subject
        self._bodies = found
        self._threshold = threshold
        self._retry_factor = retry_factor
        keys = [branch_key(text, body.branch) for body in found]
        self._attempts = GroupAttempts(subject.memory.attempts, _HOLLOW_STEP, keys)
        self._analysis = Analysis(subject, quick=True)

    def run(self) -> None:
        """Try every group once; after a success, a group twice as heavy first."""
        remaining, stop = set(range(len(self._bodies))), len(self._bodies)
        min_weight = sum(body.weight for body in self._bodies)
        while True:
            tried: list[Group] = []
            hit = self._subject.first(self._candidates(remaining, stop, min_weight, tried))
            for group in tried[: None if hit is None else hit.index]:
                self._attempts.note(group, self._subject.weight)
            if hit is None:
                return
            gone = tried[hit.index]
            remaining -= gone
            stop = min(gone)
            min_weight = 2 * (min_weight if hit.index == 0 else self._threshold)

    def _candidates(
        self, remaining: set[int], stop: int, min_weight: int, tried: list[Group]
    ) -> Iterator[Candidate]:
        """Yield the base with all stubs so far and those of a group; append the group to `tried`."""
        gone = set(range(len(self._bodies))) - remaining
        retry_weight = self._subject.weight * self._retry_factor
        for group in self._groups(remaining, stop, min_weight):
            if not self._attempts.knows(group, retry_weight):
                tried.append(group)
                deletion = self._deletion(gone | group)
                yield Candidate(self._analysis.document, self._analysis.written(deletion))

    def _groups(self, remaining: set[int], stop: int, min_weight: int) -> Iterator[Group]:
        """Yield a group of `min_weight` bytes, then lighter ones before `stop`, then the first."""
        places = sorted((place for place in remaining if place < stop), reverse=True)
        if min_weight > self._threshold:
            yield from islice(self._of_weight(places, min_weight), 1)
        yield from self._of_weight(places, self._threshold)
        yield from islice(self._of_weight(sorted(remaining), self._threshold), 1)

    def _of_weight(self, places: Iterable[int], min_weight: int) -> Iterator[Group]:
        """Yield groups of neighbours that weigh at least `min_weight` bytes each."""
        group: set[int] = set()
        weight = 0
        for place in places:
            group.add(place)
            weight += self._bodies[place].weight
            if weight >= min_weight:
                yield frozenset(group)
                group, weight = set(), 0

    def _deletion(self, places: set[int]) -> JointDeletion:
        stubs = tuple(edit for place in sorted(places) for edit in self._bodies[place].edits)
        deletions = tuple(Edit(edit.start, edit.end) for edit in stubs)
        imports = (
            self._imports.of(JointDeletion((), deletions)) if self._imports else JointDeletion()
        )
        return JointDeletion((), stubs) + imports

    @cached_property
    def _imports(self) -> Orphans | None:
        document = self._subject.document
        is_worth_it = len(document.text) <= _MAX_BYTES_FOR_IMPORTS and may_have(document, "imports")
        return Orphans(self._analysis, imports=True) if is_worth_it else None
