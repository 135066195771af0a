"""Nothing of a run outlives it, and a run cannot take more than its limits."""

from __future__ import annotations

import resource
import subprocess
import sys
import textwrap
import threading
import time

import psutil
import pytest

from pollard.errors import Cancelled
from pollard.executors import Runner, daemons, linux, portable
from pollard.executors import invocation as memory
from pollard.executors import process as process_module
from pollard.oracle import CancelToken, CommandOracle, Verdict
from tests.core.oracle.helpers import ANY, PYTHON, gone, run_once, shell, wait_for

# Limits are set from outside a moment after the start: a test that asks for them waits for that.
LIMITED = "while [ $(ulimit -f) = unlimited ]; do :; done"


@pytest.fixture(params=["linux", "portable"])
def _either(request, monkeypatch):
    """Both implementations of a run; the portable one is for systems without pidfd."""
    module = {"linux": linux, "portable": portable}[request.param]
    monkeypatch.setattr(process_module, "execute", module.execute)


@pytest.mark.usefixtures("_either")
class TestEverywhere:
    def test_exit_code_signal_and_output(self):
        run = run_once(shell("echo out; echo err >&2; exit 7"))
        assert (run.exit_code, run.signal, run.stdout, run.stderr) == (7, None, b"out\n", b"err\n")
        assert run_once(shell("kill -ABRT $$")).signal == 6

    def test_a_timeout_kills_the_whole_group(self, tmp_path):
        run = run_once(shell(f"sleep 100 & echo $! > {tmp_path}/pid; sleep 100", timeout=0.5), b"x")
        assert (run.verdict, run.timed_out) == (Verdict.TIMEOUT, True)
        assert gone(int(wait_for(tmp_path / "pid")))

    def test_the_group_dies_even_if_the_leader_left_first(self, tmp_path):
        run = run_once(shell(f"sleep 100 & echo $! > {tmp_path}/pid; exit 0"))
        assert run.verdict is Verdict.INTERESTING
        assert gone(int(wait_for(tmp_path / "pid")))

    def test_an_interrupt_of_the_start_itself_leaves_no_process(self, tmp_path, monkeypatch):
        """Python may raise KeyboardInterrupt before anybody has the number of the new process."""
        lost = []

        def start_and_interrupt(*args, **kwargs):
            lost.append(memory.start(*args, **kwargs))
            wait_for(tmp_path / "pid")
            raise KeyboardInterrupt

        for module in (linux, portable):
            monkeypatch.setattr(module, "start", start_and_interrupt)
        with pytest.raises(KeyboardInterrupt):
            run_once(
                shell(f"sleep 100 & echo $! > {tmp_path}/x; mv {tmp_path}/x {tmp_path}/pid; wait")
            )
        assert gone(int((tmp_path / "pid").read_text()))
        lost[0].wait(5)

    def test_a_token_cancels_and_leaves_no_process(self, tmp_path):
        self._cancel(CancelToken(), tmp_path)

    def test_an_event_cancels_and_leaves_no_process(self, tmp_path):
        self._cancel(threading.Event(), tmp_path)

    def _cancel(self, flag, tmp_path):
        pids = []

        def stop():
            pids.append(int(wait_for(tmp_path / "pid")))
            flag.set()

        thread = threading.Thread(target=stop)
        thread.start()
        with pytest.raises(Cancelled):
            run_once(shell(f"sleep 100 & echo $! > {tmp_path}/pid; wait"), cancelled=flag)
        thread.join()
        assert gone(pids[0])

    def test_a_gigabyte_of_output_neither_blocks_nor_stays_in_memory(self):
        oracle = CommandOracle(
            "echo begin; head -c 1000000000 /dev/zero; echo end; true {file}",
            criteria=ANY,
            output_limit=10_000,
        )
        before = psutil.Process().memory_info().rss
        run = run_once(oracle)
        assert psutil.Process().memory_info().rss - before < 100 << 20
        assert run.truncated
        assert len(run.stdout) == 10_000
        assert run.stdout.startswith(b"begin\n\0")
        assert run.stdout.endswith(b"\0end\n")

    def test_a_run_that_takes_too_much_memory_is_killed(self, monkeypatch):
        monkeypatch.setattr(process_module, "default_memory_limit", lambda: 300 << 20)
        oracle = CommandOracle(
            (PYTHON, "-c", "import time; x = b'x' * (400 << 20); time.sleep(60)"), criteria=ANY
        )
        run = run_once(oracle)
        assert (run.verdict, run.memory_exceeded) == (Verdict.UNINTERESTING, True)

    def test_core_dumps_and_large_files_are_limited(self):
        run = run_once(shell(f"{LIMITED}; ulimit -c; ulimit -f"))
        core, blocks = run.stdout.split()
        assert core == b"0"
        assert 0 < int(blocks) * 512 <= 1 << 30

    def test_a_run_cancelled_before_it_starts_starts_no_process(self, tmp_path):
        flag = CancelToken()
        flag.set()
        with pytest.raises(Cancelled):
            run_once(shell(f"touch {tmp_path}/ran"), cancelled=flag)
        assert not (tmp_path / "ran").exists()


DAEMON = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        with open(sys.argv[1] + ".tmp", "w") as f: f.write(str(os.getpid()))
        os.rename(sys.argv[1] + ".tmp", sys.argv[1])
        os.chdir("/")
        time.sleep(float(sys.argv[2]))
    os._exit(0)
while not os.path.exists(sys.argv[1]): time.sleep(0.005)
"""


def test_a_daemon_that_left_session_parent_and_directory_dies(tmp_path):
    pid_file = tmp_path / "pid"
    run = run_once(CommandOracle((PYTHON, "-c", DAEMON, str(pid_file), "100")))
    assert run.verdict is Verdict.INTERESTING
    assert gone(int(pid_file.read_text()))


def test_a_daemon_without_its_environment_dies(tmp_path):
    pid_file = tmp_path / "pid"
    script = f"env -i setsid {PYTHON} -c '{DAEMON}' {pid_file} 100; true"
    assert run_once(CommandOracle(script)).verdict is Verdict.INTERESTING
    assert gone(int(pid_file.read_text()))


def test_daemons_are_found_by_the_environment_alone(monkeypatch):
    """The limits come too late to mark a process forked at once; exec hides its environment."""
    monkeypatch.setattr(daemons.RunProcesses, "limit", lambda *_: None)
    before = {child.pid for child in psutil.Process().children()}
    with Runner(shell("setsid sleep 100 & exit 0"), "a") as runner:
        for _ in range(60):
            runner.run(b"")
    left = [child for child in psutil.Process().children() if child.pid not in before]
    assert not [child for child in left if child.status() != psutil.STATUS_ZOMBIE]


def test_a_daemon_that_ended_by_itself_leaves_no_zombie(tmp_path):
    pid_file = tmp_path / "pid"
    run_once(CommandOracle(f"{PYTHON} -c '{DAEMON}' {pid_file} 0; sleep 0.2; true {{file}}"))
    assert not psutil.pid_exists(int(pid_file.read_text()))


def test_other_children_of_the_host_are_left_alone():
    with subprocess.Popen(["sleep", "100"], start_new_session=True) as other:
        with Runner(shell("setsid sleep 100 & exit 0"), "a") as runner:
            for _ in range(3):
                runner.run(b"")
        assert other.poll() is None
        other.kill()
        assert other.wait() == -9


def test_many_threads_run_at_once_and_no_child_is_left():
    before = {child.pid for child in psutil.Process().children()}
    with Runner(shell('setsid sleep 100 & cat "$1"'), "a") as runner:
        seen = {}

        def work(n):
            seen[n] = [runner.run(b"%d.%d" % (n, i), capture=True).stdout for i in range(5)]

        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert seen == {n: [b"%d.%d" % (n, i) for i in range(5)] for n in range(4)}
    assert not [child for child in psutil.Process().children() if child.pid not in before]


def test_marks_are_unique_and_can_be_read_from_a_zombie():
    marks = {daemons.new_mark() for _ in range(1000)}
    assert len(marks) == 1000
    with subprocess.Popen(["sh", "-c", "read x"], stdin=subprocess.PIPE) as child:
        daemons.RunProcesses(child.pid, min(marks), b"").limit({})
        child.stdin.close()
        while psutil.Process(child.pid).status() != psutil.STATUS_ZOMBIE:
            time.sleep(0.005)
        assert daemons.RunProcesses(1, min(marks), b"X=Y").other_children() == [child.pid]


def test_a_memory_limit_of_the_user_makes_larger_allocations_fail():
    """At once, before the watchdog looks."""
    limited = "import resource as r\nwhile r.getrlimit(r.RLIMIT_DATA)[1] < 0: pass\n"
    command = (PYTHON, "-c", f"{limited}b'x' * (400 << 20)")
    run = run_once(CommandOracle(command, memory=200 << 20))
    assert run.verdict is Verdict.UNINTERESTING
    assert b"MemoryError" in run.stderr
    assert run_once(CommandOracle(command, memory=1 << 30)).verdict is Verdict.INTERESTING


def test_the_memory_of_a_run_is_that_of_all_its_processes():
    hog = "import time; x = b'x' * (60 << 20); print(flush=True); time.sleep(100)"
    with subprocess.Popen(
        ["sh", "-c", f'{PYTHON} -c "{hog}" & {PYTHON} -c "{hog}" & wait'],
        stdout=subprocess.PIPE,
        start_new_session=True,
    ) as parent:
        try:
            parent.stdout.readline(), parent.stdout.readline()
            assert memory.exceeds_memory([parent.pid], 120 << 20)
            assert not memory.exceeds_memory([parent.pid], 400 << 20)
        finally:
            for child in psutil.Process(parent.pid).children():
                child.kill()
            parent.kill()


def test_children_started_before_the_limits_are_limited_too():
    """The host's threads may delay the setting of limits until the leader has forked."""
    with subprocess.Popen(
        ["sh", "-c", "sh -c 'ulimit -f; read x; ulimit -f'; true"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    ) as child:
        assert child.stdout.readline() == b"unlimited\n"
        daemons.RunProcesses(child.pid, 1 << 20, b"").limit({})
        child.stdin.write(b"\n")
        child.stdin.close()
        assert child.stdout.read() == b"2048\n"


def test_a_runaway_file_is_stopped(monkeypatch):
    monkeypatch.setattr(daemons, "FILE_SIZE_LIMIT", 1 << 22)
    run = run_once(shell(f"{LIMITED}; head -c 100000000 /dev/zero > big; stat -c %s big"))
    assert int(run.stdout) <= 1 << 22


def test_the_limits_of_the_host_stay_as_they_were():
    kinds = (resource.RLIMIT_CORE, resource.RLIMIT_FSIZE, resource.RLIMIT_DATA)
    before = [resource.getrlimit(kind) for kind in kinds]
    run_once(CommandOracle(("true",), memory=1 << 30))
    assert [resource.getrlimit(kind) for kind in kinds] == before


def test_an_interrupt_kills_the_run_and_removes_its_directory(tmp_path):
    script = textwrap.dedent(
        f"""
        import signal, sys
        from pollard.executors import Runner
        from pollard.oracle import CommandOracle
        command = "echo $$ > {tmp_path}/x; mv {tmp_path}/x {tmp_path}/pid; sleep 100; true {{file}}"
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with Runner(CommandOracle(command), "a") as runner:
            print(runner.root, flush=True)
            try:
                runner.run(b"")
            except KeyboardInterrupt:
                print("interrupted", flush=True)
        print(runner.root.exists(), flush=True)
        """
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True
    ) as child:
        pid = int(wait_for(tmp_path / "pid"))
        child.send_signal(2)
        assert child.stdout.read().split()[1:] == ["interrupted", "False"]
    assert gone(pid)


def test_descriptors_do_not_accumulate():
    with Runner(shell("echo x"), "a") as runner:
        token = CancelToken()
        runner.run(b"", capture=True, cancelled=token)
        before = psutil.Process().num_fds()
        for _ in range(20):
            runner.run(b"", capture=True, cancelled=token)
        assert psutil.Process().num_fds() == before
