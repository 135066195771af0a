"""Other reducers on the directories of `tests.bench.real_trees`.

`python -m tests.bench.tree_rivals CASE...` runs Shrink Ray, which takes a directory, with one job for
ten minutes at most, and prints a table. The budget can be set in seconds: `BUDGET=60`. C-Vise takes
several files, but version 2.7 none that are in folders.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.bench.projects import Tree
from tests.bench.real_trees import chosen
from tests.bench.rivals import named

_BUDGET = int(os.environ.get("BUDGET", "600"))

_TIMED_OUT = 124  # as the program `timeout` says


@dataclass(frozen=True)
class Outcome:
    """What a reducer left of a directory; `ended`: whether it did so within the budget."""

    case: str
    tool: str
    files: int
    size: int
    runs: int
    ended: bool


def oracle_script(tree: Tree, log: Path) -> str:
    """Return a script that runs the oracle in its argument or the current directory, and logs it."""
    words = [shlex.quote(word.replace("{dir}", ".")) for word in tree.oracle.command]
    pattern = shlex.quote(str(tree.oracle.output or tree.oracle.stderr))
    return f"""#!/bin/sh
echo >> {shlex.quote(str(log))}
cd "${{1:-.}}" || exit 1
said=$(mktemp)
timeout 20 {" ".join(words)} > "$said" 2>&1
grep -Pzq -- {pattern} "$said"
found=$?
rm -f "$said" out.*
exit $found
"""


_OPTIONS = ("--parallelism", "1", "--no-llm", "--ui", "basic", "--no-history")


def measured(tree: Tree, home: Path) -> Outcome:
    """Reduce a directory with Shrink Ray, in place."""
    folder, log, script = home / "tree", home / "log", home / "test.sh"
    tree.make(folder)
    script.write_text(oracle_script(tree, log))
    script.chmod(0o755)
    (rival,) = named(["shrinkray"])
    command = ["timeout", str(_BUDGET), str(rival.path), *_OPTIONS, str(script), str(folder)]
    done = subprocess.run(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    left = [file for file in _files(folder) if file.suffix != ".orig"]
    size = sum(file.stat().st_size for file in left)
    runs = log.read_text().count("\n") if log.exists() else 0
    return Outcome(
        tree.name, rival.full_name(), len(left), size, runs, done.returncode != _TIMED_OUT
    )


def _files(folder: Path) -> Iterator[Path]:
    return (file for file in sorted(folder.rglob("*")) if file.is_file())


def main(names: list[str]) -> None:
    """Print a table of the named cases."""
    print("| case | reducer | files | bytes | runs |")
    print("|---|---|--:|--:|--:|")
    for tree in chosen(names):
        with tempfile.TemporaryDirectory() as home:
            found = measured(tree, Path(home))
        runs = f"{found.runs:,}" + ("" if found.ended else f", stopped after {_BUDGET} s")
        print(f"| {found.case} | {found.tool} | {found.files} | {found.size:,} | {runs} |")


if __name__ == "__main__":
    main(sys.argv[1:])
