"""How much faster several jobs are, with oracles that are delayed and need no processor.

`python -m tests.bench.scaling --remember FILE --cases CASE...` prints the table of docs/scaling.md. The
tour's examples are cases too; cart.js needs `esbuild` 0.18.2 on the path. FILE keeps the verdicts, so
that after a first round no oracle runs: a run is a wait, as if each had a core of its own. Only the
search and its copies share the cores of this machine. The time of one job is calculated: the delay of
each run, and the search's own time. `--copying forked replayed` compares both ways.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import itertools
import os
import select
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pollard.errors import Cancelled
from pollard.oracle import Cancellable, CancelToken, Run
from pollard.reduction import Plan, Reduction
from pollard.speculation import Speculation
from pollard.speculation.modes import COPYING_VARIABLE, way_of_copying
from tests.bench.cases import Case, by_name
from tests.bench.memory import Ledger, Memory, RememberingRunner
from tests.other_executors import executors_from

CASES = (
    "figure3",
    "json-jq-implode",
    "rust163-projection-ice",
    "prop-sql-sqlite-row",
    "c-gcc12-openmp-nested",
    "lua51-pattern-overflow",
)


_REPOSITORY = Path(__file__).parents[2]
_CRASH = "internal compiler error: Segmentation fault"
_TOUR = (
    (
        "blur.c",
        "examples/blur.c",
        f"gcc-12 -O1 -fopenmp -S -o out.s $1 2>&1 | grep -q '{_CRASH}'",
    ),
    (
        "orders.py",
        "server/pollard_server/demo/orders.py.txt",
        "python3 -I -S $1 2>&1 | grep -q 'RuntimeError: dictionary changed size'",
    ),
    (
        "cart.js",
        "examples/cart.js",
        "esbuild --minify-syntax --bundle $1 2>&1 | grep -q 'panic: Internal error'",
    ),
)


def tour(folder: Path) -> list[Case]:
    """Write the examples of the tour into a folder, each with its oracle."""
    made = []
    for name, source, command in _TOUR:
        place = folder / name.replace(".", "-")
        place.mkdir()
        (place / name).write_bytes((_REPOSITORY / source).read_bytes())
        (place / "oracle.sh").write_text(f"{command}\n", encoding="utf-8")
        made.append(Case(name, name.partition(".")[2], place / name, command))
    return made


class DelayedRunner(RememberingRunner):
    """A runner whose runs take `delay` seconds, or as long as the oracle if its verdict is new."""

    def __init__(self, *args: object, delay: float, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        self._delay = delay

    def run(
        self, text: bytes, *, cancelled: Cancellable | None = None, capture: bool = False
    ) -> Run:
        end = time.monotonic() + self._delay
        run = super().run(text, cancelled=cancelled, capture=capture)
        _wait_until(end, cancelled)
        # A search runs ahead only of oracles that take some time, as this one does.
        return replace(run, seconds=max(run.seconds, self._delay))


def _wait_until(end: float, cancelled: Cancellable | None) -> None:
    """Wait; raise Cancelled at once if the token is set."""
    milliseconds = max(int((end - time.monotonic()) * 1000), 0)
    if not isinstance(cancelled, CancelToken):
        time.sleep(milliseconds / 1000)
        return
    poll = select.poll()
    poll.register(cancelled.open(), select.POLLIN)
    try:
        if poll.poll(milliseconds):
            raise Cancelled("The run was cancelled.")
    finally:
        cancelled.close()


def named_cases(names: Iterable[str], folder: Path) -> list[Case]:
    """Return cases of the bench and examples of the tour, which are written into a folder."""
    known = by_name() | {case.name: case for case in tour(folder)}
    return [known[name] for name in names]


@dataclass(frozen=True)
class Timing:
    """One reduction: its wall time, runs (counted, of checks, wasted), and what it made of the text."""

    seconds: float
    runs: int
    checks: int
    wasted: int
    text: bytes


def plan_of(case: Case, jobs: int, speculation: Speculation = Speculation.EAGER) -> Plan:
    """Return how to reduce a case, with one check and without a cache."""
    return Plan(
        text=case.text,
        filename=case.path.name,
        oracle=case.oracle,
        grammar=case.grammar,
        jobs=jobs,
        speculation=speculation,
        checks=1,
        cache=False,
    )


def timed(
    case: Case, memory: Memory | None, jobs: int, speculation: Speculation, delay: float
) -> Timing:
    """Reduce a case with delayed runs; without a memory the oracle's cluster delays them."""
    plan = plan_of(case, jobs, speculation)
    with _delayed(memory, delay) if memory else contextlib.nullcontext():
        began = time.monotonic()
        result = Reduction(plan).run()
        seconds = time.monotonic() - began
    counts = result.counts
    return Timing(seconds, counts.runs, counts.check_runs, counts.wasted_runs, result.text)


@contextlib.contextmanager
def _delayed(memory: Memory, delay: float) -> Iterator[None]:
    runner = functools.partial(
        DelayedRunner, memory=memory, ledger=Ledger(), read=True, delay=delay
    )
    with executors_from(runner):
        yield


def calculated(case: Case, memory: Memory, delay: float) -> Timing:
    """Return what a reduction with one job takes: each of its runs, and its own time.

    The verdicts must be known, or the time of their runs counts twice.
    """
    timing = timed(case, memory, 1, Speculation.OFF, 0.0)
    return replace(timing, seconds=timing.seconds + delay * (timing.runs + timing.checks))


def speedup(alone: Sequence[Timing], timings: Sequence[Timing]) -> float:
    """Return how many times as fast all cases together are."""
    return sum(one.seconds for one in alone) / sum(one.seconds for one in timings)


def wasted_share(timings: Sequence[Timing]) -> float:
    """Return the wasted runs per counted run."""
    return sum(one.wasted for one in timings) / sum(one.runs for one in timings)


def main(arguments: list[str]) -> int:
    """Print a row for each number of jobs and mode; return 1 if a result depends on them."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.scaling", description=__doc__)
    parser.add_argument("--cases", nargs="+", default=CASES)
    parser.add_argument("--remember", type=Path, help="keeps verdicts for the next time")
    parser.add_argument("--jobs", type=int, nargs="+", default=[4, 8, 16, 64])
    parser.add_argument("--delay", type=float, default=0.5, help="seconds of a run")
    parser.add_argument(
        "--speculation", nargs="+", default=[each.value for each in reversed(Speculation)]
    )
    parser.add_argument("--copying", nargs="+", default=[way_of_copying().value])
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        return _printed(options, named_cases(options.cases, Path(folder)))


def _printed(options: argparse.Namespace, cases: list[Case]) -> int:
    memory = Memory(options.remember)

    def measure(jobs: int, mode: Speculation) -> list[Timing]:
        return [timed(case, memory, jobs, mode, options.delay) for case in cases]

    alone, same = [calculated(case, memory, options.delay) for case in cases], True
    for mode, jobs in itertools.product(map(Speculation, options.speculation), options.jobs):
        for copying in options.copying[: 1 if mode is Speculation.OFF else None]:
            os.environ[COPYING_VARIABLE] = copying
            timings = measure(jobs, mode)
            each = " ".join(f"{speedup([a], [b]):.1f}" for a, b in zip(alone, timings, strict=True))
            print(
                f"| {mode.value} | {copying} | {jobs} | {speedup(alone, timings):.1f} | "
                f"{wasted_share(timings):.0%} | {each} |",
                flush=True,
            )
            same = same and [(one.text, one.runs) for one in timings] == [
                (one.text, one.runs) for one in alone
            ]
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
