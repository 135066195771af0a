"""Python functions as oracles: in the threads that ask, and in processes that can be killed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
import threading
from functools import partial
from pathlib import Path

import psutil
import pytest

import pollard
from pollard.errors import Cancelled, NotBegun, OracleError
from pollard.executors import open_executor
from pollard.oracle import CancelToken, Predicate, Verdict
from tests.core.oracle.helpers import gone, wait_for
from tests.core.reductions import PATIENCE
from tests.examples import rarely

TEXT = b'{"a": [1, {"b": "needle"}], "c": 2}'


def needle(text: bytes) -> bool:
    return b"needle" in text


def own_process(folder: Path, text: bytes) -> bool:
    (folder / str(os.getpid())).write_bytes(text)
    return needle(text)


def hangs_with_a_child(folder: Path, text: bytes) -> bool:
    if text != TEXT:
        child = subprocess.Popen(["sleep", "1000"], start_new_session=True)
        (folder / "pids").write_text(f"{os.getpid()} {child.pid}")
        child.wait()
    return True


def raises(text: bytes) -> bool:
    raise LookupError(text.decode())


def dies(_: bytes) -> bool:
    os._exit(3)


def exits(_: bytes) -> bool:
    sys.exit("bye")


def forgets_to_return(_: bytes) -> None:
    pass


def run(predicate: Predicate, text: bytes = TEXT, **options):
    with open_executor(predicate, "case.json") as executor:
        return executor.run(text, **options)


@pytest.mark.parametrize("where", ["threads", *rarely("processes")])
@pytest.mark.parametrize("verdict", Verdict)
def test_a_function_may_return_a_verdict(where, verdict):
    assert run(Predicate(partial(_given, verdict), where)).verdict is verdict


def _given(verdict: Verdict, _: bytes) -> Verdict:
    return verdict


@pytest.mark.parametrize("where", ["threads", "processes"])
def test_true_is_interesting_and_false_is_not(where):
    assert run(Predicate(needle, where)).verdict is Verdict.INTERESTING
    assert run(Predicate(needle, where), b"").verdict is Verdict.UNINTERESTING


@pytest.mark.parametrize("where", ["threads", *rarely("processes")])
@pytest.mark.parametrize(
    ("function", "told"),
    [
        (raises, "raised LookupError: .*catch it and return False"),
        (exits, "raised SystemExit: bye"),
        (forgets_to_return, "returned None; it must return True, False or a Verdict"),
    ],
)
def test_what_is_no_verdict_ends_the_reduction_with_one_sentence(where, function, told):
    with pytest.raises(OracleError, match=told) as caught:
        run(Predicate(function, where))
    assert f"'{function.__name__}'" in str(caught.value)
    with pytest.raises(OracleError, match=told):
        pollard.reduce(TEXT, Predicate(function, where))


def test_an_exception_of_a_function_in_a_thread_keeps_its_cause():
    with pytest.raises(OracleError) as caught:
        run(Predicate(raises))
    assert isinstance(caught.value.__cause__, LookupError)


def test_a_process_that_dies_is_no_verdict():
    with pytest.raises(OracleError, match=re.escape("'dies' died (exit code 3)")):
        run(Predicate(dies, "processes"))


def test_a_function_that_cannot_be_sent_to_a_process():
    with pytest.raises(OracleError, match="cannot be sent to another process") as caught:
        run(Predicate(lambda _: True, "processes"))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("options", [{"timeout": 5}, {"where": "processes", "timeout": 0}])
def test_a_timeout_that_cannot_be_kept_is_refused(options):
    with pytest.raises(OracleError, match="timeout"):
        Predicate(needle, **options)


def test_an_unknown_place_is_refused():
    with pytest.raises(OracleError, match="'process'"):
        Predicate(needle, "process")  # type: ignore[arg-type]


def test_one_job_runs_in_the_thread_that_reduces():
    threads = set()

    def noted(text: bytes) -> bool:
        threads.add(threading.get_ident())
        return needle(text)

    pollard.reduce(TEXT, noted)
    assert threads == {threading.get_ident()}


def test_processes_are_not_this_one_and_are_kept(tmp_path):
    result = pollard.reduce(TEXT, Predicate(partial(own_process, tmp_path), "processes"))
    assert result.counts.runs > 1
    (pid,) = [int(file.name) for file in tmp_path.iterdir()]
    assert pid != os.getpid()
    assert gone(pid)


def test_several_processes_do_what_one_does():
    predicate = Predicate(needle, "processes")
    one, three = (pollard.reduce(TEXT, predicate, jobs=jobs) for jobs in (1, 3))
    assert (three.text, three.counts.runs) == (one.text, one.counts.runs)


def test_a_call_that_takes_too_long_is_killed_whole(tmp_path):
    predicate = Predicate(partial(hangs_with_a_child, tmp_path), "processes", timeout=0.5)
    with open_executor(predicate, "a") as executor:
        assert executor.run(b"").verdict is Verdict.TIMEOUT
        assert all(gone(int(pid)) for pid in wait_for(tmp_path / "pids").split())
        assert executor.run(TEXT).verdict is Verdict.INTERESTING


def test_a_call_that_is_obsolete_is_killed_whole(tmp_path):
    predicate, token = Predicate(partial(hangs_with_a_child, tmp_path), "processes"), CancelToken()
    with open_executor(predicate, "a") as executor:
        canceller = threading.Thread(
            target=lambda: (wait_for(tmp_path / "pids"), token.set()), daemon=True
        )
        canceller.start()
        with pytest.raises(Cancelled):
            executor.run(b"", cancelled=token)
        assert all(gone(int(pid)) for pid in wait_for(tmp_path / "pids").split())


def test_nothing_is_called_after_a_cancellation():
    token = CancelToken()
    token.set()
    with pytest.raises(NotBegun):
        run(Predicate(raises), cancelled=token)


def test_a_keyboard_interrupt_in_the_function_ends_the_reduction():
    def interrupted(text: bytes) -> bool:
        if text != TEXT:
            raise KeyboardInterrupt
        return True

    with pytest.raises(KeyboardInterrupt):
        pollard.reduce(TEXT, interrupted)
    assert not [t for t in threading.enumerate() if t.name.startswith("oracle-")]


@pytest.mark.parametrize(
    ("fingerprint", "again"), [(None, True), ("version 1", False)], ids=["without", "with"]
)
def test_verdicts_are_kept_for_later_only_with_a_fingerprint(
    fingerprint, again, tmp_path, monkeypatch
):
    monkeypatch.setenv("POLLARD_CACHE_DIR", str(tmp_path))
    predicate = Predicate(needle, fingerprint=fingerprint)
    first, second = (pollard.reduce(TEXT, predicate) for _ in range(2))
    assert second.text == first.text
    assert first.counts.runs > 0
    assert (second.counts.runs > 0) == again


def test_other_fingerprints_have_other_verdicts(tmp_path, monkeypatch):
    monkeypatch.setenv("POLLARD_CACHE_DIR", str(tmp_path))
    runs = [
        pollard.reduce(TEXT, Predicate(needle, fingerprint=version)).counts.runs
        for version in ("1", "2")
    ]
    assert runs[0] == runs[1] > 0


def test_a_flaky_function_may_be_required_to_hold_k_of_n_times():
    answers = iter([True, False] * 10_000)
    predicate = Predicate(lambda text: needle(text) and next(answers), runs_required=(1, 2))
    assert needle(pollard.reduce(TEXT, predicate).text)


SCRIPT = """
    import sys, time, pollard

    def slow(text):
        if text != b"[1, 2]":
            open(sys.argv[1], "a").write("x")
            time.sleep(1000)
        return True

    def main():
        pollard.reduce(b"[1, 2]", pollard.Predicate(slow, "processes"), language="json", jobs=2)
"""


def _script(tmp_path: Path, end: str) -> list[str]:
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(SCRIPT) + textwrap.dedent(end))
    return [sys.executable, str(script), str(tmp_path / "asked")]


def test_a_script_without_a_guard_is_told_what_to_do(tmp_path):
    done = subprocess.run(
        _script(tmp_path, "main()\n"), capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode != 0
    assert "OracleError" in done.stderr
    assert 'under `if __name__ == "__main__":`' in done.stderr


def test_an_interrupted_script_leaves_no_process(tmp_path):
    command = _script(tmp_path, 'if __name__ == "__main__":\n    main()\n')
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    wait_for(tmp_path / "asked")
    children = _descendants(process.pid)
    assert children
    process.send_signal(2)
    _, told = process.communicate(timeout=PATIENCE)
    assert "KeyboardInterrupt" in told
    assert all(gone(pid) for pid in children)


def _descendants(pid: int) -> list[int]:
    return [child.pid for child in psutil.Process(pid).children(recursive=True)]
