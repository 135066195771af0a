"""Measure reductions of large inputs: `python -m tests.bench.large [CASE...]`.

Each reduction has a process of its own, so that its peak of memory is its own. One job, no cache. Of
the columns, `own` is the part of the wall time that Pollard itself computed, and `ms each` the same for
each candidate, run or guarded.

The programs come with `SET=tests/bench/large tests/bench/more/setup`, the inputs with
`python -m tests.bench.large.make`.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from pathlib import Path

from tests.bench.cases import Case, large
from tests.bench.measure import measure

_COLUMNS = ("input", "left", "runs", "guarded", "wall", "own", "ms each", "MB")
_HEAD = f"{'case':<28}" + "".join(f"{column:>9}" for column in _COLUMNS)


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
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def _line(name: str, length: int, found: dict[str, float]) -> str:
    candidates = max(found["runs"] + found["guarded"], 1)
    columns = (
        *(str(length), str(found["left"]), str(found["runs"]), str(found["guarded"])),
        f"{found['wall']:.0f} s",
        f"{found['own'] / found['wall']:.0%}",
        f"{1000 * found['own'] / candidates:.1f}",
        f"{found['peak']:.0f}",
    )
    remark = "" if found["interesting"] else "  not interesting"
    return f"{name:<28}" + "".join(f"{column:>9}" for column in columns) + remark


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.large", description=__doc__)
    parser.add_argument("case", nargs="*", help="cases to measure (all)")
    parser.add_argument("--time-limit", type=float, default=300, metavar="S", help="for each case")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    return parser


if __name__ == "__main__":
    main(sys.argv[1:])
