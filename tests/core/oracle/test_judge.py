"""The first interesting text in order: the same answer and the same count for any number of jobs."""

from __future__ import annotations

import itertools
import os
import random
import signal
import threading
import time
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.errors import Cancelled
from pollard.executors import Runner
from pollard.oracle import Criteria, Judge, OracleError, Verdict, VerdictCache
from tests.core.oracle.helpers import gone, outcome, shell, wait_for
from tests.examples import examples

VERDICTS = {b"I": Verdict.INTERESTING, b"U": Verdict.UNINTERESTING}
VERDICTS |= {b"X": Verdict.INVALID, b"T": Verdict.TIMEOUT}


class FakeRunner:
    """Gives verdicts by the first letter, after a delay that a token cuts short; records its runs."""

    def __init__(self, delays=(0.0,)):
        self.delays = delays
        self.lock = threading.Lock()
        self.started, self.running, self.most, self.killed = [], [], 0, 0

    def run(self, text, *, cancelled=None):
        with self.lock:
            assert text not in self.running, "the same text runs twice at once"
            self.running.append(text)
            self.started.append(text)
            self.most = max(self.most, len(self.running))
            delay = self.delays[len(self.started) % len(self.delays)]
        try:
            end = time.monotonic() + delay
            while time.monotonic() < end:
                if cancelled.is_set():
                    self.killed += 1
                    raise Cancelled("killed")
                time.sleep(0.0002)
            if text[:1] == b"E":
                raise OracleError("broken")
            return outcome(verdict=VERDICTS[text[:1]], seconds=delay)
        finally:
            with self.lock:
                self.running.remove(text)


def _memory():
    return VerdictCache("f", "a", persistent=False)


def _search(streams, jobs, delays, required=(1, 1)):
    """Return the answers for consecutive streams, and the counters that must not depend on `jobs`."""
    runner = FakeRunner(delays)
    with Judge(runner, _memory(), jobs, required=required) as judge:
        answers = []
        for stream in streams:
            try:
                answers.append(judge.first(iter(stream)))
            except OracleError:
                answers.append("error")
    assert runner.most <= jobs
    counters = judge.counters
    assert counters.runs + counters.wasted_runs == len(runner.started)
    return answers, counters.runs, counters.cache_hits, counters.invalid, counters.timeouts


TEXTS = st.one_of(
    st.none(),
    st.builds(lambda kind, n: b"%c%d" % (kind, n), st.sampled_from(b"UUUUUXTI"), st.integers(0, 9)),
)


@examples(60)
@given(
    streams=st.lists(st.lists(TEXTS, max_size=25), max_size=4),
    delays=st.lists(st.sampled_from([0.0, 0.0, 0.0005, 0.003]), min_size=1, max_size=7),
    jobs=st.integers(2, 5),
)
def test_any_number_of_jobs_gives_what_one_gives(streams, delays, jobs):
    assert _search(streams, jobs, delays) == _search(streams, 1, (0.0,))


@examples(40)
@given(
    stream=st.lists(TEXTS, max_size=25),
    delays=st.lists(st.sampled_from([0.0, 0.0005, 0.003]), min_size=1, max_size=7),
    jobs=st.integers(1, 4),
)
def test_verdicts_arrive_in_order_up_to_the_hit(stream, delays, jobs):
    """Verdicts of runs beyond the hit are not reported; cached ones are."""
    reported = []
    with Judge(FakeRunner(delays), _memory(), jobs) as judge:
        hit = judge.first(stream, lambda index, verdict: reported.append((index, verdict)))
    end = len(stream) if hit is None else hit + 1
    assert reported == [
        (index, VERDICTS[text[:1]]) for index, text in enumerate(stream[:end]) if text is not None
    ]


@examples(30)
@given(
    stream=st.lists(st.sampled_from([b"U1", b"U2", b"U3", b"E1", b"I1", None]), max_size=12),
    delays=st.lists(st.sampled_from([0.0, 0.002]), min_size=1, max_size=5),
)
def test_an_error_is_raised_where_a_loop_would_raise_it(stream, delays):
    assert _search([stream], 3, delays)[0] == _search([stream], 1, (0.0,))[0]


@pytest.mark.parametrize("jobs", [2, 3, 4])
def test_real_runs_give_the_same_for_any_number_of_jobs(jobs):
    chance = random.Random(jobs)
    streams = [
        [
            chance.choice([b"U", b"U", b"U", b"X", b"I"]) + b"%d" % chance.randrange(30)
            for _ in range(15)
        ]
        for _ in range(4)
    ]
    oracle = shell(
        'case $(cat "$1") in I*) exit 0;; X*) exit 2;; *) exit 1;; esac',
        invalid=Criteria(exit_code=(2,)),
    )

    def search(count):
        with Runner(oracle, "a") as runner, Judge(runner, _memory(), count) as judge:
            answers = [judge.first(stream) for stream in streams]
        return answers, judge.counters.runs, judge.counters.cache_hits, judge.counters.invalid

    assert search(jobs) == search(1)


@pytest.mark.parametrize("jobs", [1, 3])
def test_rejected_candidates_keep_their_index_and_cost_nothing(jobs):
    runner = FakeRunner()
    with Judge(runner, _memory(), jobs) as judge:
        assert judge.first([None] * 50 + [b"U", None, b"I", None]) == 52
        assert judge.first([None] * 3) is None
        assert judge.first([]) is None
    assert judge.counters.runs == 2
    assert set(runner.started) == {b"U", b"I"}


@pytest.mark.parametrize("jobs", [1, 2, 4])
def test_the_stream_is_taken_lazily(jobs):
    taken = []

    def stream():
        for number in range(1000):
            taken.append(number)
            yield b"I" if number == 3 else b"U%d" % number

    with Judge(FakeRunner(), _memory(), jobs) as judge:
        assert judge.first(stream()) == 3
    assert len(taken) <= 4 + (4 * jobs if jobs > 1 else 0)


def test_obsolete_runs_are_killed_at_once_and_counted_as_wasted():
    runner = FakeRunner((60.0, 0.05, 60.0, 60.0))
    with Judge(runner, _memory(), 3) as judge:
        assert judge.first([b"I", b"U1", b"U2", b"U3"]) == 0
    assert runner.killed == 2
    assert (judge.counters.runs, judge.counters.wasted_runs) == (1, 2)


def test_what_comes_after_a_hit_is_killed_while_what_comes_before_goes_on():
    class Ordered(FakeRunner):
        def run(self, text, *, cancelled=None):
            if text == b"U-first":
                while self.killed == 0:
                    time.sleep(0.001)
            self.delays = [0.0] if text[:1] == b"I" or text == b"U-first" else [60.0]
            return super().run(text, cancelled=cancelled)

    runner = Ordered()
    with Judge(runner, _memory(), 3) as judge:
        assert judge.first([b"U-first", b"I", b"U-last"]) == 1
    assert judge.counters.runs == 2


def test_a_wasted_verdict_is_counted_once_it_is_needed():
    gate = threading.Event()

    class Ordered(FakeRunner):
        def run(self, text, *, cancelled=None):
            if text == b"I":
                gate.wait(5)
            run = super().run(text)
            if text == b"U":
                gate.set()
            return run

    with Judge(Ordered(), _memory(), 2) as judge:
        assert judge.first([b"I", b"U"]) == 0
        assert (judge.counters.runs, judge.counters.wasted_runs) == (1, 1)
        assert judge.first([b"U"]) is None
        assert (judge.counters.runs, judge.counters.wasted_runs) == (2, 0)
        assert judge.counters.cache_hits == 0
        assert judge.first([b"U"]) is None
        assert (judge.counters.runs, judge.counters.cache_hits) == (2, 1)


@pytest.mark.parametrize("jobs", [1, 4])
def test_the_same_text_is_run_once(jobs):
    runner = FakeRunner((0.01,))
    with Judge(runner, _memory(), jobs) as judge:
        assert judge.first([b"U"] * 10 + [b"I"]) == 10
    assert runner.started.count(b"U") == 1
    assert (judge.counters.runs, judge.counters.cache_hits) == (2, 9)


@pytest.mark.parametrize(
    ("pattern", "required", "runs", "found"),
    [
        ("II", (2, 3), 2, True),
        ("IUI", (2, 3), 3, True),
        ("UU", (2, 3), 2, False),
        ("UIU", (2, 3), 3, False),
        ("UUI", (1, 3), 3, True),
    ],
)
def test_repeated_runs_stop_as_soon_as_the_verdict_is_decided(pattern, required, runs, found):
    left = list(pattern)

    class Flaky:
        def run(self, text, *, cancelled=None):
            return outcome(verdict=VERDICTS[left.pop(0).encode()])

    with Judge(Flaky(), _memory(), 1, required=required) as judge:
        assert judge.first([b"x"]) == (0 if found else None)
    assert judge.counters.runs == runs


@pytest.mark.parametrize("jobs", [1, 2])
def test_known_verdicts_need_no_run(jobs):
    cache = _memory()
    cache.put(b"U", Verdict.UNINTERESTING)
    cache.put(b"I", Verdict.INTERESTING)
    runner = FakeRunner()
    with Judge(runner, cache, jobs) as judge:
        assert judge.first([b"U", b"I", b"U2"]) == 1
    assert (runner.started, judge.counters.cache_hits) == ([], 2)


@pytest.mark.parametrize("jobs", [1, 3])
def test_cancel_kills_every_process(tmp_path, jobs):
    oracle = shell(f'sleep 100 & echo $! > {tmp_path}/$(cat "$1"); wait')
    names = [f"t{n}" for n in range(5)]
    pids = []
    with Runner(oracle, "a") as runner, Judge(runner, _memory(), jobs) as judge:

        def stop():
            pids.extend(int(wait_for(tmp_path / name)) for name in names[:jobs])
            judge.cancel()

        thread = threading.Thread(target=stop)
        thread.start()
        with pytest.raises(Cancelled):
            judge.first(name.encode() for name in names)
        thread.join()
        assert all(gone(pid) for pid in pids)
        with pytest.raises(Cancelled):
            judge.first([b"x"])
    assert judge.counters.wasted_runs == jobs


@pytest.mark.parametrize("jobs", [1, 3])
def test_on_run_is_called_for_each_counted_run_in_the_callers_thread(jobs):
    threads = []
    cache = _memory()
    cache.put(b"U0", Verdict.UNINTERESTING)
    with Judge(
        FakeRunner(), cache, jobs, on_run=lambda: threads.append(threading.get_ident())
    ) as judge:
        judge.first([b"U0", b"U1", b"U2", b"I", b"U3"])
    assert threads == [threading.get_ident()] * 3


@pytest.mark.parametrize("jobs", [1, 3])
def test_an_error_of_the_stream_ends_the_search_and_the_runs(jobs):
    def stream():
        yield b"U1"
        raise ZeroDivisionError

    runner = FakeRunner((0.05,))
    with Judge(runner, _memory(), jobs) as judge, pytest.raises(ZeroDivisionError):
        judge.first(stream())
    assert runner.running == []


def test_the_oracles_seconds_are_those_of_all_runs_without_their_waiting(monkeypatch):
    """A run's preparation and clean-up count; the wait for its turn does not."""
    clock = SimpleNamespace(now=100.0)
    fake = SimpleNamespace(perf_counter=lambda: clock.now)
    monkeypatch.setattr("pollard.oracle.judge.time", fake)

    class Slow:
        def run(self, text, *, cancelled=None):
            clock.now += 7
            return outcome(waited=5.0, seconds=1.0)

    with Judge(Slow(), _memory(), 1) as judge:
        judge.first([b"U1", b"U2"])
    assert judge.counters.oracle_seconds == 2 * (7 - 5)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_signal_handler_may_cancel(jobs):
    """Its thread may hold any of the judge's locks at that moment."""
    with Judge(FakeRunner((0.001,)), _memory(), jobs) as judge:
        before = signal.signal(signal.SIGUSR1, lambda *_: judge.cancel())
        timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGUSR1))
        timer.start()
        try:
            with pytest.raises(Cancelled):
                judge.first(b"U%d" % n for n in itertools.count())
            timer.join()
        finally:
            signal.signal(signal.SIGUSR1, before)
