"""The tree of copies of the search, and the questions they wait at.

A copy that waits at a question is the parent of copies that run on, each under another assumption
about the answer. The root is the *real* search; the others are its *shadows*.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pollard.oracle import Verdict
from pollard.speculation.chances import Chances
from pollard.speculation.messages import Answer, Report

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.engine.statistics import Tally
    from pollard.speculation.chances import OtherTexts
    from pollard.speculation.changes import Change
    from pollard.speculation.messages import Given, Offered


@dataclass(slots=True)
class AwaitedText:
    """A text of an open question that is not counted yet.

    `index` is its place in the stream, `change` how it differs from the best text. `chance` is the
    probability that it is interesting if its verdict is needed; `need` is the probability that it is.
    `first_chance` was estimated from the answers on the way there, with so many `refusals` of the same
    change among them.
    """

    index: int
    text: bytes
    change: Change
    first_chance: float = 0.0
    refusals: int = 0
    key: bytes = b""
    verdict: Verdict | None = None
    chance: float = 0.0
    need: float = 0.0

    @property
    def certainty(self) -> float:
        """The probability that the text is interesting: 0 or 1 if the verdict is known."""
        if self.verdict is None:
            return self.chance
        return 1.0 if self.verdict is Verdict.INTERESTING else 0.0

    def consider(self, others: OtherTexts) -> None:
        """Estimate the chance again, in view of other texts with the same change."""
        self.chance = others.chance(self.first_chance, self.change, self.key, self.refusals)


@dataclass(frozen=True, slots=True)
class Judged:
    """A text whose verdict a search with one job would use next."""

    text: bytes
    key: bytes
    verdict: Verdict
    change: Change


@dataclass(frozen=True, slots=True)
class SearchPlace:
    """Where the search is: the level in the tree, and what it has counted."""

    level: int
    tally: Tally


@dataclass(slots=True)
class OpenQuestion:
    """A question at which a copy waits, with the texts that were read so far.

    `awaited` ends with the first text that is known to be interesting. `beyond` is the probability
    that what comes after the texts is needed, and `chances` are those if none of them is interesting.
    """

    wants_verdicts: bool
    chances: Chances = field(default_factory=Chances)
    awaited: deque[AwaitedText] = field(default_factory=deque)
    length: int = 0
    exhausted: bool = False
    beyond: float = 0.0
    verdicts: list[tuple[int, Verdict]] = field(default_factory=list)
    decided: Answer | None = None

    def extend(self, offered: Offered) -> AwaitedText | None:
        """Add the texts that were read next; return the last one, unless it needs no run."""
        self.exhausted = offered.exhausted
        self.length += len(offered.texts)
        text = offered.texts[-1] if offered.texts else None
        if text is None:
            return None
        chance, refusals = (
            self.chances.chance(offered.change),
            self.chances.refusals(offered.change),
        )
        entry = AwaitedText(self.length - 1, text, offered.change, chance, refusals, chance=chance)
        self.chances.note(offered.change, interesting=False)
        self.awaited.append(entry)
        return entry

    @property
    def has_hit(self) -> bool:
        """Whether one of the texts is known to be interesting."""
        return bool(self.awaited) and self.awaited[-1].verdict is Verdict.INTERESTING

    @property
    def is_readable(self) -> bool:
        """Whether further texts may be needed."""
        return not self.exhausted and not self.has_hit

    def answer(self, hit: int | None) -> Answer:
        """Return the answer that `hit` is the first interesting text, if unknown verdicts are "no"."""
        if not self.wants_verdicts:
            return Answer(hit)
        verdicts = list(self.verdicts)
        for entry in self.awaited:
            if hit is not None and entry.index >= hit:
                break
            verdicts.append((entry.index, entry.verdict or Verdict.UNINTERESTING))
        if hit is not None:
            verdicts.append((hit, Verdict.INTERESTING))
        return Answer(hit, tuple(verdicts))

    def judged(self) -> Iterator[Judged]:
        """Yield the texts whose verdicts come next in order.

        After that the question may be `decided`. What follows an interesting text is dropped.
        """
        self._cut()
        while self.awaited and self.decided is None:
            head = self.awaited[0]
            if head.verdict is None:
                return
            yield Judged(head.text, head.key, head.verdict, head.change)
            if head.verdict is Verdict.INTERESTING:
                self.decided = self.answer(head.index)
            elif self.wants_verdicts:
                self.verdicts.append((head.index, head.verdict))
            self.awaited.popleft()
        if self.exhausted and self.decided is None:
            self.decided = self.answer(None)

    def _cut(self) -> None:
        hits = (n for n, each in enumerate(self.awaited) if each.verdict is Verdict.INTERESTING)
        kept = next(hits, len(self.awaited)) + 1
        while len(self.awaited) > kept:
            self.awaited.pop()

    def is_refuted(self, answer: Answer) -> bool:
        """Return whether the verdicts so far contradict an answer."""
        if self.decided is not None:
            return answer != self.decided
        if answer.hit is not None and self.awaited and answer.hit < self.awaited[0].index:
            return True
        for entry in self.awaited:
            if entry.verdict is None:
                continue
            is_hit = entry.verdict is Verdict.INTERESTING
            if is_hit and (answer.hit is None or answer.hit > entry.index):
                return True
            if not is_hit and answer.hit == entry.index:
                return True
        return self.wants_verdicts and not self._agrees(answer)

    def _agrees(self, answer: Answer) -> bool:
        known = dict(self.verdicts)
        known |= {entry.index: entry.verdict for entry in self.awaited if entry.verdict is not None}
        return all(known.get(index, verdict) is verdict for index, verdict in answer.verdicts)


class SearchCopy:
    """A place of the search: where the real one is, or a shadow that runs under an assumption.

    It either computes or waits at `question`, or else its search is done. `given` has what the search
    got from its parent's question up to there, or (without a parent) since its beginning; it begins
    with the assumption. `chances` has learned from all answers up to there, as if those assumed were
    true. `log` holds what was reported and judged meanwhile; that counts once the copy is real.
    """

    def __init__(self, parent: SearchCopy | None = None, assumption: Answer | None = None) -> None:
        self.parent = parent
        self.assumption = assumption
        self.given: list[Given] = [] if assumption is None else [assumption]
        self.chances = (
            Chances()
            if parent is None or assumption is None
            else parent.chances_after(assumption.hit)
        )
        self.children: dict[int | None, SearchCopy] = {}
        self.question: OpenQuestion | None = None
        self.computing = True
        self.unformatted: bytes | None = None
        self.log: list[Report | Judged | SearchPlace] = []

    def ask(self, *, wants_verdicts: bool) -> OpenQuestion:
        """Wait at a new question."""
        self.computing = False
        self.question = OpenQuestion(wants_verdicts, self.chances.branch())
        return self.question

    def chances_after(self, hit: int | None) -> Chances:
        """Return the chances of what follows if `hit` is the answer to the question."""
        assert self.question is not None
        if hit is None:
            return self.question.chances.branch()
        after = self.chances.branch()
        for entry in self.question.awaited:
            after.note(entry.change, interesting=entry.index == hit)
            if entry.index == hit:
                break
        return after

    def judged(self) -> Iterator[Judged]:
        """Yield the texts of the question whose verdicts come next in order, and learn from them."""
        for judged in self.question.judged() if self.question else ():
            self.chances.note(judged.change, interesting=judged.verdict is Verdict.INTERESTING)
            yield judged

    def replace(self, parent: SearchCopy) -> None:
        """Take the place of the parent, whose question has the answer that this copy assumed."""
        self.log[:0] = parent.log
        self.given[:0] = parent.given
        self.parent, self.assumption = parent.parent, parent.assumption
        if self.parent is not None and self.assumption is not None:
            self.parent.children[self.assumption.hit] = self

    def path(self) -> list[Given]:
        """Return all that the search got from its beginning up to this copy."""
        return [*(self.parent.path() if self.parent else ()), *self.given]

    def all(self) -> Iterator[SearchCopy]:
        """Yield this copy and those below it, parents first."""
        yield self
        for child in list(self.children.values()):
            yield from child.all()

    def weigh(self, chance: float) -> None:
        """Set what is needed with which probability, if this copy is needed with `chance`."""
        question = self.question
        if question is None:
            return
        for entry in question.awaited:
            entry.need = chance
            interesting = entry.certainty
            if entry.index in self.children:
                self.children[entry.index].weigh(chance * interesting)
            chance *= 1 - interesting
        question.beyond = chance
        if None in self.children:
            self.children[None].weigh(chance)
