"""The text that is being reduced, and the one way to replace it.

Passes never touch the document. They hand `Subject.first` an ordered stream of candidates, and the
first interesting one becomes the document. So whatever a pass does, every text that was ever the best
was seen to be interesting.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol

from pollard.engine.learning import LEARNING_BATCH, InvalidEdits
from pollard.engine.memory import KnownTexts, Memory, digest
from pollard.engine.statistics import Tally
from pollard.errors import Cancelled
from pollard.search.first import Hit
from pollard.syntax.branches.branches import Preprocessing, root_branch
from pollard.syntax.islands.islands import IslandGuard
from pollard.syntax.layout.empty_sections import left_empty
from pollard.syntax.layout.layout import Layout
from pollard.syntax.names.unused import left_unused
from pollard.syntax.tree.excerpts import Excerpts
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from pollard.oracle import Verdict
    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.tree.document import Cancellation, Document
    from pollard.syntax.tree.edits import Edit


Edits = tuple["Edit", ...]

# How many of the last documents in a stream are kept, so that an accepted one is not parsed again, and
# how long all their texts may be: a tree takes some 30 times the memory of its text.
_MAX_RECENT_DOCUMENTS = 64
_MAX_RECENT_BYTES = 4_000_000

# Parsing this many bytes takes some 10 ms, so the hundreds of candidates of a late pass take seconds.
_MAX_BYTES_FOR_LATE_PASSES = 64_000


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text to try: the document `base` with `edits` (ordered, disjoint).

    `kind` describes the edit by which it differs from the best text; None if there are several.
    """

    base: Document
    edits: Edits
    kind: Hashable = None


class TextJudge(Protocol):
    """Runs the oracle on texts; `pollard.oracle.Judge` is the real one."""

    def first(
        self,
        texts: Iterable[bytes | None],
        on_verdict: Callable[[int, Verdict], None] | None = None,
        /,
    ) -> int | None:
        """Return the index of the first interesting text; None in the stream needs no run.

        `on_verdict` gets the index and the verdict of each text up to the interesting one, in order.
        """


@dataclass(slots=True)
class _CandidateStream:
    """Records of one stream of candidates, which the judge may read past the accepted one.

    Three map an index in the stream: `judged` to the candidate that the judge got, `keys` to its
    digest, and `recent` to its document if it is one of the last. `hidden` has the digests of all texts
    that were yielded, `hopeless` the indices that were skipped as always invalid.
    """

    length: int = 0
    judged: dict[int, Candidate] = field(default_factory=dict)
    keys: dict[int, bytes] = field(default_factory=dict)
    recent: dict[int, Document] = field(default_factory=dict)
    hidden: set[bytes] = field(default_factory=set)
    hopeless: list[int] = field(default_factory=list)
    verdicts: dict[int, Verdict] = field(default_factory=dict)

    def add(self, index: int, candidate: Candidate, document: Document, key: bytes) -> None:
        """Keep a candidate that is handed to the judge."""
        kept = min(_MAX_RECENT_DOCUMENTS, _MAX_RECENT_BYTES // (len(document.text) + 1))
        while len(self.recent) > kept:
            del self.recent[next(iter(self.recent))]
        self.judged[index], self.keys[index], self.recent[index] = candidate, key, document

    def accepted(self, index: int) -> Document:
        """Return the document of a candidate."""
        candidate = self.judged[index]
        return self.recent.get(index) or candidate.base.edited(candidate.edits)

    def forget(self) -> None:
        """Free trees and edits one by one: freeing all at once stalls other threads."""
        kept: tuple[dict[int, Any], ...] = (self.judged, self.recent)
        for records in kept:
            while records:
                records.popitem()


class Subject:
    """The best document so far, its region, and the syntax guard.

    The passes share `memory`, of which the subject itself uses only the texts and the invalid edits.
    `tally` counts what all passes did. `guard` says whether the syntax guard is on at all.
    `foreign_grammar` says that the document is read by the grammar of another language than its own,
    `borrowed_grammar` that it is read by that of a relative.
    `failing_lines` are the original's lines that the output of the failure names, `failing_words` are
    what it quotes, and `failing_bounds` are an index and the length that it is beyond. For
    `asked_names`, which its list of calls has, the oracle asks.
    `level` is where in the tree a pass is, for display. `on_reduced` is called after each replacement.
    """

    def __init__(
        self,
        document: Document,
        judge: TextJudge,
        *,
        region: tuple[int, int] | None = None,
        guard: bool = True,
        foreign_grammar: bool = False,
        borrowed_grammar: bool = False,
        preprocessing: Preprocessing | None = None,
        learn_invalid: bool = False,
        failing_lines: Sequence[bytes] = (),
        failing_words: Sequence[bytes] = (),
        failing_bounds: tuple[int, int] | None = None,
        asked_names: Sequence[bytes] = (),
        cancelled: Cancellation | None = None,
        on_reduced: Callable[[], None] = lambda: None,
    ) -> None:
        self._preprocessing = preprocessing or Preprocessing()
        self.document = document if self._preprocessing.islands else document.without_islands()
        self.memory = Memory(
            KnownTexts(enabled=self._preprocessing.hide), InvalidEdits(enabled=learn_invalid)
        )
        self.tally = Tally()
        self.guard = guard
        self.foreign_grammar = foreign_grammar
        self._borrowed_grammar = borrowed_grammar
        self.failing_lines = failing_lines
        self.failing_words = failing_words
        self.failing_bounds = failing_bounds
        self.asked_names = asked_names
        self.level = 0
        self._islands = IslandGuard()
        self._judge = judge
        self._weighed: tuple[Document | None, int] = None, 0
        self._rooted: tuple[Document, Branch] | None = None
        self._start, end = region or (0, len(document.text))
        self._suffix = len(document.text) - end
        self._cancelled = cancelled
        self._on_reduced = on_reduced
        self.memory.progress.append((0, self.weight))

    @property
    def span(self) -> tuple[int, int]:
        """The region (start, end), the bytes that may change, in the present document."""
        return self._start, len(self.document.text) - self._suffix

    @property
    def weight(self) -> int:
        """The bytes of the region other than white space; counted once for each document."""
        if self._weighed[0] is not self.document:
            start, end = self.span
            self._weighed = self.document, size(self.document.text[start:end])
        return self._weighed[1]

    @property
    def root(self) -> Branch:
        """The document's tree; raises Cancelled instead of beginning another walk through it."""
        self._stop_if_cancelled()
        if self._rooted is None or self._rooted[0] is not self.document:
            root = root_branch(self.document.root, self._preprocessing, self.document)
            self._rooted = self.document, root
        return self._rooted[1]

    def layout(self) -> Layout:
        """Return the layout of the present document; what an edit leaves useless goes, if it must."""
        return Layout(self.document, self.span, partial(_entailed, self.document))

    def is_ready_for_late_passes(self) -> bool:
        """Return whether there is a grammar and the region is short: late passes are slow per byte."""
        start, end = self.span
        return self.document.language is not None and end - start <= _MAX_BYTES_FOR_LATE_PASSES

    def is_foreign(self) -> bool:
        """Return whether errors of syntax mean nothing: the grammar is made for another language.

        The grammar of a relative is relied on as long as it finds no error.
        """
        return self.foreign_grammar or (self._borrowed_grammar and self.document.errors > 0)

    def untried(self, changes: Iterable[Edits]) -> Iterator[Candidate]:
        """Yield candidates for those changes of the present document whose text was never judged."""
        base = self.document
        for edits in changes:
            if not self.memory.texts.is_known(digest(base.edited(edits).text)):
                yield Candidate(base, edits)

    def fits(self, base: Document, edits: Edits) -> bool:
        """Return whether the guard accepts `base` with `edits`: no more errors than `base` has.

        That is a guess, as good as an incremental reparse. The answer depends on the arguments alone,
        since streams that ask are read ahead of the next acceptance.
        """
        self._stop_if_cancelled()
        if not self.guard:
            return True
        part, edits_there = base.once(Excerpts).of(edits) or (base, edits)
        limit = part.errors  # the base is parsed before anything is derived from it
        edited = part.edited(edits_there)
        if self._is_broken(edited, digest(edited.text), limit, roughly=True):
            return False
        document = edited if part is base else base.edited(edits)
        return not self._count_refusal(IslandGuard().rejects(base, edits, document))

    def first(
        self, candidates: Iterable[Candidate], *, guard: bool = True
    ) -> Hit[Candidate] | None:
        """Make the first interesting candidate the document and return it; None if there is none.

        With `guard` False candidates may have more syntax errors than the document.
        """
        guard = guard and self.guard
        if not self.memory.invalid.enabled:
            return self._first(candidates, guard=guard)
        source, start = iter(candidates), 0
        while batch := list(islice(source, LEARNING_BATCH)):
            hit = self._first(batch, guard=guard)
            if hit is not None:
                return Hit(start + hit.index, hit.candidate)
            start += len(batch)
        return None

    def _first(self, candidates: Iterable[Candidate], *, guard: bool) -> Hit[Candidate] | None:
        stream = _CandidateStream()
        texts = self._filtered(candidates, stream, guard=guard)
        if self.memory.invalid.enabled:
            index = self._judge.first(texts, stream.verdicts.__setitem__)
        else:
            index = self._judge.first(texts)
        self._remember(stream, index)
        try:
            return None if index is None else self._accept(stream, index, guard=guard)
        finally:
            stream.forget()

    def _accept(self, stream: _CandidateStream, index: int, *, guard: bool) -> Hit[Candidate]:
        candidate, old = stream.judged[index], self.document
        self.document, self._rooted = stream.accepted(index), None
        if guard:
            self._islands.accept(candidate.base, candidate.edits, self.document)
        self.tally.accepted += 1
        self.tally.bytes_saved += len(old.text) - len(self.document.text)
        self.memory.progress.append((self.tally.runs, self.weight))
        self._on_reduced()
        return Hit(index, candidate)

    def _filtered(
        self, candidates: Iterable[Candidate], stream: _CandidateStream, *, guard: bool
    ) -> Iterator[bytes | None]:
        """Yield each candidate's text, or None if it needs no run, so that indices stay the same."""
        texts, invalid = self.memory.texts, self.memory.invalid
        # The document is parsed before anything is derived from it.
        limit = self.document.errors if guard else 0
        for index, candidate in enumerate(candidates):
            self._stop_if_cancelled()
            stream.length = index + 1
            document = candidate.base.edited(candidate.edits)
            key = digest(document.text)
            if (
                document.text == self.document.text
                or not self._is_inside(candidate)
                or key in stream.hidden
                or texts.is_refused(key)
                or (guard and self._has_new_errors(document, key, candidate, limit))
            ):
                yield None
            elif invalid.is_hopeless(candidate.kind):
                stream.hopeless.append(index)
                yield None
            else:
                stream.add(index, candidate, document, key)
                if texts.enabled:
                    stream.hidden.add(key)
                yield document.text

    def _remember(self, stream: _CandidateStream, hit: int | None) -> None:
        """Record the candidates up to the hit, as if none had been read ahead."""
        memory = self.memory
        end = stream.length if hit is None else hit + 1
        for index, key in stream.keys.items():
            if index < end:
                self.tally.runs += not memory.texts.is_known(key)
                memory.texts.note(key, refused=index != hit)
        self.tally.candidates += end
        memory.invalid.skipped += sum(index < end for index in stream.hopeless)
        for index, verdict in stream.verdicts.items():
            memory.invalid.learn(stream.judged[index].kind, verdict)

    def _is_inside(self, candidate: Candidate) -> bool:
        """Return whether all edits are inside the region; a last check, in case a pass ignores it."""
        end = len(candidate.base.text) - self._suffix
        return all(self._start <= edit.start and edit.end <= end for edit in candidate.edits)

    def _has_new_errors(
        self, document: Document, key: bytes, candidate: Candidate, limit: int
    ) -> bool:
        """Return whether there are more than `limit` errors, or more than before in an island."""
        return self._is_broken(document, key, limit) or self._count_refusal(
            self._islands.rejects(candidate.base, candidate.edits, document)
        )

    def _is_broken(
        self, document: Document, key: bytes, limit: int, *, roughly: bool = False
    ) -> bool:
        """Return whether there are more than `limit` errors; count those not known to be broken."""
        texts = self.memory.texts
        return texts.knows_more_errors(key, limit) or self._count_refusal(
            texts.finds_more_errors(document, key, limit, roughly=roughly)
        )

    def _count_refusal(self, refused: bool) -> bool:
        self.tally.guarded += refused
        return refused

    def _stop_if_cancelled(self) -> None:
        if self._cancelled is not None and self._cancelled.is_set():
            message = "the reduction was cancelled"
            raise Cancelled(message)


def _entailed(document: Document, edits: Sequence[Edit]) -> list[Edit]:
    """Return what edits leave without a use or without an element, in languages that refuse it."""
    return [*left_unused(document, edits), *left_empty(document, edits)]
