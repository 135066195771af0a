"""A search by warm runs, for as long as cold runs confirm what it accepts."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from pollard.errors import PollardError
from pollard.executors.warm.side_thread import SideThread, SideWork
from pollard.oracle.warm.proving import Disproved, Proofs

if TYPE_CHECKING:
    from collections.abc import Callable

    from pollard.executors.warm.trials import WarmExecutor
    from pollard.oracle.executor import Cancellable
    from pollard.oracle.shares import Share

    Prove = Callable[[bytes, Cancellable], Callable[[], bool]]


class _SideProof:
    """A proof in another thread."""

    def __init__(self, work: SideWork[Callable[[], bool]], cancelled: Cancellable) -> None:
        self._work = work
        self._cancelled = cancelled

    def is_over(self) -> bool:
        """Return whether `holds` need not wait."""
        return self._work.is_over()

    def holds(self) -> bool:
        """Wait; return whether the text shows the failure. Raises what the run does."""
        return self._work.result(self._cancelled)()


class WarmSearch:
    """What a reduction does because its runs are warm.

    Proofs take place in a thread of their own, beside the runs of the search.
    """

    def __init__(
        self,
        executor: WarmExecutor,
        original: bytes,
        prove: Prove,
        cancelled: Cancellable,
        share: Share | None,
    ) -> None:
        """`prove` runs a text cold, in that thread, until a flag is set.

        It returns a function to be called in the thread of the search, which notes the runs and returns
        whether they showed the failure.
        """
        self._executor = executor
        self._prove = prove
        self._cancelled = cancelled
        self._side = SideThread(share)
        self._proofs = Proofs(original, self._begin)

    def accepted(
        self, text: bytes, keep: Callable[[], None], take_back: Callable[[], None]
    ) -> None:
        """Begin to prove an accepted text if it is its turn; see `Proofs.accepted`."""
        self._proofs.accepted(text, keep, take_back)

    def settle(self, *, wait: bool = False) -> None:
        """Keep the texts that proofs no longer hold back; see `Proofs.settle`."""
        self._proofs.settle(wait=wait)

    def prove(self, best: Callable[[], bytes]) -> None:
        """Prove the result, beside proofs that are in progress. Raises `Disproved`.

        It also raises that if a process that stays misses the failure of this text: it may have missed
        others, and the search would end too early. `best` returns the best text that was kept.
        """
        text = self._proofs.last_accepted(best())
        holds = self._prove(text, self._cancelled)
        self._proofs.settle(wait=True)
        if best() != text:  # what a resumed reduction knows may be smaller
            text = best()
            holds = self._prove(text, self._cancelled)
        if not holds():
            raise Disproved(text)
        self._proofs.proved = text
        if self._executor.misses(text, cancelled=self._cancelled):
            raise Disproved(text)

    def end(self, disproved: bytes) -> tuple[bytes, str]:
        """Make all further runs cold; return the last proved text, and a note for the user."""
        self._side.close()
        proved = self._proofs.proved
        difference = self._executor.difference(disproved, cancelled=self._cancelled)
        self._executor.cool()
        return proved, (
            f"Cold runs do not confirm the warm ones: for an accepted text of {len(disproved)} bytes "
            f"{difference}. The search went back to a text of {len(proved)} bytes that a cold run "
            "confirmed, and went on with cold runs."
        )

    def close(self) -> None:
        """Stop the proofs, and keep what the search accepted unless one of them has failed."""
        self._side.close()
        with contextlib.suppress(Disproved, PollardError):
            self._proofs.settle()
        with contextlib.suppress(PollardError):
            self._proofs.keep_all()

    def doubts(self, result: bytes) -> list[str]:
        """Return the note that the result of a cancelled search needs."""
        if result == self._proofs.proved:
            return []
        return ["The result is one of warm runs, and was not proved by a cold run before the end."]

    def _begin(self, text: bytes) -> _SideProof:
        work = self._side.begin(lambda stop: self._prove(text, stop))
        return _SideProof(work, self._cancelled)
