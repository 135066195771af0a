"""Which cluster a user chose, and the connection to its scheduler."""

from __future__ import annotations

import contextlib
import importlib.util
import logging
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pollard.errors import OracleError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from distributed import Client

CONNECT_SECONDS = 10.0
"""How long to wait for the scheduler's answer at the start."""

# A lost scheduler is reported as a sentence; Dask would print it a second time, with tracebacks.
_NOISY_LOGGERS = ("distributed", "distributed.client", "tornado.application")


@dataclass(frozen=True, slots=True)
class Cluster:
    """The scheduler to which runs are sent: its address, or the file that it wrote when it started."""

    scheduler: str | None = None
    scheduler_file: Path | None = None

    def __str__(self) -> str:
        """Name the scheduler as the user did."""
        return self.scheduler or f"of {self.scheduler_file}"

    def connect(self) -> Client:
        """Return a new connection, encrypted if Dask's own settings say so; close it after use.

        Raises `OracleError` if `distributed` is missing or the scheduler does not answer.
        """
        if importlib.util.find_spec("distributed") is None:
            message = "Runs on a cluster need Dask; install it by: pip install 'pollard[dask]'"
            raise OracleError(message)
        from distributed import Client  # noqa: PLC0415 (optional, and slow to load)

        place: dict[str, Any] = {"address": self.scheduler}
        if self.scheduler is None:
            place = {"scheduler_file": str(self.scheduler_file)}
            self._require_file()
        try:
            with _quiet():
                return Client(
                    **place, timeout=CONNECT_SECONDS, name="pollard", set_as_default=False
                )
        except (OSError, ValueError, TypeError, RuntimeError) as error:
            message = (
                f"The scheduler {self} cannot be reached ({_first_line(error)}); is it running?"
            )
            raise OracleError(message) from error

    def threads(self) -> int:
        """Return the number of runs that the workers can carry out at a time, and at least 1.

        Raises `OracleError` as `connect` does.
        """
        with self.connect() as client:
            threads: dict[str, int] = client.nthreads()
            return max(sum(threads.values()), 1)

    def _require_file(self) -> None:
        """Raise `OracleError` without the scheduler's file; Dask would wait for it forever."""
        if self.scheduler_file is None or not self.scheduler_file.is_file():
            message = (
                f"There is no scheduler file {self.scheduler_file}; start the scheduler with "
                "--scheduler-file, or correct the path."
            )
            raise OracleError(message)


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


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__
