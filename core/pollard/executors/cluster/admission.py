"""Which workers may get runs: those that are like this machine, and see what the others see."""

from __future__ import annotations

import contextlib
import itertools
import platform
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib import metadata
from typing import TYPE_CHECKING, Any

from pollard.errors import Cancelled, OracleError
from pollard.executors.cluster.scheduler_connection import is_connected
from pollard.oracle.executor import FLAG_PERIOD_SECONDS, CancelToken

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    from distributed import Client

    from pollard.executors.cluster.worker_plugin import WorkerAnswer
    from pollard.oracle import Cancellable

_WATCH_SECONDS = 1.0
# A cluster that grows on demand may need minutes for its first worker.
_MAX_SECONDS_WITHOUT_WORKER = 600.0
# A worker that sees something else may just have been unlucky with a flaky failure.
_MAX_TRIES = 5
_MAX_RUNS_AT_A_TIME = 64
_MAX_NAMES = 3

RunOn = Callable[[str, "Cancellable | None"], "WorkerAnswer | None"]
"""Runs the original on the worker with this address; None if the worker is lost."""


@dataclass(slots=True)
class _Sighting:
    """What a worker saw on the original, and how to say that."""

    outcome: Hashable
    words: str
    programs: tuple[tuple[str, str], ...] = ()
    workers: list[str] = field(default_factory=list)


class Admission:
    """Watches which workers there are, and admits those that may get runs; any thread may use it.

    `notes` has a sentence for each worker that was refused after the start.
    """

    def __init__(self, client: Client) -> None:
        self.notes: list[str] = []
        self._client = client
        self._changed = threading.Condition()
        self._present: dict[str, int] = {}  # with the numbers of their threads
        self._running: Counter[str] = Counter()
        self._ended: Counter[str] = Counter()  # a number that grows with time
        self._numbers = itertools.count(1)
        self._admitted: set[str] = set()
        self._refused: set[str] = set()
        self._run_on: RunOn | None = None
        self._expected: _Sighting | None = None
        self._closing = CancelToken()
        self._watcher = threading.Thread(target=self._watch, name="workers", daemon=True)

    def begin(self) -> None:
        """Admit all workers that are like this machine, and watch for others.

        Raises `OracleError` that names a worker if its versions are not the same.
        """
        self._present = self._client.nthreads()
        wrong = self._wrong_versions(list(self._present))
        if wrong:
            raise OracleError(next(iter(wrong.values())))
        self._admit(self._present)
        self._watcher.start()

    @property
    def programs(self) -> tuple[tuple[str, str], ...]:
        """The programs of the command on the workers, with their hashes; () before `compare`."""
        return self._expected.programs if self._expected else ()

    def compare(self, run_on: RunOn, cancelled: Cancellable | None) -> None:
        """Run the original on every worker; later workers are compared with what these saw.

        Raises `OracleError` that names a worker if two do not see the same, and `Cancelled`.
        """
        sightings = self._sightings(self._wait_for_workers(cancelled), run_on, cancelled)
        if not sightings and is_connected(self._client):
            message = (
                "Every worker was lost while it ran the original; look into the workers' logs."
            )
            raise OracleError(message)
        if not sightings:
            return
        by_outcome: dict[Hashable, _Sighting] = {}
        for worker, seen in sightings.items():
            by_outcome.setdefault(seen.outcome, seen).workers.append(worker)
        # Of two equally large groups, the one that could run it.
        expected, *others = sorted(
            by_outcome.values(),
            key=lambda seen: (-len(seen.workers), isinstance(seen.outcome, str)),
        )
        for other in others:
            if not self._sees(expected.outcome, other.workers[0], run_on, cancelled):
                raise OracleError(self._difference(expected, other))
        with self._changed:
            self._expected, self._run_on = expected, run_on
        self._note_other_programs(expected, sightings)

    @contextlib.contextmanager
    def place(self, cancelled: Cancellable | None) -> Iterator[str]:
        """Provide the worker for a run, with the fewest runs per thread; wait until there is one.

        Where many runs are cancelled, Dask's own choice often put a run behind another one while there
        were idle workers. Of equals, it is the worker that has been idle for longest: another may still
        be killing. Provides "" if there is none any more. Raises `OracleError` after ten minutes, and
        `Cancelled`.
        """
        self._wait_for_workers(cancelled)
        with self._changed:
            worker = min(self._admitted, key=self._preference, default="")
            self._running[worker] += 1
        try:
            yield worker
        finally:
            with self._changed:
                self._running[worker] -= 1
                self._ended[worker] = next(self._numbers)

    def _preference(self, worker: str) -> tuple[float, int, str]:
        load = self._running[worker] / max(self._present.get(worker, 1), 1)
        return load, self._ended[worker], worker

    def is_present(self, worker: str) -> bool:
        """Return whether a worker is still there."""
        with self._changed:
            return worker in self._present

    def close(self) -> None:
        """Stop watching."""
        self._closing.set()
        with self._changed:
            self._changed.notify_all()
        if self._watcher.is_alive():
            self._watcher.join(_WATCH_SECONDS)

    def _wait_for_workers(self, cancelled: Cancellable | None) -> list[str]:
        waited = 0.0
        with self._changed:
            while not self._admitted and is_connected(self._client):
                if cancelled is not None and cancelled.is_set():
                    raise Cancelled("The run was cancelled.")
                if waited > _MAX_SECONDS_WITHOUT_WORKER:
                    message = (
                        "The cluster had no worker for ten minutes; start workers, and go on with "
                        "--resume."
                    )
                    raise OracleError(message)
                self._changed.wait(FLAG_PERIOD_SECONDS)
                waited += FLAG_PERIOD_SECONDS
            return sorted(self._admitted)

    def _admit(self, workers: Iterable[str]) -> None:
        with self._changed:
            self._admitted.update(workers)
            self._changed.notify_all()

    def _watch(self) -> None:
        while not self._closing.is_set() and is_connected(self._client):
            try:
                self._update(self._client.nthreads())
            except Exception:
                if not is_connected(self._client):
                    return
            self._pause()

    def _pause(self) -> None:
        with self._changed:
            self._changed.wait_for(self._closing.is_set, _WATCH_SECONDS)

    def _update(self, present: dict[str, int]) -> None:
        with self._changed:
            self._present = present
            self._admitted &= present.keys()
            self._refused &= present.keys()
            new = sorted(present.keys() - self._admitted - self._refused)
        if not new:
            return
        wrong = self._wrong_versions(new)
        for worker in new:
            note = wrong.get(worker) or self._difference_of(worker)
            if note is None:
                continue
            if note:
                self.notes.append(f"{note} It joined later and got no runs.")
                self._refused.add(worker)
            else:
                self._admit([worker])

    def _difference_of(self, worker: str) -> str | None:
        """Return how a new worker differs from the others, as far as they were compared.

        "" if it does not; None if it is lost.
        """
        expected, run_on = self._expected, self._run_on
        if expected is None or run_on is None:
            return ""
        seen = self._sightings([worker], run_on, self._closing).get(worker)
        if seen is None:
            return None
        if seen.outcome == expected.outcome or self._sees(
            expected.outcome, worker, run_on, self._closing
        ):
            return ""
        seen.workers.append(worker)
        return self._difference(expected, seen)

    def _sightings(
        self, workers: list[str], run_on: RunOn, cancelled: Cancellable | None
    ) -> dict[str, _Sighting]:
        """Return what each worker sees that is not lost meanwhile."""
        with ThreadPoolExecutor(min(len(workers), _MAX_RUNS_AT_A_TIME) or 1) as pool:
            answers = list(pool.map(lambda worker: run_on(worker, cancelled), workers))
        pairs = zip(workers, answers, strict=True)
        return {worker: _sighting(answer) for worker, answer in pairs if answer is not None}

    def _sees(
        self, outcome: Hashable, worker: str, run_on: RunOn, cancelled: Cancellable | None
    ) -> bool:
        """Return whether a worker sees an outcome in one of several more runs."""
        for _ in range(_MAX_TRIES - 1):
            seen = self._sightings([worker], run_on, cancelled).get(worker)
            if seen is None or seen.outcome == outcome:
                return True
        return False

    def _difference(self, expected: _Sighting, other: _Sighting) -> str:
        here, there = self._named(other.workers), self._named(expected.workers[:1])
        return (
            f"On the original, {here} saw another outcome than {there}: {other.words} instead of "
            f"{expected.words}; install the same programs on all workers, or stop those that differ."
        )

    def _note_other_programs(self, expected: _Sighting, sightings: dict[str, _Sighting]) -> None:
        """Note workers with other programs that nevertheless see the same."""
        for worker, seen in sightings.items():
            differing = sorted({word for word, _ in set(seen.programs) ^ set(expected.programs)})
            if differing:
                self.notes.append(
                    f"On {self._named([worker])}, {', '.join(differing)} is another program than on "
                    f"{self._named(expected.workers[:1])}: where a candidate runs may matter."
                )
                return

    def _wrong_versions(self, workers: list[str]) -> dict[str, str]:
        """Return a sentence for each worker whose versions are not those of this process."""
        if not workers:
            return {}
        from pollard import __version__ as ours  # noqa: PLC0415 (that package imports this one)

        python = _python_version()
        asked: dict[str, Any] = {"workers": workers, "on_error": "return"}
        pollards = self._client.run(metadata.version, "pollard", **asked)
        pythons = self._client.run(platform.python_version, **asked)
        wrong = {}
        for worker, version in pollards.items():
            if version != ours:
                has = f"has Pollard {version}" if isinstance(version, str) else "has no Pollard"
                fix = f"install it there: pip install 'pollard[dask]=={ours}'"
                wrong[worker] = (
                    f"{self._named([worker])} {has}, and this machine has {ours}; {fix}."
                )
        for worker, version in pythons.items():
            if isinstance(version, str) and _minor(version) != _minor(python):
                wrong[worker] = (
                    f"{self._named([worker])} has Python {version}, and this machine has {python}; "
                    f"start it with Python {_minor(python)}."
                )
        return {worker: sentence[0].upper() + sentence[1:] for worker, sentence in wrong.items()}

    def _named(self, workers: list[str]) -> str:
        """Return the names of workers as Dask knows them, with their addresses."""
        known = self._client.scheduler_info()["workers"]
        shown = []
        for address in workers[:_MAX_NAMES]:
            name = str(known.get(address, {}).get("name", address))
            shown.append(address if name == address else f"{name} ({address})")
        more = f" and {len(workers) - _MAX_NAMES} more" if len(workers) > _MAX_NAMES else ""
        return f"the worker{'s' if len(workers) > 1 else ''} {', '.join(shown)}{more}"


def _sighting(answer: WorkerAnswer) -> _Sighting:
    run = answer.run
    if run is None:
        return _Sighting(answer.error, f"an error ({answer.error.rstrip('.')})")
    ended = f"exit code {run.exit_code}" if run.signal is None else f"signal {run.signal}"
    failure = run.failure
    told = (failure.kind, failure.message, failure.frames) if failure else None
    shown = f", {failure.kind}" if failure else ""
    return _Sighting(
        (run.verdict, run.exit_code, run.signal, told),
        f"{ended} ({run.verdict.value}{shown})",
        answer.programs,
    )


def _python_version() -> str:
    return platform.python_version()


def _minor(version: str) -> str:
    return ".".join(version.split(".")[:2])
