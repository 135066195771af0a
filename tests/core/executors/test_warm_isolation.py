"""A warm run is as isolated as a process: whatever a program does ends with its run."""

from __future__ import annotations

import os
import threading

import psutil
import pytest

from pollard.errors import Cancelled
from pollard.executors.sandbox.sandboxes import Means
from pollard.oracle import CancelToken, Verdict
from pollard.oracle.sandbox_policy import SandboxPolicy
from tests.core.executors.warm_programs import program, seen, warm_runner
from tests.core.oracle.helpers import gone, wait_for

HOSTILE = {
    "a loaded module is changed": "json.dumps = None; sys.modules.clear()",
    "the environment and the directory change": "import os; os.environ.clear(); os.chdir('/')",
    "an early exit": "import os; print('lost'); os._exit(3)",
    "an exit with a message": "sys.exit('bye')",
    "an exception": "def f(): raise ValueError('x')\nf()",
    "an interrupt": "raise KeyboardInterrupt",
    "an abort": "import os; os.abort()",
    "all descriptors are closed": "import os; os.closerange(0, 1000)",
    "the output is closed": "sys.stdout.close(); sys.stderr.close()",
    "a thread that outlives the program": (
        "import threading, time\nprint('begun', flush=True)\n"
        "threading.Thread(target=lambda: (time.sleep(0.05), print('late'))).start()"
    ),
    "a daemon thread": (
        "import threading, time\nthreading.Thread(target=time.sleep, args=(9,), daemon=True).start()"
    ),
    "a handler at exit": "import atexit; atexit.register(print, 'at exit')",
    "a signal handler": "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)",
    "a daemon": (
        "import os, time\nif os.fork() == 0:\n  os.setsid()\n  if os.fork(): os._exit(0)\n"
        "  time.sleep(100)"
    ),
    "a program of its own": "import os; os.execv('/bin/echo', ['echo', 'other'])",
    "files in its directory": "import os; os.makedirs('a/b'); open('a/b/c', 'w').close()",
    "another recursion limit": "sys.setrecursionlimit(50)\ndef f(): f()\nf()",
    "deep recursion": (
        "def f(n):\n  global d\n  d = n\n  f(n + 1)\ntry: f(0)\nexcept RecursionError: print(d)"
    ),
    "what is below the program": (
        "import os\nprint(__name__, __file__, sys.argv[0], sys.orig_argv[1:2], sys.path[0])\n"
        "print(sorted(os.listdir('/proc/self/fd')), os.getsid(0) == os.getpid())\n"
        "print(sorted(k for k in os.environ), sys.flags)"
    ),
    "output that is not flushed": "import os; f = os.fdopen(os.dup(1), 'w'); f.write('late')",
    "a thread with output": (
        "import threading\nthreading.Thread(target=lambda: print('from a thread')).start()"
    ),
    "an exit code that is no number": "sys.exit([1])",
    "an exit code beyond a byte": "sys.exit(1000)",
    "a lot of output": "print('x' * 3_000_000)",
}


@pytest.fixture(scope="module", params=[True, False], ids=["ahead", "loaded"])
def runner(tmp_path_factory, request):
    """A zygote that went ahead to the first look at the candidate, and one that only loaded modules."""
    with warm_runner(program(tmp_path_factory.mktemp("tool")), ahead=request.param) as opened:
        yield opened
        assert opened._zygotes.go_ahead is request.param


def warm(runner, text):
    return runner._warm(text, None)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_what_a_program_does_is_seen_as_in_a_new_process_and_ends_with_its_run(runner, text):
    cold = runner.run(text.encode(), capture=True)
    assert seen(warm(runner, text.encode())) == seen(cold)
    assert warm(runner, b"print(json.dumps(1))").stdout == b"1\n"


def test_runs_are_children_of_one_process(runner):
    text = b"import os; print(os.getppid(), os.getpid())"
    first, second = (warm(runner, text).stdout.split() for _ in range(2))
    assert first[0] == second[0]
    assert first[1] != second[1]


def test_searches_run_warm_and_checks_run_cold(runner):
    """`capture` is for the runs that check and prove."""
    text = b"import os; sys.exit(os.getppid() != %d)" % os.getpid()
    assert runner.run(text, capture=True).exit_code == 0
    assert runner.run(text).exit_code == 1


def test_a_program_that_kills_its_parent_gets_the_cold_verdict(tmp_path):
    """The parent of a cold run outside a sandbox is Pollard, so a test cannot have that killed."""
    text = b"import os, signal\nif os.getppid() != %d: os.kill(os.getppid(), signal.SIGKILL)"
    with warm_runner(program(tmp_path)) as runner:
        assert runner.run(text % os.getpid()).verdict is Verdict.INTERESTING
        assert runner.is_warm
        assert runner.run(b"import os; sys.exit(os.getppid() == %d)" % os.getpid()).exit_code == 0


def test_what_outlives_a_killed_parent_is_killed(tmp_path):
    pid = tmp_path / "pid"
    text = (
        f"import os, signal, time\nif os.getppid() != {os.getpid()}:\n"
        f"  open('{pid}.x', 'w').write(str(os.getpid())); os.rename('{pid}.x', '{pid}')\n"
        "  os.kill(os.getppid(), signal.SIGKILL); time.sleep(100)"
    )
    with warm_runner(program(tmp_path)) as runner:
        assert runner.run(text.encode()).verdict is Verdict.INTERESTING
        assert gone(int(wait_for(pid)))


def test_a_program_that_goes_on_killing_its_parent_is_run_cold_in_the_end(tmp_path):
    text = b"import os, signal\nif os.getppid() != %d: os.kill(os.getppid(), signal.SIGKILL)"
    with warm_runner(program(tmp_path)) as runner:
        for _ in range(3):
            runner.run(text % os.getpid())
        assert not runner.is_warm


def test_a_program_that_sleeps_for_ever_times_out(runner, tmp_path):
    runner.timeout, before = 0.3, runner.timeout
    try:
        run = warm(runner, b"import os, time; print(os.getpid(), flush=True); time.sleep(100)")
    finally:
        runner.timeout = before
    assert run.verdict is Verdict.TIMEOUT
    assert gone(int(run.stdout))


def test_a_cancelled_run_leaves_no_process(tmp_path):
    token, pid = CancelToken(), tmp_path / "pid"
    text = (
        f"import os, time\nopen('{pid}.x', 'w').write(str(os.getpid()))\n"
        f"os.rename('{pid}.x', '{pid}'); time.sleep(100)"
    )
    with warm_runner(program(tmp_path)) as runner:
        stopper = threading.Thread(target=lambda: (wait_for(pid), token.set()))
        stopper.start()
        with pytest.raises(Cancelled):
            runner.run(text.encode(), cancelled=token)
        stopper.join()
        assert gone(int(pid.read_text()))


def test_a_cancellation_ends_the_loading_of_modules(tmp_path):
    (tmp_path / "slow.py").write_text("import time, os\nif 'PWD' in os.environ: time.sleep(100)\n")
    source = "import sys\nif len(sys.argv) > 5: import slow\n"
    token = CancelToken()
    with warm_runner(program(tmp_path, source)) as runner:
        runner._zygotes.close()
        runner._zygotes.modules = ("slow",)
        runner._environment = {**runner._environment, b"PYTHONPATH": os.fsencode(tmp_path)}
        threading.Timer(0.3, token.set).start()
        with pytest.raises(Cancelled):
            runner.run(b"", cancelled=token)


def test_memory_above_the_limit_ends_a_run(tmp_path):
    with warm_runner(program(tmp_path), memory=200 << 20) as runner:
        run = warm(runner, b"x = bytearray(1 << 30)")
        assert run.exit_code == 1
        assert b"MemoryError" in run.stderr


def test_no_process_directory_or_descriptor_is_left_behind(tmp_path):
    _leaves_nothing(tmp_path, 30)


@pytest.mark.exhaustive
def test_a_thousand_runs_leave_nothing_behind(tmp_path):
    _leaves_nothing(tmp_path, 1000)


def _leaves_nothing(tmp_path, count):
    me = psutil.Process()
    with warm_runner(program(tmp_path)) as runner:
        runner.run(b"")
        parent = psutil.Process(int(warm(runner, b"import os; print(os.getppid())").stdout))
        before = me.num_fds(), parent.num_fds(), len(me.children(recursive=True))
        memory = parent.memory_info().rss
        for number in range(count):
            text = list(HOSTILE.values())[number % len(HOSTILE)]
            runner.run(text.encode())
        assert (me.num_fds(), parent.num_fds(), len(me.children(recursive=True))) == before
        assert parent.memory_info().rss < memory + (8 << 20)
        assert {path.name for path in runner.root.glob("room*/*")} == {"cache", "run", "tmp"}
        assert list(runner.root.glob("room*/*/*")) == []
        root = runner.root
    assert not root.exists()
    assert not parent.is_running()


@pytest.mark.sandbox
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_in_a_sandbox_a_program_is_seen_as_in_a_new_process(tmp_path, text):
    with warm_runner(program(tmp_path), sandbox=SandboxPolicy()) as runner:
        assert runner._sandboxes.means is Means.BUBBLEWRAP
        cold = runner.run(text.encode(), capture=True)
        assert seen(warm(runner, text.encode())) == seen(cold)


@pytest.mark.sandbox
def test_in_a_sandbox_a_program_can_neither_kill_its_parent_nor_write_outside(tmp_path):
    text = (
        "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n"
        f"try: open('{tmp_path}/x', 'w')\nexcept OSError: print('refused')"
    )
    with warm_runner(program(tmp_path), sandbox=SandboxPolicy()) as runner:
        parents = {warm(runner, b"import os; print(os.getppid())").stdout for _ in range(2)}
        assert warm(runner, text.encode()).stdout == b"refused\n"
        parents.add(warm(runner, b"import os; print(os.getppid())").stdout)
        assert len(parents) == 1
        assert runner.is_warm


@pytest.mark.sandbox
def test_in_a_sandbox_the_loaded_process_has_no_secrets(tmp_path, monkeypatch):
    monkeypatch.setenv("MY_TOKEN", "secret-value")
    text = b"import os; print(open('/proc/self/environ').read(), os.environ)"
    with warm_runner(program(tmp_path), sandbox=SandboxPolicy()) as runner:
        run = warm(runner, text)
    assert b"PWD" in run.stdout
    assert b"secret-value" not in run.stdout
