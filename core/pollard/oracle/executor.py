"""What the judge and the check need of whatever carries out runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pollard.oracle.cancel import Cancellable
    from pollard.oracle.predicate import AnyOracle
    from pollard.oracle.verdict import Run

#: Seconds for a run while nothing is known about the oracle, and the most that Pollard chooses.
MAX_TIMEOUT_SECONDS = 300.0


class Executor(Protocol):
    """Carries out runs of one oracle; any thread may call `run`. See `pollard.executors`.

    `timeout` is the limit of a run in seconds. The check of the original sets it.
    """

    timeout: float

    @property
    def oracle(self) -> AnyOracle:
        """The oracle that is run."""

    def run(
        self, text: bytes, *, cancelled: Cancellable | None = None, capture: bool = False
    ) -> Run:
        """Run the oracle on `text`; `capture` keeps the output even if no criterion needs it.

        Raises `Cancelled` once `cancelled` is set (`NotBegun` if nothing was started), with nothing of
        the run left; and `OracleError` if the run could not take place.
        """

    def fingerprint(self) -> str | None:
        """Return a hash of all that decides a verdict except candidate and timeout.

        None if there is no such hash: verdicts must then not outlive the reduction.
        """

    def close(self) -> None:
        """Release what the runs shared; no run may be going on."""

    def __enter__(self) -> Executor: ...

    def __exit__(self, *_: object) -> None: ...
