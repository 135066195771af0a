"""The accepted texts of a reduction, from the original to the best, and their journal on disk."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from pollard.journal import Journal, JournalError
from pollard.syntax.sizes import size

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.journal import Terms


class History:
    """What was accepted so far.

    A resumed reduction starts from the original again and meets the recorded texts one by one, since
    the search is deterministic and its verdicts are in the cache: so it ends as it would have without
    the interruption, and pays for nothing twice. Until it has passed them, `best` stays the best of
    the recorded ones.
    """

    def __init__(self, original: bytes) -> None:
        self.original = original
        self.best = original
        self.count = 0
        self._journal: Journal | None = None
        self._recorded: Iterator[bytes] = iter(())
        self._diverged = False
        self._temporary: tempfile.TemporaryDirectory[str] | None = None

    def keep(self, directory: Path | None, terms: Terms, *, resume: bool) -> None:
        """Keep the journal in `directory` (None: in a temporary one), or go on with the one there.

        Raises JournalError if it cannot be written, or is not that of an interrupted reduction of
        the same text on the same terms.
        """
        if directory is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="pollard-journal-")
            directory = Path(self._temporary.name)
        if not resume:
            self._journal = Journal.begin(directory, terms, self.original)
            return
        self._journal = Journal.load(directory)
        self._require_same(self._journal, terms)
        self._journal.cut(self._journal.count)
        self.best = self._journal.best
        self._recorded = self._journal.texts()

    def _require_same(self, journal: Journal, terms: Terms) -> None:
        if journal.original != self.original:
            message = (
                "The file has changed since it was interrupted; begin anew instead of resuming."
            )
            raise JournalError(message)
        changed = journal.terms.differences(terms)
        if changed:
            message = (
                f"The interrupted reduction had another {' and another '.join(changed)}; "
                "use the same again or begin anew instead of resuming."
            )
            raise JournalError(message)

    def accept(self, text: bytes) -> bool:
        """Take note of an accepted text; tell whether it is new, and not one met again."""
        assert self._journal is not None
        self.count += 1
        recorded = next(self._recorded, None)
        if recorded == text:
            return False
        if recorded is not None:
            self._diverge()
        self._journal.append(text)
        if not self._diverged or size(text) <= size(self.best):
            self.best = text
        return True

    def _diverge(self) -> None:
        """Forget the recorded texts that were not met again: something is not deterministic."""
        assert self._journal is not None
        self._diverged = True
        self._recorded = iter(())
        self._journal.cut(self.count - 1)

    def backwards(self) -> Iterator[bytes]:
        """Yield the best text, then earlier and earlier ones in growing steps, then the original."""
        assert self._journal is not None
        total = self._journal.count
        yield self.best
        step = 1
        while step < total:
            yield self._journal.text(total - step)
            step *= 2
        if total:
            yield self.original

    def go_back_to(self, text: bytes) -> None:
        """Make an earlier text the best one again."""
        assert self._journal is not None
        self._journal.append(text)
        self.best = text

    def close(self) -> None:
        """Close the journal; a temporary one is removed."""
        if self._journal is not None:
            self._journal.close()
        if self._temporary is not None:
            self._temporary.cleanup()
