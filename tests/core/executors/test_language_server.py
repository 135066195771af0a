"""A language server as the oracle: what it reports, and what happens when it crashes or hangs."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from pollard.errors import Cancelled, OracleError
from pollard.executors import check_oracle, open_executor
from pollard.executors.sandbox import Sandboxes
from pollard.executors.watchdog import watched_mark
from pollard.oracle import CancelToken, CommandOracle, Criteria, Verdict
from pollard.oracle.sandbox_policy import SandboxPolicy
from tests.core.oracle.helpers import dead
from tests.core.reductions import plan, watched

_SERVER = Path(__file__).with_name("small_server.py")
NEEDLE = Criteria(diagnostic=("lsp:W1 the word needle",))
CRASH = Criteria(not_exit_code=(0,))


@pytest.fixture
def log(tmp_path):
    return tmp_path / "log"


@pytest.fixture
def opened(log):
    """Open an executor of a small server, whose runs may write the log."""
    executors = []

    def open_one(mode="push", criteria=NEEDLE, filename="case.py", **settings):
        oracle = small_oracle(log, mode, criteria=criteria, **settings)
        executors.append(open_executor(oracle, filename))
        executors[-1].is_warm = True
        return executors[-1]

    yield open_one
    for executor in executors:
        executor.close()


def small_oracle(log, mode="push", **settings):
    return CommandOracle(
        (sys.executable, str(_SERVER), mode, str(log)),
        sandbox=SandboxPolicy(write=(log.parent,)),
        is_server=True,
        **{"criteria": NEEDLE, **settings},
    )


def line_plan(text, oracle, *, jobs):
    return plan(
        text=text.encode(),
        filename="case.txt",
        grammar=None,
        plain=True,
        oracle=oracle,
        cache=False,
        jobs=jobs,
    )


def verdict(executor, text):
    return executor.run(text).verdict


def noted(log, word):
    return [line.split() for line in log.read_text().splitlines() if word in line]


@pytest.mark.parametrize("mode", ["push", "steps", "pull", "bare"])
def test_candidates_are_versions_of_one_document_of_one_server(opened, log, mode):
    executor = opened(mode)
    texts = [b"a needle", b"hay", b"hay\nneedle", b"", b"needle"]
    assert [verdict(executor, text) is Verdict.INTERESTING for text in texts] == [
        True,
        False,
        True,
        False,
        True,
    ]
    lines = [line.split() for line in log.read_text().splitlines() if " did" in line]
    assert len({pid for pid, *_ in lines}) == 1
    assert [what for _, *what in lines] == [
        ["didOpen", "1", "python"],
        *(["didChange", str(number)] for number in (2, 3, 4, 5)),
    ]


def test_the_output_of_a_run_is_what_the_server_reported(opened):
    run = opened().run(b"hay print\nneedle")
    assert run.stdout == (
        b'{"source": "small", "code": "W1", "message": "the word needle", "severity": null, '
        b'"line": 2}\n'
    )
    assert run.stderr == b"said on standard error\n"
    assert run.failure is not None
    assert (run.failure.kind, run.failure.where) == ("lsp W1", "line 2")


def test_a_server_gets_the_answers_of_an_editor_without_settings(opened, log):
    executor = opened()
    verdict(executor, b"1")
    verdict(executor, b"2")  # before that it has read the answers
    assert [what for _, *what in noted(log, "answer")] == [
        ["answer", "s1", "[None,", "None]"],
        ["answer", "s2", "None"],
    ]


@pytest.mark.parametrize(
    ("word", "kind", "ending"),
    [(b"crash", "ValueError", "exit code 1"), (b"abort", "SIGABRT", "SIGABRT")],
)
def test_a_crash_is_an_outcome_and_the_next_candidate_gets_a_new_server(
    opened, log, word, kind, ending
):
    executor = opened(criteria=CRASH)
    run = executor.run(b"a " + word)
    assert run.verdict is Verdict.INTERESTING
    assert run.failure is not None
    assert (run.failure.kind, run.failure.ending) == (kind, ending)
    assert verdict(executor, b"hay") is Verdict.UNINTERESTING
    assert len({pid for pid, *_ in noted(log, "didOpen")}) == 2


def test_a_crash_shows_no_diagnostic(opened):
    assert verdict(opened(), b"needle crash") is Verdict.UNINTERESTING


def test_an_error_instead_of_diagnostics_is_shown_and_the_server_stays(opened, log):
    executor = opened("pull")
    run = executor.run(b"needle refuse")
    assert run.verdict is Verdict.UNINTERESTING
    assert b"an internal error" in run.stderr
    assert verdict(executor, b"needle") is Verdict.INTERESTING
    assert len(noted(log, "didOpen")) == 1


def test_a_server_that_hangs_is_killed_with_all_that_it_started(opened, log):
    executor = opened(timeout=1.0)
    verdict(executor, b"needle")
    assert verdict(executor, b"needle leave hang") is Verdict.TIMEOUT
    assert verdict(executor, b"needle") is Verdict.INTERESTING
    executor.close()
    assert processes_of_runs() == []


def test_nothing_is_left_after_the_end(opened, log):
    executor = opened()
    verdict(executor, b"needle leave")
    assert processes_of_runs() != []
    executor.close()
    assert processes_of_runs() == []
    assert not executor._directories.root.exists()


# Of texts with "late", the server remembers a needle after some versions.
FORGETTABLE = "".join(f"hay {number} late\n" for number in range(20)) + "needle\n"


def processes_of_runs() -> list[int]:
    """The processes that have a mark of this process's runs, and are no zombies."""
    token = f"POLLARD_RUN={watched_mark().rpartition('-')[0]}-".encode()
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if token in path.read_bytes():
                found.append(int(path.parent.name))
        except OSError:
            continue
    return [pid for pid in found if not dead(pid)]


def test_a_check_has_a_server_that_remembers_no_other_text(opened):
    """So a result cannot be due to what the server saw before."""
    executor = opened()
    verdict(executor, b"remember a needle")
    assert verdict(executor, b"hay") is Verdict.INTERESTING
    assert executor.run(b"hay", capture=True).verdict is Verdict.UNINTERESTING


def test_a_server_stays_only_if_it_reports_what_a_new_one_does(log):
    """The third version is that of the trial on an empty file."""
    checked = check_oracle(small_oracle(log), "case.txt", b"remember a needle")
    assert checked.interesting
    assert "Runs are cold: on an empty file a cold run was uninteresting" in checked.describe()
    steady = check_oracle(small_oracle(log), "case.txt", b"a needle")
    assert "Runs are warm" in steady.describe()


@pytest.mark.parametrize("mode", ["push", "pull"])
def test_new_servers_prove_what_a_server_that_remembers_found(log, mode):
    """Diagnostics of earlier versions leak into later ones, which the trial is too short to see."""
    oracle = small_oracle(log, mode)
    found = watched(line_plan(FORGETTABLE, oracle, jobs=1)).result
    assert found.text.strip() == b"needle"
    (note,) = [note for note in found.notes if "do not confirm" in note]
    assert "a cold run was uninteresting (no failure), but a warm one" in note


def test_several_servers_that_remember_spoil_no_result(log):
    """Which of them sees a text is a matter of time, and so is what a cold run refutes."""
    found = watched(line_plan(FORGETTABLE, small_oracle(log), jobs=2)).result
    assert found.text.strip() == b"needle"


def test_a_server_that_reports_in_steps_is_waited_for(log):
    text = "".join(f"hay {number}\n" for number in range(20)) + "needle\n"
    found = watched(line_plan(text, small_oracle(log, "steps"), jobs=1)).result
    assert found.text.strip() == b"needle"
    assert "Runs are warm" in " ".join(found.notes)


def test_diagnostics_that_the_protocol_does_not_know_are_a_result(opened):
    run = opened("broken").run(b"a needle", capture=True)
    assert run.verdict is Verdict.UNINTERESTING
    assert b'The server sent no list of diagnostics, but "none".' in run.stderr


def test_a_steady_server_is_restarted_for_checks_and_proofs_alone(log):
    text = "".join(f"hay {number}\n" for number in range(20)) + "needle\n"
    found = watched(line_plan(text, small_oracle(log), jobs=1)).result
    assert found.text.strip() == b"needle"
    assert not [note for note in found.notes if "do not confirm" in note]
    warm = 4  # runs of the trial with the server that stays
    assert len(noted(log, "didOpen")) == found.counts.check_runs - warm + 1
    asked_at_the_end = 1  # whether it still finds the failure
    assert len(noted(log, "didChange")) == found.counts.runs + warm - 1 + asked_at_the_end


def test_a_failure_that_shows_only_sometimes_has_new_servers(log):
    oracle = small_oracle(log, runs_required=(1, 2))
    checked = check_oracle(oracle, "case.txt", b"needle")
    assert "Runs are cold: the failure shows only sometimes" in checked.describe()


def test_several_threads_have_a_server_each(opened, log):
    executor, seen = opened(), []
    threads = [
        threading.Thread(target=lambda text=text: seen.append(verdict(executor, text)))
        for text in (b"needle", b"needle 2", b"hay")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(each.value for each in seen) == ["interesting", "interesting", "uninteresting"]


@pytest.mark.parametrize("mode", ["push", "bare"])
def test_a_cancelled_run_leaves_the_server_for_the_next(opened, log, mode):
    """With several jobs most runs that began too early are cancelled; their answers do not count."""
    executor = opened(mode)
    verdict(executor, b"needle")
    _cancel(executor, b"needle pause")
    assert verdict(executor, b"hay") is Verdict.UNINTERESTING
    assert len(noted(log, "didOpen")) == 1


def test_no_candidate_is_blamed_for_a_cancelled_one_that_hangs(opened, log):
    executor = opened(timeout=2.0)
    verdict(executor, b"needle")
    _cancel(executor, b"burn")
    assert verdict(executor, b"needle") is Verdict.INTERESTING
    assert len(noted(log, "didOpen")) == 2


def _cancel(executor, text):
    """Begin a run and cancel it."""
    token = CancelToken()
    timer = threading.Timer(0.1, token.set)
    timer.start()
    with pytest.raises(Cancelled):
        executor.run(text, cancelled=token)
    timer.join()


def test_a_server_that_does_not_exist_is_named(opened):
    oracle = CommandOracle(["no-such-server"][0:1], criteria=NEEDLE, is_server=True)
    checked = check_oracle(oracle, "case.py", b"needle")
    assert "'no-such-server' was not found on PATH" in checked.error


def test_a_sandbox_that_cannot_be_started_is_an_error_and_no_server_runs(opened, log, monkeypatch):
    def refused(self, function, room):
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(Sandboxes, "confined", refused)
    with pytest.raises(OracleError, match="cannot be started: Operation not permitted"):
        opened().run(b"needle")
    assert not log.exists()


def test_the_check_explains_what_a_server_reported(opened):
    oracle = opened(criteria=Criteria(diagnostic=("lsp:E9",))).oracle
    text = check_oracle(oracle, "case.py", b"needle", runs=1).describe()
    assert "it answered after" in text
    assert "lsp:E9 must be reported; it reported W1 the word needle" in text
