"""What is on each worker: an oracle, the executor that runs it there, and the runs in progress."""

from __future__ import annotations

import asyncio
import functools
import hashlib
import shutil
import tempfile
import threading
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from distributed import WorkerPlugin, get_worker

from pollard.errors import Cancelled, OracleError
from pollard.executors.cluster.shipped_oracle import programs_of
from pollard.executors.run_directories import claim
from pollard.oracle.executor import CancelToken
from pollard.oracle.shares import Shares
from pollard.system import remove_tree

if TYPE_CHECKING:
    from typing import IO

    from distributed import Worker

    from pollard.executors.cluster.shipped_oracle import ShippedOracle
    from pollard.oracle import Executor, Run

_CLOSE_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class RemoteRun:
    """A run to carry out: the candidate, and its limit in seconds; see `Executor.run`."""

    text: bytes
    timeout: float
    capture: bool = False


@dataclass(frozen=True, slots=True)
class WorkerAnswer:
    """What a worker says about a run.

    - `run`: the run; None if it did not take place or was stopped
    - `error`: why the oracle cannot be run there, in one sentence; "" if it can
    - `seconds`: how long the worker was busy with it
    - `sandbox_warning`: see `Check`
    - `programs`: the programs of the command that the worker has, with a hash of each
    """

    run: Run | None = None
    error: str = ""
    seconds: float = 0.0
    sandbox_warning: str = ""
    programs: tuple[tuple[str, str], ...] = ()


class OracleOnWorker(WorkerPlugin):
    """Carries out the runs of one oracle on a worker, and kills those that nobody waits for.

    Dask sends it to every worker, also to those that join later. Its `name` belongs to one executor,
    and the keys of the runs begin with `prefix`.
    """

    def __init__(self, name: str, prefix: str, shipped: ShippedOracle) -> None:
        self.name = name
        self._prefix = prefix
        self._shipped = shipped

    def setup(self, worker: Worker) -> None:
        """Prepare for runs; nothing is written before the first one."""
        self._threads = worker.state.nthreads
        self._changed = threading.Condition()
        self._tokens: dict[str, CancelToken] = {}
        self._dropped: set[str] = set()
        self._closed = False
        self._opening = threading.Lock()
        self._executor: Executor | None = None
        self._folder: Path | None = None
        self._claim: IO[bytes] | None = None

    def transition(self, key: Any, start: str, finish: str, **_: object) -> None:
        """Kill a run in progress that Dask gives up: it was cancelled, or its client died."""
        if start != "executing" or finish in ("memory", "error"):
            return
        if not str(key).startswith(self._prefix):
            return
        with self._changed:
            token = self._tokens.get(key)
            if token is None:
                self._dropped.add(key)  # its thread has not come here yet
        if token is not None:
            token.set()

    async def teardown(self, worker: Worker) -> None:  # noqa: ARG002 (as Dask calls it)
        """Kill all runs, and remove what was written, before Dask goes on."""
        with self._changed:
            self._closed = True
            tokens = list(self._tokens.values())
        for token in tokens:
            token.set()
        await asyncio.to_thread(self._close)

    def run(self, key: str, wanted: RemoteRun) -> WorkerAnswer:
        """Run the oracle in the calling thread."""
        began = time.perf_counter()
        try:
            token = self._begin(key)
        except Cancelled:
            return WorkerAnswer()
        try:
            executor = self._opened()
            executor.timeout = wanted.timeout
            run = executor.run(wanted.text, cancelled=token, capture=wanted.capture)
        except Cancelled:
            return WorkerAnswer()
        except OracleError as error:
            return WorkerAnswer(error=str(error))
        finally:
            self._end(key)
        if not wanted.capture:  # it was judged here
            run = replace(run, stdout=b"", stderr=b"")
        warning = getattr(executor, "sandbox_warning", "")
        return WorkerAnswer(run, seconds=time.perf_counter() - began, sandbox_warning=warning)

    def programs(self) -> tuple[tuple[str, str], ...]:
        """Return the programs of the command that are on this worker's PATH, with their hashes."""
        found = ((word, shutil.which(word)) for word in programs_of(self._shipped.oracle))
        return tuple((word, _hash_of(Path(path).resolve())) for word, path in found if path)

    def _begin(self, key: str) -> CancelToken:
        with self._changed:
            if self._closed or key in self._dropped:
                self._dropped.discard(key)
                raise Cancelled("The run was not needed any more.")
            token = self._tokens[key] = CancelToken()
            return token

    def _end(self, key: str) -> None:
        with self._changed:
            del self._tokens[key]
            self._changed.notify_all()

    def _opened(self) -> Executor:
        """Return the executor, opened with the first run. Raises `OracleError`."""
        from pollard.executors import open_executor  # noqa: PLC0415 (imports this room)

        with self._opening:
            if self._executor is None:
                if self._folder is None:
                    self._folder = Path(tempfile.mkdtemp(prefix="pollard-")).resolve()
                    self._claim = claim(self._folder)
                oracle = self._shipped.unpacked(self._folder / "shipped")
                share = shares_of_worker(self._threads).share()
                self._executor = open_executor(oracle, self._shipped.filename, share=share)
            return self._executor

    def _close(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: not self._tokens, _CLOSE_SECONDS)
        if self._executor is not None:
            self._executor.close()
        if self._folder is not None and self._claim is not None:
            remove_tree(self._folder)
            self._claim.close()


@functools.cache
def shares_of_worker(threads: int) -> Shares:
    """Return what gives turns to all runs of this process, whichever reduction they belong to."""
    return Shares(threads)


def _hash_of(program: Path) -> str:
    try:
        return hashlib.blake2b(program.read_bytes(), digest_size=16).hexdigest()
    except OSError:
        return ""


def run_on_worker(
    name: str, key: str, wanted: RemoteRun, *, describe: bool = False
) -> WorkerAnswer:
    """Carry out a run on the worker that calls this, by the plug-in called `name`.

    With `describe`, the answer has the programs that the worker has.
    """
    plugin = get_worker().plugins.get(name)
    if not isinstance(plugin, OracleOnWorker):
        return WorkerAnswer(error="The worker did not get the oracle; start the worker again.")
    answer = plugin.run(key, wanted)
    return replace(answer, programs=plugin.programs()) if describe else answer
