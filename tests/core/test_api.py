"""`import pollard`: what it offers, and that all ways in come to the same."""

from __future__ import annotations

import asyncio
import doctest
import importlib
import inspect
import subprocess
import sys
import threading
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pollard
from pollard import Verdict
from pollard.api import plan_of
from pollard.limits import SearchLimits
from pollard.oracle import CommandOracle
from pollard.settings import OracleSettings, Settings
from pollard.settings.settings_file import read_settings
from pollard.speculation import Speculation
from tests.core.oracle.helpers import PYTHON
from tests.core.reductions import PATIENCE
from tests.examples import examples

JSON = b'{"first": [1, 2, {"deep": "needle"}], "second": [3, [4, 5]]}'


def needle(text: bytes) -> bool:
    return b"needle" in text


@pytest.mark.parametrize("name", pollard.__all__)
def test_every_name_is_there_and_documented(name):
    assert inspect.getdoc(getattr(pollard, name)) or name in ("Event", "ProjectEvent")


@pytest.mark.parametrize(
    "module",
    ["", ".api.functions", ".api.public_oracle", ".api.several_files", ".oracle.predicate"],
)
def test_the_examples_in_the_docstrings_are_true(module):
    found = importlib.import_module(f"pollard{module}")
    assert doctest.testmod(found).failed == 0


def test_threads_that_use_pollard_for_the_first_time_at_once_all_get_it():
    """Python shows half of a module to threads that load its package and the module at a time."""
    code = """
import concurrent.futures, importlib.abc, sys, time, pollard
class SlowFinder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        time.sleep(0.002)
sys.meta_path.insert(0, SlowFinder())
with concurrent.futures.ThreadPoolExecutor(len(pollard.__all__)) as threads:
    list(threads.map(lambda name: getattr(pollard, name), pollard.__all__))
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_importing_pollard_does_not_load_the_engine():
    """`pollard --version` would wait for it."""
    code = "import pollard, sys; print('tree_sitter' in sys.modules, 'pollard.api' in sys.modules)"
    done = subprocess.run([PYTHON, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_a_path_is_a_file_and_texts_are_texts(tmp_path):
    file = tmp_path / "case.json"
    file.write_bytes(JSON)
    reduced = pollard.reduce(file, needle).text
    assert file.read_bytes() == JSON
    assert len(reduced) < 10
    assert pollard.reduce(JSON, needle, filename="case.json").text == reduced
    assert pollard.reduce(JSON.decode(), needle, language="json").text == reduced


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        pollard.reduce(tmp_path / "none", needle)


def test_the_candidate_has_the_name_of_the_file(tmp_path):
    file = tmp_path / "case.json"
    file.write_bytes(JSON)
    command = 'case "{file}" in */case.json) grep needle {file};; *) false;; esac'
    assert b"needle" in pollard.reduce(file, command).text
    assert not pollard.check(JSON, command).interesting
    assert pollard.check(JSON, command, filename="case.json").interesting


def test_all_ways_in_come_to_the_same(tmp_path):
    """A command line, a settings file and a call: the same plan, hence the same runs."""
    (tmp_path / "case.json").write_bytes(JSON)
    (tmp_path / "pollard.toml").write_text(
        'jobs = 1\ncache = false\n[oracles.a]\ncommand = ["grep", "needle"]\nstdout = "needle"\n'
    )
    stats = tmp_path / "stats.json"
    subprocess.run(
        [PYTHON, "-m", "pollard", "reduce", "case.json", "--stats", stats],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    called = pollard.reduce(
        tmp_path / "case.json",
        pollard.Oracle(["grep", "needle"], stdout="needle", workspace=tmp_path, name="a"),
        cache=False,
    )
    assert (tmp_path / "case.reduced.json").read_bytes() == called.text
    assert f'"runs": {called.counts.runs},' in stats.read_text()


def test_the_keys_of_an_oracle_are_those_of_the_settings():
    keys = {key.name for key in fields(OracleSettings) if "doc" in key.metadata}
    given = set(inspect.signature(pollard.Oracle).parameters)
    assert given - keys == {"name", "formatter", "workspace"}
    # The first chooses among the oracles of a file of settings; the other is `reduce` of a mapping.
    assert keys - given == {"languages", "reduce_files", "around"}


def test_an_oracle_means_what_its_table_means(tmp_path):
    (tmp_path / "pollard.toml").write_text("""[oracles.a]
command = ["cc", "{file}"]
exit_code = 4
signal = "SEGV"
not_stderr = "warning"
invalid = { stderr = "syntax" }
timeout = "10s"
memory = "2GiB"
files = ["config.h"]
runs_required = "2 of 3"
stdin = true
output_limit = "1KB"
""")
    table = read_settings(tmp_path / "pollard.toml").oracle_for(None)
    call = pollard.Oracle(
        ["cc", "{file}"],
        name="a",
        exit_code=4,
        signal="SEGV",
        not_stderr="warning",
        invalid={"stderr": "syntax"},
        timeout=10,
        memory="2GiB",
        files=["config.h"],
        runs_required=(2, 3),
        stdin=True,
        output_limit="1KB",
        workspace=tmp_path,
    )
    assert call.to_oracle(call.workspace) == table.to_oracle(tmp_path)


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"timeout": "soon"}, "'timeout' must be a duration"),
        ({"signal": "SIGNOTHING"}, "'signal' names the signal"),
        ({"stderr": "("}, "'stderr' is not a regular expression"),
        ({"invalid": {"exit_kode": 1}}, "'invalid.exit_kode'"),
        ({"formatter": []}, "'formatter' must be"),
    ],
)
def test_a_wrong_key_of_an_oracle_is_one_clear_sentence(keys, told):
    with pytest.raises(pollard.OracleError, match=r"^The oracle 'oracle' is wrong: .*") as caught:
        pollard.Oracle(["true"], **keys)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"jobs": 0}, "jobs"),
        ({"checks": "many"}, "checks"),
        ({"strategy": "hdd+nothing"}, "nothing"),
        ({"language": "no-such"}, "no-such"),
        ({"timeout": 3}, "where"),
    ],
)
def test_wrong_arguments_are_said_before_anything_runs(arguments, told):
    with pytest.raises(pollard.PollardError, match=told):
        pollard.start(JSON, needle, **arguments)


@pytest.mark.parametrize("region", [(-1, 2), (3, 2), (0, len(JSON) + 1)])
def test_a_region_outside_of_the_text(region):
    with pytest.raises(ValueError, match="region"):
        pollard.reduce(JSON, needle, region=region)


@pytest.mark.parametrize("seconds", [0, -1])
def test_a_timeout_that_no_run_can_keep(seconds):
    with pytest.raises(ValueError, match="timeout must be above 0 seconds"):
        pollard.check(JSON, ["true"], timeout=seconds)


def test_only_the_region_changes():
    start = JSON.index(b'"second"')
    result = pollard.reduce(JSON, needle, language="json", region=(start, len(JSON) - 1))
    assert result.text.startswith(JSON[: start - 2])
    assert len(result.text) < len(JSON)


def test_events_come_in_this_thread_and_end_with_the_result():
    heard = []
    result = pollard.reduce(
        JSON, needle, jobs=2, on_event=lambda event: heard.append((threading.get_ident(), event))
    )
    assert {ident for ident, _ in heard} == {threading.get_ident()}
    assert isinstance(heard[0][1], pollard.Started)
    assert heard[-1][1] == pollard.Finished(result)


def test_a_check_says_what_it_saw():
    found = pollard.check(JSON, lambda text: b"thread" in text)
    assert found.health is pollard.Health.UNINTERESTING
    assert "lambda" in found.describe()
    broken = pollard.check(JSON, ["no-such-program-at-all"])
    assert broken.health is pollard.Health.BROKEN
    assert "no-such-program-at-all" in broken.describe()


def test_a_job_can_be_paused_read_cancelled_and_waited_for():
    asked, go_on = threading.Event(), threading.Event()

    def slow(text: bytes) -> bool:
        if text != JSON:
            asked.set()
            go_on.wait(PATIENCE)
        return needle(text)

    with pollard.start(JSON, slow, language="json", checks=1) as job:
        assert asked.wait(PATIENCE)
        assert job.best == JSON
        assert not job.done
        with pytest.raises(TimeoutError):
            job.result(timeout=0.01)
        job.pause()
        job.resume()
        job.cancel()
        go_on.set()
        result = job.result(PATIENCE)
        assert result.cancelled
        assert job.done
        assert result.text == job.best
        assert needle(result.text)


def test_a_paused_job_can_be_cancelled():
    asked, go_on = threading.Event(), threading.Event()

    def slow(text: bytes) -> bool:
        asked.set()
        return go_on.wait(PATIENCE) and needle(text)

    with pollard.start(JSON, slow, checks=2) as job:
        assert asked.wait(PATIENCE)
        job.pause()
        go_on.set()
        job.cancel()
        with pytest.raises(pollard.Cancelled):
            job.result(PATIENCE)


def test_a_job_raises_what_went_wrong():
    with pollard.start(JSON, lambda _: False) as job, pytest.raises(pollard.NotInteresting):
        job.result(PATIENCE)


def test_awaiting_does_not_block_the_loop_and_events_come_in_it():
    async def main():
        ticks, heard = [], []

        async def tick():
            while True:
                ticks.append(1)
                await asyncio.sleep(0)

        ticking = asyncio.create_task(tick())
        result = await pollard.reduce_async(
            JSON, needle, on_event=lambda event: heard.append((threading.get_ident(), event))
        )
        ticking.cancel()
        assert len(ticks) > 1
        assert {ident for ident, _ in heard} == {threading.get_ident()}
        return result.text

    assert asyncio.run(main()) == pollard.reduce(JSON, needle).text


def test_cancelling_the_task_cancels_the_reduction():
    asked, go_on, after = threading.Event(), threading.Event(), []

    def slow(text: bytes) -> bool:
        if go_on.is_set():
            after.append(text)
        asked.set()
        return go_on.wait(PATIENCE) and needle(text)

    async def main():
        task = asyncio.create_task(pollard.reduce_async(JSON, slow))
        await asyncio.to_thread(asked.wait, PATIENCE)
        task.cancel()
        await asyncio.sleep(0)  # the task asks the reduction to end, and waits for that
        go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert after == []
    for thread in [each for each in threading.enumerate() if each.name == "reduction"]:
        thread.join(PATIENCE)  # its last steps may come after the task's end
        assert not thread.is_alive()


def test_languages_are_names_that_reduce_takes():
    assert {"json", "python"} <= set(pollard.languages())
    assert pollard.reduce(b"[needle", needle, language="none").text == b"needle"


VALUES = st.recursive(
    st.sampled_from(["null", "1", '"a"', '"b"']),
    lambda inner: st.lists(inner, max_size=4).map(lambda items: f"[{', '.join(items)}]"),
    max_leaves=12,
)


@given(VALUES, st.sets(st.integers(0, 7), max_size=4), st.integers(2, 4))
@examples(25)
def test_several_jobs_do_what_one_does(tree, residues, jobs):
    """For any predicate, also one that is not monotone, with all its verdicts."""

    def judged(text: bytes) -> Verdict:
        if text == tree.encode():
            return Verdict.INTERESTING
        score = sum(text) % 8
        if score in residues:
            return Verdict.INTERESTING
        return Verdict.INVALID if score % 3 == 0 else Verdict.UNINTERESTING

    def outcome(count):
        events = []
        result = pollard.reduce(tree, judged, language="json", jobs=count, on_event=events.append)
        texts = [event.text for event in events if isinstance(event, pollard.Reduced)]
        return result.text, texts, result.counts.runs, result.counts.cache_hits

    assert outcome(jobs) == outcome(1)


def test_every_setting_of_a_reduction_reaches_its_plan(tmp_path):
    """What is not the default in the settings is not the default in the plan."""
    own = Settings().override(
        {
            "jobs": 3,
            "speculation": "frugal",
            "renaming": False,
            "guard": False,
            "cache": False,
            "checks": 5,
            "max_runs": 7,
            "max_time": "2m",
            "learn_invalid": True,
            "preprocessing": {"squeeze": False},
        }
    )
    plan = plan_of(
        own, text=JSON, filename="a", oracle=CommandOracle("true", workspace=tmp_path), grammar=None
    )
    assert (plan.jobs, plan.renaming, plan.guard, plan.cache) == (3, False, False, False)
    assert (plan.checks, plan.learn_invalid) == (5, True)
    assert plan.search_limits == SearchLimits(max_runs=7, max_seconds=120.0)
    assert plan.speculation is Speculation.FRUGAL
    assert not plan.preprocessing.squeeze
