"""A small Dask cluster of real processes, for tests: any of them can be killed, or join late."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil

from pollard.executors.cluster.scheduler_connection import connect
from pollard.oracle import CommandOracle
from pollard.oracle.command import Cluster

_LIMIT_SECONDS = 60.0


class SmallCluster:
    """A scheduler and its workers; each worker is one process with one thread."""

    def __init__(self, folder: Path, *options: str) -> None:
        """Start a scheduler that uses `folder`; `options` are for it and for the workers."""
        self.folder = folder
        self.file = folder / "scheduler.json"
        self._options = options
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._start("scheduler", {}, "--host", "127.0.0.1", "--port", "0")
        wait_until(self.file.exists)

    @property
    def cluster(self) -> Cluster:
        """What a user would give."""
        return Cluster(scheduler_file=self.file)

    def on(self, oracle: CommandOracle) -> CommandOracle:
        """Return an oracle that runs on this cluster."""
        return replace(oracle, cluster=self.cluster)

    def add(
        self, *names: str, wait: bool = True, nanny: str = "--no-nanny", **environment: str
    ) -> None:
        """Start workers with these names and additional variables; a nanny restarts dead ones."""
        for name in names:
            temporary = self.folder / f"tmp-{name}"
            temporary.mkdir(exist_ok=True)
            variables = {"TMPDIR": str(temporary), "WORKER": name, **environment}
            self._start("worker", variables, "--name", name, "--nthreads", "1", nanny)
        if wait:
            self.wait_for(sum(name != "scheduler" for name in self._processes))

    def wait_for(self, count: int) -> None:
        """Wait until there are `count` workers."""
        with connect(self.cluster) as client:
            wait_until(lambda: len(client.nthreads()) == count)

    def kill(self, name: str) -> None:
        """Kill a worker or the scheduler as `kill -9` does."""
        process = self._processes.pop(name)
        process.kill()
        process.wait()

    def freeze(self, name: str) -> None:
        """Let a worker or the scheduler answer nothing any more, while its connections stay."""
        self._processes[name].send_signal(signal.SIGSTOP)

    def left_behind(self) -> list[str]:
        """Return what Pollard has left in the workers' temporary directories."""
        return [str(path) for path in self.folder.glob("tmp-*/pollard-*")]

    def close(self) -> None:
        """Kill everything."""
        for name in list(self._processes):
            self.kill(name)

    def __enter__(self) -> SmallCluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start(self, what: str, environment: dict[str, str], *options: str) -> None:
        name = environment.get("WORKER", "scheduler")
        with (self.folder / f"{name}.log").open("wb") as log:
            self._processes[name] = subprocess.Popen(
                [
                    *(sys.executable, "-m", "dask", what, "--no-dashboard"),
                    *("--scheduler-file", str(self.file), *options, *self._options),
                ],
                env={**os.environ, **environment},
                stdout=log,
                stderr=log,
                cwd=self.folder,
            )


def wait_until(holds: Callable[[], object]) -> None:
    """Wait until something holds; a test that would hang fails after a minute."""
    end = time.monotonic() + _LIMIT_SECONDS
    while not holds():
        assert time.monotonic() < end, "it did not happen within a minute"
        time.sleep(0.02)


def processes_with(word: str) -> list[int]:
    """Return the processes that have this word in their command line."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if word in process.cmdline():
                found.append(process.pid)
    return found


@contextlib.contextmanager
def plugins_left(cluster: Cluster) -> Iterator[Callable[[], list[str]]]:
    """Provide a function that returns the names of Pollard's plug-ins that the scheduler still has."""
    with connect(cluster) as client:
        yield lambda: _plugins(client)


def _plugins(client: Any) -> list[str]:
    names: list[str] = client.run_on_scheduler(
        lambda dask_scheduler: [*dask_scheduler.worker_plugins]
    )
    return [name for name in names if name.startswith("pollard-")]
