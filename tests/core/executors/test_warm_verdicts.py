"""Warm runs show what cold ones show, whatever the program does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.executors.warm_programs import program, seen, warm_runner
from tests.examples import examples

# It writes whole lines after the main thread has ended, so that the order of all lines is certain.
_A_THREAD_THAT_WRITES_LAST = """
import threading
def write():
    threading.main_thread().join()
    sys.stdout.write("t\\n")
threading.Thread(target=write).start()"""

STATEMENTS = st.sampled_from(
    [
        "print(1)",
        "print('e', file=sys.stderr)",
        "sys.exit(7)",
        "import os; os._exit(9)",
        "json.loads('[')",
        "json.dumps = str",
        "print(json.dumps([1]))",
        "import random; random.seed(3); print(random.random())",
        "import collections; print(collections.Counter('abca').most_common(1))",
        "def f(n): return f(n + 1)",
        "f(0)",
        "1 / 0",
        "import atexit; atexit.register(print, 'end')",
        _A_THREAD_THAT_WRITES_LAST,
        "sys.setrecursionlimit(200)",
        "print(sys.getrecursionlimit())",
        "import os; os.kill(os.getpid(), 15)",
        "import subprocess; print(subprocess.run(['echo', 'x'], stdout=subprocess.PIPE).stdout)",
        "import warnings; warnings.warn('w')",
        "print(__name__, sys.argv[1:] == [sys.argv[1]])",
        "class A: pass",
        "print(A)",
    ]
)
PROGRAMS = st.lists(STATEMENTS, max_size=5).map("\n".join)


@pytest.fixture(scope="module")
def runner(tmp_path_factory):
    with warm_runner(program(tmp_path_factory.mktemp("tool"))) as opened:
        yield opened


@examples(60)
@given(PROGRAMS)
def test_a_warm_run_shows_what_a_cold_one_shows(runner, text):
    cold = runner.run(text.encode(), capture=True)
    assert seen(runner._warm(text.encode(), None)) == seen(cold)
