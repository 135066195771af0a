"""A recorded reduction of a small text: which of its bytes are left, and when the others went.

The strategy really runs; only the oracle is a function, so that the trace is the same on every machine.
Accepted candidates are lists of edits, so each byte of an accepted text can be traced to a byte of the
original, unless it is new.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from pollard.engine.subject import Candidate, Subject
from pollard.passes.strategy import Strategy
from pollard.search.first import Hit
from pollard.syntax.tree.document import Document
from pollard.syntax.tree.edits import Edit
from pollard.syntax.tree.sizes import size

Test = Callable[[bytes], bool]
Span = tuple[int, int]

# Where each byte of a text comes from: its place in the original, or a negative number if it is new.
Origins = tuple[int, ...]


@dataclass(frozen=True)
class New:
    """Text that replaced a span of the original; the span is empty if it replaced other new text."""

    span: Span
    text: bytes
    origin: int


@dataclass(frozen=True)
class Step:
    """An accepted text: the origins of its bytes, and what is new in it."""

    origins: Origins
    new: tuple[New, ...]


@dataclass(frozen=True)
class Trace:
    """A reduction of `before` to `after`; `runs` counts texts, `guarded` rejected candidates."""

    strategy: str
    before: Document
    after: Document
    steps: tuple[Step, ...]
    runs: int
    guarded: int

    @property
    def sizes(self) -> tuple[int, int]:
        """Bytes without white space, before and after."""
        return size(self.before.text), size(self.after.text)

    def gone_in(self, span: Span, but: Span = (0, 0)) -> int | None:
        """Return the step (from 1) after which `span` without `but` is gone; None if it never is."""
        wanted = {
            place
            for place in range(*span)
            if not but[0] <= place < but[1] and not self.before.text[place : place + 1].isspace()
        }
        numbered = enumerate(self.steps, 1)
        return next((n for n, step in numbered if wanted.isdisjoint(step.origins)), None)

    def replacement(self, span: Span) -> str:
        """Return the final text in place of these bytes; empty if they were only removed."""
        left = set(self.steps[-1].origins) if self.steps else set()
        return "".join(
            new.text.decode().strip()
            for step in self.steps
            for new in step.new
            if span[0] <= new.span[0] < new.span[1] <= span[1] and new.origin in left
        )

    def is_new(self, span: Span) -> bool:
        """Return whether none of these bytes of the result comes from the original."""
        return bool(self.steps) and all(
            origin < 0 for origin in self.steps[-1].origins[slice(*span)]
        )


def trace(text: Document, test: Test, strategy: str) -> Trace:
    """Run a strategy with one worker and record what it does."""
    judge, steps = _Judge(test), _Steps(text)
    subject = _Traced(text, judge, steps)
    Strategy.parse(strategy).run(subject)
    return Trace(
        strategy,
        text,
        subject.document,
        tuple(steps.taken),
        len(judge.verdicts),
        subject.tally.guarded,
    )


@dataclass
class _Judge:
    """Finds the first interesting text; a text that was tried before costs no run."""

    test: Test
    verdicts: dict[bytes, bool] = field(default_factory=dict)

    def first(self, texts: Iterable[bytes | None], on_verdict: object = None, /) -> int | None:
        for index, text in enumerate(texts):
            if text is not None and self._holds(text):
                return index
        return None

    def _holds(self, text: bytes) -> bool:
        if text not in self.verdicts:
            self.verdicts[text] = self.test(text)
        return self.verdicts[text]


class _Steps:
    """Records the origin of each byte of the accepted texts."""

    def __init__(self, original: Document) -> None:
        self.taken: list[Step] = []
        self._new = 0
        self._origins: dict[bytes, Origins] = {original.text: tuple(range(len(original.text)))}

    def take(self, candidate: Candidate, text: bytes) -> None:
        before = self._origins[candidate.base.text]
        after: list[int] = []
        new: list[New] = []
        place = 0
        for edit in candidate.edits:
            self._new -= 1
            after += [*before[place : edit.start], *[self._new] * len(edit.new)]
            place = edit.end
            if edit.new.strip():
                new.append(New(_origin(before, edit), edit.new, self._new))
        after += before[place:]
        self._origins[text] = tuple(after)
        self.taken.append(Step(tuple(after), tuple(new)))


def _origin(origins: Sequence[int], edit: Edit) -> Span:
    """Return the span of the original that an edit replaces (empty if it replaces nothing of it)."""
    known = [origin for origin in origins[edit.start : edit.end] if origin >= 0]
    return (min(known), max(known) + 1) if known else (0, 0)


class _Traced(Subject):
    """A subject that records every accepted candidate."""

    def __init__(self, document: Document, judge: _Judge, steps: _Steps) -> None:
        super().__init__(document, judge)
        self._steps = steps

    def first(
        self, candidates: Iterable[Candidate], *, guard: bool = True
    ) -> Hit[Candidate] | None:
        hit = super().first(candidates, guard=guard)
        if hit is not None:
            self._steps.take(hit.candidate, self.document.text)
        return hit
