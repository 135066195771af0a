"""Fixtures: a workspace for each test, and editors on it, which are checked after the test.

Starting a server takes longer than most tests, so all tests in a process share servers that are
started with the same options. Each test has its own documents, settings and oracles, in a folder
of its own.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
import pytest_asyncio

from tests.server.e2e.documents import NEEDLES
from tests.server.editor import Answers, Editor, Workspace

Start = Callable[..., Awaitable[Editor]]


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the shared servers have open, and that has their cache and state."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(autouse=True)
def own_directories(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Point Pollard's cache and state at the folders of the shared servers."""
    monkeypatch.setenv("POLLARD_CACHE_DIR", str(home / "cache"))
    monkeypatch.setenv("POLLARD_STATE_DIR", str(home / "state"))
    return home


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A folder with one oracle, which requires the word "needle" three times."""
    made = Workspace(tmp_path / "workspace", tmp_path / "outside")
    made.configure(made.oracle(NEEDLES))
    return made


class Pool:
    """The shared editors, by the options and the level of sandboxes that they were started with."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._editors: dict[str, Editor] = {}

    async def get(self, **options) -> Editor:
        """Return a running editor with these options; start one if there is none."""
        key = repr((os.environ.get("POLLARD_SANDBOX"), sorted(options.items())))
        editor = self._editors.get(key)
        if editor is None or not editor.is_running:
            editor = await Editor.start(self._home / "server.log", **options)
            self._editors[key] = editor
        else:
            editor.forget()
        return editor

    async def close(self) -> None:
        for editor in self._editors.values():
            if editor.is_running:
                await editor.leave()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def pool(home: Path) -> AsyncIterator[Pool]:
    made = Pool(home)
    yield made
    await made.close()


@pytest_asyncio.fixture(loop_scope="session")
async def start(pool: Pool, workspace: Workspace, no_leftovers: None) -> AsyncIterator[Start]:
    """Starts editors on the workspace; afterwards checks them, and that no oracle is left running.

    Request a `fresh` one if the test leaves the server in a state that `Editor.close_all` does not
    undo: other pushed settings, withdrawn trust, another folder.
    """
    own: list[Editor] = []
    used: list[Editor] = []

    async def begin(
        *,
        fresh: bool = False,
        answers: Answers | None = None,
        settings: dict[str, Any] | None = None,
        **options,
    ) -> Editor:
        if fresh:
            editor = await Editor.start(workspace.outside / "server.log", **options)
            own.append(editor)
        else:
            editor = await pool.get(**options)
        editor.begin(workspace, answers or Answers(), settings)
        used.append(editor)
        return editor

    yield begin
    workspace.release()
    try:
        for editor in used:
            await editor.close_all()
        for editor in own:
            if editor.is_running:
                await editor.leave()
    except BaseException:
        for editor in used:
            with contextlib.suppress(psutil.NoSuchProcess):
                editor.process.kill()
        raise
    for editor in used:
        editor.check()


@pytest_asyncio.fixture(loop_scope="session")
async def editor(start: Start) -> Editor:
    """An editor like VS Code, whose user consents to every oracle."""
    return await start()
