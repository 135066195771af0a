"""Runs the search in a process of its own, whose judge asks the coordinator.

What follows here is the same whether the process came to be by a fork (`forked_process`) or repeats
what another one did (`replayed_process`). They differ in their `Link` to the coordinator.
"""

from __future__ import annotations

import contextlib
import pickle
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Protocol

from pollard.engine.statistics import Statistics, Tally
from pollard.errors import FormatterError, PollardError
from pollard.speculation.changes import Change, change
from pollard.speculation.messages import (
    Accepted,
    Asked,
    Offered,
    PassBegan,
    PassDone,
    PrintedText,
    SearchDone,
    Unformatted,
)
from pollard.syntax.grammars.languages import find

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pollard.engine.subject import Subject
    from pollard.oracle import Verdict
    from pollard.passes.searching import SearchPlan
    from pollard.speculation.messages import Answer, Begin, Report
    from pollard.syntax.tree.document import Document


class Link(Protocol):
    """The way to the coordinator. All methods raise OSError or EOFError if it is gone."""

    def report(self, report: Report) -> None:
        """Tell what the search does."""

    def answer(self, question: Question) -> Answer:
        """Return the answer to a question."""

    def printed(self, unformatted: Unformatted) -> PrintedText:
        """Return what the formatter prints for a text."""


def original(plan: SearchPlan) -> Document:
    """Return the document that the search begins with."""
    if plan.grammar is not None:
        with contextlib.suppress(PollardError):
            find(plan.grammar.name)  # names and islands ask which grammar a language is
    return plan.document(plan.text)


def search(begin: Begin, document: Document, link: Link) -> None:
    """Search once, and report the end. Raises what the methods of `link` raise."""
    judge = AskingJudge(link)
    try:
        note = _searched(begin, document, link, judge)
    except (EOFError, OSError):
        raise
    except Exception as error:
        link.report(SearchDone(judge.tally, error=_sendable(error)))
    else:
        link.report(SearchDone(judge.tally, note))


def _searched(begin: Begin, document: Document, link: Link, judge: AskingJudge) -> str | None:
    plan = begin.plan

    def accepted() -> None:
        judge.best = plan.file(subject)
        link.report(Accepted(judge.best, subject.level, replace(subject.tally)))

    def printed(text: bytes) -> bytes:
        answer = link.printed(Unformatted(text))
        if answer.text is None:
            raise FormatterError(answer.problem)
        return answer.text

    subject = plan.subject(document, judge, on_reduced=accepted)
    judge.subject, judge.best = subject, plan.file(subject)
    return plan.search(subject, _SentStatistics(link), printed if begin.formats else None)


def _sendable(error: Exception) -> Exception:
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # pickle raises what the objects raise
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


class AskingJudge:
    """Answers the questions of the search by asking the coordinator. `best` is the best text."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self.best = b""
        self.subject: Subject | None = None

    @property
    def tally(self) -> Tally:
        """A copy of what was counted so far."""
        return replace(self.subject.tally) if self.subject else Tally()

    @property
    def level(self) -> int:
        """Where in the tree the pass is."""
        return self.subject.level if self.subject else 0

    def first(
        self,
        texts: Iterable[bytes | None],
        on_verdict: Callable[[int, Verdict], None] | None = None,
        /,
    ) -> int | None:
        """Return the index of the first interesting text; see `Judge.first`."""
        question = Question(self, texts, wants_verdicts=on_verdict is not None)
        answer = self._link.answer(question)
        question.read_to(answer.hit)
        if on_verdict is not None:
            for index, verdict in answer.verdicts:
                on_verdict(index, verdict)
        return answer.hit


class Question:
    """A question of the search, whose texts are read one by one."""

    def __init__(
        self, judge: AskingJudge, texts: Iterable[bytes | None], *, wants_verdicts: bool
    ) -> None:
        self._judge = judge
        self._texts = iter(texts)
        self._wants_verdicts = wants_verdicts
        self._length = 0
        self._exhausted = False

    def asked(self) -> Asked:
        """Return the question with its first text."""
        level, tally = self._judge.level, self._judge.tally
        return Asked(self._wants_verdicts, level, tally, self.offered())

    def offered(self) -> Offered:
        """Read up to the next text that needs a run, and return what was read."""
        read: list[bytes | None] = []
        for text in self._texts:
            read.append(text)
            if text is not None:
                break
        else:
            self._exhausted = True
        self._length += len(read)
        last = read[-1] if read else None
        known = Change() if last is None else change(self._judge.best, last)
        return Offered(tuple(read), self._exhausted, self._judge.tally.guarded, known)

    def read_to(self, index: int | None) -> None:
        """Read as far as a search with one job reads: up to an index, or (None) to the end."""
        missing = None if index is None else max(index + 1 - self._length, 0)
        for _ in islice(self._texts, missing):
            self._length += 1


class _SentStatistics(Statistics):
    """Reports the beginnings and ends of passes to the coordinator, which measures them."""

    def __init__(self, link: Link) -> None:
        super().__init__()
        self._link = link

    @contextmanager
    def measuring(self, name: str, tally: Tally) -> Iterator[None]:
        """Report the beginning and the end of the body of the `with` statement."""
        self.current = name
        self._link.report(PassBegan(name, replace(tally)))
        yield
        self._link.report(PassDone(replace(tally)))
