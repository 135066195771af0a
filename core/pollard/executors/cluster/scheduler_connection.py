"""The connection to the scheduler of a cluster."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import logging
import time
import warnings
from typing import TYPE_CHECKING, Any

from pollard.errors import OracleError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from distributed import Client

    from pollard.oracle.command import Cluster

CONNECT_SECONDS = 10.0
"""How long to wait for the scheduler's answer at the start."""

# A scheduler that has just been started may still write its file.
_WRITING_SECONDS = 2.0
_POLLING_SECONDS = 0.05

# A lost scheduler is reported as a sentence; Dask would print it a second time, with tracebacks.
_NOISY_LOGGERS = ("distributed", "distributed.client", "tornado.application")


def connect(cluster: Cluster) -> Client:
    """Return a new connection, encrypted if Dask's own settings say so; close it after use.

    Raises `OracleError` if `distributed` is missing or the scheduler does not answer.
    """
    if importlib.util.find_spec("distributed") is None:
        message = "Runs on a cluster need Dask; install it by: pip install 'pollard[dask]'"
        raise OracleError(message)
    from pollard.executors.cluster.quiet_client import QuietClient  # noqa: PLC0415 (loads Dask)

    place: dict[str, Any] = {"address": cluster.scheduler}
    if cluster.scheduler is None:
        _require_file(cluster.scheduler_file)
        place = {"scheduler_file": str(cluster.scheduler_file)}
    try:
        with _quiet():
            return QuietClient(  # type: ignore[no-untyped-call]
                **place, timeout=CONNECT_SECONDS, name="pollard", set_as_default=False
            )
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        message = (
            f"The scheduler {cluster} cannot be reached ({_first_line(error)}); is it running?"
        )
        raise OracleError(message) from error


def threads_of(cluster: Cluster) -> int:
    """Return the number of runs that the workers can carry out at a time, and at least 1.

    Raises `OracleError` as `connect` does.
    """
    with connect(cluster) as client:
        threads: dict[str, int] = client.nthreads()
        return max(sum(threads.values()), 1)


def is_connected(client: Client) -> bool:
    """Return whether the scheduler is still there; a lost connection is not taken up again."""
    return bool(client.status == "running")


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep Dask from printing what Pollard reports itself: lost connections, other versions."""
    for name in _NOISY_LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _require_file(file: Path | None) -> None:
    """Raise `OracleError` without a scheduler's file; Dask would wait for it, or fail oddly."""
    advice = "start the scheduler with --scheduler-file, or correct the path."
    if file is None or not file.is_file():
        raise OracleError(f"There is no scheduler file {file}; {advice}")
    end = time.monotonic() + _WRITING_SECONDS
    while not _is_complete(file):
        if time.monotonic() > end:
            raise OracleError(f"No scheduler has written {file}, or not all of it; {advice}")
        time.sleep(_POLLING_SECONDS)


def _is_complete(file: Path) -> bool:
    """Return whether a scheduler's file has an address."""
    try:
        return isinstance(json.loads(file.read_bytes())["address"], str)
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return False


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__
