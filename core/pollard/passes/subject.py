"""What is being reduced: the best document so far, and the one way to make it better.

Passes never touch the document. They hand `Subject.first` an ordered stream of candidates; the first
interesting one becomes the document. So whatever a pass does, every text that was ever the best was
seen to be interesting.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from pollard.errors import Cancelled
from pollard.search.first import Hit
from pollard.syntax.branches import Preprocessing, root_branch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pollard.syntax.branches import Branch
    from pollard.syntax.document import Document
    from pollard.syntax.edits import Edit

Edits = tuple["Edit", ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text to be tried: `edits` (ordered, disjoint) of the document `base`."""

    base: Document
    edits: Edits


class Judge(Protocol):
    """Runs the oracle: finds the first interesting text of an ordered stream."""

    def first(self, texts: Iterable[bytes | None]) -> int | None:
        """Return its index; None in the stream stands for a candidate that needs no run."""


class Cancellation(Protocol):
    """Tells whether to stop."""

    def is_set(self) -> bool:
        """Whether to stop."""


class Subject:
    """The best document so far, its region, and the syntax guard.

    `level` is where in the tree a pass is, for those who watch.
    `explored` is set once every unit was tried: most of what is left is needed from then on.
    """

    def __init__(
        self,
        document: Document,
        judge: Judge,
        *,
        region: tuple[int, int] | None = None,
        guard: bool = True,
        preprocessing: Preprocessing | None = None,
        cancelled: Cancellation | None = None,
        on_reduced: Callable[[], None] = lambda: None,
    ) -> None:
        self.document = document
        self.guard = guard
        self.preprocessing = preprocessing or Preprocessing()
        self.guarded = 0
        self.reductions = 0
        self.explored = False
        self.level = 0
        self._judge = judge
        self._start, end = region or (0, len(document.text))
        self._suffix = len(document.text) - end
        self._cancelled = cancelled
        self._on_reduced = on_reduced

    @property
    def span(self) -> tuple[int, int]:
        """Where the region is in the document now: the bytes that may change (start, end)."""
        return self._start, len(self.document.text) - self._suffix

    @property
    def root(self) -> Branch:
        """The document's tree; raises Cancelled instead of beginning another walk through it."""
        self._stop_if_cancelled()
        return root_branch(self.document.root, self.preprocessing)

    def fits(self, base: Document, edits: Edits) -> bool:
        """Tell whether the guard lets `base` with `edits` pass: no more syntax errors than now."""
        self._stop_if_cancelled()
        fits = not self.guard or not self._has_new_errors(base.edited(edits))
        self.guarded += not fits
        return fits

    def first(self, candidates: Iterable[Candidate]) -> Hit[Candidate] | None:
        """Make the first interesting candidate the document and return it; None if there is none."""
        tried: dict[int, Candidate] = {}
        recent: dict[int, Document] = {}
        index = self._judge.first(self._guarded(candidates, tried, recent))
        if index is None:
            _forget(tried, recent)
            return None
        candidate = tried[index]
        self.document = recent.get(index) or candidate.base.edited(candidate.edits)
        _forget(tried, recent)
        self.reductions += 1
        self._on_reduced()
        return Hit(index, candidate)

    def _guarded(
        self,
        candidates: Iterable[Candidate],
        tried: dict[int, Candidate],
        recent: dict[int, Document],
    ) -> Iterator[bytes | None]:
        """Yield the candidates' texts, None for those that the guard rejects.

        A judge looks ahead; what it may still accept is kept in `tried`, and the documents of the
        last ones, which take more memory but need not be parsed again, in `recent`.
        """
        for index, candidate in enumerate(candidates):
            self._stop_if_cancelled()
            document = candidate.base.edited(candidate.edits)
            if document.text == self.document.text or not self._is_inside(candidate):
                yield None
            elif self.guard and self._has_new_errors(document):
                self.guarded += 1
                yield None
            else:
                if len(recent) >= _RECENT:
                    del recent[next(iter(recent))]
                tried[index], recent[index] = candidate, document
                yield document.text

    def _is_inside(self, candidate: Candidate) -> bool:
        """Whether no edit reaches out of the region: the last line of its defence."""
        end = len(candidate.base.text) - self._suffix
        return all(self._start <= edit.start and edit.end <= end for edit in candidate.edits)

    def _has_new_errors(self, document: Document) -> bool:
        return document.has_more_errors_than(self.document.errors)

    def _stop_if_cancelled(self) -> None:
        if self._cancelled is not None and self._cancelled.is_set():
            message = "the reduction was cancelled"
            raise Cancelled(message)


def _forget(*kept: dict[int, Any]) -> None:
    """Free trees and edits one by one: all at once they keep other threads waiting."""
    for each in kept:
        while each:
            each.popitem()


_RECENT = 64
