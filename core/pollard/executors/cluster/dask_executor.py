"""Runs of an oracle on the workers of a Dask cluster."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import re
import threading
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from pollard.errors import Cancelled, OracleError
from pollard.executors.cluster.admission import Admission
from pollard.executors.cluster.scheduler_connection import connect, is_connected
from pollard.executors.cluster.shipped_oracle import ShippedOracle
from pollard.oracle.executor import FLAG_PERIOD_SECONDS, MAX_TIMEOUT_SECONDS
from pollard.oracle.shares import turn_of

if TYPE_CHECKING:
    from distributed import Future

    from pollard.executors.cluster.worker_plugin import RemoteRun, WorkerAnswer
    from pollard.oracle import Cancellable, CommandOracle, Run, Share

# A run that was so often lost with its worker is the reason why workers die.
_MAX_LOSSES = 12
_LOSSES_UNTIL_DASK_GIVES_UP = 4
_CLOSE_SECONDS = 5.0
_FETCH_SECONDS = 2.0
# Begins the key of each run; Dask groups its statistics by it.
_RUN = "pollard_run"
# The name of a plug-in, with that of the client that registered it.
_OWNER = re.compile("pollard-(.*)-[0-9a-f]{32}")


class DaskExecutor:
    """Sends runs to the workers of a cluster; any thread may call `run`.

    `Runner` explains what happens there. Each run takes a turn of `share`, which limits the runs in
    flight.
    """

    def __init__(
        self,
        oracle: CommandOracle,
        filename: str,
        *,
        share: Share | None = None,
    ) -> None:
        """Connect to the oracle's cluster, and ship the oracle to all workers.

        Raises `OracleError` if that fails, or if a worker is not like this machine.
        """
        assert oracle.cluster is not None
        self.oracle = oracle
        self.timeout = oracle.timeout or MAX_TIMEOUT_SECONDS
        self.sandbox_warning = ""
        self._scheduler = str(oracle.cluster)
        self._share = share
        self._numbers = itertools.count(1)
        shipped = ShippedOracle.of(oracle, filename)
        self._client = connect(oracle.cluster)
        token = uuid4().hex
        self._name = f"pollard-{self._client.id}-{token}"
        self._prefix = f"{_RUN}-{token}"
        self._admission = Admission(self._client)
        try:
            self._ship(shipped)
        except BaseException:
            self.close()
            raise

    def _ship(self, shipped: ShippedOracle) -> None:
        from pollard.executors.cluster.worker_plugin import OracleOnWorker  # noqa: PLC0415 (loads Dask)

        self._admission.begin()
        try:
            self._forget_the_dead()
            self._client.register_plugin(OracleOnWorker(self._name, self._prefix, shipped))
        except Exception as error:
            message = f"The oracle cannot be sent to the workers of {self._scheduler}: {error}"
            raise OracleError(message) from error

    def _forget_the_dead(self) -> None:
        """Remove from the workers what a process left there that was killed."""
        plugins, clients = self._client.run_on_scheduler(
            # A lambda, since the scheduler need not have Pollard.
            lambda dask_scheduler: ([*dask_scheduler.worker_plugins], [*dask_scheduler.clients])
        )
        for name in plugins:
            found = _OWNER.fullmatch(name)
            if found and found[1] not in clients:
                self._client.unregister_worker_plugin(name)

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for the user about workers that differ from the others."""
        return tuple(self._admission.notes)

    def compare_workers(self, text: bytes, cancelled: Cancellable | None = None) -> None:
        """Run the original once on every worker, and make sure that all see the same.

        Raises `OracleError` that names a worker if they do not, and `Cancelled`.
        """
        self._admission.compare(partial(self._run_on, self._remote(text, capture=True)), cancelled)
        self._require_scheduler()

    def run(
        self, text: bytes, *, cancelled: Cancellable | None = None, capture: bool = False
    ) -> Run:
        """Run the oracle on `text` on one of the workers; see `Executor.run`.

        `Cancelled` is raised at once. The worker kills the run as soon as Dask tells it, and `close`
        waits for that.
        """
        with turn_of(self._share, cancelled) as waited:
            began = time.perf_counter()
            answer = self._answer(self._remote(text, capture=capture), cancelled)
            seconds = time.perf_counter() - began
        if answer.run is None:
            raise OracleError(answer.error)
        self.sandbox_warning = self.sandbox_warning or answer.sandbox_warning
        # All that is not the worker's time is a wait: for the network, and for a free worker.
        on_the_way = max(seconds - answer.seconds, 0.0)
        return replace(answer.run, waited=waited + on_the_way + answer.run.waited)

    def fingerprint(self) -> str:
        """Return a hash of the oracle and of the programs that the workers have."""
        of_workers = repr(("cluster", self._admission.programs))
        text = self.oracle.fingerprint() + of_workers
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    def close(self) -> None:
        """Kill all runs, remove what was written on the workers, and end the connection.

        A scheduler or a worker that does not answer is waited for no longer than some seconds.
        """
        self._admission.close()
        # Dask has no limit of its own for what all workers must answer.
        leaving = threading.Thread(target=self._leave, daemon=True)
        leaving.start()
        leaving.join(_CLOSE_SECONDS)

    def _leave(self) -> None:
        with contextlib.suppress(Exception):  # the scheduler or a worker may be lost
            if is_connected(self._client):
                self._client.unregister_worker_plugin(self._name)
        with contextlib.suppress(Exception):
            self._client.close(timeout=_CLOSE_SECONDS)

    def __enter__(self) -> DaskExecutor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _remote(self, text: bytes, *, capture: bool) -> RemoteRun:
        from pollard.executors.cluster.worker_plugin import RemoteRun  # noqa: PLC0415 (loads Dask)

        return RemoteRun(text, self.timeout, capture)

    def _answer(self, wanted: RemoteRun, cancelled: Cancellable | None) -> WorkerAnswer:
        """Return the answer of a worker; a run that is lost with its worker is repeated."""
        from distributed import KilledWorker  # noqa: PLC0415 (optional)

        losses = 0
        while losses < _MAX_LOSSES:
            try:
                with self._admission.place(cancelled) as worker:
                    self._require_scheduler()
                    if not worker:
                        continue
                    answer = self._submitted(wanted, worker, cancelled)
            except KilledWorker:
                losses += _LOSSES_UNTIL_DASK_GIVES_UP
                continue
            if answer is not None and (answer.run or answer.error):
                return answer
            losses += 1
        message = (
            f"A candidate was lost {losses} times with the worker that ran it; limit the memory of a "
            "run with --memory, and go on with --resume."
        )
        raise OracleError(message)

    def _run_on(
        self, wanted: RemoteRun, worker: str, cancelled: Cancellable | None
    ) -> WorkerAnswer | None:
        """Return the answer of one worker; None if it is lost."""
        from distributed import KilledWorker  # noqa: PLC0415 (optional)

        try:
            return self._submitted(wanted, worker, cancelled, describe=True)
        except KilledWorker:
            return None

    def _submitted(
        self,
        wanted: RemoteRun,
        worker: str,
        cancelled: Cancellable | None,
        **options: Any,
    ) -> WorkerAnswer | None:
        """Return the answer of a worker; None if it or the scheduler is lost.

        Raises `KilledWorker` if the worker died several times, and `Cancelled`.
        """
        from pollard.executors.cluster.worker_plugin import run_on_worker  # noqa: PLC0415 (loads Dask)

        key = f"{self._prefix}-{next(self._numbers)}"
        future = self._client.submit(
            run_on_worker, self._name, key, wanted, **options, key=key, workers=[worker], pure=False
        )
        try:
            return self._waited_for(future, worker, cancelled)
        finally:
            # Before the next run is submitted, or Dask might put it behind this one.
            future.cancel() if not future.done() else future.release()

    def _waited_for(
        self, future: Future[WorkerAnswer], worker: str, cancelled: Cancellable | None
    ) -> WorkerAnswer | None:
        from distributed import KilledWorker  # noqa: PLC0415 (optional)
        from distributed import TimeoutError as TooLate  # noqa: PLC0415

        ended = threading.Event()
        future.add_done_callback(lambda _: ended.set())
        while True:
            if cancelled is not None and cancelled.is_set():
                raise Cancelled("The run was cancelled.")
            if not is_connected(self._client) or not self._admission.is_present(worker):
                return None
            if not ended.wait(FLAG_PERIOD_SECONDS):
                continue
            try:
                return future.result(timeout=_FETCH_SECONDS)
            except TooLate:  # it is fetched from the worker, which may have died just now
                continue
            except KilledWorker:
                raise
            except Exception as error:
                if future.status != "error":
                    return None  # lost with its worker or with the scheduler
                message = f"A worker of the cluster cannot run the oracle: {error}"
                raise OracleError(message) from error

    def _require_scheduler(self) -> None:
        if not is_connected(self._client):
            message = (
                f"The connection to the scheduler {self._scheduler} is lost; start the cluster again, "
                "and go on with --resume if the search had begun."
            )
            raise OracleError(message)
