"""Shares limit the runs at once, are fair, and give every waiting run its turn."""

from __future__ import annotations

import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from pollard.errors import Cancelled, NotBegun
from pollard.executors import Runner
from pollard.oracle import CancelToken, Judge, Share, Shares, Verdict, VerdictCache
from tests.core.oracle.helpers import shell, wait_for

_PATIENCE = 10.0


def _until(condition) -> None:
    """Wait until other threads make the condition true."""
    stop = time.monotonic() + _PATIENCE
    while not condition():
        assert time.monotonic() < stop, "what the test waits for did not happen"
        time.sleep(0.002)


class Crowd:
    """Threads that take turns of shares; each turn lasts until the test ends it."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.under_way: list[tuple[str, threading.Event]] = []
        self.refused: list[str] = []
        self._threads: list[threading.Thread] = []

    def want(
        self, name: str, share: Share, token: CancelToken | None = None, *, alone: bool = False
    ) -> None:
        """Let a new thread wait for a turn; return once it does or has it."""
        before = len(share._queue) + share._running
        thread = threading.Thread(target=self._turn, args=(name, share, token, alone), daemon=True)
        self._threads.append(thread)
        thread.start()
        _until(lambda: len(share._queue) + share._running > before or not thread.is_alive())

    def end(self, name: str) -> None:
        """End the oldest turn of that name that is under way."""
        place = next(place for place in self.under_way if place[0] == name)
        self.under_way.remove(place)
        place[1].set()

    def has_begun(self, *names: str) -> None:
        """Wait until just these turns have begun, in this order."""
        _until(lambda: len(self.begun) >= len(names))
        assert self.begun == list(names)

    def gone(self) -> None:
        """Wait for the end of all threads."""
        for thread in self._threads:
            thread.join(_PATIENCE)
            assert not thread.is_alive()

    def _turn(self, name: str, share: Share, token: CancelToken | None, alone: bool) -> None:
        try:
            with share.turn(token, alone=alone):
                end = threading.Event()
                self.under_way.append((name, end))
                self.begun.append(name)
                end.wait(_PATIENCE)
        except Cancelled:
            self.refused.append(name)


@pytest.mark.parametrize("most", [1, 2, 3])
def test_never_more_than_most_run_at_once(most: int):
    shares, lock = Shares(most), threading.Lock()
    running, seen = [0], []

    def work(share: Share) -> None:
        for _ in range(30):
            with share.turn():
                with lock:
                    running[0] += 1
                    seen.append(running[0])
                time.sleep(0.0005)
                with lock:
                    running[0] -= 1

    threads = [threading.Thread(target=work, args=(shares.share(),)) for _ in range(2)]
    threads += [threading.Thread(target=work, args=(share,)) for share in [shares.share()] * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(_PATIENCE)
    assert len(seen) == 5 * 30
    assert max(seen) <= most


def test_two_greedy_shares_get_the_same_number_of_turns():
    """Although one of them has three times as many threads, and came first."""
    shares, crowd = Shares(1), Crowd()
    one, two = shares.share(), shares.share()
    crowd.want("one", one)
    crowd.has_begun("one")
    for _ in range(8):
        crowd.want("one", one)
    for _ in range(3):
        crowd.want("two", two)
    for done in range(2, 7):
        crowd.end(crowd.begun[-1])
        _until(lambda done=done: len(crowd.begun) == done)
        counts = Counter(crowd.begun)
        assert abs(counts["one"] - counts["two"]) <= 1
    one.close()
    two.close()
    crowd.end(crowd.begun[-1])
    crowd.gone()


def test_a_run_that_asks_for_it_has_the_machine_to_itself():
    """It begins once all others have ended, and meanwhile no other begins."""
    shares, crowd = Shares(3), Crowd()
    one, two = shares.share(), shares.share()
    crowd.want("one", one)
    crowd.want("two", two)
    crowd.want("alone", one, alone=True)
    crowd.want("later", two)
    crowd.end("two")
    crowd.has_begun("one", "two")
    crowd.end("one")
    crowd.has_begun("one", "two", "alone")
    crowd.end("alone")
    crowd.has_begun("one", "two", "alone", "later")
    crowd.end("later")
    crowd.gone()


def test_a_paused_share_that_waits_for_the_machine_stops_nobody():
    shares, crowd = Shares(2), Crowd()
    one, two = shares.share(), shares.share()
    one.pause()
    crowd.want("alone", one, alone=True)
    crowd.want("two", two)
    crowd.has_begun("two")
    one.resume()
    crowd.want("later", two)
    crowd.end("two")
    crowd.has_begun("two", "alone")
    crowd.end("alone")
    crowd.has_begun("two", "alone", "later")
    crowd.end("later")
    crowd.gone()


def test_who_no_longer_waits_for_the_machine_stops_nobody():
    shares, crowd, token = Shares(2), Crowd(), CancelToken()
    one, two = shares.share(), shares.share()
    crowd.want("first", two)
    crowd.want("alone", one, token, alone=True)
    crowd.want("two", two)
    token.set()
    crowd.has_begun("first", "two")
    assert crowd.refused == ["alone"]
    crowd.end("first")
    crowd.end("two")
    crowd.gone()


def test_the_next_turn_is_for_the_share_with_the_fewest_runs_under_way():
    shares, crowd = Shares(3), Crowd()
    one, two = shares.share(), shares.share()
    for _ in range(3):
        crowd.want("one", one)
    crowd.has_begun("one", "one", "one")
    for _ in range(2):
        crowd.want("one", one)
        crowd.want("two", two)
    crowd.end("one")
    crowd.has_begun("one", "one", "one", "two")
    crowd.end("two")
    crowd.has_begun("one", "one", "one", "two", "two")
    crowd.end("one")
    crowd.has_begun("one", "one", "one", "two", "two", "one")
    one.close()
    for name in ("one", "one", "two"):
        crowd.end(name)
    crowd.gone()


def test_idle_and_paused_shares_hold_nobody_back():
    shares, crowd = Shares(2), Crowd()
    busy, paused, _ = shares.share(), shares.share(), shares.share()
    paused.pause()
    crowd.want("paused", paused)
    for _ in range(2):
        crowd.want("busy", busy)
    crowd.has_begun("busy", "busy")
    crowd.end("busy")
    paused.resume()
    crowd.has_begun("busy", "busy", "paused")
    for name in ("busy", "paused"):
        crowd.end(name)
    crowd.gone()


def test_a_share_serves_its_runs_in_order_of_arrival():
    shares, crowd = Shares(1), Crowd()
    share = shares.share()
    names = ["a", "b", "c", "d"]
    for name in names:
        crowd.want(name, share)
    for name in names:
        crowd.has_begun(*names[: names.index(name) + 1])
        crowd.end(name)
    crowd.gone()


def test_a_cancelled_run_leaves_the_queue_and_the_others_go_on():
    shares, crowd, token = Shares(1), Crowd(), CancelToken()
    one, two = shares.share(), shares.share()
    crowd.want("one", one)
    crowd.has_begun("one")
    crowd.want("two", two, token)
    crowd.want("later", one)
    token.set()
    _until(lambda: crowd.refused == ["two"])
    crowd.end("one")
    crowd.has_begun("one", "later")
    crowd.end("later")
    crowd.gone()


def test_closing_a_share_ends_its_waiting_and_frees_its_place():
    shares, crowd = Shares(1), Crowd()
    closed, other = shares.share(), shares.share()
    crowd.want("running", closed)
    crowd.has_begun("running")
    for _ in range(2):
        crowd.want("closed", closed)
    crowd.want("other", other)
    with closed:
        pass
    closed.close()  # a second time changes nothing
    _until(lambda: crowd.refused == ["closed"] * 2)
    crowd.end("running")
    crowd.has_begun("running", "other")
    crowd.end("other")
    crowd.gone()
    with pytest.raises(NotBegun), closed.turn():
        pass


def test_a_failed_run_gives_its_turn_back():
    share = Shares(1).share()
    with pytest.raises(ZeroDivisionError), share.turn():
        raise ZeroDivisionError
    with share.turn() as waited:
        assert waited >= 0


def test_a_larger_limit_applies_to_runs_that_wait_already():
    shares, crowd = Shares(1), Crowd()
    share = shares.share()
    for name in ("a", "b", "c"):
        crowd.want(name, share)
    crowd.has_begun("a")
    shares.max_runs = 2
    assert shares.max_runs == 2
    crowd.has_begun("a", "b")
    shares.max_runs = 1
    crowd.end("a")
    crowd.end("b")
    crowd.has_begun("a", "b", "c")
    crowd.end("c")
    crowd.gone()


@pytest.mark.parametrize("most", [0, -3])
def test_one_run_is_always_allowed(most: int):
    with Shares(most).share().turn():
        pass


@pytest.fixture
def held():
    """Shares whose only turn is taken, and the event that ends it."""
    shares, end = Shares(1), threading.Event()
    other, begun = shares.share(), threading.Event()

    def hold() -> None:
        with other.turn():
            begun.set()
            end.wait(_PATIENCE)

    thread = threading.Thread(target=hold)
    thread.start()
    assert begun.wait(_PATIENCE)
    yield shares, end
    end.set()
    thread.join(_PATIENCE)


def test_a_runs_timeout_begins_after_the_wait_for_its_turn(held):
    """The timeout is shorter than the wait here."""
    shares, end = held
    with Runner(shell("exit 0"), "a", timeout=1.0, share=shares.share()) as runner:
        threading.Timer(1.2, end.set).start()
        run = runner.run(b"text")
    assert run.verdict is Verdict.INTERESTING
    assert run.waited > 1.0


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_judge_that_waits_can_be_cancelled_and_has_run_nothing(jobs: int, held):
    shares, _ = held
    share = shares.share()
    with (
        Runner(shell("exit 0"), "a", share=share) as runner,
        Judge(runner, VerdictCache("o", "a", persistent=False), jobs) as judge,
    ):
        thread = threading.Thread(target=lambda: (_until(lambda: share._queue), judge.cancel()))
        thread.start()
        with pytest.raises(Cancelled):
            judge.first([b"one", b"two"])
        thread.join()
    assert judge.counters.wasted_runs == judge.counters.runs == 0


def test_a_share_paused_while_a_run_waits_starts_it_only_when_resumed(held, tmp_path: Path):
    shares, end = held
    share, mark = shares.share(), tmp_path / "mark"
    with Runner(shell(f"echo run > {mark}"), "a", share=share) as runner:
        thread = threading.Thread(target=runner.run, args=(b"text",))
        thread.start()
        _until(lambda: share._queue)
        share.pause()
        end.set()
        _until(lambda: not shares._running)
        assert share._queue
        assert not mark.exists()
        share.resume()
        assert wait_for(mark) == "run"
        thread.join(_PATIENCE)
