"""The files with diagnostics, and what each tool printed about its file.

`python -m tests.core.oracle.diagnostics.recorded TOOL...` runs tools and writes their outputs again.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from pollard.executors import check_oracle
from pollard.oracle import Outcome
from pollard.settings.usual_tools import oracle_for_diagnostics, oracle_for_server

_HERE = Path(__file__).parent
_EXPECTED = (_HERE / "expected.tsv").read_text(encoding="utf-8").splitlines()
# The tool that does not say by itself how it is to be called.
_SCHEMA = ["check-jsonschema", "-o", "json", "--schemafile", "{dir}/schema.json", "{file}"]


@dataclass(frozen=True, slots=True)
class Expected:
    """A line of `expected.tsv`: one diagnostic of a tool; "" for what it does not tell."""

    tool: str
    file: str
    code: str
    message: str
    line: str


EXPECTED = [Expected(*row.split("\t")) for row in _EXPECTED]


def write_files(folder: Path) -> None:
    """Write all files into a folder."""
    for path in (_HERE / "files").iterdir():
        shutil.copy(path, folder / path.name.removesuffix(".txt"))


def run_tool(expected: Expected, folder: Path) -> Outcome:
    """Run a tool as Pollard does, on its file in a folder."""
    file = folder / expected.file
    if expected.tool == "lsp":
        oracle = oracle_for_server(("ruff", "server"), file)
        oracle = replace(oracle, diagnostic=(expected.code,))
    elif expected.tool == "check-jsonschema":
        oracle = replace(
            oracle_for_diagnostics(["ruff"], file), command=tuple(_SCHEMA), diagnostic=()
        )
        oracle = replace(oracle, files=(str(folder / "schema.json"),))
    else:
        oracle = oracle_for_diagnostics([expected.tool], file)
    checked = check_oracle(oracle.to_oracle(folder), file.name, file.read_bytes(), runs=1)
    assert checked.runs, checked.error
    return checked.runs[0]


def recorded_outcome(tool: str) -> Outcome:
    """Return the recorded run of a tool."""
    found = json.loads((_HERE / "outputs" / f"{tool}.json").read_text(encoding="utf-8"))
    stdout, stderr = found["stdout"].encode(), found["stderr"].encode()
    return Outcome(exit_code=found["exit_code"], signal=None, stdout=stdout, stderr=stderr)


def _record(expected: Expected) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write_files(Path(folder))
        run = run_tool(expected, Path(folder))
    seen = {
        "exit_code": run.exit_code,
        "stdout": run.stdout.decode(),
        "stderr": run.stderr.decode(),
    }
    text = f"{json.dumps(seen, indent=1, ensure_ascii=False)}\n"
    (_HERE / "outputs" / f"{expected.tool}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for each in EXPECTED:
        if each.tool in sys.argv[1:]:
            _record(each)
