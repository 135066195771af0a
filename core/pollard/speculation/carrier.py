"""What carries the search: how its copies come to be, and how the coordinator talks with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from pollard.speculation.modes import Copying, way_of_copying

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pollard.passes.searching import SearchPlan
    from pollard.speculation.copies import SearchCopy
    from pollard.speculation.messages import Given, Told


class Carrier(Protocol):
    """Runs the copies of one search in processes. `wake` may be called from anywhere."""

    def begin(self, plan: SearchPlan, *, formats: bool) -> SearchCopy:
        """Begin to search, and return the real copy."""

    def can_go_on(self, copy: SearchCopy, chance: float) -> bool:
        """Return whether a copy that waits can read a text that is needed with such a probability."""

    def can_assume(self, copy: SearchCopy, chance: float) -> bool:
        """Return whether another copy can go on from there that is needed with such a probability."""

    def read_on(self, copy: SearchCopy) -> None:
        """Let a copy read the next text of its question. Raises OSError if that cannot be."""

    def assume(self, copy: SearchCopy, hit: int | None) -> SearchCopy:
        """Return a new copy that goes on from an open question as if `hit` were the answer.

        Raises OSError if there can be none.
        """

    def give(self, copy: SearchCopy, given: Given) -> bool:
        """Let a copy go on with what it waits for; return False if no process can, yet.

        Raises OSError if its process is gone.
        """

    def can_replace(self, copy: SearchCopy) -> bool:
        """Return whether a copy can take the place of its parent."""

    def replaced(self, parent: SearchCopy, copy: SearchCopy) -> None:
        """Note that a copy has taken the place of its parent."""

    def end(self, copy: SearchCopy) -> None:
        """End a copy that is not needed."""

    def wait(self) -> Iterable[tuple[SearchCopy, Told | None]]:
        """Wait for messages or `wake`, and yield them; None is that of a copy whose process died."""

    def wake(self) -> None:
        """End `wait`; from any thread or signal handler."""

    def close(self) -> None:
        """End all processes, and return when there are none."""


def open_carrier(jobs: int) -> Carrier:
    """Return what carries a search with so many jobs. Raises OSError if no process can be started."""
    if way_of_copying() is Copying.FORKED:
        from pollard.speculation.forking import ForkingCarrier  # noqa: PLC0415 (only on Linux)

        return ForkingCarrier(jobs)
    from pollard.speculation.replaying import ReplayingCarrier  # noqa: PLC0415

    return ReplayingCarrier(jobs)
