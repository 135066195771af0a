"""Reductions whose search runs ahead in processes, with oracles that are quick functions."""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psutil
import pytest

from pollard.events import Event, Reduced, Result
from pollard.oracle import Predicate, Verdict
from pollard.reduction import Plan, Reduction
from pollard.speculation import Speculation, modes
from pollard.speculation.modes import COPYING_VARIABLE, Copying
from pollard.syntax.grammars.languages import find

TEXT = b"""{
  "first": [1, 2, {"deep": "needle"}],
  "second": [3, [4, 5], "needle"],
  "third": {"a": null, "b": {"c": true}}
}
"""
OTHERS = (Verdict.UNINTERESTING, Verdict.UNINTERESTING, Verdict.INVALID, Verdict.TIMEOUT)
_SERVES = re.compile("speculation.(forked|replayed)_process import serve")
#: Seconds after which a test stops waiting.
PATIENCE = 30.0


def speculating(monkeypatch: pytest.MonkeyPatch, copying: Copying) -> None:
    """Let searches run in processes of their own, however quick their oracles are."""
    monkeypatch.setattr(modes, "_MIN_RUN_SECONDS", 0.0)
    monkeypatch.setattr(modes, "_MIN_RUN_SECONDS_TO_REPLAY", 0.0)
    monkeypatch.setenv(COPYING_VARIABLE, copying.value)


def random_verdicts(seed: int, rate: float, delay: float = 0.0) -> Callable[[bytes], Verdict]:
    """Return a function whose verdicts follow from a hash: interesting for a part of all texts."""

    def verdict(text: bytes) -> Verdict:
        number = int.from_bytes(
            hashlib.blake2b(b"%d " % seed + text, digest_size=4).digest(), "big"
        )
        time.sleep(delay * (number % 3))
        if text == TEXT or number / 2**32 < rate:
            return Verdict.INTERESTING
        return OTHERS[number % len(OTHERS)]

    return verdict


def plan(function: Callable[[bytes], bool | Verdict], jobs: int, **options) -> Plan:
    settings = {"grammar": find("json"), "speculation": Speculation.EAGER, **options}
    return Plan(
        text=TEXT, filename="case.json", oracle=Predicate(function), jobs=jobs, checks=1, **settings
    )


def reduced(of: Plan) -> tuple[Result, list[bytes]]:
    """Carry out a plan; return the result and the accepted texts."""
    texts: list[bytes] = []

    def listen(event: Event) -> None:
        if isinstance(event, Reduced):
            texts.append(event.text)

    return Reduction(of, listen).run(), texts


def figures(of: Plan) -> tuple[object, ...]:
    """All that must not depend on the number of jobs."""
    result, texts = reduced(of)
    counts = result.counts
    passes = [
        (each.name, each.rounds, each.candidates, each.runs, each.accepted)
        for each in result.passes
    ]
    return (
        texts,
        result.text,
        passes,
        (counts.runs, counts.cache_hits, counts.reductions),
        (counts.invalid, counts.timeouts, counts.other_failures),
    )


def search_processes() -> list[int]:
    """The processes of searches that tests of this process, and no others, have started."""
    own = os.environ["POLLARD_STATE_DIR"]
    return [
        process.pid
        for process in psutil.process_iter(["cmdline", "environ", "status"])
        if process.info["status"] != psutil.STATUS_ZOMBIE
        and any(_SERVES.search(word) for word in process.info["cmdline"] or ())
        and (process.info["environ"] or {}).get("POLLARD_STATE_DIR") == own
    ]


@contextmanager
def nothing_left() -> Iterator[None]:
    """Fail if a process of a search is there at the end of the context."""
    yield
    deadline = time.monotonic() + PATIENCE
    while left := search_processes():
        assert time.monotonic() < deadline, f"processes of the search are left: {left}"
        time.sleep(0.01)
