"""Other reducers on the directories of `tests.bench.projects` and `tests.bench.real_trees`.

`python -m tests.bench.tree_rivals [shrinkray] [cvise] [CASE...]` runs them with one job for ten
minutes at most, and prints a table. The budget can be set in seconds: `BUDGET=60`. Shrink Ray takes a
directory. C-Vise takes several files, but version 2.7 none that are in folders: it gets those that the
compiler reads, all in one folder, and only cases in C.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.bench.projects import TREES, Tree
from tests.bench.real_trees import REAL_TREES
from tests.bench.rivals import Rival, named

_BUDGET = int(os.environ.get("BUDGET", "600"))

_TIMED_OUT = 124  # as the program `timeout` says

_SHRINK_RAY, _C_VISE = "shrinkray", "cvise"


@dataclass(frozen=True)
class Outcome:
    """What a reducer left of a directory; `ended`: whether it did so within the budget."""

    case: str
    tool: str
    files: int
    size: int
    runs: int
    ended: bool


def oracle_script(command: Sequence[str], pattern: str | None, log: Path) -> str:
    """Return a script that runs the oracle in its argument or the current directory, and logs it.

    It exits with 0 if the output has the pattern, or as the command does if there is none.
    """
    judge = "true" if pattern is None else f'grep -Pzq -- {shlex.quote(pattern)} "$said"'
    status = "$status" if pattern is None else "$?"
    return f"""#!/bin/sh
echo >> {shlex.quote(str(log))}
cd "${{1:-.}}" || exit 1
said=$(mktemp)
timeout 20 {shlex.join(command)} > "$said" 2>&1
status=$?
{judge}
found={status}
rm -f "$said" out.*
exit $found
"""


def _command(tree: Tree) -> list[str]:
    """Return the oracle's command, for a run in the directory."""
    given = tree.oracle.command
    words = ["sh", "-c", given] if isinstance(given, str) else list(map(str, given))
    return [word.replace("{dir}/", "").replace("{dir}", ".") for word in words]


def flatten(folder: Path, command: Sequence[str]) -> list[str]:
    """Put what the compiler reads into `folder` itself, and return the command for that.

    Other files are removed. Lines that include a file have its name only.
    """
    listed = subprocess.run([*command, "-MM"], cwd=folder, capture_output=True, check=False)
    if not listed.stdout:  # `-o` has the list
        target = command[command.index("-o") + 1]
        rules = (folder / target).read_text()
    else:
        rules = listed.stdout.decode()
    read = [folder / name for name in rules.replace("\\\n", " ").split()[1:]]
    texts = {path.name: _with_bare_names(path.read_text()) for path in read}
    if len(texts) != len(set(read)):
        raise ValueError(f"two files of {folder} have one name")
    for entry in folder.iterdir():
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    for name, text in texts.items():
        (folder / name).write_text(text)
    return [Path(word).name if Path(word).name in texts else word for word in command]


_INCLUDED = re.compile(
    r"""^([ \t]*\#[ \t]*include[ \t]*) ["<] (?:\.\./|\w+/)+ ([\w.]+) [">]""",
    re.MULTILINE | re.VERBOSE,
)


def _with_bare_names(text: str) -> str:
    return _INCLUDED.sub(r'\1"\2"', text)


def measured(tree: Tree, rival: Rival, home: Path) -> Outcome:
    """Reduce a directory with another reducer, in place."""
    folder, log, script = home / "tree", home / "log", home / "test.sh"
    folder.mkdir()
    tree.make(folder)
    files: list[str] = []
    command = _command(tree)
    if rival.program == _C_VISE:
        command = flatten(folder, command)
        files = _files(folder)
        arguments = ["--n", "1", "--timeout", "30", str(script), *files]
    else:
        arguments = ["--parallelism", "1", "--no-llm", "--ui", "basic", "--no-history"]
        arguments += [str(script), str(folder)]
    script.write_text(oracle_script(command, tree.oracle.output or tree.oracle.stderr, log))
    script.chmod(0o755)
    done = subprocess.run(
        ["timeout", str(_BUDGET), str(rival.path), *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    left = files if rival.program == _C_VISE else _files(folder)  # C-Vise adds folders of its own
    sizes = [(folder / name).stat().st_size for name in left]
    runs = log.read_text().count("\n") if log.exists() else 0
    sizes = [size for size in sizes if size]  # it makes files empty
    ended = done.returncode != _TIMED_OUT
    return Outcome(tree.name, rival.full_name(), len(sizes), sum(sizes), runs, ended)


def _files(folder: Path) -> list[str]:
    found = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".orig")
    return sorted(str(path.relative_to(folder)) for path in found)


def _pairs(names: Iterable[str]) -> list[tuple[Tree, Rival]]:
    """Return the named cases with each of the named reducers that takes them; all if none is named."""
    rivals = named(name for name in names if name in (_SHRINK_RAY, _C_VISE))
    wanted = set(names) - {_SHRINK_RAY, _C_VISE}
    trees = [tree for tree in (*TREES, *REAL_TREES) if not wanted or tree.name in wanted]
    return [
        (tree, rival)
        for tree in trees
        for rival in rivals
        if rival.program == _SHRINK_RAY or (rival.program == _C_VISE and _is_of_c(tree))
    ]


def _is_of_c(tree: Tree) -> bool:
    return tree.single is not None and tree.suffix == ".c"


def main(names: list[str]) -> None:
    """Print a table of the named cases; exit with a message if there are none."""
    pairs = _pairs(names)
    if not pairs:
        raise SystemExit(f"There is no case or reducer called {' '.join(names)}.")
    print("| case | reducer | files | bytes | runs |")
    print("|---|---|--:|--:|--:|")
    for tree, rival in pairs:
        with tempfile.TemporaryDirectory() as home:
            found = measured(tree, rival, Path(home))
        runs = f"{found.runs:,}" + ("" if found.ended else f", stopped after {_BUDGET} s")
        print(
            f"| {found.case} | {found.tool} | {found.files} | {found.size:,} | {runs} |", flush=True
        )


if __name__ == "__main__":
    main(sys.argv[1:])
