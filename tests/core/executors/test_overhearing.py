"""What silent scripts read: where a search begins, and whether it ended at another failure."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from pollard.api import Oracle, reduce
from pollard.cli.main import run
from pollard.executors import check_oracle
from pollard.oracle import CommandOracle, Criteria, Health, named_lines
from tests.core.oracle.helpers import shell

FAILING = b"a = 1\nb = a - 1\nprint(a / b)\n"
RUN = f"{sys.executable} {{file}}"


def heard(oracle: CommandOracle, text: bytes = FAILING) -> bytes:
    """Return what the check of an interesting original heard."""
    found = check_oracle(oracle, "a.py", text, on_step=lambda _: None)
    assert found.health is Health.INTERESTING
    assert all(not run.stdout for run in found.runs)
    return found.heard.stdout if found.heard else b""


@pytest.mark.parametrize(
    "script",
    [
        f"{RUN} 2>&1 | grep -q ZeroDivisionError",
        f"{RUN} 2> log; grep -q ZeroDivisionError log",
        f"{RUN} 2> log; tail -n 1 log | grep -q '^ZeroDivisionError' && ! grep -q NameError log",
        f"{RUN} 2> log; [ \"$(sed -n '$s/:.*//p' log)\" = ZeroDivisionError ]",
    ],
    ids=["a pipe", "a file", "its last line", "the output of a program that reads"],
)
def test_what_a_silent_script_reads_is_heard(script):
    told = heard(shell(script))
    assert told.endswith(b"ZeroDivisionError: division by zero\n")
    assert b'a.py", line 3' in told


def test_a_command_for_a_shell_is_heard_too():
    assert b"line 3" in heard(CommandOracle(f"{RUN} 2>&1 | grep -q ZeroDivisionError"))


@pytest.mark.parametrize(
    "call",
    [
        "subprocess.run([sys.executable, sys.argv[1]], capture_output=True, text=True).stderr",
        "subprocess.Popen([sys.executable, sys.argv[1]], stderr=-1).communicate()[1].decode()",
    ],
    ids=["run", "Popen"],
)
def test_what_a_script_in_python_captures_is_heard(tmp_path, call):
    script = tmp_path / "test.py"
    script.write_text(f"import subprocess, sys\nsys.exit('ZeroDivisionError' not in {call})\n")
    told = heard(CommandOracle((sys.executable, str(script), "{file}")))
    assert told.endswith(b"ZeroDivisionError: division by zero\n")
    assert b'a.py", line 3' in told


#: Runs python on the candidate by `CALL`, and reads its errors.
_FOR_NODE = """\
const [python, file] = process.argv.slice(2);
try { CALL } catch (error) {
    process.exit(`${error.stderr}`.includes("ZeroDivisionError") ? 0 : 1);
}
process.exit(1);
"""


@pytest.mark.recipes
@pytest.mark.parametrize(
    ("name", "imported", "call"),
    [
        ("t.cjs", "const { execFileSync } = require('child_process');", "execFileSync(python, [file])"),
        ("t.cjs", "const child = require('child_process');", "child.execSync(`${python} ${file}`)"),
        ("t.mjs", "import { spawnSync } from 'child_process';", "throw spawnSync(python, [file])"),
    ],
    ids=["a program", "a command for a shell", "an import"],
)  # fmt: skip
def test_what_a_script_for_node_captures_is_heard(tmp_path, name, imported, call):
    script = tmp_path / name
    quiet = call.replace(")", ", { stdio: 'pipe' })")
    script.write_text(f"{imported}\n{_FOR_NODE.replace('CALL', quiet)}")
    node = shutil.which("node")
    assert node is not None, "Node.js is not installed"
    told = heard(CommandOracle((node, str(script), sys.executable, "{file}")))
    assert told.endswith(b"ZeroDivisionError: division by zero\n")
    assert b'a.py", line 3' in told


def test_the_candidate_itself_tells_nothing():
    assert not heard(shell("grep -q print {file}"))
    assert not heard(shell("cat {file} | grep -q print"))


def test_a_script_that_leaves_the_reading_to_another_is_heard(tmp_path):
    inner, outer = tmp_path / "inner.sh", tmp_path / "outer.sh"
    inner.write_text(f"{RUN} 2>&1 | grep -q ZeroDivisionError\n".replace("{file}", '"$1"'))
    outer.write_text(f'exec sh {inner} "$1"\n')
    told = heard(CommandOracle(("sh", str(outer), "{file}")))
    assert told.endswith(b"ZeroDivisionError: division by zero\n")


def test_a_command_that_does_not_read_is_not_run_once_more(tmp_path):
    assert not heard(shell(f"mkdir {tmp_path}/$$"))
    assert len(list(tmp_path.iterdir())) == 3


def test_an_output_that_tells_the_failure_is_enough(tmp_path):
    oracle = shell(
        f"echo >> {tmp_path}/runs; {RUN} 2>&1 | grep ZeroDivisionError >&2",
        criteria=Criteria(stderr="ZeroDivisionError"),
    )
    check_oracle(oracle, "a.py", FAILING, on_step=lambda _: None)
    assert (tmp_path / "runs").read_text().count("\n") == 3


def test_nothing_is_left_behind(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert heard(shell(f"{RUN} 2>&1 | grep -q ZeroDivisionError"))
    assert not list(tmp_path.glob("tmp*"))


def test_users_learn_which_failure_a_script_hides():
    found = check_oracle(
        shell(f"{RUN} 2>&1 | grep -q Zero"), "a.py", FAILING, on_step=lambda _: None
    )
    assert "This failure: ZeroDivisionError, raised on line 3" in found.describe()
    assert "failures are compared only at the end" in found.describe()
    assert not found.silence


def test_the_lines_of_the_candidate_are_read_from_it():
    oracle = shell(f"{RUN} 2>&1 | grep -q ZeroDivisionError")
    found = check_oracle(oracle, "a.py", FAILING, on_step=lambda _: None)
    assert found.telling is not None
    assert named_lines(found.telling, "a.py") == (3,)


def test_a_search_with_a_silent_script_begins_where_the_program_fails(tmp_path):
    table = "".join(f"price_{n} = {n + 1}\n" for n in range(60))
    program = f"{table}def mean(numbers):\n    return sum(numbers) / len(numbers)\n\nmean([])\n"
    script = tmp_path / "test.sh"
    script.write_text(f'{sys.executable} "$1" 2>&1 | grep -q ZeroDivisionError\n')
    result = reduce(program, Oracle(["sh", str(script), "{file}"]), filename="a.py", cache=False)
    assert len(result.text) < 20
    assert result.counts.runs < 20
    assert str(result.original_failure) == "ZeroDivisionError, raised in mean"
    assert str(result.failure) == "ZeroDivisionError, raised on line 1"


STORE = """\
class Store:
    def __init__(self, rates):
        self.rates = rates

    def lookup(self, region):
        return self.rates[region]
"""
REPORT = """\
def report(store, regions):
    total = 0
    for region in regions:
        total += store.lookup(region)
    return total
"""
MAIN = """\
store = Store({"north": 3, "south": 4})
print(report(store, ["north", "west"]))
"""


def in_report(folder, command: str, **options: str) -> Oracle:
    """Return an oracle that asks for any failure in `report`, and says nothing about it."""
    script = folder / "test.sh"
    script.write_text(f"{sys.executable} {command} 2>&1 | grep -q 'in report'\n")
    return Oracle(["sh", str(script)], **options)


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_search_that_ends_at_another_failure_goes_back_and_compares(tmp_path, jobs):
    program = f"{STORE}\n\n{REPORT}\n\n{MAIN}"
    oracle = in_report(tmp_path, '"$1"')
    result = reduce(program, oracle, filename="a.py", cache=False, jobs=jobs)
    assert result.failure is not None
    assert result.failure.kind == "KeyError"
    assert b"def report()" in result.text
    assert len(result.text) < 50
    assert any("another failure" in note for note in result.notes)
    anything = in_report(tmp_path, '"$1"', same_failure="off")
    shorter = reduce(program, anything, filename="a.py", cache=False, jobs=jobs)
    assert len(shorter.text) < len(result.text)


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_tree_whose_search_ends_at_another_failure_goes_back_too(tmp_path, jobs):
    files = {
        "store.py": STORE,
        "report.py": REPORT,
        "main.py": f"from store import Store\nfrom report import report\n\n{MAIN}",
    }
    result = reduce(files, in_report(tmp_path, "main.py"), cache=False, jobs=jobs)
    assert result.failure is not None
    assert result.failure.kind == "KeyError"
    assert any("another failure" in note for note in result.notes)
    assert sum(map(len, result.files.values())) < 60


@pytest.mark.parametrize("name", ["a.py", "."], ids=["a file", "a tree"])
def test_a_resumed_search_goes_back_at_the_same_place(tmp_path, monkeypatch, name):
    """It was interrupted after it went back, and the cache is gone."""
    (tmp_path / "p").mkdir()
    monkeypatch.chdir(tmp_path / "p")
    Path("a.py").write_text(f"{STORE}\n\n{REPORT}\n\n{MAIN}")
    script = tmp_path / "test.sh"
    script.write_text(f"{sys.executable} a.py 2>&1 | grep -q 'in report'\n")
    whole = reduced_by_command(name, "../whole", script)
    limited = reduced_by_command(name, "../limited", script, "--max-runs", str(whole["runs"] - 5))
    assert any("another failure" in note for note in limited["notes"])
    resumed = reduced_by_command(name, "../resumed", script, "--resume", "--no-cache")
    assert [resumed[key] for key in ("reduced", "runs")] == [whole["reduced"], whole["runs"]]
    assert resumed["failure"]["kind"] == "KeyError"


def reduced_by_command(name: str, out: str, script: Path, *options: str) -> dict[str, Any]:
    """Reduce by the command line; return the statistics."""
    arguments = ["reduce", name, "-o", out, "--stats", f"{out}.json", "--no-cache", *options]
    assert run([*arguments, "--", "sh", str(script)]) in (0, 3)
    found: dict[str, Any] = json.loads(Path(f"{out}.json").read_text())
    return found
