"""How much less time warm runs take than cold ones: `python -m tests.bench.warm [CASE...]`.

It runs each tool cold and warm by turns on the same file, so that both have the same machine, and
prints a table in Markdown. With `--search` it reduces the files as well, and compares the results and
the wall times. Tools that are not installed are named and left out.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pollard.errors import OracleError
from pollard.executors import open_executor
from pollard.executors.warm.node_runner import NodeRunner
from pollard.executors.warm.warm_runner import WarmRunner
from pollard.oracle.verdict import Run
from pollard.oracle.warm.warm_runs import WarmRuns
from pollard.reduction import Plan, Reduction
from pollard.syntax.grammars.languages import detect, find
from tests.bench.warm_cases import CASES, WarmCase

_ROUNDS = 9


@dataclass(frozen=True)
class Times:
    """The median seconds of runs: by the clock, and of the processor, which others disturb less."""

    clock: float
    processor: float

    @classmethod
    def of(cls, runs: list[Run]) -> Times:
        return cls(
            statistics.median(run.seconds for run in runs),
            statistics.median(run.cpu_seconds for run in runs),
        )


def measured(case: WarmCase, rounds: int | None = None) -> tuple[Times, Times]:
    """Return the times of cold and of warm runs, taken by turns.

    Raises `OracleError` if there can be no warm runs, or if they do not agree.
    """
    text = case.text
    with (
        open_executor(case.oracle(WarmRuns.OFF), case.filename) as cold,
        open_executor(case.oracle(case.way), case.filename) as warm,
    ):
        if isinstance(warm, (WarmRunner, NodeRunner)):
            trial = warm.trial(text, [warm.run(text, capture=True) for _ in range(2)])
            assert trial is not None
            if not trial.is_warm:
                raise OracleError(str(trial))
        else:
            warm.is_warm = True
            warm.run(text)
        runs: list[tuple[Run, Run]] = []
        for _ in range(rounds or _ROUNDS):
            pair = cold.run(text), warm.run(text)
            if pair[0].verdict is not pair[1].verdict:
                raise OracleError(f"The verdicts differ: {pair[0].verdict}, {pair[1].verdict}.")
            runs.append(pair)
    return Times.of([pair[0] for pair in runs]), Times.of([pair[1] for pair in runs])


def searched(case: WarmCase, warm: WarmRuns) -> tuple[bytes, float, int]:
    """Reduce a case's file; return the result, the wall time in seconds, and the counted runs."""
    grammar = find(detect(case.filename, b"") or "")
    plan = Plan(case.text, case.filename, case.oracle(warm), grammar, cache=False, jobs=1)
    began = time.perf_counter()
    result = Reduction(plan).run()
    return result.text, time.perf_counter() - began, result.counts.runs


def _row(case: WarmCase, *, search: bool) -> str:
    cold, warm = measured(case)
    cells = [case.name, case.kept]
    for one, other in ((cold.clock, warm.clock), (cold.processor, warm.processor)):
        cells += [f"{1000 * one:.0f} ms", f"{1000 * other:.0f} ms", f"{one / max(other, 1e-3):.1f}"]
    if search:
        before, after = searched(case, WarmRuns.OFF), searched(case, case.way)
        cells += [
            f"{before[2]}" if before[2] == after[2] else f"{before[2]}, {after[2]}",
            f"{before[1]:.0f} s",
            f"{after[1]:.0f} s",
            f"{before[1] / after[1]:.1f}",
            "the same" if before[0] == after[0] else f"{len(before[0])} B, {len(after[0])} B",
        ]
    return "| " + " | ".join(cells) + " |"


def table(names: list[str], *, search: bool) -> Iterator[str]:
    """Yield the lines of the table."""
    head = ["tool", "kept loaded", "cold", "warm", "ratio"]
    head += ["processor, cold", "warm", "ratio"]
    head += ["runs", "cold search", "warm search", "ratio", "result"] if search else []
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for case in CASES:
        if names and not any(name in case.name for name in names):
            continue
        needed = case.command[1] if case.command[0] == "node" else case.command[0]
        if shutil.which(case.command[0]) is None or (
            needed.startswith("/") and not Path(needed).exists()
        ):
            print(f"{case.name} is not installed", file=sys.stderr)
            continue
        yield _row(case, search=search)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("case", nargs="*")
    parser.add_argument("--search", action="store_true")
    parser.add_argument("--rounds", type=int, default=_ROUNDS, help="runs of each kind")
    options = parser.parse_args()
    _ROUNDS = options.rounds
    for line in table(options.case, search=options.search):
        print(line, flush=True)
