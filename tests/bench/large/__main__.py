"""Measure reductions of large inputs: `python -m tests.bench.large [CASE...]`.

Each reduction has a process of its own, so that its peak of memory is its own. One job, no cache.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

from tests.bench.cases import Case, large
from tests.bench.measure import measure

_HEAD = f"{'case':<28}{'input':>9}{'left':>9}{'runs':>6}{'guarded':>9}{'wall':>7}{'own':>6}{'ms each':>9}{'MB':>6}"


def main(arguments: list[str]) -> None:
    """Measure the cases of `tests/bench/large` that are named, or all."""
    options = _parser().parse_args(arguments)
    cases = {case.name: case for case in large()}
    if options.one:
        print(json.dumps(_measured(cases[options.case[0]], options.time_limit)))
        return
    print(_HEAD)
    for name in options.case or cases:
        limit = ["--time-limit", str(options.time_limit)]
        command = [sys.executable, "-m", "tests.bench.large", name, "--one", *limit]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        print(_line(name, len(cases[name].text), json.loads(done.stdout)), flush=True)


def _measured(case: Case, time_limit: float) -> dict[str, float]:
    """Reduce a case; its costs are those of this process, which does nothing else."""
    found = measure(case, "default", time_limit=time_limit)
    counts = found.result.counts
    return {
        "left": len(found.text),
        "runs": counts.runs,
        "guarded": counts.guarded,
        "wall": counts.seconds,
        "own": found.cpu_seconds,
        "peak": _peak(),
        "interesting": found.interesting,
    }


def _peak() -> float:
    """Return the most memory that this process had resident, in MB."""
    status = Path("/proc/self/status")
    if status.exists():  # Linux passes ru_maxrss on through fork and exec
        line = next(line for line in status.read_text().splitlines() if "VmHWM" in line)
        return int(line.split()[1]) * 1024 / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if os.uname().sysname == "Darwin" else 1024) / 1e6


def _line(name: str, length: int, found: dict[str, float]) -> str:
    candidates = max(found["runs"] + found["guarded"], 1)
    return (
        f"{name:<28}{length:>9}{found['left']:>9}{found['runs']:>6}{found['guarded']:>9}"
        f"{found['wall']:>6.0f}s{found['own'] / found['wall']:>6.0%}"
        f"{1000 * found['own'] / candidates:>9.1f}{found['peak']:>6.0f}"
        f"{'' if found['interesting'] else '  NOT INTERESTING'}"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.large", description=__doc__)
    parser.add_argument("case", nargs="*", help="cases to measure (all)")
    parser.add_argument("--time-limit", type=float, default=300, metavar="S", help="for each case")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    return parser


if __name__ == "__main__":
    main(sys.argv[1:])
