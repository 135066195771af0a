"""Runs of a Python function: in the calling thread, or in processes that can be killed."""

from __future__ import annotations

import contextlib
import hashlib
import multiprocessing
import os
import pickle
import signal
import threading
import time
from functools import partial
from typing import TYPE_CHECKING

import psutil

from pollard.errors import Cancelled, OracleError
from pollard.executors.timeouts import settled
from pollard.oracle.executor import FLAG_PERIOD_SECONDS, MAX_TIMEOUT_SECONDS
from pollard.oracle.shares import turn_of
from pollard.oracle.verdict import Run, Verdict

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from pollard.oracle.executor import Cancellable
    from pollard.oracle.predicate import Predicate
    from pollard.oracle.shares import Share

# A process must import the caller's main module before it can answer.
_MAX_PROCESS_START_SECONDS = 60.0
# Not "fork": copying a process that has threads may copy a lock that is held.
_CONTEXT = multiprocessing.get_context("spawn")


class ThreadExecutor:
    """Calls a predicate in the calling thread; a call cannot be stopped."""

    def __init__(self, oracle: Predicate, *, share: Share | None = None) -> None:
        self.oracle = oracle
        self.timeout = oracle.timeout or MAX_TIMEOUT_SECONDS
        self._share = share

    def run(
        self,
        text: bytes,
        *,
        cancelled: Cancellable | None = None,
        capture: bool = False,  # noqa: ARG002 (a function prints to where this process prints)
    ) -> Run:
        """Call the function on `text`; see `Executor.run`."""
        return self._run_once(text, cancelled)

    def _run_once(self, text: bytes, cancelled: Cancellable | None, *, alone: bool = False) -> Run:
        with turn_of(self._share, cancelled, alone=alone) as waited:
            began = time.perf_counter()
            verdict = self._verdict(text, cancelled)
            seconds = time.perf_counter() - began
        return Run(
            exit_code=0 if verdict is Verdict.INTERESTING else 1,
            signal=None,
            seconds=seconds,
            timed_out=verdict is Verdict.TIMEOUT,
            verdict=verdict,
            waited=waited,
        )

    def fingerprint(self) -> str | None:
        """Return a hash of the fingerprint that the user gave; None without one."""
        given, required = self.oracle.fingerprint, self.oracle.runs_required
        if given is None:
            return None
        return hashlib.blake2b(f"{given}\0{required}".encode(), digest_size=16).hexdigest()

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def __enter__(self) -> ThreadExecutor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _verdict(self, text: bytes, cancelled: Cancellable | None) -> Verdict:  # noqa: ARG002
        return self.oracle.verdict(text)


class ProcessExecutor(ThreadExecutor):
    """Calls a predicate in processes: one per parallel call, started when first needed."""

    def __init__(self, oracle: Predicate, *, share: Share | None = None) -> None:
        """Raises `OracleError` if the function cannot be sent to another process."""
        super().__init__(oracle, share=share)
        self._pickled = _pickled(oracle)
        self._idle: list[_Process] = []
        self._lock = threading.Lock()

    def run(
        self,
        text: bytes,
        *,
        cancelled: Cancellable | None = None,
        capture: bool = False,  # noqa: ARG002 (as above)
    ) -> Run:
        """Call the function on `text` in a process; see `Executor.run`."""
        return settled(partial(self._run_once, text, cancelled), self.timeout)

    def close(self) -> None:
        """Kill the processes."""
        with self._lock:
            while self._idle:
                self._idle.pop().kill()

    def _verdict(self, text: bytes, cancelled: Cancellable | None) -> Verdict:
        with self._lock:
            process = self._idle.pop() if self._idle else None
        process = process or _Process(self.oracle.name, self._pickled)
        try:
            verdict = process.verdict(text, self.timeout, cancelled)
        except BaseException:
            process.kill()
            raise
        if verdict is None:
            process.kill()
            return Verdict.TIMEOUT
        with self._lock:
            self._idle.append(process)
        return verdict


class _Process:
    """One process that calls the function for one text after the other."""

    def __init__(self, name: str, pickled: bytes) -> None:
        self._name = name
        self._ready = False
        self._connection, process_end = _CONTEXT.Pipe()
        self._process = _CONTEXT.Process(target=_serve, args=(process_end, pickled), daemon=True)
        self._process.start()
        process_end.close()

    def verdict(self, text: bytes, timeout: float, cancelled: Cancellable | None) -> Verdict | None:
        """Return the verdict; None after `timeout` seconds, and the caller must then kill the process.

        Raises `Cancelled`, and `OracleError` if there is no verdict.
        """
        try:
            if not self._ready:
                self._wait_until_ready(cancelled)
            self._connection.send_bytes(text)
            answer = self._answer(timeout, cancelled)
        except (EOFError, OSError) as error:
            raise OracleError(self._why_it_died()) from error
        return None if answer is None else Verdict(answer)

    def kill(self) -> None:
        """Kill the process and all that it started, and wait for its end."""
        descendants: list[psutil.Process] = []
        with contextlib.suppress(psutil.Error):
            descendants = psutil.Process(self._process.pid).children(recursive=True)
        if hasattr(os, "killpg") and self._process.pid is not None:
            with contextlib.suppress(OSError):  # it has no group of its own yet, or is dead
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        for descendant in descendants:
            with contextlib.suppress(psutil.Error):
                descendant.kill()
        self._process.join()
        self._process.close()
        self._connection.close()

    def _wait_until_ready(self, cancelled: Cancellable | None) -> None:
        if self._answer(_MAX_PROCESS_START_SECONDS, cancelled) is None:
            message = (
                f"A process for the predicate {self._name!r} did not start within "
                f"{_MAX_PROCESS_START_SECONDS:g} s; make the modules that it imports faster to load."
            )
            raise OracleError(message)
        self._ready = True

    def _answer(self, timeout: float, cancelled: Cancellable | None) -> str | None:
        deadline = time.monotonic() + timeout
        while not self._connection.poll(FLAG_PERIOD_SECONDS):
            if cancelled is not None and cancelled.is_set():
                raise Cancelled("The run was cancelled.")
            if time.monotonic() >= deadline:
                return None
        answer, error = self._connection.recv()
        if error:
            raise OracleError(error)
        return str(answer)

    def _why_it_died(self) -> str:
        if not self._ready:
            return (
                f"The process for the predicate {self._name!r} ended before it was ready. A script "
                'must start its reduction under `if __name__ == "__main__":`.'
            )
        self._process.join(1)
        return (
            f"The process of the predicate {self._name!r} died (exit code {self._process.exitcode}). "
            "Let the predicate run what may crash as a program of its own."
        )


def _pickled(oracle: Predicate) -> bytes:
    try:
        return pickle.dumps(oracle)
    except Exception as error:  # pickle raises what the objects raise
        message = (
            f"The predicate {oracle.name!r} cannot be sent to another process ({error}); define it at "
            'the top level of a module, or use where="threads".'
        )
        raise OracleError(message) from error


def _serve(connection: Connection, pickled: bytes) -> None:
    """Send pairs (answer, error), one when ready and one for each text, until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the caller decides what is killed
    if hasattr(os, "setsid"):
        os.setsid()
    threading.Thread(target=_die_with_parent, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        try:
            predicate: Predicate = pickle.loads(pickled)
        except Exception as error:
            reason = f"The predicate cannot be loaded in another process ({error}); "
            connection.send(("", reason + "define it at the top level of a module."))
            return
        connection.send(("ready", ""))
        while True:
            connection.send(_answer(predicate, connection.recv_bytes()))


def _die_with_parent() -> None:
    """End this process, and what it started, once the reduction's process is gone; it may be killed."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    if hasattr(os, "killpg"):
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def _answer(predicate: Predicate, text: bytes) -> tuple[str, str]:
    try:
        return predicate.verdict(text).value, ""
    except OracleError as error:
        return "", str(error)
