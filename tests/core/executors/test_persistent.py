"""An oracle that stays by the protocol: what it answers, and how it may fail."""

from __future__ import annotations

import re
import shutil
import subprocess
import threading
from pathlib import Path

import psutil
import pytest

from pollard.cli.main import run as pollard
from pollard.errors import Cancelled, OracleError
from pollard.executors import check_oracle, open_executor
from pollard.executors.sandbox.sandboxes import Means
from pollard.executors.warm import persistent
from pollard.oracle import CancelToken, CommandOracle, Criteria, Verdict
from pollard.oracle.sandbox_policy import SandboxPolicy
from pollard.oracle.warm.warm_runs import WarmRuns
from tests.core.executors.warm_programs import OFF, program
from tests.core.oracle.helpers import gone, wait_for
from tests.core.reductions import plan, watched

#: Answers with its number and its count of candidates, and obeys the first word of the candidate.
TALKATIVE = """
import json, os, sys, time
count = 0
for line in sys.stdin:
    count += 1
    text = open(line.rstrip("\\n")).read()
    word = (text.split() or [""])[0]
    if word == "crash": os.abort()
    if word == "exit": print("last words", file=sys.stderr); sys.exit(7)
    if word == "hang": time.sleep(100)
    if word == "garbage": print("hello", flush=True)
    if word == "twice": print("{}")
    if word == "closed": os.close(1)
    if word == "litter": open("litter", "w").close()
    if word == "daemon" and os.fork() == 0: time.sleep(100)
    if word in ("orphan", "flood"):
        if os.fork() == 0:
            while word == "flood": os.write(2, b"x" * 1000)
            time.sleep(100)
        os._exit(7)
    if word == "much": print("x" * 10_000_000)
    if word == "moved": os.rename(os.getcwd(), os.getcwd() + "2")
    out = f"{os.getpid()} {count} {sorted(os.listdir('.')) if word == 'list' else ''}"
    print(json.dumps({"exit_code": "needle" not in text, "stdout": out, "stderr": text}), flush=True)
"""


@pytest.fixture
def opened(tmp_path):
    executors = []

    def open_one(source=TALKATIVE, warm=True, **settings):
        given = {"sandbox": OFF, "warm": WarmRuns.PROTOCOL, **settings}
        executors.append(
            open_executor(CommandOracle(program(tmp_path, source), **given), "case.txt")
        )
        executors[-1].is_warm = warm
        return executors[-1]

    yield open_one
    for executor in executors:
        executor.close()


def told(run):
    return run.stdout.decode().split(maxsplit=2)


def test_one_process_answers_about_all_candidates(opened):
    executor = opened()
    runs = [executor.run(text) for text in (b"needle", b"hay", b"")]
    assert [run.verdict.name[0] for run in runs] == ["I", "U", "U"]
    assert [run.stderr for run in runs] == [b"needle", b"hay", b""]
    assert len({told(run)[0] for run in runs}) == 1
    assert [told(run)[1] for run in runs] == ["1", "2", "3"]


def test_checks_and_proofs_have_a_new_process(opened):
    executor = opened()
    runs = [executor.run(b"x"), executor.run(b"x", capture=True), executor.run(b"x")]
    assert [told(run)[1] for run in runs] == ["1", "1", "2"]
    executor.cool()
    assert told(executor.run(b"x"))[1] == "1"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"crash", (Verdict.UNINTERESTING, None, 6)),
        (b"exit", (Verdict.UNINTERESTING, 7, None)),
        (b"hang", (Verdict.TIMEOUT, None, None)),
        (b"closed", (Verdict.UNINTERESTING, 1, None)),
        (b"orphan", (Verdict.UNINTERESTING, 7, None)),
        (b"flood", (Verdict.UNINTERESTING, 7, None)),
    ],
    ids=["crash", "exit", "hang", "closed", "orphan", "flood"],
)
def test_a_process_that_does_not_answer_is_replaced(opened, text, expected):
    executor = opened(timeout=1.0 if text == b"hang" else 30.0)
    first = told(executor.run(b"x"))[0]
    run = executor.run(text)
    assert (run.verdict, run.exit_code, run.signal) == expected
    assert run.stderr == (b"last words\n" if text == b"exit" else run.stderr)
    again = executor.run(b"needle")
    assert again.verdict is Verdict.INTERESTING
    assert told(again)[0] != first
    assert gone(int(first))


@pytest.mark.parametrize("text", [b"garbage", b"twice"])
def test_an_answer_that_breaks_the_protocol_says_what_to_do(opened, text):
    with pytest.raises(OracleError, match="must print one line of JSON for each candidate"):
        opened().run(text)


@pytest.mark.parametrize(
    "answer", ["[]", "{}", '{"exit_code": "1"}', '{"exit_code": 1, "stdout": 2}', "\\xff", ""]
)
def test_other_answers_break_it_too(opened, answer):
    source = (
        f"import sys\nsys.stdin.readline()\nprint({answer!r}, flush=True)\nsys.stdin.readline()"
    )
    with pytest.raises(OracleError, match="must print one line of JSON"):
        opened(source).run(b"x")


def test_more_output_than_the_limit_is_refused_or_cut(opened):
    with pytest.raises(OracleError, match="prints more than its output limit"):
        opened(output_limit=10_000).run(b"much")


def test_its_directory_is_emptied_after_each_candidate(opened):
    executor = opened()
    executor.run(b"litter")
    assert told(executor.run(b"list"))[2] == "['case.txt']"


def test_a_process_whose_directory_was_replaced_is_replaced(opened):
    executor = opened()
    executor.run(b"moved")
    run = executor.run(b"list")
    assert told(run)[1:] == ["1", "['case.txt']"]


def test_what_it_started_dies_with_it(opened):
    executor = opened()
    parent = psutil.Process(int(told(executor.run(b"daemon"))[0]))
    children = [child.pid for child in parent.children(recursive=True)]
    assert children
    executor.close()
    assert all(map(gone, [parent.pid, *children]))


def test_a_process_is_replaced_after_many_candidates(opened, monkeypatch):
    monkeypatch.setattr(persistent, "MAX_CANDIDATES", 3)
    executor = opened()
    assert [told(executor.run(b"x"))[1] for _ in range(5)] == ["1", "2", "3", "1", "2"]


def test_a_process_that_died_between_candidates_is_replaced(opened):
    executor = opened()
    process = psutil.Process(int(told(executor.run(b"x"))[0]))
    process.kill()
    process.wait()
    assert executor.run(b"needle").verdict is Verdict.INTERESTING


def test_a_cancelled_run_leaves_no_process(opened, tmp_path):
    pid = tmp_path / "pid"
    source = (
        f"import os, sys, time\nsys.stdin.readline()\nopen('{pid}.x', 'w').write(str(os.getpid()))\n"
        f"os.rename('{pid}.x', '{pid}')\ntime.sleep(100)"
    )
    executor, token = opened(source), CancelToken()
    stopper = threading.Thread(target=lambda: (wait_for(pid), token.set()))
    stopper.start()
    with pytest.raises(Cancelled):
        executor.run(b"x", cancelled=token)
    stopper.join()
    assert gone(int(pid.read_text()))


def test_standard_input_cannot_be_the_candidate_as_well(tmp_path):
    oracle = CommandOracle(("true",), warm=WarmRuns.PROTOCOL, stdin=True)
    with pytest.raises(OracleError, match="leave one of them out"):
        open_executor(oracle, "case.txt")


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_reduction_has_the_result_of_new_processes(opened, tmp_path, jobs):
    oracle = CommandOracle(program(tmp_path, TALKATIVE), warm=WarmRuns.PROTOCOL, sandbox=OFF)
    found = watched(plan(oracle=oracle, cache=False, jobs=jobs)).result
    assert found.text.strip() == b'"needle"'
    assert "Runs are warm" in " ".join(found.notes)


def test_a_process_that_remembers_too_much_is_noticed(tmp_path):
    """After ten candidates it finds the failure in everything but an empty file."""
    source = TALKATIVE.replace(
        '"needle" not in text', '"needle" not in text and not (text and count > 10)'
    )
    oracle = CommandOracle(program(tmp_path, source), warm=WarmRuns.PROTOCOL, sandbox=OFF)
    found = watched(plan(oracle=oracle, cache=False)).result
    assert b"needle" in found.text
    assert [note for note in found.notes if "do not confirm" in note]


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_process_that_finds_nothing_any_more_is_noticed(tmp_path, jobs):
    """After six candidates it misses every failure, so nothing more would be accepted."""
    source = TALKATIVE.replace('"needle" not in text', '"needle" not in text or count > 6')
    oracle = CommandOracle(program(tmp_path, source), warm=WarmRuns.PROTOCOL, sandbox=OFF)
    found = watched(plan(oracle=oracle, cache=False, jobs=jobs)).result
    assert found.text.strip() == b'"needle"'
    assert [note for note in found.notes if "do not confirm" in note]


def test_the_check_says_when_new_processes_answer_otherwise(tmp_path):
    source = TALKATIVE.replace('"needle" not in text', '"needle" not in text or count > 2')
    oracle = CommandOracle(program(tmp_path, source), warm=WarmRuns.PROTOCOL, sandbox=OFF)
    checked = check_oracle(oracle, "case.txt", b"needle", runs=2)
    assert checked.interesting
    assert "Runs are cold: a cold run ended with exit code 0, but a warm one" in checked.describe()


_PAGE = Path(__file__).parents[3] / "docs" / "warm.md"
EXAMPLES = dict(re.findall(r"```(python|javascript|c)\n(.*?)```", _PAGE.read_text(), re.DOTALL))
_TEXTS = {"python": b"[1, {2]", "javascript": b"[1, {2]", "c": b"a[[b]\n"}


def _example(language, folder, **settings):
    path = folder / f"example.{language}"
    path.write_text(EXAMPLES[language])
    if language == "c":
        command = (str(folder / "example"),)
        subprocess.run(["gcc", "-Wall", "-Werror", "-o", *command, path], check=True)
    else:
        command = (shutil.which("python3" if language == "python" else "node"), str(path))
    criteria = Criteria(exit_code=(1,))
    return CommandOracle(command, warm=WarmRuns.PROTOCOL, criteria=criteria, **settings)


@pytest.mark.parametrize(
    "language",
    ["python", *(pytest.param(name, marks=pytest.mark.recipes) for name in ("javascript", "c"))],
)
def test_the_examples_of_the_page_are_short_and_reduce(tmp_path, language):
    assert len(EXAMPLES[language].splitlines()) <= 20
    oracle = _example(language, tmp_path, sandbox=OFF)
    text = _TEXTS[language] * 3
    found = watched(plan(oracle=oracle, text=text, cache=False, filename="case.txt")).result
    assert len(found.text) <= 4
    assert "Runs are warm" in " ".join(found.notes)


@pytest.mark.sandbox
def test_in_a_sandbox_it_answers_and_dies_alike(tmp_path):
    oracle = CommandOracle(
        program(tmp_path, TALKATIVE), warm=WarmRuns.PROTOCOL, sandbox=SandboxPolicy()
    )
    with open_executor(oracle, "case.txt") as executor:
        executor.is_warm = True
        assert executor._sandboxes.means is Means.BUBBLEWRAP
        assert executor.run(b"needle").verdict is Verdict.INTERESTING
        assert executor.run(b"crash").verdict is Verdict.UNINTERESTING
        assert executor.run(b"needle").verdict is Verdict.INTERESTING


def test_the_command_line_asks_a_command_that_stays(tmp_path, capsys):
    file = tmp_path / "case.txt"
    file.write_bytes(b"hay needle hay")
    command = program(tmp_path, TALKATIVE)
    assert pollard(["check", str(file), "--protocol", "--sandbox", "off", "--", *command]) == 0
    assert "Runs are warm: a warm run took" in capsys.readouterr().out
