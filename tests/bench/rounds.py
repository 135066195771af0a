"""How far running ahead helps the real search, in rounds of equally long runs and not in seconds.

The search and its copies run as in any reduction. But no run begins before all copies wait: then all
chosen runs take place, which is a round. So processes take no time, there are as many cores as jobs,
and other work on this machine changes nothing. The order in which copies report still changes a few
rounds in a hundred.

`python -m tests.bench.rounds --remember FILE CASE...` prints a table for docs/scaling.md. FILE
keeps the verdicts; most are of texts that a search with one job never asks for.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from pollard.errors import Cancelled
from pollard.oracle.lookahead import Evaluation, Task
from pollard.reduction import Reduction, text_search
from pollard.speculation import needed_runs
from pollard.speculation.coordinator import Coordinator
from tests.bench.cases import Case
from tests.bench.memory import Memory, remembering
from tests.bench.scaling import named_cases, plan_of

CASES = (
    "blur.c",
    "orders.py",
    "figure3",
    "json-jq-implode",
    "rust163-projection-ice",
    "prop-sql-sqlite-row",
    "c-gcc12-openmp-nested",
    "lua51-pattern-overflow",
)


class RoundWorkers:
    """Workers that evaluate all tasks of a round when they are told to."""

    def __init__(
        self,
        _count: int,
        evaluate: Callable[[Task], Evaluation],
        finished: Callable[[Task], None],
    ) -> None:
        self.rounds = 0
        self._evaluate = evaluate
        self._finished = finished
        self._tasks: list[Task] = []

    def add(self, task: Task) -> None:
        self._tasks.append(task)

    def end_cancelled(self) -> bool:
        """End the tasks that are not wanted any more; return whether there were some."""
        cancelled = [task for task in self._tasks if task.token.is_set()]
        self._tasks = [task for task in self._tasks if not task.token.is_set()]
        for task in cancelled:
            task.error = Cancelled("The run was not needed any more.")
            self._finished(task)
        return bool(cancelled)

    def run(self) -> None:
        """Evaluate all tasks."""
        self.rounds += bool(self._tasks)
        while self._tasks:
            task = self._tasks.pop()
            task.result = self._evaluate(task)
            self._finished(task)

    def close(self) -> None:
        self.end_cancelled()


@dataclass(frozen=True)
class Counted:
    """A reduction: its runs, the wasted ones, the rounds that they took, and the result."""

    runs: int
    wasted: int
    rounds: int
    text: bytes


def counted(case: Case, memory: Memory | None, jobs: int) -> Counted:
    """Reduce a case in rounds of up to `jobs` runs."""
    made: list[RoundWorkers] = []
    wait = Coordinator._wait

    def make(*arguments: object) -> RoundWorkers:
        made.append(RoundWorkers(*arguments))  # type: ignore[arg-type]
        return made[-1]

    def wait_or_run(coordinator: Coordinator) -> None:
        is_computing = any(copy.computing for copy in coordinator._real.all())
        if not made[-1].end_cancelled() and not is_computing:
            made[-1].run()
        wait(coordinator)

    with (
        remembering(memory),
        mock.patch.object(needed_runs, "Workers", make),
        mock.patch.object(Coordinator, "_wait", wait_or_run),
        mock.patch.object(text_search, "is_worthwhile", return_value=True),
    ):
        result = Reduction(plan_of(case, jobs)).run()
    counts = result.counts
    rounds = sum(each.rounds for each in made)
    return Counted(counts.runs, counts.wasted_runs, rounds, result.text)


def speedup(of: Sequence[Counted]) -> float:
    """Return how many times as fast all reductions together are as with one job."""
    return sum(each.runs for each in of) / sum(each.rounds for each in of)


def main(arguments: list[str]) -> int:
    """Print a row for each number of jobs: all cases together, each, and the wasted share."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.rounds", description=__doc__)
    parser.add_argument("case", nargs="*", default=CASES)
    parser.add_argument("--remember", type=Path, help="keeps verdicts for the next time")
    parser.add_argument("--jobs", type=int, nargs="+", default=[4, 8, 16, 64])
    options = parser.parse_args(arguments)
    memory = Memory(options.remember)
    with tempfile.TemporaryDirectory() as folder:
        cases = named_cases(options.case, Path(folder))
        print("| jobs | all |", *(f"{case.name} |" for case in cases), "wasted |")
        for jobs in options.jobs:
            of = [counted(case, memory, jobs) for case in cases]
            each = " | ".join(f"{speedup([one]):.1f}" for one in of)
            wasted = sum(one.wasted for one in of) / sum(one.runs for one in of)
            print(f"| {jobs} | {speedup(of):.1f} | {each} | {wasted:.0%} |", flush=True)
    print("runs:", *(one.runs for one in of))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
