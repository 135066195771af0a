"""A thread does work beside that of the others, and ends it when nobody waits for it any more."""

from __future__ import annotations

import threading
import time

import pytest

from pollard.errors import Cancelled
from pollard.executors.warm.side_thread import SideThread
from pollard.oracle import CancelToken, Shares


@pytest.fixture
def share():
    return Shares(1).share()


@pytest.fixture
def side(share):
    thread = SideThread(share)
    yield thread
    thread.close()


def until_stopped(stop):
    while not stop.is_set():
        time.sleep(0.001)
    raise Cancelled("It was stopped.")


def test_one_thread_does_all_in_order_and_stays(side):
    done = []
    works = [
        side.begin(lambda _, number=number: done.append(number) or threading.current_thread())
        for number in range(3)
    ]
    threads = {work.result() for work in works}
    assert done == [0, 1, 2]
    assert len(threads) == 1
    assert threads.pop().is_alive()


def test_its_run_needs_no_turn_of_those_that_jobs_allow(side, share):
    def takes_a_turn(stop):
        with share.turn(stop):
            return "had a turn"

    with share.turn():
        assert side.begin(takes_a_turn).result() == "had a turn"


def test_who_is_cancelled_while_waiting_stops_the_work(side):
    cancelled = CancelToken()
    work = side.begin(until_stopped)
    assert not work.is_over()
    cancelled.set()
    with pytest.raises(Cancelled):
        work.result(cancelled)


def test_what_was_stopped_does_not_disturb_what_begins_later(side):
    work = side.begin(until_stopped)
    side.stop()
    assert work.is_over()
    assert side.begin(lambda stop: stop.is_set()).result() is False


def test_closing_it_cancels_what_has_not_begun(side):
    works = [side.begin(until_stopped) for _ in range(2)]
    side.close()
    for work in works:
        with pytest.raises(Cancelled):
            work.result()
