"""Runs of a Python program that stays loaded: warm ones for the search, cold ones for checks."""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from pollard.errors import OracleError
from pollard.executors.process import Runner
from pollard.executors.warm.python_programs import python_program
from pollard.executors.warm.side_thread import SideThread, SideWork
from pollard.executors.warm.trials import (
    MIN_SPEEDUP,
    TrialRuns,
    cold_runs,
    compared,
    warm_runs,
    without_rooms,
)
from pollard.oracle.warm.warm_runs import WarmRuns, WarmTrial, disagreement

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pollard.executors.process import Cells
    from pollard.executors.run_directories import RunDirectory
    from pollard.executors.warm.zygotes import Zygotes
    from pollard.oracle.command import CommandOracle
    from pollard.oracle.executor import Cancellable
    from pollard.oracle.shares import Share
    from pollard.oracle.verdict import Run

_MAX_LOST_RUNS = 3
_NO_PROGRAM = (
    "the command is no program of Python or Node.js that can be kept loaded, such as mypy, eslint, "
    "python -m TOOL or a script with its full path"
)


class WarmRunner(Runner):
    """A `Runner` whose runs are warm once a `trial` showed that they may be; any thread may call `run`.

    The runs whose output is wanted (`capture`) are those that check the original and prove texts. They
    are always cold, and so is a run whose zygote was lost.
    """

    def __init__(self, oracle: CommandOracle, filename: str, *, share: Share | None = None) -> None:
        """Raises `OracleError` as `Runner` does."""
        super().__init__(oracle, filename, share=share)
        self.is_warm = False
        self._lost_runs = 0
        self._zygotes = self._open_zygotes()
        self._side = SideThread(share)
        self._rehearsal: SideWork[TrialRuns] | None = None

    def rehearse(self, text: bytes) -> None:
        """Begin the warm runs of a trial; see `WarmExecutor`."""
        self.cool()
        if not self._refusal():
            self._rehearsal = self._side.begin(lambda stop: self._rehearsed(text, stop))

    def trial(
        self, text: bytes, cold: Sequence[Run], *, cancelled: Cancellable | None = None
    ) -> WarmTrial | None:
        """Compare warm runs with `cold` ones; see `WarmExecutor`.

        There is nothing to tell if the oracle does not ask for warm runs by name, and its command is
        none that can be kept.
        """
        if self._rehearsal is None:
            self.rehearse(text)
        refusal = self._refusal()
        if not refusal:
            try:
                trial = self._compared(text, cold, cancelled)
            except OracleError as error:
                self.cool()
                refusal = str(error).removesuffix(".")
            else:
                self._rehearsal = None  # it is over
                self.is_warm = trial.is_warm
                return trial
        is_asked_for = self.oracle.warm is WarmRuns.ON
        return WarmTrial(refusal=refusal) if is_asked_for or self._zygotes else None

    def difference(self, text: bytes, *, cancelled: Cancellable | None = None) -> str:
        """Run a text cold and warm, and return in what the runs differ, as the end of a sentence."""
        cold = self.run(text, cancelled=cancelled, capture=True)
        try:
            warm = self._warm(text, cancelled)
        except OracleError:
            return "there is no warm run any more"
        return disagreement(cold, warm, output=False) or "they agree when both are repeated"

    def misses(self, text: bytes, *, cancelled: Cancellable | None = None) -> bool:  # noqa: ARG002
        """Return False: every run has a new copy of a process that never saw a candidate."""
        return False

    def cool(self) -> None:
        """Make all further runs cold; see `WarmExecutor`."""
        if self._rehearsal is not None:
            self._side.stop()
            self._rehearsal = None
        self.is_warm = False
        if self._zygotes is not None:
            self._zygotes.close()

    def close(self) -> None:
        """End the zygotes, and remove the temporary root; no run may be in progress."""
        self.cool()
        self._side.close()
        super().close()

    def _open_zygotes(self) -> Zygotes | None:
        program = python_program(self._prepared) if sys.platform == "linux" else None
        if program is None:
            return None
        from pollard.executors.warm.zygotes import Zygotes  # noqa: PLC0415 (only on Linux)

        return Zygotes(
            program,
            self._sandboxes,
            self._variables,
            self._arguments,
            stdin=self.oracle.stdin,
        )

    def _arguments(self, directory: RunDirectory) -> list[bytes]:
        words = self._prepared.arguments(directory.file, directory.folder)
        return [os.fsencode(word) for word in words]

    def _refusal(self) -> str:
        """Return why there can be no warm runs, without a run; "" if there can."""
        if sys.platform != "linux":
            return "only Linux has what warm runs need"
        if self._zygotes is None:
            return _NO_PROGRAM
        if self.oracle.runs_required != (1, 1):
            return "the failure shows only sometimes, and warm runs share the seed of their hashes"
        parts = os.fsdecode(self._environment.get(b"PYTHONPATH", b"/")).split(os.pathsep)
        if not all(map(os.path.isabs, parts)):
            return "PYTHONPATH has a relative path, which means something else in each run"
        return ""

    def _compared(
        self, text: bytes, cold: Sequence[Run], cancelled: Cancellable | None
    ) -> WarmTrial:
        """Compare cold runs with those of the rehearsal. Raises `OracleError` if that is impossible.

        Runs that are wrong since their zygotes went ahead are tried again without that.
        """
        zygotes, rehearsal = self._zygotes, self._rehearsal
        assert zygotes is not None
        assert rehearsal is not None
        whole_cold = cold_runs(
            text,
            [without_rooms(run, self.root) for run in cold],
            lambda candidate: without_rooms(
                self.run(candidate, cancelled=cancelled, capture=True), self.root
            ),
        )
        speedup = MIN_SPEEDUP if self.oracle.warm is WarmRuns.AUTO else 0.0
        trial = compared(whole_cold, rehearsal.result(cancelled), speedup=speedup)
        if trial.is_warm or not zygotes.go_ahead:
            return trial
        zygotes.close()
        zygotes.go_ahead = False
        again = compared(whole_cold, self._warm_runs(text, cancelled), speedup=speedup)
        return replace(again, runs=trial.runs + again.runs - whole_cold.count)

    def _rehearsed(self, text: bytes, cancelled: Cancellable) -> TrialRuns:
        """Record what a run imports, and carry out the warm runs of a trial. Raises `OracleError`."""
        zygotes = self._zygotes
        assert zygotes is not None
        self._warm(text, cancelled, lambda directory: zygotes.recording(directory, cancelled))
        runs = self._warm_runs(text, cancelled)
        return replace(runs, count=runs.count + 1)

    def _warm_runs(self, text: bytes, cancelled: Cancellable | None) -> TrialRuns:
        return warm_runs(
            text, lambda candidate: without_rooms(self._warm(candidate, cancelled), self.root)
        )

    def _warm(self, text: bytes, cancelled: Cancellable | None, cells: Cells | None = None) -> Run:
        return super()._run_filled(
            lambda directory: directory.fill(text),
            cancelled,
            capture=True,
            cells=cells or self._cells(cancelled),
        )

    def _cells(self, cancelled: Cancellable | None) -> Cells:
        zygotes = self._zygotes
        assert zygotes is not None
        return lambda directory: zygotes.cell(directory, cancelled)

    def _run_filled(
        self,
        fill: Callable[[RunDirectory], None],
        cancelled: Cancellable | None,
        *,
        capture: bool,
        cells: Cells | None = None,
    ) -> Run:
        if self.is_warm and not capture:
            with contextlib.suppress(OracleError):
                return super()._run_filled(
                    fill, cancelled, capture=False, cells=self._cells(cancelled)
                )
            self._lost_runs += 1
            self.is_warm = self._lost_runs < _MAX_LOST_RUNS
        return super()._run_filled(fill, cancelled, capture=capture, cells=cells)
