"""Hoisting: a descendant takes the place of a branch.

`if (c) { f(); }` becomes `f();`, which no removal achieves. This is one level of HOIST (hddh-2021,
figure 8, lines 5 and 6) with the minimiser of figure 6, `tmin`. The candidates are those of figure 7:
on each path down from the branch the nearest compatible descendants. The papers call a descendant
compatible if it has the branch's name. On tree-sitter's trees that hardly ever holds, so here it is
compatible if the file still parses with it in the branch's place (`Slots`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from pollard.engine.levels import relocate
from pollard.engine.subject import Candidate
from pollard.search.first import Hit, mapped
from pollard.search.tmin import tmin
from pollard.syntax.branches.replacements import Slots, following_symbol
from pollard.syntax.islands.islands import language_at
from pollard.syntax.tree.edits import Edit, Shift
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from pollard.engine.levels import OnMoved
    from pollard.engine.subject import Edits, Subject
    from pollard.syntax.branches.branches import Branch


# In longer texts only what the parse tables allow is parsed.
_MAX_BYTES_WITHOUT_TABLES = 20_000

# How many branches are hoisted into before their level is relocated.
_BRANCHES_PER_BATCH = 64


@dataclass(frozen=True, slots=True)
class Elements:
    """Consecutive siblings: the elements of a list without the brackets around them."""

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
    """Put the text of `source`, which is `target` or below it, in the place of `target`.

    `ending` is the last token of `target` if it stays, such as the semicolon of a statement.
    """

    target: Branch
    source: Branch | Elements
    ending: Branch | None = None

    @property
    def end(self) -> int:
        """Offset where the replaced text ends."""
        return self.target.end if self.ending is None else self.ending.start


@dataclass(frozen=True, slots=True)
class Choice:
    """Which descendants may take a branch's place, and which one is tried first.

    They are at most `steps` below it (4: Perses' bound, hddh-2021, section V). With `alike` the nearest
    descendants of the branch's own kind are candidates too, as in the papers; with `splice` also the
    elements of lists. The furthest is tried first, or with `smallest_first` the smallest.
    """

    steps: int = 4
    alike: bool = True
    splice: bool = False
    smallest_first: bool = False


#: The candidates of hddh-2021, figure 7, the furthest first.
FIGURE_7 = Choice()


class Hoister:
    """Finds what may be hoisted in one document, and writes it as edits.

    Branches with more than `max_candidates` candidates are left alone.
    """

    def __init__(
        self, subject: Subject, max_candidates: int | None = None, choice: Choice = FIGURE_7
    ) -> None:
        self._subject = subject
        self._max_candidates = max_candidates
        self._choice = choice
        self._document = subject.document
        self._layout = subject.layout()
        self._slots = cache(Slots)

    def on_failed(self, hoisting: Hoisting) -> None:
        """Called for each candidate that failed, with the hoisting that it would have replaced."""

    def candidates(self, hoisting: Hoisting) -> list[Hoisting]:
        """Return what may stand in the target's place next: tau of figure 6, chi of figure 7."""
        target, source = hoisting.target, hoisting.source
        if target.is_token or isinstance(source, Elements):
            return []
        present_size = size(self._text(source))
        found: dict[bytes, Hoisting] = {}
        for descendant in self._nearest_compatible(target, source):
            text = self._text(descendant)
            if size(text) < present_size:
                found.setdefault(text, Hoisting(target, descendant))
            if self._max_candidates is not None and len(found) > self._max_candidates:
                return []
        if self._choice.smallest_first:
            return [found[text] for text in sorted(found, key=size)]
        return list(reversed(found.values()))

    def _nearest_compatible(self, target: Branch, source: Branch) -> Iterator[Branch | Elements]:
        """Yield candidates, the nearest first; `covered` branches are below one that fits."""
        level = [(source, False)]
        yield from self._elements(target, source)
        for _ in range(self._choice.steps):
            deeper: list[tuple[Branch, bool]] = []
            for branch, covered in _one_step_down(level):
                alike = (
                    self._choice.alike
                    and branch.own_document is target.own_document
                    and branch.node.kind_id == target.node.kind_id
                )
                fits = (alike or not covered) and self._compatible(target, branch)
                if fits:
                    yield branch
                yield from self._elements(target, branch)
                if not fits or (self._choice.alike and not alike):
                    deeper.append((branch, covered or fits))
            level = deeper

    def _elements(self, target: Branch, branch: Branch) -> Iterator[Elements]:
        """Yield all children but the first and the last, if they may be spliced into a list."""
        if not self._choice.splice:
            return
        elements = Elements(branch.children[1:-1])
        has_several = sum(not element.is_token for element in elements.branches) > 1
        if has_several and self._fits(target, elements):
            yield elements

    def _compatible(self, target: Branch, branch: Branch, ending: Branch | None = None) -> bool:
        """Ask the parser; in long texts first the parse tables, which cover one language only."""
        hoisting = Hoisting(target, branch, ending)
        own_document = target.own_document_in(self._document)
        if len(own_document.text) > _MAX_BYTES_WITHOUT_TABLES and own_document.language:
            if branch.own_document is not target.own_document:
                return False
            following = following_symbol(own_document.root, own_document.text, hoisting.end)
            if not self._slots(own_document.language).compatible(
                target.node, branch.node, following
            ):
                return False
        edits = self.edits([hoisting])
        return self._subject.fits(self._document, edits) and (
            branch.own_document is target.own_document or self._keeps_its_language(branch, edits)
        )

    def _keeps_its_language(self, branch: Branch, edits: Edits) -> bool:
        """Return whether a branch of another island is still read as its own language.

        To HTML everything is text, so scripts and styles would fit in the place of every element.
        """
        shift = Shift(edits)
        start, end = shift.at(branch.start), shift.end_at(branch.end)
        own_document = branch.own_document_in(self._document)
        return language_at(self._document.edited(edits), start, end) == own_document.language

    def _fits(self, target: Branch, source: Branch | Elements) -> bool:
        return self._subject.fits(self._document, self.edits([Hoisting(target, source)]))

    def _text(self, source: Branch | Elements) -> bytes:
        return self._document.text[source.start : source.end]

    def edits(self, hoistings: Sequence[Hoisting]) -> Edits:
        """Return the edits for all hoistings; a branch that stands for itself needs none."""
        return self._layout.tidy(
            edit
            for hoisting in hoistings
            if hoisting.source is not hoisting.target
            for edit in self._cut_out(hoisting)
        )

    def _cut_out(self, hoisting: Hoisting) -> Iterator[Edit]:
        target, source = hoisting.target, hoisting.source
        yield Edit(target.start, source.start)
        yield from self._layout.outdented(source.start, source.end, target.start)
        yield Edit(source.end, hoisting.end)


def _one_step_down(level: Iterable[tuple[Branch, bool]]) -> Iterator[tuple[Branch, bool]]:
    for parent, covered in level:
        yield from ((child, covered) for child in parent.children if not child.is_token)


def hoist(
    subject: Subject,
    branches: Sequence[Branch],
    max_candidates: int | None = None,
    *,
    choice: Choice = FIGURE_7,
    on_moved: OnMoved = lambda _: None,
) -> list[Branch]:
    """Hoist into `branches` what a `Hoister` finds; return the level afterwards.

    `on_moved` gets the edits of each accepted batch.
    """
    return hoist_with(subject, branches, lambda: Hoister(subject, max_candidates, choice), on_moved)


def hoist_with(
    subject: Subject,
    branches: Sequence[Branch],
    new_hoister: Callable[[], Hoister],
    on_moved: OnMoved = lambda _: None,
) -> list[Branch]:
    """Do what `hoist` does, with a new hoister for each batch, since the document may have changed."""
    done: list[Branch] = []
    waiting = list(branches)
    while waiting:
        batch, waiting = waiting[:_BRANCHES_PER_BATCH], waiting[_BRANCHES_PER_BATCH:]
        sources, edits = _hoist_batch(subject, batch, new_hoister())
        if edits:
            on_moved(edits)
            done, sources, waiting = (
                relocate(subject, part, edits) for part in (done, sources, waiting)
            )
        done += sources
    return done


def _hoist_batch(
    subject: Subject, batch: Sequence[Branch], hoister: Hoister
) -> tuple[list[Branch], Edits]:
    """Hoist into the branches of a batch; return what stands in their places, and the edits."""
    base = subject.document
    items = [Hoisting(branch, branch) for branch in batch]
    movable = best = tuple(h for h in items if h.target.is_within(subject.span))

    def candidate(hoistings: tuple[Hoisting, ...]) -> Candidate:
        kind = _kind(best, hoistings) if subject.memory.invalid.enabled else None
        return Candidate(base, hoister.edits(hoistings), kind)

    def first(stream: Iterable[tuple[Hoisting, ...]]) -> Hit[tuple[Hoisting, ...]] | None:
        nonlocal best
        replaced: list[Hoisting] = []
        hit = mapped(subject.first, candidate)(_with_replaced(stream, best, replaced))
        for hoisting in replaced[: hit.index if hit else None]:
            hoister.on_failed(hoisting)
        best = hit.candidate if hit else best
        return hit

    found = tmin(movable, first, hoister.candidates, sweeps=1)
    sources = {hoisting.target: hoisting.source for hoisting in found}
    level = [part for branch in batch for part in _parts(sources.get(branch, branch))]
    return level, hoister.edits(found)


def _parts(source: Branch | Elements) -> Sequence[Branch]:
    return source.branches if isinstance(source, Elements) else (source,)


def _with_replaced(
    stream: Iterable[tuple[Hoisting, ...]], best: Sequence[Hoisting], replaced: list[Hoisting]
) -> Iterator[tuple[Hoisting, ...]]:
    """Pass a stream on; record which of the `best` hoistings each of its candidates replaces."""
    for hoistings in stream:
        replaced += [old for old, new in zip(best, hoistings, strict=True) if new is not old]
        yield hoistings


def _kind(best: Sequence[Hoisting], hoistings: Sequence[Hoisting]) -> Hashable:
    """Return the target's shape and the source's kind if only one hoisting is new."""
    changed = [new for old, new in zip(best, hoistings, strict=True) if new is not old]
    if len(changed) != 1 or isinstance(changed[0].source, Elements):
        return None
    return changed[0].target.shape, changed[0].source.node.kind_id
