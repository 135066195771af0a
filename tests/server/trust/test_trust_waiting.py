"""Whoever waits for an answer can be cancelled, and one answer can be enough for several jobs."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from pollard_server.trust import ALWAYS, NO, ONCE, Consent, NotAllowed
from tests.server.trust.asking import Asking, answered, consents


def test_a_cancelled_request_ends_without_an_answer_and_is_no_refusal(oracle):
    client, trust = answered()
    asking = Asking(trust, oracle)
    future = client.next_question()
    asking.cancelled.set()
    assert isinstance(asking.error(), NotAllowed)
    future.set_result(ALWAYS)  # too late
    assert trust.state(oracle) is Consent.NEEDED
    assert consents() == []


def test_a_cancelled_request_does_not_count_a_yes_that_came_with_it(oracle):
    client, trust = answered(ALWAYS)
    cancelled = threading.Event()
    client.before_answer = cancelled.set
    with pytest.raises(NotAllowed, match="stopped"):
        trust.request(oracle, "/ws/pollard.toml", "a.c", cancelled)
    assert consents() == []


def test_two_jobs_are_one_question_if_the_answer_is_always(oracle):
    client, trust = answered()
    first, second = Asking(trust, oracle), Asking(trust, oracle)
    client.next_question().set_result(ALWAYS)
    assert first.permit().oracle == second.permit().oracle == oracle
    assert len(client.questions) == 1


def test_two_jobs_are_two_questions_one_after_the_other_if_the_answer_is_once(oracle):
    client, trust = answered()
    first, second = Asking(trust, oracle), Asking(trust, oracle)
    question = client.next_question()
    assert client.asked.empty()
    question.set_result(ONCE)
    again = client.next_question()
    assert sorted([first.is_waiting, second.is_waiting]) != [False, False]
    again.set_result(ONCE)
    assert first.permit().oracle == second.permit().oracle == oracle


def test_a_refusal_also_counts_for_a_job_that_waited_for_the_answer(oracle, monkeypatch):
    client, trust = answered()
    first = Asking(trust, oracle)
    question = client.next_question()
    begun = threading.Event()
    now = trust._pins.now
    monkeypatch.setattr(trust._pins, "now", lambda oracle: (begun.set(), now(oracle))[1])
    second = Asking(trust, oracle)
    assert begun.wait(10)
    question.set_result(NO)
    assert isinstance(first.error(), NotAllowed)
    assert isinstance(second.error(), NotAllowed)
    assert len(client.questions) == 1


def test_a_job_that_waits_for_anothers_answer_can_be_cancelled(oracle):
    client, trust = answered()
    first = Asking(trust, oracle)
    question = client.next_question()
    second = Asking(trust, oracle)
    second.cancelled.set()
    assert isinstance(second.error(), NotAllowed)
    question.set_result(ONCE)
    assert first.permit()
    assert len(client.questions) == 1


def test_the_second_job_asks_by_itself_if_the_first_is_cancelled(oracle):
    client, trust = answered()
    first = Asking(trust, oracle)
    client.next_question()
    second = Asking(trust, oracle)
    first.cancelled.set()
    assert isinstance(first.error(), NotAllowed)
    client.next_question().set_result(ONCE)
    assert second.permit()


def test_different_oracles_do_not_wait_for_each_other(oracle):
    client, trust = answered()
    first = Asking(trust, oracle)
    question = client.next_question()
    other = Asking(trust, replace(oracle, stdin=True))
    client.next_question().set_result(ONCE)
    assert other.permit()
    question.set_result(ONCE)
    assert first.permit()
