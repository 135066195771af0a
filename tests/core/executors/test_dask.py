"""Runs on a Dask cluster: results as on one machine, whatever happens to the workers."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from pollard.errors import Cancelled, OracleError
from pollard.events import Event, Progress
from pollard.executors import check_oracle, open_executor
from pollard.executors.cluster import admission, dask_executor
from pollard.executors.cluster.dask_executor import DaskExecutor
from pollard.executors.cluster.scheduler_connection import connect, threads_of
from pollard.oracle import CancelToken, CommandOracle, Criteria, Health
from pollard.oracle.command import Cluster
from pollard.reduction import Plan, Reduction
from pollard.syntax.grammars.languages import find
from tests.core.executors.clusters import SmallCluster, plugins_left, processes_with, wait_until

pytestmark = pytest.mark.cluster

TEXT = b"""{"a": [1, 2, {"needle": 3}], "b": {"c": [4, 5], "d": "x"}, "e": [6, 7, 8, [9]]}"""
_numbers = itertools.count(1)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallCluster]:
    """Two workers that no test harms."""
    with SmallCluster(tmp_path_factory.mktemp("pair")) as cluster:
        cluster.add("left", "right")
        yield cluster


@pytest.fixture
def own(tmp_path: Path) -> Iterator[SmallCluster]:
    """A scheduler of the test's own, without workers."""
    with SmallCluster(tmp_path) as cluster:
        yield cluster


def grep(*, seconds: float = 0.0, log: Path | None = None) -> CommandOracle:
    """An oracle that looks for "needle", takes some time, and logs which worker ran it."""
    note = f"echo $WORKER >> {log}; " if log else ""
    return CommandOracle(f"{note}sleep {seconds}; grep -q needle {{file}}", workspace=Path("/"))


def endless() -> tuple[CommandOracle, str]:
    """An oracle that sleeps, and a word in the command lines of its processes."""
    word = f"100{next(_numbers)}.{os.getpid()}"
    return CommandOracle(("sleep", word), stdin=True, timeout=900), word


def plan_for(oracle: CommandOracle, cluster: SmallCluster | None, jobs: int = 2) -> Plan:
    return Plan(
        text=TEXT,
        filename="input.json",
        oracle=cluster.on(oracle) if cluster else oracle,
        grammar=find("json"),
        jobs=jobs if cluster else 1,
        cache=False,
        checks=1,
    )


class Watched:
    """A reduction in a thread, whose runs can be waited for."""

    def __init__(self, plan: Plan) -> None:
        self._runs = 0
        self.reduction = Reduction(plan, self._on_event)
        self._pool = ThreadPoolExecutor(1)
        self.ended = self._pool.submit(self.reduction.run)

    def wait_for_runs(self, count: int) -> None:
        wait_until(lambda: self._runs >= count or self.ended.done())

    def _on_event(self, event: Event) -> None:
        if isinstance(event, Progress):
            self._runs = event.counts.runs


def test_bytes_and_counted_runs_are_those_of_one_job_here(pair: SmallCluster):
    here = Reduction(plan_for(grep(seconds=0.06), None)).run()
    there = Reduction(plan_for(grep(seconds=0.06), pair)).run()
    assert (there.text, there.counts.runs) == (here.text, here.counts.runs)
    assert len(there.text) < len(TEXT)


def test_a_file_that_the_scheduler_still_writes_is_waited_for(pair: SmallCluster, tmp_path: Path):
    """A user may start the scheduler and the reduction at the same time."""
    file = tmp_path / "scheduler.json"
    file.write_bytes(b"")
    writer = threading.Timer(0.3, file.write_bytes, [pair.file.read_bytes()])
    writer.start()
    assert threads_of(Cluster(scheduler_file=file)) == 2
    writer.join()


def test_a_run_tells_all_that_a_local_one_tells(pair: SmallCluster):
    oracle = CommandOracle("echo out; echo err >&2; exit 3", criteria=Criteria(exit_code=(3,)))
    with open_executor(pair.on(oracle), "a.txt") as executor:
        run = executor.run(b"x", capture=True)
        quiet = executor.run(b"x")
    assert (run.exit_code, run.stdout, run.stderr) == (3, b"out\n", b"err\n")
    assert run.verdict is quiet.verdict
    assert run.seconds > 0
    assert quiet.stdout == b""


def test_what_a_silent_script_reads_is_heard_there(pair: SmallCluster):
    """A search begins where the failure is, which must not depend on where runs take place."""
    oracle = CommandOracle("jq .b.c.x {file} 2>&1 | grep -q 'Cannot index'", workspace=Path("/"))
    told = [
        check_oracle(each, "input.json", TEXT, on_step=lambda _: None).heard
        for each in (oracle, pair.on(oracle))
    ]
    assert all(run and b"Cannot index" in run.stdout for run in told)


def test_nothing_is_left_on_the_workers(pair: SmallCluster):
    with open_executor(pair.on(grep()), "a.txt") as executor:
        executor.run(b"needle")
        assert pair.left_behind()
    assert pair.left_behind() == []
    with plugins_left(pair.cluster) as left:
        assert left() == []


def test_scripts_and_files_are_shipped(pair: SmallCluster, tmp_path: Path):
    script, words = tmp_path / "a script.sh", tmp_path / "words.txt"
    script.write_text("#!/bin/sh\ngrep -q -f words.txt $1\n")
    script.chmod(0o755)
    words.write_text("needle\n")
    oracle = CommandOracle((str(script), "{file}"), files=(words,), workspace=tmp_path)
    with open_executor(pair.on(oracle), "a.txt") as executor:
        script.unlink()  # as on a worker that does not see this disk
        words.unlink()
        assert executor.run(b"a needle").exit_code == 0
        assert executor.run(b"a nail").exit_code == 1


def test_a_cancelled_run_is_killed_on_its_worker(pair: SmallCluster):
    oracle, word = endless()
    token = CancelToken()
    with (
        open_executor(pair.on(oracle), "a.txt") as executor,
        ThreadPoolExecutor() as pool,
    ):
        run = pool.submit(executor.run, b"x", cancelled=token)
        wait_until(lambda: processes_with(word))
        token.set()
        with pytest.raises(Cancelled):
            run.result()
        wait_until(lambda: not processes_with(word))


def test_a_run_beyond_its_limit_ends_on_the_worker(pair: SmallCluster):
    oracle, word = endless()
    with open_executor(pair.on(replace(oracle, timeout=0.2)), "a.txt") as executor:
        assert executor.run(b"x").timed_out
    assert processes_with(word) == []


@pytest.mark.parametrize("signal_", [signal.SIGKILL, signal.SIGINT])
def test_no_process_outlives_the_command_line(pair: SmallCluster, tmp_path: Path, signal_: int):
    """Killed outright, it can tell the workers nothing: Dask notices the lost connection."""
    word = f"200{next(_numbers)}.{os.getpid()}"
    file = tmp_path / "a.json"
    file.write_bytes(TEXT)
    command = ["--timeout", "900", "--stdin", "--", "sleep", word]
    options = ["--scheduler-file", str(pair.file), *command]
    process = subprocess.Popen([sys.executable, "-m", "pollard", "reduce", str(file), *options])
    wait_until(lambda: set(processes_with(word)) - {process.pid})
    process.send_signal(signal_)
    process.wait()
    wait_until(lambda: not processes_with(word))
    assert processes_with(word) == []


def test_what_a_killed_process_left_is_removed_by_the_next(pair: SmallCluster, tmp_path: Path):
    """Its runs end at once; the files of its oracle are only in the way."""
    word = f"300{next(_numbers)}.{os.getpid()}"
    file = tmp_path / "a.json"
    file.write_bytes(TEXT)
    options = ["--scheduler-file", str(pair.file), "--stdin", "--", "sleep", word]
    process = subprocess.Popen([sys.executable, "-m", "pollard", "check", str(file), *options])
    with plugins_left(pair.cluster) as left:
        # A child of Pollard has its words for a moment, too, before it runs a program of its own.
        wait_until(lambda: left() and set(processes_with(word)) - {process.pid})
        process.kill()
        process.wait()
        assert left()
        with open_executor(pair.on(grep()), "a.txt"):
            wait_until(lambda: len(left()) == 1)
        assert left() == []
    assert pair.left_behind() == []


def test_a_killed_worker_costs_nothing_but_time(own: SmallCluster):
    own.add("first", "second")
    oracle = grep(seconds=0.1)
    watched = Watched(plan_for(oracle, own))
    watched.wait_for_runs(3)
    own.kill("first")
    there, here = watched.ended.result(), Reduction(plan_for(grep(), None)).run()
    assert (there.text, there.counts.runs) == (here.text, here.counts.runs)


def test_a_candidate_that_kills_its_workers_ends_the_search(
    own: SmallCluster, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(dask_executor, "_MAX_LOSSES", 2)
    own.add("cat", nanny="--nanny")
    killer = CommandOracle("grep -q spare {file} || kill -9 $PPID", workspace=Path("/"))
    with DaskExecutor(own.on(killer), "a.txt") as executor:
        assert executor.run(b"spare").exit_code == 0
        with pytest.raises(OracleError, match="lost 2 times with the worker that ran it"):
            executor.run(b"kill")
        assert executor.run(b"spare").exit_code == 0  # on the worker that was started again


def test_a_late_worker_gets_runs(own: SmallCluster, tmp_path: Path):
    log = tmp_path / "log"
    own.add("early")
    with open_executor(own.on(grep(log=log)), "a.txt") as executor:
        assert executor.run(b"needle").exit_code == 0
        own.add("late")
        own.kill("early")
        assert executor.run(b"needle").exit_code == 0
    assert log.read_text().split() == ["early", "late"]


def other_grep(folder: Path) -> str:
    """A PATH with another grep before the usual one, which finds nothing."""
    folder.mkdir()
    (folder / "grep").write_text("#!/bin/sh\nexit 1\n")
    (folder / "grep").chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


def test_a_worker_with_another_program_is_named_at_the_start(own: SmallCluster, tmp_path: Path):
    own.add("good", "fine")
    own.add("odd", PATH=other_grep(tmp_path / "bin"))
    checked = check_oracle(own.on(grep()), "a.txt", b"needle")
    assert checked.health is Health.BROKEN
    assert "the worker odd (tcp://" in checked.error
    assert "exit code 1 (uninteresting) instead of exit code 0 (interesting" in checked.error


def test_a_worker_without_the_program_is_named_at_the_start(own: SmallCluster, tmp_path: Path):
    program = tmp_path / "bin" / "rare-program"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    own.add("one", "two", PATH=f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    own.add("bare")
    checked = check_oracle(own.on(CommandOracle(("rare-program",))), "a.txt", b"")
    assert "the worker bare (tcp://" in checked.error
    assert "'rare-program' was not found on PATH" in checked.error


def test_a_late_worker_with_another_program_gets_no_runs(own: SmallCluster, tmp_path: Path):
    log, text = tmp_path / "log", b"needle"
    own.add("good")
    with DaskExecutor(own.on(grep(log=log)), "a.txt") as executor:
        executor.compare_workers(text)
        own.add("odd", PATH=other_grep(tmp_path / "bin"))
        wait_until(lambda: executor.notes)
        compared = log.read_text().split().count("odd")
        with ThreadPoolExecutor(4) as pool:
            runs = list(pool.map(executor.run, [text] * 8))
    assert [run.exit_code for run in runs] == [0] * 8
    assert log.read_text().split().count("odd") == compared
    assert "the worker odd" in executor.notes[0]
    assert "joined later" in executor.notes[0]


def test_another_version_of_pollard_is_named(pair: SmallCluster, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("pollard.__version__", "9.9")
    with pytest.raises(OracleError, match=r"The worker \w+ \(tcp://.*has Pollard .*9\.9; install"):
        open_executor(pair.on(grep()), "a.txt")


def test_another_version_of_python_is_named(pair: SmallCluster, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(admission, "_python_version", lambda: "3.1.4")
    with pytest.raises(OracleError, match=r"The worker \w+ \(tcp://.*start it with Python 3\.1\."):
        open_executor(pair.on(grep()), "a.txt")


def test_a_lost_scheduler_ends_the_search_and_it_can_be_resumed(own: SmallCluster, tmp_path: Path):
    own.add("only")
    plan = replace(plan_for(grep(seconds=0.1), own), journal=tmp_path / "journal", cache=True)
    watched = Watched(plan)
    watched.wait_for_runs(10)
    own.kill("scheduler")
    with pytest.raises(OracleError, match=r"scheduler .* is lost; .*--resume"):
        watched.ended.result()
    (tmp_path / "again").mkdir()
    with SmallCluster(tmp_path / "again") as again:
        again.add("new")
        there = Reduction(replace(plan, oracle=again.on(plan.oracle), resume=True)).run()
    here = Reduction(plan_for(grep(), None)).run()
    assert there.text == here.text
    assert there.counts.runs < here.counts.runs  # verdicts from before were known


@pytest.mark.parametrize("frozen", ["scheduler", "worker"])
def test_what_does_not_answer_any_more_does_not_keep_ctrl_c_from_ending_it(
    own: SmallCluster, tmp_path: Path, frozen: str
):
    """Dask waits without a limit until all have answered that the oracle was removed."""
    own.add("worker", "other")
    (tmp_path / "a.json").write_bytes(TEXT)
    log = tmp_path / "log"
    command = f"echo run >> {log}; sleep 0.2; grep -q needle"
    options = ["--sandbox", "off", "--scheduler-file", str(own.file), "--stdin", "--", command]
    process = subprocess.Popen(
        [sys.executable, "-m", "pollard", "reduce", str(tmp_path / "a.json"), *options]
    )
    wait_until(lambda: log.exists() and log.read_bytes().count(b"\n") > 8)
    own.freeze(frozen)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130


def test_jobs_are_the_threads_of_the_cluster(pair: SmallCluster):
    assert threads_of(pair.cluster) == 2


def test_a_scheduler_that_does_not_answer_is_one_sentence():
    with pytest.raises(OracleError, match=r"The scheduler tcp://127\.0\.0\.1:9 cannot be reached"):
        connect(Cluster("tcp://127.0.0.1:9"))


def test_certificates_are_those_of_dasks_own_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    certificate, private = str(tmp_path / "certificate.pem"), str(tmp_path / "private.pem")
    made = ["-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=test", "-days", "2"]
    subprocess.run(
        ["openssl", "req", *made, "-keyout", private, "-out", certificate],
        check=True,
        capture_output=True,
    )
    settings = {"CA_FILE": certificate}
    for role in ("SCHEDULER", "WORKER", "CLIENT"):
        settings |= {f"{role}__CERT": certificate, f"{role}__KEY": private}
    for name, value in settings.items():
        monkeypatch.setenv(f"DASK_DISTRIBUTED__COMM__TLS__{name}", value)
    with SmallCluster(tmp_path, "--protocol", "tls") as cluster:
        cluster.add("only", wait=False)
        assert "tls://" in cluster.file.read_text()
        file = tmp_path / "a.txt"
        file.write_text("needle")
        command = [sys.executable, "-m", "pollard", "check", str(file)]
        command += ["--scheduler-file", str(cluster.file), "--", "grep", "-q", "needle"]
        seen = subprocess.run(command, capture_output=True, text=True, check=False)
        assert "The file is interesting" in seen.stdout
        for name in settings:
            monkeypatch.delenv(f"DASK_DISTRIBUTED__COMM__TLS__{name}")
        refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "cannot be reached" in refused.stdout
    assert refused.stderr == ""
