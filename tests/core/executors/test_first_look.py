"""A program goes ahead up to its first look at the candidate, and never further."""

from __future__ import annotations

import pytest

from pollard.oracle import Criteria
from tests.core.executors.warm_programs import program, seen, warm_runner

LOOKS = {
    "it reads the file": "text = open(sys.argv[1]).read()",
    "it asks for the size": "text = 'x' * os.stat(sys.argv[1]).st_size",
    "it asks for the size by another function": "text = 'x' * os.path.getsize(sys.argv[1])",
    "it asks for the size by a path": (
        "import pathlib; text = 'x' * pathlib.Path(sys.argv[1]).stat().st_size"
    ),
    "it asks for the time": (
        "text = 'x' * (os.path.getmtime(sys.argv[1]) > 9) + open(sys.argv[1]).read()"
    ),
    "it opens a descriptor": "text = os.read(os.open(sys.argv[1], os.O_RDONLY), 99).decode()",
    "it looks into the folder": (
        "text = 'x' * sum(e.stat().st_size for e in os.scandir(os.path.dirname(sys.argv[1])))"
    ),
    "it goes to the folder": "os.chdir('/'); text = open(sys.argv[1]).read()",
    "it writes a file first": "open('log', 'w').write('x'); text = open(sys.argv[1]).read()",
    "it changes its environment first": (
        "os.environ['ADDED'] = 'yes'; text = os.environ['ADDED'] + open(sys.argv[1]).read()"
    ),
    "it handles interrupts": (
        "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "text = str(signal.getsignal(signal.SIGINT)) + open(sys.argv[1]).read()"
    ),
}
#: Not every version of Python tells of these before they have changed something.
STARTS = {
    "it starts a thread first": (
        "import threading; t = threading.Thread(target=print); t.start(); t.join()\n"
        "text = open(sys.argv[1]).read()"
    ),
    "it starts a process": (
        "import subprocess; text = subprocess.check_output(['cat', sys.argv[1]]).decode()"
    ),
}
UNFORESEEN = {
    "it prints first": "print('begun', flush=True); text = open(sys.argv[1]).read()",
    "it never looks": "text = ''",
    "it ends early": "text = ''; os._exit(3)",
    "it keeps a file open": "kept = open('/dev/null'); text = open(sys.argv[1]).read()",
    "code in C reads the file": (
        "import ctypes; libc = ctypes.CDLL(None)\n"
        "f = libc.open(sys.argv[1].encode(), 0); text = os.read(f, 99).decode()\n"
        "open(os.devnull, 'w').close()"
    ),
}
_TEXTS = (b"needle", b"", b"another text", b"needle")


def require_equal_runs(runner):
    for text in _TEXTS:
        assert seen(runner._warm(text, None)) == seen(runner.run(text, capture=True))


def reads(folder, source):
    return program(folder, f"import json, os, sys\n{source}\nprint(len(text), text)\n")


@pytest.mark.parametrize("source", LOOKS.values(), ids=LOOKS)
def test_what_depends_on_the_candidate_is_found_out_anew_by_each_run(tmp_path, source):
    with warm_runner(reads(tmp_path, source), b"needle") as runner:
        require_equal_runs(runner)
        assert runner._zygotes.go_ahead


@pytest.mark.parametrize("source", STARTS.values(), ids=STARTS)
def test_threads_and_processes_are_started_by_each_run(tmp_path, source):
    with warm_runner(reads(tmp_path, source), b"needle") as runner:
        require_equal_runs(runner)


@pytest.mark.parametrize("source", UNFORESEEN.values(), ids=UNFORESEEN)
def test_a_program_that_cannot_go_ahead_is_loaded_all_the_same(tmp_path, source):
    settings = {"criteria": Criteria(exit_code=(0, 3))}
    with warm_runner(reads(tmp_path, source), b"needle", **settings) as runner:
        assert not runner._zygotes.go_ahead
        require_equal_runs(runner)


def test_what_comes_before_the_first_look_is_done_once(tmp_path):
    """To ask whether the file is there is no look."""
    source = (
        "import pathlib; path = pathlib.Path(sys.argv[1])\n"
        "assert os.path.isfile(sys.argv[1]) and path.exists() and os.path.realpath(path)\n"
        "begun = str(os.getpid()); text = path.read_text() + begun"
    )
    with warm_runner(reads(tmp_path, source), b"needle") as runner:
        first, second = (runner._warm(b"needle", None).stdout for _ in range(2))
    assert first == second
