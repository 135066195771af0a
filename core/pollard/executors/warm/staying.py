"""What executors have in common whose processes stay, and are asked about many candidates."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from pollard.errors import OracleError
from pollard.executors.invocation import RUN_VARIABLE, default_memory_limit
from pollard.executors.process import judged
from pollard.executors.run_directories import RunDirectories
from pollard.executors.sandbox import Sandboxes
from pollard.executors.timeouts import settled
from pollard.executors.warm.side_thread import SideThread, SideWork
from pollard.executors.warm.trials import TrialRuns, cold_runs, compared, warm_runs
from pollard.oracle.command import prepare
from pollard.oracle.executor import MAX_TIMEOUT_SECONDS
from pollard.oracle.shares import turn_of
from pollard.oracle.verdict import Verdict
from pollard.oracle.warm.warm_runs import WarmTrial, disagreement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pollard.executors.run_directories import RunDirectory
    from pollard.oracle.command import CommandOracle
    from pollard.oracle.executor import Cancellable
    from pollard.oracle.shares import Share
    from pollard.oracle.verdict import Outcome, Run


class Closable(Protocol):
    """A process that stays, with its directory."""

    def close(self) -> None:
        """End it and give its directory back."""


P = TypeVar("P", bound=Closable)
S = TypeVar("S", bound="StayingExecutor[Any]")


class StayingExecutor(Generic[P]):
    """Keeps the processes of an oracle that are free; a subclass starts them and asks them.

    Any thread may use it. Each thread that runs at the same time has a process of its own. The runs
    whose output is wanted (`capture`) are those that check and prove: each has a new process, which
    cannot remember another text. So have all runs unless `is_warm`; see `WarmExecutor`.
    """

    _output_counts: ClassVar[bool] = True
    """Whether processes that stay must print in a trial what new ones print."""

    def __init__(self, oracle: CommandOracle, filename: str, *, share: Share | None = None) -> None:
        """Raises `OracleError` if the command or one of the oracle's files does not exist."""
        self.oracle = oracle
        self.timeout = oracle.timeout or MAX_TIMEOUT_SECONDS
        self._share = share
        self._prepared = prepare(oracle.command, oracle.workspace, stdin=True)
        self._directories = RunDirectories(oracle.inside / filename, oracle.companions)
        self._sandboxes = Sandboxes(oracle.sandbox, self._directories.root, self._prepared.paths())
        self._environment = self._sandboxes.environment()
        self._lock = threading.Lock()
        self._free: list[P] = []
        self._min_speedup = 0.0
        self._side = SideThread(share)
        self._rehearsal: SideWork[TrialRuns] | None = None
        self.is_warm = False

    def run(
        self, text: bytes, *, cancelled: Cancellable | None = None, capture: bool = False
    ) -> Run:
        """Ask about a text; see `Executor.run`."""
        return self._run(text, cancelled, fresh=capture or not self.is_warm)

    def rehearse(self, text: bytes) -> None:
        """Begin to ask a process that stays what a trial asks; see `WarmExecutor`."""
        self.cool()
        self._rehearsal = self._side.begin(
            lambda stop: warm_runs(text, lambda asked: self._run(asked, stop, fresh=False))
        )

    def trial(
        self, text: bytes, cold: Sequence[Run], *, cancelled: Cancellable | None = None
    ) -> WarmTrial:
        """Compare the answers of a process that stays with those of new ones; see `WarmExecutor`."""
        if self._rehearsal is None:
            self.rehearse(text)
        assert self._rehearsal is not None
        output = self._output_counts
        try:
            new = cold_runs(
                text, cold, lambda asked: self._run(asked, cancelled, fresh=True), output=output
            )
            kept = self._rehearsal.result(cancelled)
            trial = compared(new, kept, speedup=self._min_speedup, output=output)
        except OracleError as error:
            self.cool()
            trial = WarmTrial(refusal=str(error).removesuffix("."))
        self._rehearsal = None  # it is over
        self.is_warm = trial.is_warm
        return trial

    def difference(self, text: bytes, *, cancelled: Cancellable | None = None) -> str:
        """Ask a new and an old process about a text; see `WarmExecutor`."""
        cold = self._run(text, cancelled, fresh=True)
        warm = self._run(text, cancelled, fresh=False)
        return disagreement(cold, warm, output=False) or "they agree when both are repeated"

    def misses(self, text: bytes, *, cancelled: Cancellable | None = None) -> bool:
        """Ask each process that has answered before about a proved text; see `WarmExecutor`.

        A candidate may have changed what its process remembers, so that it finds no failure any more.
        """
        asked: list[P] = []
        with self._lock:
            waiting, self._free = self._free, []
        try:
            while waiting:
                self._keep(waiting.pop())  # the only one that is free
                if not self._finds(text, cancelled):
                    return True
                asked += filter(None, [self._kept()])
        finally:
            for process in (*waiting, *asked):
                self._keep(process)
        return False

    def cool(self) -> None:
        """Start a new process for each further run; see `WarmExecutor`."""
        if self._rehearsal is not None:
            self._side.stop()
            self._rehearsal = None
        self.is_warm = False
        self._close_free()

    @property
    def sandbox_warning(self) -> str:
        """A sentence about what runs may do although the oracle's policy forbids it; "" if nothing."""
        return self._sandboxes.warning

    def fingerprint(self) -> str:
        """Return the oracle's fingerprint."""
        return self.oracle.fingerprint()

    def close(self) -> None:
        """End all processes and remove their directories; no run may be in progress."""
        self._side.close()
        self._close_free()
        self._sandboxes.close()
        self._directories.close()

    def __enter__(self: S) -> S:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def _memory(self) -> int:
        """The most bytes that a process may have."""
        return min(self.oracle.memory or default_memory_limit(), default_memory_limit())

    def _outcome(self, text: bytes, cancelled: Cancellable | None, *, fresh: bool) -> Outcome:
        """Ask a process about a text: a `fresh` one, or one that may have answered before."""
        raise NotImplementedError

    def _run(self, text: bytes, cancelled: Cancellable | None, *, fresh: bool) -> Run:
        """Ask when it is this oracle's turn, and judge the outcome."""

        def asked() -> Outcome:
            outcome = self._outcome(text, cancelled, fresh=fresh)
            self._sandboxes.check_server(outcome)
            return outcome

        def run_once(*, alone: bool) -> Run:
            with turn_of(self._share, cancelled, alone=alone) as waited:
                outcome = self._sandboxes.started(asked)
            return judged(self.oracle, outcome, waited)

        return settled(run_once, self.timeout)

    def _finds(self, text: bytes, cancelled: Cancellable | None) -> bool:
        """Return whether a process that stays finds the failure, in one of `n` runs."""
        _, n = self.oracle.runs_required
        try:
            return any(
                self._run(text, cancelled, fresh=False).verdict is Verdict.INTERESTING
                for _ in range(n)
            )
        except OracleError:
            return False

    def _kept(self) -> P | None:
        """Take a process that is free, if there is one."""
        with self._lock:
            return self._free.pop() if self._free else None

    def _keep(self, process: P) -> None:
        with self._lock:
            self._free.append(process)

    def _close_free(self) -> None:
        with self._lock:
            kept, self._free = self._free, []
        for each in kept:
            each.close()

    def _command(self, directory: RunDirectory) -> list[str]:
        """Return what starts a process in a directory, in its sandbox."""
        _, *arguments = self._prepared.arguments(directory.file, directory.folder)
        program = self._prepared.program_for(directory.file, directory.folder)
        wrapper = self._sandboxes.wrapper_of_server(directory.room, directory.directory)
        return [*wrapper, program, *arguments]

    def _variables(self, directory: RunDirectory, mark: str) -> dict[bytes, bytes]:
        """Return the environment of a process; `mark` is its POLLARD_RUN."""
        return {
            **self._environment,
            **self._sandboxes.caches(directory.cache),
            **directory.variables,
            RUN_VARIABLE.encode(): mark.encode(),
        }
