"""How long reductions take on the workers of a Dask cluster, compared with as many jobs here.

`python -m tests.bench.scaling_dask FILE` prints the table of docs/scaling.md. FILE keeps verdicts, as
for `tests.bench.scaling`. The cluster is on this machine: one process with one thread for each job.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from distributed import LocalCluster

from pollard.oracle import CommandOracle
from pollard.oracle.command import Cluster
from pollard.speculation import Speculation
from tests.bench.cases import Case
from tests.bench.delayed_worker import DELAY, VERDICTS
from tests.bench.memory import Memory
from tests.bench.scaling import Timing, timed, tour

_NAMES = ("blur.c", "orders.py")


@dataclass(frozen=True)
class ClusterCase(Case):
    """A case that runs on a cluster, if there is one."""

    cluster: Cluster | None = None

    @property
    def oracle(self) -> CommandOracle:
        return replace(super().oracle, cluster=self.cluster)


def cases(folder: Path) -> list[ClusterCase]:
    """Write the tour's examples that need no other package into a folder, each with its oracle."""
    return [
        ClusterCase(case.name, case.language, case.path, case.failure)
        for case in tour(folder)
        if case.name in _NAMES
    ]


def compared(
    case: ClusterCase, file: Path, jobs: int, delay: float, rounds: int
) -> tuple[list[Timing], list[Timing]]:
    """Return the timings of a case here and on a cluster with as many workers, taken in turn."""
    os.environ.update({VERDICTS: str(file), DELAY: str(delay)})
    memory = Memory(file)
    with LocalCluster(
        n_workers=jobs,
        threads_per_worker=1,
        dashboard_address=None,
        preload=["tests.bench.delayed_worker"],
    ) as cluster:
        there = replace(case, cluster=Cluster(cluster.scheduler_address))
        local, remote = [], []
        for _ in range(rounds):
            local.append(timed(case, memory, jobs, Speculation.EAGER, delay))
            remote.append(timed(there, None, jobs, Speculation.EAGER, delay))
    memory.close()
    return local, remote


def main(arguments: list[str]) -> int:
    """Print a row for each case and number of jobs; return 1 if a result depends on where it ran."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.scaling_dask", description=__doc__)
    parser.add_argument("verdicts", type=Path, help="keeps verdicts for the next time")
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 4, 8, 16])
    parser.add_argument("--case", nargs="+", default=_NAMES)
    parser.add_argument("--delay", type=float, default=0.5, help="seconds of a run")
    parser.add_argument("--rounds", type=int, default=1, help="the table has medians")
    options = parser.parse_args(arguments)
    same = True
    with tempfile.TemporaryDirectory() as folder:
        for case in [case for case in cases(Path(folder)) if case.name in options.case]:
            for jobs in options.jobs:
                local, remote = compared(
                    case, options.verdicts, jobs, options.delay, options.rounds
                )
                here, there = (
                    statistics.median(each.seconds for each in found) for found in (local, remote)
                )
                runs = {(each.text, each.runs) for each in (*local, *remote)}
                same = same and len(runs) == 1
                print(
                    f"| {case.name} | {jobs} | {here:.1f} s | {there:.1f} s | {there / here:.2f} |",
                    flush=True,
                )
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
