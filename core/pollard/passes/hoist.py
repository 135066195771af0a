"""Hoisting: put a descendant in the place of a branch.

One level of HOIST (hddh-2021, figure 8, lines 5 and 6) with the minimising algorithm of figure 6.
The candidates are those of figure 7, the nearest compatible descendants on each path, furthest first.
A descendant is compatible if the file still parses with it in the branch's place: on tree-sitter's
trees the papers' equality of names hardly ever holds (see `pollard.syntax.slots`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pollard.passes.relocation import relocate
from pollard.passes.subject import Candidate
from pollard.search.first import Hit, mapped
from pollard.search.tmin import tmin
from pollard.syntax.edits import Edit
from pollard.syntax.layout import Layout
from pollard.syntax.sizes import size
from pollard.syntax.slots import Slots, following_symbol

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from pollard.passes.subject import Edits, Subject
    from pollard.syntax.branches import Branch

# Perses' bound on the steps between ancestor and descendant (hddh-2021, section V).
_STEPS = 4
_SMALL = 20_000


# So many branches are hoisted into before their level is looked up again in the reduced document.
_BATCH = 64


@dataclass(frozen=True, slots=True)
class Hoisting:
    """The text of `source`, a descendant of `target` or itself, stands in the target's place."""

    target: Branch
    source: Branch


def hoist(subject: Subject, branches: Sequence[Branch], most: int | None = None) -> list[Branch]:
    """Hoist what can be hoisted into `branches`; return the level after it.

    Branches with more than `most` candidates are left alone.
    """
    return _hoist(subject, branches, lambda: Hoister(subject, most))


def hoist_far(
    subject: Subject,
    branches: Sequence[Branch],
    least: int,
    worth: Callable[[Branch], bool] = lambda _: True,
) -> list[Branch]:
    """Hoist over any number of steps what takes at least `least` bytes away; return the level then.

    Bytes that are white space do not count. Only branches that `worth` says yes to are looked at.
    """
    return _hoist(subject, branches, lambda: FarHoister(subject, least, worth))


def _hoist(
    subject: Subject, branches: Sequence[Branch], hoister: Callable[[], Hoister]
) -> list[Branch]:
    done: list[Branch] = []
    waiting = list(branches)
    while waiting:
        batch, waiting = waiting[:_BATCH], waiting[_BATCH:]
        sources, edits = _hoist_batch(subject, batch, hoister())
        if edits:
            done, sources, waiting = (
                relocate(subject, part, edits) for part in (done, sources, waiting)
            )
        done += sources
    return done


def _hoist_batch(
    subject: Subject, batch: Sequence[Branch], hoister: Hoister
) -> tuple[list[Branch], Edits]:
    """Hoist into the branches of a batch; return what now stands there and the edits that did it."""
    base = subject.document
    items = [Hoisting(branch, branch) for branch in batch]
    movable = best = tuple(h for h in items if h.target.is_within(subject.span))

    def candidate(hoistings: tuple[Hoisting, ...]) -> Candidate:
        kind = _kind(best, hoistings) if subject.lessons.enabled else None
        return Candidate(base, hoister.edits(hoistings), kind)

    def first(stream: Iterable[tuple[Hoisting, ...]]) -> Hit[tuple[Hoisting, ...]] | None:
        nonlocal best
        hit = mapped(subject.first, candidate)(stream)
        best = hit.candidate if hit else best
        return hit

    found = tmin(movable, first, hoister.candidates, sweeps=1)
    sources = {hoisting.target: hoisting.source for hoisting in found}
    return [sources.get(branch, branch) for branch in batch], hoister.edits(found)


def _kind(best: Sequence[Hoisting], hoistings: Sequence[Hoisting]) -> Hashable:
    """Return, of the only hoisting that is new, the target's shape and the kind of its source."""
    new = [now for before, now in zip(best, hoistings, strict=True) if now is not before]
    return (new[0].target.shape, new[0].source.node.kind_id) if len(new) == 1 else None


class Hoister:
    """Finds what may be hoisted in one document, and writes it as edits."""

    def __init__(self, subject: Subject, most: int | None = None) -> None:
        self._subject = subject
        self._most = most
        self._document = subject.document
        self._layout = Layout(subject.document, subject.span)
        language = subject.document.language
        self._slots = Slots(language) if language else None

    def candidates(self, hoisting: Hoisting) -> list[Hoisting]:
        """Return what may stand in the target's place next: tau of figure 6, chi of figure 7."""
        target, source = hoisting.target, hoisting.source
        if target.is_token:
            return []
        own = self._text(source)
        found: dict[bytes, Hoisting] = {}
        for branch in self._nearest_compatible(target, source):
            text = self._text(branch)
            if size(text) < size(own):
                found.setdefault(text, Hoisting(target, branch))
            if self._most is not None and len(found) > self._most:
                return []
        return list(reversed(found.values()))

    def _nearest_compatible(self, target: Branch, source: Branch) -> Iterator[Branch]:
        """Yield, nearest first and no further than `_STEPS` steps, figure 7's candidates.

        On each path the nearest that parses in the target's place, and the nearest of the target's
        own kind, which is what the paper's names would have said.
        """
        level = [(source, False)]
        for _ in range(_STEPS):
            deeper: list[tuple[Branch, bool]] = []
            for branch, covered in _one_step_down(level):
                alike = branch.node.kind_id == target.node.kind_id
                fits = (alike or not covered) and self._compatible(target, branch)
                if fits:
                    yield branch
                if not (fits and alike):
                    deeper.append((branch, covered or fits))
            level = deeper

    def _compatible(self, target: Branch, branch: Branch) -> bool:
        """Ask the parser; where that is dear, its tables first."""
        if len(self._document.text) > _SMALL and self._slots:
            following = following_symbol(self._document.root, self._document.text, target.end)
            if not self._slots.compatible(target.node, branch.node, following):
                return False
        return self._subject.fits(self._document, self.edits([Hoisting(target, branch)]))

    def _text(self, branch: Branch) -> bytes:
        return self._document.text[branch.start : branch.end]

    def edits(self, hoistings: Sequence[Hoisting]) -> Edits:
        """Return the edits that make all hoistings (those of a branch to itself are none)."""
        return self._layout.tidy(
            edit
            for hoisting in hoistings
            if hoisting.source is not hoisting.target
            for edit in self._cut_out(hoisting.target, hoisting.source)
        )

    def _cut_out(self, target: Branch, source: Branch) -> Iterator[Edit]:
        yield Edit(target.start, source.start)
        yield from self._layout.outdented(source.start, source.end, target.start)
        yield Edit(source.end, target.end)


class FarHoister(Hoister):
    """Finds the outermost compatible descendants that are lighter by `least` bytes and as heavy.

    No more than the weight of a branch over `least` are there, however deep they are.
    """

    def __init__(self, subject: Subject, least: int, worth: Callable[[Branch], bool]) -> None:
        super().__init__(subject)
        self._least = least
        self._worth = worth
        self._known: dict[tuple[Branch, Branch], list[Hoisting]] = {}

    def candidates(self, hoisting: Hoisting) -> list[Hoisting]:
        """Return what may stand in the target's place next, in the order of the text."""
        target, source = hoisting.target, hoisting.source
        if (target, source) not in self._known:
            found = {
                self._text(branch): Hoisting(target, branch)
                for branch in self._outermost(target, source)
            }
            worth = found and self._worth(source)
            self._known[target, source] = list(found.values()) if worth else []
        return self._known[target, source]

    def _outermost(self, target: Branch, source: Branch) -> Iterator[Branch]:
        most = size(self._text(source)) - self._least
        waiting = [source]
        while waiting:
            branch = waiting.pop()
            weight = size(self._text(branch))
            if branch is not source and weight <= most and self._compatible(target, branch):
                yield branch
            else:
                waiting += [
                    child
                    for child in reversed(branch.children)
                    if not child.is_token and size(self._text(child)) >= self._least
                ]


def _one_step_down(level: Iterable[tuple[Branch, bool]]) -> Iterator[tuple[Branch, bool]]:
    for parent, covered in level:
        yield from ((child, covered) for child in parent.children if not child.is_token)
