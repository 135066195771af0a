"""What is being reduced: the best document so far, and the one way to make it better.

Passes never touch the document. They hand `Subject.first` an ordered stream of candidates; the first
interesting one becomes the document. So whatever a pass does, every text that was ever the best was
seen to be interesting.

What the last passes have in common: they are for texts of which little is left.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol

from pollard.engine.learning import LESSON, Lessons
from pollard.engine.memory import Attempts, Hiding, digest
from pollard.engine.odds import Odds
from pollard.errors import Cancelled
from pollard.search.first import Hit
from pollard.syntax.branches.branches import Preprocessing, root_branch
from pollard.syntax.islands.borders import IslandGuard
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

    from pollard.oracle import Verdict
    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.tree.document import Document
    from pollard.syntax.tree.edits import Edit


# In bytes. A parse takes some 10 ms then; the candidates of a last pass, some hundred, take seconds.
_LONGEST = 64_000


def is_short(subject: Subject) -> bool:
    """Tell whether a text has a grammar and its region is short enough for the last passes."""
    start, end = subject.span
    return subject.document.language is not None and end - start <= _LONGEST


Edits = tuple["Edit", ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text to be tried: `edits` (ordered, disjoint) of the document `base`.

    `kind` tells, to learn from it, what the one edit is by which it differs from the best text; None
    if there are several.
    """

    base: Document
    edits: Edits
    kind: Hashable = None


class Judge(Protocol):
    """Runs the oracle: finds the first interesting text of an ordered stream."""

    def first(
        self, texts: Iterable[bytes | None], heard: Callable[[int, Verdict], None] | None = None
    ) -> int | None:
        """Return its index; None in the stream stands for a candidate that needs no run.

        `heard` is told, in order, the verdict on each text up to the interesting one, with its index.
        """


class Cancellation(Protocol):
    """Tells whether to stop."""

    def is_set(self) -> bool:
        """Whether to stop."""


@dataclass(slots=True)
class _Asked:
    """What is kept of a stream of candidates, by their index, until a judge has read it.

    A judge looks ahead, so all that it may still accept is in `tried`; the documents of the last ones,
    which take more memory but need not be parsed again, in `recent`. `keys` is what texts are
    remembered by, `known` all that hide others so far, `skipped` which candidates were left out as
    hopeless.
    """

    tried: dict[int, Candidate] = field(default_factory=dict)
    recent: dict[int, Document] = field(default_factory=dict)
    keys: dict[int, bytes] = field(default_factory=dict)
    known: set[bytes] = field(default_factory=set)
    skipped: list[int] = field(default_factory=list)
    verdicts: dict[int, Verdict] = field(default_factory=dict)

    def add(self, index: int, candidate: Candidate, document: Document, key: bytes) -> None:
        """Keep a candidate that is handed to the judge."""
        if len(self.recent) >= _RECENT:
            del self.recent[next(iter(self.recent))]
        self.tried[index], self.recent[index] = candidate, document
        self.keys[index] = key or digest(document.text)
        if key:
            self.known.add(key)


class Subject:
    """The best document so far, its region, and the syntax guard.

    `borrowed` says that the document is read by the grammar of another language than its own.
    `level` is where in the tree a pass is, for those who watch.
    `explored` is set once every unit was tried: most of what is left is needed from then on.
    `threshold` is how much, in bytes, the next stage of `heaviest` takes away; None before the first.
    """

    def __init__(
        self,
        document: Document,
        judge: Judge,
        *,
        region: tuple[int, int] | None = None,
        guard: bool = True,
        borrowed: bool = False,
        preprocessing: Preprocessing | None = None,
        learn_invalid: bool = False,
        cancelled: Cancellation | None = None,
        on_reduced: Callable[[], None] = lambda: None,
    ) -> None:
        self.preprocessing = preprocessing or Preprocessing()
        self.hiding = Hiding(enabled=self.preprocessing.hide)
        self.lessons = Lessons(enabled=learn_invalid)
        self.attempts = Attempts()
        self.odds = Odds()
        self.document = document if self.preprocessing.islands else document.without_islands()
        self.guard = guard
        self.borrowed = borrowed
        self.guarded = 0
        self.reductions = 0
        self.explored = False
        self.threshold: int | None = None
        self.level = 0
        self._islands = IslandGuard()
        self._judge = judge
        self._tried: set[bytes] = set()
        self._weighed: tuple[Document | None, int] = None, 0
        self._rooted: tuple[Document, Branch] | None = None
        self._start, end = region or (0, len(document.text))
        self._suffix = len(document.text) - end
        self._cancelled = cancelled
        self._on_reduced = on_reduced
        self._progress = [(0, self.weight)]

    @property
    def span(self) -> tuple[int, int]:
        """Where the region is in the document now: the bytes that may change (start, end)."""
        return self._start, len(self.document.text) - self._suffix

    @property
    def weight(self) -> int:
        """How many bytes of the region are no white space now; counted once for each document."""
        if self._weighed[0] is not self.document:
            start, end = self.span
            self._weighed = self.document, size(self.document.text[start:end])
        return self._weighed[1]

    def is_misread(self) -> bool:
        """Tell whether the tree is not to be relied on: its grammar fails, or is another language's."""
        return self.borrowed or self.document.errors > 0

    @property
    def tried(self) -> int:
        """How many different texts were handed to the judge, those that it knew too."""
        return len(self._tried)

    def tried_until(self, weight: int) -> int:
        """Return how many texts were tried until the region had at most that weight.

        0 if it always had, and all that were tried if it still is heavier.
        """
        return next((tried for tried, left in self._progress if left <= weight), self.tried)

    def untried(self, changes: Iterable[Edits]) -> Iterator[Candidate]:
        """Yield what each change makes of the document as it is now, if the judge was not asked yet."""
        base = self.document
        for edits in changes:
            if digest(base.edited(edits).text) not in self._tried:
                yield Candidate(base, edits)

    @property
    def root(self) -> Branch:
        """The document's tree; raises Cancelled instead of beginning another walk through it."""
        self._stop_if_cancelled()
        if self._rooted is None or self._rooted[0] is not self.document:
            root = root_branch(self.document.root, self.preprocessing, self.document)
            self._rooted = self.document, root
        return self._rooted[1]

    def fits(self, base: Document, edits: Edits) -> bool:
        """Tell whether the guard will let `base` with `edits` pass: no more errors than `base` has.

        In long texts that is a guess, as good as an incremental reparse. The answer depends on nothing
        else: what asks is read ahead, when a hit may be still to come.
        """
        self._stop_if_cancelled()
        if not self.guard:
            return True
        most = base.errors  # which is parsed before anything is derived from it
        document = base.edited(edits)
        return not (
            self._is_broken(document, self.hiding.key(document.text), most, roughly=True)
            or self._counted(IslandGuard().rejects(base, edits, document))
        )

    def first(
        self, candidates: Iterable[Candidate], *, guard: bool = True
    ) -> Hit[Candidate] | None:
        """Make the first interesting candidate the document and return it; None if there is none.

        Without `guard` the syntax guard, even if it is on, is not asked.
        """
        was, self.guard = self.guard, self.guard and guard
        try:
            return self._first_by_lessons(candidates)
        finally:
            self.guard = was

    def _first_by_lessons(self, candidates: Iterable[Candidate]) -> Hit[Candidate] | None:
        if not self.lessons.enabled:
            return self._first(candidates)
        source, start = iter(candidates), 0
        while lesson := list(islice(source, LESSON)):
            hit = self._first(lesson)
            if hit is not None:
                return Hit(start + hit.index, hit.candidate)
            start += len(lesson)
        return None

    def _first(self, candidates: Iterable[Candidate]) -> Hit[Candidate] | None:
        asked = _Asked()
        texts = self._guarded(candidates, asked)
        if self.lessons.enabled:
            index = self._judge.first(texts, asked.verdicts.__setitem__)
        else:
            index = self._judge.first(texts)
        self._remember(asked, index)
        if index is None:
            _forget(asked.tried, asked.recent)
            return None
        candidate = asked.tried[index]
        self.document = asked.recent.get(index) or candidate.base.edited(candidate.edits)
        self._rooted = None
        if self.guard:
            self._islands.accept(candidate.base, candidate.edits, self.document)
        _forget(asked.tried, asked.recent)
        self.reductions += 1
        self._progress.append((self.tried, self.weight))
        self._on_reduced()
        return Hit(index, candidate)

    def _guarded(self, candidates: Iterable[Candidate], asked: _Asked) -> Iterator[bytes | None]:
        """Yield the candidates' texts, None for those that need no run: it keeps their numbers."""
        # The document is parsed before anything is derived from it.
        most = self.document.errors if self.guard else 0
        for index, candidate in enumerate(candidates):
            self._stop_if_cancelled()
            document = candidate.base.edited(candidate.edits)
            key = self.hiding.key(document.text)
            if (
                document.text == self.document.text
                or not self._is_inside(candidate)
                or key in asked.known
                or self.hiding.is_refused(key)
                or (self.guard and self._has_new_errors(document, key, candidate, most))
            ):
                yield None
            elif self.lessons.is_hopeless(candidate.kind):
                asked.skipped.append(index)
                yield None
            else:
                asked.add(index, candidate, document, key)
                yield document.text

    def _remember(self, asked: _Asked, hit: int | None) -> None:
        """Take note of what came before the hit, as far as a judge that reads nothing ahead got."""
        end = hit if hit is not None else max([*asked.keys, *asked.skipped], default=0) + 1
        refused = [key for index, key in asked.keys.items() if index < end]
        self._tried.update(refused, [] if hit is None else [asked.keys[hit]])
        self.hiding.refuse(refused)
        self.lessons.skipped += sum(index < end for index in asked.skipped)
        for index, verdict in asked.verdicts.items():
            self.lessons.learn(asked.tried[index].kind, verdict)

    def _is_inside(self, candidate: Candidate) -> bool:
        """Whether no edit reaches out of the region: the last line of its defence."""
        end = len(candidate.base.text) - self._suffix
        return all(self._start <= edit.start and edit.end <= end for edit in candidate.edits)

    def _has_new_errors(
        self, document: Document, key: bytes, candidate: Candidate, most: int
    ) -> bool:
        """Ask the guard, and count what it refuses; what it refused before is hidden.

        It refuses more syntax errors than there are now, `most` in the document itself or in an island.
        """
        return self._is_broken(document, key, most) or self._counted(
            self._islands.rejects(candidate.base, candidate.edits, document)
        )

    def _is_broken(
        self, document: Document, key: bytes, most: int, *, roughly: bool = False
    ) -> bool:
        """Tell whether there are more than `most` syntax errors; counts what was not known before."""
        return self.hiding.is_broken(key, most) or self._counted(
            self.hiding.breaks(document, key, most, roughly=roughly)
        )

    def _counted(self, refused: bool) -> bool:
        self.guarded += refused
        return refused

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
