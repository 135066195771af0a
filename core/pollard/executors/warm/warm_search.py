"""A search by warm runs, for as long as cold runs confirm what it accepts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.oracle.warm.proving import Disproved, Proofs

if TYPE_CHECKING:
    from collections.abc import Callable

    from pollard.executors.warm.trials import WarmExecutor
    from pollard.oracle.executor import Cancellable


class WarmSearch:
    """What a reduction does because its runs are warm."""

    def __init__(
        self,
        executor: WarmExecutor,
        original: bytes,
        holds: Callable[[bytes], bool],
        cancelled: Cancellable,
    ) -> None:
        """`holds` runs a text cold, and returns whether it shows the failure."""
        self._executor = executor
        self._cancelled = cancelled
        self._proofs = Proofs(original, holds)

    def accepted(self, text: bytes) -> None:
        """Prove an accepted text if it is its turn. Raises `Disproved`."""
        self._proofs.accepted(text)

    def holds(self, text: bytes) -> bool:
        """Prove the best text; return True. Raises `Disproved`.

        It also raises that if a process that stays misses the failure of this text: it may have missed
        others, and the search would end too early.
        """
        self._proofs.prove(text)
        if self._executor.misses(text, cancelled=self._cancelled):
            raise Disproved(text)
        return True

    def end(self, disproved: bytes) -> tuple[bytes, str]:
        """Make all further runs cold; return the last proved text, and a note for the user."""
        proved = self._proofs.proved
        difference = self._executor.difference(disproved, cancelled=self._cancelled)
        self._executor.cool()
        return proved, (
            f"Cold runs do not confirm the warm ones: for an accepted text of {len(disproved)} bytes "
            f"{difference}. The search went back to a text of {len(proved)} bytes that a cold run "
            "confirmed, and went on with cold runs."
        )

    def doubts(self, result: bytes) -> list[str]:
        """Return the note that the result of a cancelled search needs."""
        if result == self._proofs.proved:
            return []
        return ["The result is one of warm runs, and was not proved by a cold run before the end."]
