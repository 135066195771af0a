"""Which commands are kept loaded, and which programs are left cold since their modules do too much."""

from __future__ import annotations

import pytest

from pollard.executors import check_oracle
from pollard.executors.warm import zygote
from pollard.executors.warm.python_programs import python_program
from pollard.oracle.command import prepare
from pollard.oracle.warm.warm_runs import WarmRuns
from tests.core.executors.warm_programs import program, tool_processes, warm_oracle, warm_runner
from tests.core.oracle.helpers import PYTHON, shell


def recognised(command, workspace):
    return python_program(prepare(command, workspace, stdin=False))


@pytest.fixture
def script(tmp_path):
    def write(first_line, name="tool", mode=0o755):
        path = tmp_path / name
        path.write_text(f"{first_line}\nimport sys\n")
        path.chmod(mode)
        return str(path)

    return write


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["-m", "json.tool", "{file}"], ("module", "json.tool", 3, [])),
        (["-Bm", "json.tool"], ("module", "json.tool", 3, ["-B"])),
        (
            ["-X", "dev", "-W", "error", "-OO", "-mjson"],
            ("module", "json", 7, "-X dev -W error -OO"),
        ),
        (["-Wignore", "-c", "print(1)", "{file}"], ("code", "print(1)", 4, ["-W", "ignore"])),
        (["-m", "{file}"], None),
        (["-c", "open('{file}')"], None),
        (["{file}"], None),
        (["{dir}/tool.py", "{file}"], None),
        (["tool.py", "{file}"], None),  # beside the candidate, or missing
        (["-i", "-m", "json"], None),
        (["--version"], None),
        (["-"], None),
        (["-m"], None),
        ([], None),
    ],
    ids=str,
)
def test_what_an_interpreter_runs_is_read_from_its_options(tmp_path, words, expected):
    found = recognised((PYTHON, *words), tmp_path)
    if expected is None:
        assert found is None
        return
    mode, target, length, options = expected
    options = options.split() if isinstance(options, str) else options
    assert found is not None
    assert (found.mode, found.target, found.length) == (mode, target, length)
    assert found.interpreter == (PYTHON, *options)


def test_a_script_is_read_from_its_first_line(tmp_path, script):
    for line in (f"#!{PYTHON} -E", f"#!/bin/sh\n'''exec' \"{PYTHON}\" -E \"$0\" \"$@\"\n' '''"):
        found = recognised((script(line), "{file}"), tmp_path)
        assert found is not None
        assert (found.mode, found.target, found.length) == ("script", str(tmp_path / "tool"), 1)
        assert found.interpreter == (PYTHON, "-E")


def test_an_interpreter_may_be_found_on_the_path(tmp_path, script):
    found = recognised((script("#!/usr/bin/env python3"), "{file}"), tmp_path)
    assert found is not None
    assert found.interpreter[0].endswith("python3")


@pytest.mark.parametrize("line", ["#!/bin/sh", "", "#!", "#!/usr/bin/env -S python3 -E"])
def test_other_scripts_are_no_python_programs(tmp_path, script, line):
    assert recognised((script(line), "{file}"), tmp_path) is None


def test_commands_for_a_shell_are_no_python_programs(tmp_path):
    assert recognised(f"{PYTHON} -m json.tool", tmp_path) is None


REFUSED = {
    "print something": "print('hello')",
    "start threads or processes": (
        "import threading, time\nthreading.Thread(target=time.sleep, args=(9,), daemon=True).start()"
    ),
    "keep files open": "kept = open(__file__)",
    "write files": "open('left', 'w').close()",
    "the program runs when the module loaded is imported": (
        "import __main__, sys\nif not hasattr(__main__, 'READY'): sys.exit(0)"
    ),
}


def trial(command, filename="case.py", text=b"x", **settings):
    oracle = warm_oracle(command, **settings)
    checked = check_oracle(oracle, filename, text, runs=1)
    assert checked.interesting
    return checked.warm


@pytest.mark.parametrize(("reason", "source"), REFUSED.items(), ids=REFUSED)
def test_programs_whose_modules_do_more_than_to_be_imported_are_left_cold(tmp_path, reason, source):
    (tmp_path / "loaded.py").write_text(source)
    found = trial(program(tmp_path, "READY = True\nimport loaded\n"))
    assert not found.is_warm
    assert reason in str(found)
    assert str(found).startswith("Runs are cold: ")


def test_a_candidate_that_is_called_like_a_loaded_module_is_left_cold():
    """A new process would import the candidate; the process that forks has the other one already."""
    command = (PYTHON, "-c", "import socket; socket.create_connection")
    found = trial(command, filename="socket.py", text=b"create_connection = 1")
    assert not found.is_warm
    assert "called like the module socket" in str(found)


def test_a_candidate_that_no_import_finds_may_be_called_like_a_loaded_module():
    command = (PYTHON, "-c", "import socket; socket.create_connection")
    assert trial(command, filename="socket.sql").is_warm


def test_a_module_that_is_the_candidate_is_imported_anew_by_each_run():
    command = (PYTHON, "-c", "import json; json.dumps(1)")
    with warm_runner(command, b"dumps = print", filename="json.py") as runner:
        assert [runner._warm(text, None).stdout for text in (b"dumps = print", b"dumps = str")] == [
            b"1\n",
            b"",
        ]


def test_a_python_before_3_9_is_left_cold(tmp_path, monkeypatch):
    old = tmp_path / "zygote.py"
    old.write_text("import sys\nsys.exit('it runs on a Python before 3.9')\n")
    monkeypatch.setattr(zygote, "__file__", str(old))
    assert "it runs on a Python before 3.9" in str(trial(program(tmp_path, "")))


def test_a_relative_python_path_is_left_cold(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "lib")
    assert "PYTHONPATH" in str(trial(program(tmp_path, "")))


def test_a_failure_that_shows_only_sometimes_is_left_cold(tmp_path):
    assert "only sometimes" in str(trial(program(tmp_path, ""), runs_required=(1, 2)))


def test_other_commands_are_left_cold_and_auto_does_not_mention_it():
    asked, auto = (
        check_oracle(shell("true", warm=warm), "case.py", b"x", runs=1).warm
        for warm in (WarmRuns.ON, WarmRuns.AUTO)
    )
    assert "no program of Python or Node.js" in str(asked)
    assert auto is None


def test_runs_that_differ_from_cold_ones_are_said_and_not_used(tmp_path):
    """`__main__` of a cold run is not replaced, so its loader tells what a zygote runs."""
    source = "import gc, sys\nprint(gc.get_freeze_count() > 0)"
    found = trial(program(tmp_path, source))
    assert not found.is_warm
    assert "print something else" in str(found)


def test_an_empty_file_must_agree_as_well(tmp_path):
    source = "import gc, sys\nif not open(sys.argv[1]).read(): sys.exit(gc.get_freeze_count() > 0)"
    found = trial(program(tmp_path, source))
    assert not found.is_warm
    assert "on an empty file a cold run ended with exit code 0, but a warm one" in str(found)


@pytest.mark.exhaustive
def test_auto_asks_for_twice_the_speed(tmp_path):
    """What a program does itself is no faster warm, so this one needs most of its time for that."""
    source = "import time; time.sleep(0.5)"
    found = trial(program(tmp_path, source), warm=WarmRuns.AUTO)
    assert not found.is_warm
    assert "hardly faster (a warm run took" in str(found)


def test_a_check_that_fails_ends_the_warm_runs_beside_it(tmp_path):
    """The second cold run does not show the failure, while the first warm one hangs."""
    log = tmp_path / "log"
    source = f"""
import gc, sys, time
if gc.get_freeze_count(): time.sleep(600)
with open({str(log)!r}, "a") as stream: sys.exit(stream.tell() > 0 or not stream.write("x"))
"""
    oracle = warm_oracle(program(tmp_path, source), timeout=900.0)
    checked = check_oracle(oracle, "case.py", b"x", runs=2)
    assert (checked.hits, checked.warm) == (1, None)
    assert tool_processes() == []


def test_the_check_prints_both_times(tmp_path):
    checked = check_oracle(warm_oracle(program(tmp_path, "import json")), "case.py", b"x", runs=1)
    assert "Runs are warm: a warm run took 0." in checked.describe()


def test_modules_are_loaded_once(tmp_path):
    """A module writes a line for each import, beside the directory of its run."""
    log = tmp_path / "log"
    (tmp_path / "noted.py").write_text(f"open({str(log)!r}, 'a').write('imported\\n')\n")
    command = program(tmp_path, "import noted")

    with warm_runner(command) as runner:
        before = log.read_text().count("imported")
        for _ in range(5):
            runner.run(b"x")
        assert log.read_text().count("imported") == before
