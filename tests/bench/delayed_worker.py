"""Makes a worker of a Dask cluster wait in place of the oracle; `scaling_dask` preloads it there."""

from __future__ import annotations

import functools
import os
from pathlib import Path

from distributed import Worker

import pollard.executors
from tests.bench.memory import Ledger, Memory
from tests.bench.scaling import DelayedRunner

VERDICTS, DELAY = "POLLARD_BENCH_VERDICTS", "POLLARD_BENCH_DELAY"


def dask_setup(_: Worker) -> None:
    """Replace what runs oracles, as `scaling.timed` does on one machine."""
    pollard.executors.open_executor = functools.partial(  # type: ignore[assignment]
        DelayedRunner,
        memory=Memory(Path(os.environ[VERDICTS])),
        ledger=Ledger(),
        read=True,
        delay=float(os.environ[DELAY]),
    )
