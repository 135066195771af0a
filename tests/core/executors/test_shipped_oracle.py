"""What an oracle needs goes along to the machine that runs it, and nothing else changes there."""

from __future__ import annotations

import importlib.util
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from pollard.errors import OracleError
from pollard.executors.cluster.scheduler_connection import connect
from pollard.executors.cluster.shipped_oracle import ShippedOracle
from pollard.executors.process import Runner
from pollard.oracle import CommandOracle, Run
from pollard.oracle.command import Cluster
from pollard.oracle.diagnostics.surroundings import Surroundings

SCRIPT = "#!/bin/sh\ncat data/words.txt extra.txt; test $# = 1\n"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace with a script, and two files that it reads in its run directory."""
    folder = tmp_path / "workspace"
    (folder / "data").mkdir(parents=True)
    (folder / "check.sh").write_text(SCRIPT)
    (folder / "check.sh").chmod(0o755)
    (folder / "data" / "words.txt").write_text("words ")
    (folder / "extra.txt").write_text("extra")
    return folder


def sent(oracle: CommandOracle) -> ShippedOracle:
    shipped: ShippedOracle = pickle.loads(pickle.dumps(ShippedOracle.of(oracle, "a.txt")))
    return shipped


def run_elsewhere(shipped: ShippedOracle, workspace: Path, folder: Path) -> Run:
    """Run where nothing of the workspace is left."""
    workspace.rename(workspace.with_name("elsewhere"))
    with Runner(shipped.unpacked(folder), shipped.filename) as runner:
        return runner.run(b"x", capture=True)


@pytest.mark.parametrize(
    "command",
    [
        ("./check.sh", "{file}"),
        ("{workspace}/check.sh",),
        ("sh", "{workspace}/check.sh", "{file}"),
        "sh {workspace}/check.sh {file}",
        "sh '{workspace}/check.sh' {file} || exit 7",
    ],
)
def test_a_script_and_files_are_found_where_the_workspace_is_not(
    workspace: Path, tmp_path: Path, command: tuple[str, ...] | str
):
    oracle = CommandOracle(
        command, files=(Path("data"), workspace / "extra.txt"), workspace=workspace
    )
    run = run_elsewhere(sent(oracle), workspace, tmp_path / "unpacked")
    assert (run.exit_code, run.stdout) == (0, b"words extra")


@pytest.mark.parametrize("command", [("sh", "PLACE/check.sh"), "sh PLACE/check.sh"])
def test_an_absolute_path_is_replaced(
    workspace: Path, tmp_path: Path, command: tuple[str, ...] | str
):
    place = str(workspace)
    filled = (
        command.replace("PLACE", place)
        if isinstance(command, str)
        else tuple(word.replace("PLACE", place) for word in command)
    )
    oracle = CommandOracle(filled, files=(Path("data"), Path("extra.txt")), workspace=workspace)
    run = run_elsewhere(sent(oracle), workspace, tmp_path / "unpacked")
    assert (run.exit_code, run.stdout) == (0, b"words extra")


def test_the_same_script_at_the_same_place_is_used_there(workspace: Path, tmp_path: Path):
    """It may need what is beside it."""
    oracle = CommandOracle(("./check.sh", "{file}"), workspace=workspace)
    assert sent(oracle).unpacked(tmp_path / "unpacked").command == oracle.command


def test_another_script_at_the_same_place_is_not_used(workspace: Path, tmp_path: Path):
    shipped = sent(CommandOracle(("./check.sh", "{file}"), workspace=workspace))
    (workspace / "check.sh").write_text("#!/bin/sh\nexit 1\n")
    program = Path(shipped.unpacked(tmp_path / "unpacked").command[0])
    assert program.read_text() == SCRIPT


def test_paths_that_only_begin_alike_stay(workspace: Path, tmp_path: Path):
    oracle = CommandOracle("sh {workspace}/check.sh {workspace}/check.sh.log", workspace=workspace)
    shipped = sent(oracle)
    workspace.rename(tmp_path / "gone")
    command = shipped.unpacked(tmp_path / "unpacked").command
    assert isinstance(command, str)
    assert command.endswith("check.sh {workspace}/check.sh.log")
    assert not command.startswith("sh {workspace}")


def test_installed_programs_are_not_sent(tmp_path: Path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "pyvenv.cfg").touch()
    (tmp_path / "bin" / "tool").touch()
    oracle = CommandOracle(("/bin/sh", str(tmp_path / "bin" / "tool")), workspace=tmp_path)
    assert sent(oracle).named == ()


def test_a_missing_file_is_named(tmp_path: Path):
    oracle = CommandOracle(("cat",), files=(Path("nowhere.h"),), workspace=tmp_path)
    with pytest.raises(OracleError, match=r"nowhere\.h' cannot be copied: No such file"):
        ShippedOracle.of(oracle, "a.txt")


def test_a_project_that_a_tool_reads_must_be_there(workspace: Path, tmp_path: Path):
    oracle = CommandOracle(
        ("mypy", "{file}"), workspace=workspace, surroundings=Surroundings(workspace, Path())
    )
    shipped = sent(oracle)
    assert shipped.unpacked(tmp_path / "here").surroundings == oracle.surroundings
    workspace.rename(tmp_path / "gone")
    with pytest.raises(OracleError, match="share that folder with all workers"):
        shipped.unpacked(tmp_path / "there")


def test_without_dask_a_sentence_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(OracleError, match=r"pip install 'pollard\[dask\]'"):
        connect(Cluster("tcp://127.0.0.1:1"))


def test_a_scheduler_file_that_does_not_exist_is_not_waited_for(tmp_path: Path):
    with pytest.raises(OracleError, match=r"no scheduler file .*none\.json"):
        connect(Cluster(scheduler_file=tmp_path / "none.json"))


def test_dask_is_loaded_for_clusters_only():
    """It would double the time that Pollard takes to start."""
    code = "import sys, pollard.cli.main, pollard.reduction; sys.exit('distributed' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
