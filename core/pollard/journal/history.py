"""The accepted texts of a reduction, from the original to the best, and the best of them."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from pollard import other_failures
from pollard.journal.journal import Journal, JournalHeader, require_same
from pollard.journal.recording import JournalError, Repetition, StepCost, unwritable
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pollard.oracle import OtherFailure


class History:
    """The texts that a reduction has accepted, and the best of them.

    A resumed reduction starts from the original again. The search is deterministic and its verdicts
    are cached, so it accepts the recorded texts one by one without running the oracle, and ends as
    if it had not been interrupted. Until it has accepted them all, `best` is the best recorded text.
    """

    def __init__(self, original: bytes) -> None:
        self.original = original
        self.best = original
        self._journal: Journal | None = None
        self._repetition: Repetition[bytes] | None = None
        self._temporary: tempfile.TemporaryDirectory[str] | None = None

    @property
    def count(self) -> int:
        """How many texts this search has accepted, including those that it repeats."""
        return self._repetition.count if self._repetition else 0

    @property
    def earlier(self) -> StepCost:
        """What the sessions before this one cost."""
        return self._repetition.earlier if self._repetition else StepCost()

    @earlier.setter
    def earlier(self, cost: StepCost) -> None:
        assert self._repetition is not None
        self._repetition.earlier = cost

    def keep(self, directory: Path | None, header: JournalHeader, *, resume: bool) -> None:
        """Start a journal in `directory` (None: a temporary one), or *resume* the one there.

        Raises JournalError if it cannot be written, or if the interrupted reduction had another
        text or header.
        """
        if directory is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="pollard-journal-")
            directory = Path(self._temporary.name)
        if resume:
            self._journal = Journal.load(directory)
            self._require_same(self._journal, header)
            self._journal.cut(self._journal.count)
            self.best = self._journal.best
        else:
            self._journal = Journal.begin(directory, header, self.original)
        self._repetition = Repetition(self._journal)

    def _require_same(self, journal: Journal, header: JournalHeader) -> None:
        if journal.original != self.original:
            message = (
                "The file has changed since it was interrupted; begin anew instead of resuming."
            )
            raise JournalError(message)
        require_same(journal.header, header)

    def accept(self, text: bytes, cost: StepCost | None = None) -> bool:
        """Record an accepted text; return False if it only repeats a recorded one.

        `cost` is that of this session up to now.
        """
        assert self._repetition is not None
        if not self._repetition.accept(text, cost):
            return False
        if not self._repetition.diverged or size(text) <= size(self.best):
            self.best = text
        return True

    def backwards(self) -> Iterator[bytes]:
        """Yield the best text, earlier ones (1, 2, 4, ... steps back), and finally the original."""
        assert self._journal is not None
        yield self.best
        yield from self._before(self._journal.count)

    @property
    def reached(self) -> bytes:
        """The text that this search has reached, even if a better one is recorded."""
        assert self._journal is not None
        return self._journal.text(self.count) if self.count else self.original

    def before_reached(self) -> Iterator[bytes]:
        """Yield texts 1, 2, 4, ... steps before the one that is reached, and finally the original."""
        return self._before(self.count)

    def _before(self, number: int) -> Iterator[bytes]:
        assert self._journal is not None
        step = 1
        while step < number:
            yield self._journal.text(number - step)
            step *= 2
        if number:
            yield self.original

    def go_back_to(self, text: bytes) -> None:
        """Make an earlier text the best one."""
        assert self._journal is not None
        self._journal.append(text)
        self.best = text

    def return_to(self, text: bytes, cost: StepCost) -> None:
        """Go on from an earlier text; a resumed reduction does so at the same place."""
        assert self._repetition is not None
        if self._repetition.accept(text, cost):
            self.best = text

    def keep_others(self, others: Sequence[OtherFailure]) -> None:
        """Write other failures beside the journal. Raises JournalError if that is impossible."""
        assert self._journal is not None
        try:
            other_failures.save(self._journal.directory, others)
        except OSError as error:
            raise unwritable(self._journal.directory, error) from error

    def close(self) -> None:
        """Close the journal, and remove a temporary one."""
        if self._journal is not None:
            self._journal.close()
        if self._temporary is not None:
            self._temporary.cleanup()
