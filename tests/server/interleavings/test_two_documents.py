"""Random interleavings of what a user does with two documents, in the server's own process.

No keystroke is lost, no closed document is edited, a document has one reduction at a time, every final
text is the user's or interesting, and there is no traceback. `two_documents.py` has what the user does.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import logging
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import Phase, given, seed, settings
from pygls.exceptions import JsonRpcException

from pollard.executors.predicates import ThreadExecutor
from pollard.oracle.predicate import Predicate
from tests.examples import examples
from tests.other_executors import executors_from
from tests.server.e2e.documents import NEEDLES
from tests.server.editor import EMACS, NEOVIM, VSCODE, Answers, Temperament, Workspace
from tests.server.interleavings.here import EditorHere
from tests.server.interleavings.two_documents import STEPS, Step, TwoDocuments, interesting

User = Callable[[list[Step]], None]

_EXAMPLES = 51  # a third of them everyday, for each editor
_PARTS = 8
_EXAMPLES_OF_PART = 417  # so that all parts and editors together have 10,000, or a third of that
_QUICK = 'jobs = 1\nchecks = 1\nstrategy = ["lines"]\n[stream]\ninterval = 1\n'


class Tracebacks(logging.Handler):
    """Writes what is logged with an exception to the editor's log, which is checked."""

    def __init__(self, log: Path) -> None:
        super().__init__()
        self._log = log
        log.touch()
        self.setFormatter(logging.Formatter("%(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[0] if record.exc_info else None
        if error is not None and not issubclass(error, JsonRpcException):
            with self._log.open("a") as file:
                file.write(self.format(record) + "\n")


@pytest.fixture(params=[VSCODE, NEOVIM, EMACS], ids=lambda temperament: temperament.name)
def user(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[User]:
    """What carries out steps, in an editor like one of the real ones, which all examples share."""
    temperament: Temperament = request.param
    quick = dataclasses.replace(temperament, delay=temperament.delay / 20)
    workspace = Workspace(tmp_path / "workspace", tmp_path / "outside")
    workspace.configure(workspace.oracle(NEEDLES), top=_QUICK)
    tracebacks = Tracebacks(tmp_path / "log")
    logging.getLogger().addHandler(tracebacks)
    with contextlib.closing(asyncio.new_event_loop()) as loop:
        start = EditorHere.start(tmp_path / "log", quick, folder=workspace.folder)
        editor = loop.run_until_complete(start)
        editor.begin(workspace, Answers())
        yield lambda steps: TwoDocuments(editor, loop).carry_out(steps)
        loop.run_until_complete(editor.leave())
    logging.getLogger().removeHandler(tracebacks)


@pytest.fixture
def in_memory(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let oracles be functions, and files stay in memory, so that thousands of cases are feasible."""

    def opened(oracle: object, filename: str, *, share: object = None) -> ThreadExecutor:
        return ThreadExecutor(Predicate(_slowly), share=share)

    monkeypatch.setattr(os, "fsync", lambda _: None)
    monkeypatch.setattr("pollard.executors.open_executor", opened)
    with executors_from(opened):
        yield


def _slowly(text: bytes) -> bool:
    time.sleep(0.0002)  # lets the other threads go on
    return interesting(text)


def _draw(user: User, count: int, number: int = 0) -> None:
    """Draw interleavings; what depends on time shrinks badly, so a failure is shown as it was drawn."""

    @seed(number)
    @settings(examples(count), phases=[Phase.generate])
    @given(steps=STEPS)
    def holds(steps: list[Step]) -> None:
        user(steps)

    holds()


def test_nothing_a_user_does_with_two_documents_loses_anything(user: User, in_memory: None) -> None:
    _draw(user, _EXAMPLES)


@pytest.mark.exhaustive
@pytest.mark.parametrize("part", range(1, _PARTS + 1))
def test_thousands_of_interleavings_lose_nothing(user: User, in_memory: None, part: int) -> None:
    _draw(user, _EXAMPLES_OF_PART, part)


@pytest.mark.exhaustive
def test_interleavings_leave_no_process(user: User, no_leftovers: None) -> None:
    """With real oracles, each of which is a process."""
    _draw(user, _EXAMPLES)
