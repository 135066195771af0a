"""Search anew after each success, without trying first what failed before."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pollard.engine.subject import Candidate, Subject

    Change = tuple[tuple[bytes, bytes], ...]


def repeat(
    subject: Subject, found: Callable[[Subject], Iterator[Candidate]], patience: int | None
) -> None:
    """Accept what is found, anew after each success; give up after `patience` failures in a row.

    A change that failed is put off until nothing else succeeds: another one rarely makes it possible.
    """
    failed: set[Change] = set()
    while True:
        waiting = (each for each in found(subject) if _change(each) not in failed)
        if _accepts(subject, waiting, failed, patience):
            continue
        if not failed or not _accepts(subject, found(subject), failed, patience):
            return


def _accepts(
    subject: Subject, candidates: Iterable[Candidate], failed: set[Change], patience: int | None
) -> bool:
    """Return whether one of some candidates is accepted; note the changes of those before it."""
    tried: list[Candidate] = []

    def noted() -> Iterator[Candidate]:
        for each in candidates:
            tried.append(each)
            yield each

    hit = subject.first(islice(noted(), patience))
    failed.update(map(_change, tried[: None if hit is None else hit.index]))
    return hit is not None


def _change(candidate: Candidate) -> Change:
    """Return what a candidate removes and what it puts there, wherever that is."""
    text = candidate.base.text
    return tuple((text[edit.start : edit.end], edit.new) for edit in candidate.edits)
