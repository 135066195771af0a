"""How much less time warm runs take than cold ones: `python -m tests.bench.warm [CASE...]`.

It runs each tool cold and warm by turns on the same file, so that both have the same machine, and
prints a table in Markdown. With `--search` it reduces the files as well, and compares the results and
the wall times. Tools that are not installed are named and left out.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from pollard.errors import OracleError
from pollard.executors import open_executor
from pollard.executors.warm.node_runner import NodeRunner
from pollard.executors.warm.warm_runner import WarmRunner
from pollard.oracle import CommandOracle, Criteria
from pollard.oracle.sandbox_policy import SandboxPolicy
from pollard.oracle.verdict import Run
from pollard.oracle.warm.warm_runs import WarmRuns
from pollard.reduction import Plan, Reduction
from pollard.syntax.grammars.languages import detect, find

_ROUNDS = 9
_CORPUS = Path(os.environ.get("POLLARD_CORPUS", "../shared/corpus")).absolute()
_TOOLS = Path(os.environ.get("CORPUS_TOOLS", Path.home() / ".cache" / "pollard-corpus"))
_ESLINT = Path(os.environ.get("POLLARD_TOOLS", Path.home() / ".cache" / "pollard-tools"))
_STAYING = Path(__file__).with_name("staying")
_SCHEMA = _CORPUS / "prop-json-schema-license" / "schema.json"
_VALIDATE = """
import json, sys, jsonschema
validator = jsonschema.Draft7Validator(json.load(open(sys.argv[1])))
for error in validator.iter_errors(json.load(open(sys.argv[2], encoding="utf-8"))):
    path = list(error.absolute_path)
    licence = path[:1] == ["packages"] and path[-1] == "license"
    if error.validator == "pattern" and licence and " AND " in str(error.instance):
        print("VIOLATION")
"""
_PYTHON = b"import os\nimport sys\n\n\ndef f(a, b):\n    x: int = 'text'\n    return a\n"
_YAML = b"a:\n  - b\n  - c: [1,2]\nkey: yes\nother:\n    deep: 1\n"
_RST = b"Title\n=====\n\nSome *text* and `nowhere`_.\n\n- item\n- other\n"
_JAVASCRIPT = b"const prices = [3, 5];\nfunction total(a) { return a.map((x) => x * factor); }\n"


@dataclass(frozen=True)
class WarmCase:
    """A tool and a file; `staying` is a script for Node.js that asks the tool by the protocol."""

    name: str
    command: tuple[str, ...]
    file: str | bytes
    filename: str
    criteria: Criteria
    staying: str = ""
    stdin: bool = False

    @property
    def text(self) -> bytes:
        return self.file if isinstance(self.file, bytes) else (_CORPUS / self.file).read_bytes()

    def oracle(self, warm: WarmRuns) -> CommandOracle:
        """The tool's command; with `PROTOCOL` the script."""
        settings = {"criteria": self.criteria, "sandbox": SandboxPolicy(), "warm": warm}
        if warm is WarmRuns.PROTOCOL:
            modules = str(Path(self.command[1]).parents[1 + ("/bin/" in self.command[1])])
            script = str(_STAYING / self.staying)
            return CommandOracle(("node", script, modules), **settings)
        return CommandOracle(self.command, stdin=self.stdin, **settings)

    @property
    def way(self) -> WarmRuns:
        """What keeps it loaded."""
        return WarmRuns.PROTOCOL if self.staying else WarmRuns.ON

    @property
    def kept(self) -> str:
        """What keeps it loaded, for the table."""
        if self.staying:
            return "by the protocol"
        return "repeated" if self.command[0] == "node" else "copies"


def _node(package: str, script: str) -> tuple[str, str]:
    return "node", str(_TOOLS / package / "node_modules" / script)


def _matches(expression: str) -> Criteria:
    return Criteria(output=expression)


_COMMANDS = (
    WarmCase(
        "black 22.12",
        (str(_TOOLS / "black-22.12.0" / "bin" / "black"), "--preview", "-q", "-"),
        "py-black-walrus-annotation/input.py",
        "input.py",
        _matches("cannot format -: Cannot parse: .*-> *[A-Za-z_0-9]* := "),
        stdin=True,
    ),
    WarmCase(
        "jsonschema 4.17",
        (
            str(_TOOLS / "jsonschema-4.17.3" / "bin" / "python"),
            *("-c", _VALIDATE, str(_SCHEMA), "{file}"),
        ),
        "prop-json-schema-license/input.json",
        "input.json",
        _matches("^VIOLATION$"),
    ),
    WarmCase(
        "flake8",
        ("flake8", "{file}"),
        "py-black-walrus-annotation/input.py",
        "input.py",
        _matches("E741"),
    ),
    WarmCase("pylint", ("pylint", "{file}"), _PYTHON, "a.py", _matches("W0611: Unused import sys")),
    WarmCase("yamllint", ("yamllint", "{file}"), _YAML, "a.yaml", _matches("truthy")),
    WarmCase("docutils", ("docutils", "{file}"), _RST, "a.rst", _matches("Unknown target name")),
    WarmCase("mypy", ("mypy", "{file}"), _PYTHON, "a.py", _matches("Incompatible types")),
    WarmCase(
        "eslint 10.15",
        (
            *("node", str(_ESLINT / "node_modules" / "eslint" / "bin" / "eslint.js")),
            *("--no-config-lookup", "--rule", "no-undef: error", "{file}"),
        ),
        _JAVASCRIPT,
        "a.js",
        _matches("'factor' is not defined"),
    ),
)
_BY_PROTOCOL = (
    WarmCase(
        "prettier 2.4",
        (*_node("prettier-2.4.1", "prettier/bin-prettier.js"), "{file}"),
        "ts-prettier-conditional-comment/input.ts",
        "in.ts",
        _matches('Error: Comment ".*" was not printed. Please report this error!'),
        staying="prettier.js",
    ),
    WarmCase(
        "html-minifier-terser 6.1",
        (
            *_node("html-minifier-terser-6.1.0", "html-minifier-terser/cli.js"),
            *("--collapse-whitespace", "--minify-js", "true", "--minify-css", "true"),
            *("--remove-script-type-attributes", "--remove-style-link-type-attributes", "{file}"),
        ),
        "html-minifier-style-type/input.html",
        "input.html",
        _matches("Cannot read properties of undefined \\(reading 'toLowerCase'\\)"),
        staying="html_minifier.js",
    ),
    WarmCase(
        "tsc 3.3",
        (*_node("typescript-3.3.3", "typescript/bin/tsc"), "--noEmit", "{file}"),
        b"const x: number = 'text';\nfunction f(a: string) { return a + x; }\n",
        "a.ts",
        _matches("TS2322"),
        staying="typescript.js",
    ),
)
CASES = (*_COMMANDS, *(replace(each, staying="") for each in _BY_PROTOCOL), *_BY_PROTOCOL)


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
    options = parser.parse_args()
    for line in table(options.case, search=options.search):
        print(line, flush=True)
