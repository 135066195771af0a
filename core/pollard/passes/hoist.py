"""Hoisting: put a descendant in the place of a branch.

One level of HOIST (hddh-2021, figure 8, lines 5 and 6) with the minimising algorithm of figure 6.
The candidates are those of figure 7, the nearest compatible descendants on each path, furthest first.
A descendant is compatible if the file still parses with it in the branch's place: on tree-sitter's
trees the papers' equality of names hardly ever holds (see `pollard.syntax.slots`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.passes.hoister import FIGURE_7, Choice, Hoister, Hoisting, Run
from pollard.passes.relocation import relocate
from pollard.passes.subject import Candidate
from pollard.search.first import Hit, mapped
from pollard.search.tmin import tmin

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from pollard.passes.levels import MovedOn
    from pollard.passes.subject import Edits, Subject
    from pollard.syntax.branches import Branch


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
        kind = _kind(best, hoistings) if subject.lessons.enabled else None
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
