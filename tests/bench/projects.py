"""Reductions of directories: how many runs they take, and how small the results are.

`python -m tests.bench.projects [CASE...]` makes the directories and prints a table. Where a case has a
*single* file, which a person would merge the others into, that is reduced as well, to compare with.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from pollard.api import Oracle, plan_of
from pollard.project.leaving_out import LeftOut
from pollard.project.outcome import ProjectResult
from pollard.project.project_files import read_directory
from pollard.project.project_plan import ProjectPlan
from pollard.project.reduction import ProjectReduction
from pollard.reduction import Reduction
from pollard.settings.settings import Settings
from pollard.syntax.grammars.languages import grammar_for

_WORDS = ("alpha", "beta", "gamma")


@dataclass(frozen=True)
class Tree:
    """A directory that fails: `make` fills it, `oracle` runs in it.

    `single` returns one file with the same failure, whose name ends in `suffix`, and `oracle_of_single`
    is for it.
    """

    name: str
    make: Callable[[Path], None]
    oracle: Oracle
    single: Callable[[Path], bytes] | None = None
    oracle_of_single: Oracle | None = None
    suffix: str = ".c"


@dataclass(frozen=True)
class Measured:
    """A reduction of a tree; `single` has the bytes and runs of the single file's, if there is one."""

    tree: Tree
    result: ProjectResult
    single: tuple[int, int] | None


def make_many(folder: Path) -> None:
    """Make 3,000 modules in 280 folders, of which three are needed."""
    choose = random.Random(1)
    needed = dict(zip((17, 1234, 2777), _WORDS, strict=True))
    for number in range(3_000):
        file = folder / f"part{number % 40}" / f"group{number % 7}" / f"module{number}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        lines = [f"value{n} = {n}" for n in range(choose.randrange(200))]
        if number in needed:
            lines.append(f"{needed[number]} = 1")
        file.write_text("\n".join(lines) + "\n")


def make_headers(folder: Path) -> None:
    """Make a C file with 20 own headers, of which a chain of four leads to an error."""
    (folder / "include").mkdir()
    for number in range(20):
        includes = [f'#include "h{number + 1}.h"\n'] if number in (3, 4, 5) else []
        body = _functions(number) if number != 6 else _functions(number) + _BROKEN
        (folder / "include" / f"h{number}.h").write_text(
            f"#ifndef H{number}\n#define H{number}\n{''.join(includes)}{body}#endif\n"
        )
    headers = [n for n in range(20) if n not in (4, 5, 6)]
    includes = "".join(f'#include "include/h{number}.h"\n' for number in headers)
    calls = "".join(f"    total += scale{number}(total);\n" for number in range(20))
    (folder / "main.c").write_text(
        f"{includes}\nint main(void) {{\n    int total = 1;\n{calls}    return total;\n}}\n"
    )


_BROKEN = "static inline int misplaced(int value) { return value + nowhere; }\n"


def _functions(number: int) -> str:
    return (
        f"struct point{number} {{ int x; int y; }};\n"
        f"static inline int scale{number}(int value)\n{{\n"
        f"    struct point{number} p = {{ value, 2 }};\n"
        f"    return p.x * p.y + {number};\n}}\n"
    )


def merged_headers(folder: Path) -> bytes:
    """Return what the preprocessor makes of the C file."""
    command = ["gcc", "-E", "-P", "main.c"]
    return subprocess.run(command, cwd=folder, capture_output=True, check=True).stdout


def make_package(folder: Path) -> None:
    """Make a Python package of 60 modules that import each other; a call through five of them fails."""
    (folder / "package").mkdir()
    (folder / "package" / "__init__.py").write_text("from package.m0 import f0\n")
    for number in range(60):
        imported = number + 1 if number < 5 else (number * 7 + 3) % 60
        uses = f"    return f{imported}(value - 1)\n" if number < 5 else "    return value * 2\n"
        body = uses if number != 5 else "    table = {'key': value}\n    return table['missing']\n"
        line = f"from package.m{imported} import f{imported}\n" if number < 5 else ""
        (folder / "package" / f"m{number}.py").write_text(
            f"import math\n{line}\n\nLIMIT = {number}\n\n\ndef f{number}(value):\n{body}\n\n"
            f"def unused{number}(value):\n    return math.sqrt(value + LIMIT)\n"
        )
    (folder / "run.py").write_text("import package\n\nprint(package.f0(9))\n")


TREES = (
    Tree(
        "three-of-3000",
        make_many,
        Oracle(f'[ "$(grep -rlE "{"|".join(_WORDS)}" . | wc -l)" = 3 ]', name="three"),
    ),
    Tree(
        "c-headers",
        make_headers,
        Oracle(["gcc", "-fsyntax-only", "{dir}/main.c"], output="nowhere. undeclared"),
        merged_headers,
        Oracle(["gcc", "-fsyntax-only", "{file}"], output="nowhere. undeclared"),
    ),
    Tree(
        "python-package",
        make_package,
        Oracle([sys.executable, "-S", "{dir}/run.py"], stderr="KeyError: 'missing'"),
    ),
)


def measured(tree: Tree) -> Measured:
    """Reduce a tree with one job, and the single file, if there is one."""
    return Measured(tree, reduced(tree), _single(tree) if tree.single else None)


def reduced(tree: Tree, jobs: int = 1) -> ProjectResult:
    """Make a tree in a temporary directory, and reduce it without a cache."""
    with tempfile.TemporaryDirectory() as name:
        tree.make(Path(name))
        files = read_directory(Path(name), LeftOut.by()).tree
    oracle = tree.oracle.to_oracle(Path.cwd())
    each = plan_of(_settings(jobs), text=b"", filename="", oracle=oracle, grammar=None)
    return ProjectReduction(ProjectPlan(files, each)).run()


def _settings(jobs: int = 1) -> Settings:
    return Settings().override({"cache": False, "jobs": jobs}, "the bench")


def _single(tree: Tree) -> tuple[int, int]:
    assert tree.single
    assert tree.oracle_of_single
    with tempfile.TemporaryDirectory() as folder:
        tree.make(Path(folder))
        text = tree.single(Path(folder))
    name = f"single{tree.suffix}"
    plan = plan_of(
        _settings(),
        text=text,
        filename=name,
        oracle=tree.oracle_of_single.to_oracle(Path.cwd()),
        grammar=grammar_for(name, text),
    )
    result = Reduction(plan).run()
    return len(result.text), result.counts.runs


def table(rows: Iterable[Measured]) -> str:
    """Return the table of figures."""
    lines = [
        "| case | files | bytes | runs | seconds | as a single file: bytes, runs |",
        "|---|---|---|---|---|---|",
    ]
    for row in rows:
        before, after, counts = row.result.original, row.result.reduced, row.result.counts
        single = f"{row.single[0]}, {row.single[1]}" if row.single else ""
        lines.append(
            f"| {row.tree.name} | {before.files} → {after.files} | {before.bytes} → {after.bytes} "
            f"| {counts.runs} | {counts.seconds:.1f} | {single} |"
        )
    return "\n".join(lines)


def table_of_jobs(trees: Iterable[Tree]) -> str:
    """Return a table of reductions with one job and with two, and whether they are the same."""
    lines = ["| case | -j 1: bytes, runs | -j 2: bytes, runs | same files |", "|---|---|---|---|"]
    for tree in trees:
        one, two = (reduced(tree, jobs) for jobs in (1, 2))
        figures = (f"{each.reduced.bytes}, {each.counts.runs}" for each in (one, two))
        lines.append(
            f"| {tree.name} | {' | '.join(figures)} | {_yes_or_no(one.tree == two.tree)} |"
        )
    return "\n".join(lines)


def _yes_or_no(answer: bool) -> str:
    return "yes" if answer else "no"


def main(names: list[str]) -> None:
    """Print the table of the named cases, or of all for which the programs are there."""
    chosen = [tree for tree in TREES if not names or tree.name in names]
    if shutil.which("gcc") is None:
        chosen = [tree for tree in chosen if tree.name != "c-headers"]
    print(table(measured(tree) for tree in chosen))


if __name__ == "__main__":
    main(sys.argv[1:])
