"""Hoisting: put a descendant in the place of a branch.

One level of HOIST (hddh-2021, figure 8, lines 5 and 6) with the minimising algorithm of figure 6.
The candidates are those of figure 7, the nearest compatible descendants on each path, furthest first.
A descendant is compatible if the file still parses with it in the branch's place: on tree-sitter's
trees the papers' equality of names hardly ever holds (see `pollard.syntax.branches.slots`).

What may be hoisted: the descendants of a branch that can stand in its place, and the edits for it.

The candidates are those of figure 7 of hddh-2021. A descendant is compatible if the file still parses
with it in the branch's place; see `pollard.syntax.branches.slots`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from pollard.engine.levels import relocate
from pollard.engine.subject import Candidate
from pollard.search.first import Hit, mapped
from pollard.search.tmin import tmin
from pollard.syntax.branches.slots import Slots, following_symbol
from pollard.syntax.islands.islands import language_at
from pollard.syntax.layout.layout import Layout
from pollard.syntax.tree.edits import Edit, Shift
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from pollard.engine.levels import MovedOn
    from pollard.engine.subject import Edits, Subject
    from pollard.syntax.branches.branches import Branch


# In longer texts the parser is asked only where its tables say yes.
_SMALL = 20_000


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive siblings: the elements of a list without what is around them."""

    branches: tuple[Branch, ...]

    @property
    def start(self) -> int:
        """Offset of the first byte."""
        return self.branches[0].start

    @property
    def end(self) -> int:
        """Offset after the last byte."""
        return self.branches[-1].end


@dataclass(frozen=True, slots=True)
class Hoisting:
    """The text of `source`, from below `target` or itself, stands in the target's place."""

    target: Branch
    source: Branch | Run


@dataclass(frozen=True, slots=True)
class Choice:
    """Which descendants may take a branch's place, and which one is tried first.

    The nearest compatible ones on each path, at most `steps` below it (4: Perses' bound, hddh-2021,
    section V); with `alike` also the nearest of the branch's own kind, which is what the paper's
    names would have said; with `splice` also the elements of lists.
    """

    steps: int = 4
    alike: bool = True
    splice: bool = False
    smallest_first: bool = False


#: The candidates of hddh-2021, figure 7, the furthest first.
FIGURE_7 = Choice()


class Hoister:
    """Finds what may be hoisted in one document, and writes it as edits."""

    def __init__(
        self, subject: Subject, most: int | None = None, choice: Choice = FIGURE_7
    ) -> None:
        self._subject = subject
        self._most = most
        self._choice = choice
        self._document = subject.document
        self._layout = Layout(subject.document, subject.span)
        self._slots = cache(Slots)

    def failed(self, hoisting: Hoisting) -> None:
        """Take note that one of the candidates for what has been hoisted was not interesting."""

    def candidates(self, hoisting: Hoisting) -> list[Hoisting]:
        """Return what may stand in the target's place next: tau of figure 6, chi of figure 7."""
        target, source = hoisting.target, hoisting.source
        if target.is_token or isinstance(source, Run):
            return []
        own = size(self._text(source))
        found: dict[bytes, Hoisting] = {}
        for below in self._nearest_compatible(target, source):
            text = self._text(below)
            if size(text) < own:
                found.setdefault(text, Hoisting(target, below))
            if self._most is not None and len(found) > self._most:
                return []
        if self._choice.smallest_first:
            return [found[text] for text in sorted(found, key=size)]
        return list(reversed(found.values()))

    def _nearest_compatible(self, target: Branch, source: Branch) -> Iterator[Branch | Run]:
        """Yield what the choice asks for, nearest first: by default figure 7's candidates."""
        level = [(source, False)]
        yield from self._elements(target, source)
        for _ in range(self._choice.steps):
            deeper: list[tuple[Branch, bool]] = []
            for branch, covered in _one_step_down(level):
                alike = (
                    self._choice.alike
                    and branch.home is target.home
                    and branch.node.kind_id == target.node.kind_id
                )
                fits = (alike or not covered) and self._compatible(target, branch)
                if fits:
                    yield branch
                yield from self._elements(target, branch)
                if not fits or (self._choice.alike and not alike):
                    deeper.append((branch, covered or fits))
            level = deeper

    def _elements(self, target: Branch, branch: Branch) -> Iterator[Run]:
        """Yield what is between a branch's first and last child, if it can stand in a list itself."""
        if not self._choice.splice:
            return
        run = Run(branch.children[1:-1])
        if sum(not element.is_token for element in run.branches) > 1 and self._fits(target, run):
            yield run

    def _compatible(self, target: Branch, branch: Branch) -> bool:
        """Ask the parser; where that is dear, its tables first, which know nothing across borders."""
        home = target.home_in(self._document)
        if len(home.text) > _SMALL and home.language:
            if branch.home is not target.home:
                return False
            following = following_symbol(home.root, home.text, target.end)
            if not self._slots(home.language).compatible(target.node, branch.node, following):
                return False
        edits = self.edits([Hoisting(target, branch)])
        return self._subject.fits(self._document, edits) and (
            branch.home is target.home or self._stays_its_language(branch, edits)
        )

    def _stays_its_language(self, branch: Branch, edits: Edits) -> bool:
        """Whether a branch is still read as its own language where another island or its host was.

        To HTML all is text: scripts and styles would be tried in the place of every element.
        """
        shift = Shift(edits)
        start, end = shift.at(branch.start), shift.end_at(branch.end)
        home = branch.home_in(self._document)
        return language_at(self._document.edited(edits), start, end) == home.language

    def _fits(self, target: Branch, source: Branch | Run) -> bool:
        return self._subject.fits(self._document, self.edits([Hoisting(target, source)]))

    def _text(self, source: Branch | Run) -> bytes:
        return self._document.text[source.start : source.end]

    def edits(self, hoistings: Sequence[Hoisting]) -> Edits:
        """Return the edits that make all hoistings (those of a branch to itself are none)."""
        return self._layout.tidy(
            edit
            for hoisting in hoistings
            if hoisting.source is not hoisting.target
            for edit in self._cut_out(hoisting.target, hoisting.source)
        )

    def _cut_out(self, target: Branch, source: Branch | Run) -> Iterator[Edit]:
        yield Edit(target.start, source.start)
        yield from self._layout.outdented(source.start, source.end, target.start)
        yield Edit(source.end, target.end)


def _one_step_down(level: Iterable[tuple[Branch, bool]]) -> Iterator[tuple[Branch, bool]]:
    for parent, covered in level:
        yield from ((child, covered) for child in parent.children if not child.is_token)


# So many branches are hoisted into before their level is looked up again in the reduced document.
_BATCH = 64


def hoist(
    subject: Subject,
    branches: Sequence[Branch],
    most: int | None = None,
    *,
    choice: Choice = FIGURE_7,
    moved_on: MovedOn = lambda _: None,
) -> list[Branch]:
    """Hoist what can be hoisted into `branches`; return the level after it.

    Branches with more than `most` candidates are left alone. `moved_on` is told of accepted edits.
    """
    return hoist_with(subject, branches, lambda: Hoister(subject, most, choice), moved_on)


def hoist_with(
    subject: Subject,
    branches: Sequence[Branch],
    hoister: Callable[[], Hoister],
    moved_on: MovedOn = lambda _: None,
) -> list[Branch]:
    """Hoist what a hoister, made anew for each document, finds; return the level after it."""
    done: list[Branch] = []
    waiting = list(branches)
    while waiting:
        batch, waiting = waiting[:_BATCH], waiting[_BATCH:]
        sources, edits = _hoist_batch(subject, batch, hoister())
        if edits:
            moved_on(edits)
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
        kind = _kind(best, hoistings) if subject.memory.invalid.enabled else None
        return Candidate(base, hoister.edits(hoistings), kind)

    def first(stream: Iterable[tuple[Hoisting, ...]]) -> Hit[tuple[Hoisting, ...]] | None:
        nonlocal best
        asked: list[Hoisting] = []
        hit = mapped(subject.first, candidate)(_noting(stream, best, asked))
        for hoisting in asked[: hit.index if hit else None]:
            hoister.failed(hoisting)
        best = hit.candidate if hit else best
        return hit

    found = tmin(movable, first, hoister.candidates, sweeps=1)
    sources = {hoisting.target: hoisting.source for hoisting in found}
    standing = [part for branch in batch for part in _parts(sources.get(branch, branch))]
    return standing, hoister.edits(found)


def _parts(source: Branch | Run) -> Sequence[Branch]:
    return source.branches if isinstance(source, Run) else (source,)


def _noting(
    stream: Iterable[tuple[Hoisting, ...]], best: Sequence[Hoisting], asked: list[Hoisting]
) -> Iterator[tuple[Hoisting, ...]]:
    """Pass a stream on and take note of which of the `best` each of its tuples replaces."""
    for hoistings in stream:
        asked += [old for old, now in zip(best, hoistings, strict=True) if now is not old]
        yield hoistings


def _kind(best: Sequence[Hoisting], hoistings: Sequence[Hoisting]) -> Hashable:
    """Return, of the only hoisting that is new, the target's shape and the kind of its source."""
    new = [now for before, now in zip(best, hoistings, strict=True) if now is not before]
    if len(new) != 1 or isinstance(new[0].source, Run):
        return None
    return new[0].target.shape, new[0].source.node.kind_id
