"""A workspace, and editors on it that are looked at closely when the test is over."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import psutil
import pytest
import pytest_asyncio

from tests.server.e2e.documents import NEEDLES
from tests.server.editor import Editor, Workspace

Start = Callable[..., Awaitable[Editor]]


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A folder whose only oracle wants to see the word "needle" three times."""
    made = Workspace(tmp_path / "workspace", tmp_path / "outside")
    made.configure(made.oracle(NEEDLES))
    return made


@pytest_asyncio.fixture
async def start(workspace: Workspace, no_leftovers: None) -> AsyncIterator[Start]:
    """Starts editors on the workspace; afterwards all ends well, and no oracle is left running."""
    editors: list[Editor] = []

    async def begin(**options) -> Editor:
        editors.append(await Editor.start(workspace, **options))
        return editors[-1]

    yield begin
    workspace.let_go()
    try:
        for editor in editors:
            if editor.is_running:
                await editor.leave()
    finally:
        for editor in editors:
            with contextlib.suppress(psutil.NoSuchProcess):
                editor.process.kill()
    for editor in editors:
        editor.check()


@pytest_asyncio.fixture
async def editor(start: Start) -> Editor:
    """An editor like VS Code that consents to whatever it is asked."""
    return await start()
