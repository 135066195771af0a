"""Fixtures: one code-server, one browser and one window for most tests, a folder for each test."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.editors.support.browser import chromium
from tests.editors.vscode import packaging
from tests.editors.vscode.code_server import CodeServer
from tests.editors.vscode.pictures import Pictures
from tests.editors.vscode.scenes import Watched, watched_scene
from tests.editors.vscode.shared_window import SharedWindow
from tests.editors.vscode.waiting import TIMEOUT_SECONDS
from tests.editors.vscode.workbench import Window

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

_WIDTH, _HEIGHT = 1200, 750

#: Opens a folder and a file in it in a new window, of the usual editor or another one.
Opener = Callable[..., Window]
FAILED = pytest.StashKey[bool]()


@pytest.fixture(scope="package")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder for all files of the editors and the extension's server."""
    return tmp_path_factory.mktemp("vscode")


@pytest.fixture(scope="package")
def directories(home: Path) -> dict[str, str]:
    """Pollard's cache and state, shared by the editor and the command line."""
    return {
        "POLLARD_CACHE_DIR": str(home / "cache"),
        "POLLARD_STATE_DIR": str(home / "state"),
    }


@pytest.fixture(autouse=True)
def own_directories(
    home: Path, directories: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Share the cache and the state with the editor, which is started once for all tests."""
    for name, folder in directories.items():
        monkeypatch.setenv(name, folder)
    return home


@pytest.fixture(scope="package")
def browser() -> Iterator[BrowserContext]:
    """One browser with one cache, which halves the time to open a window for each test."""
    with chromium() as running:
        context = running.new_context(
            viewport={"width": _WIDTH, "height": _HEIGHT},
            reduced_motion="reduce",  # without a graphics card, animations take a lot of time
        )
        context.set_default_timeout(TIMEOUT_SECONDS * 1000)
        yield context


@pytest.fixture(scope="package")
def thin_vsix() -> Path:
    return packaging.thin_vsix()


@pytest.fixture(scope="package")
def bundled_vsix() -> Path:
    return packaging.bundled_vsix()


@pytest.fixture(scope="package")
def start_editor(home: Path, directories: dict[str, str]) -> Iterator[Callable[..., CodeServer]]:
    """Starts more editors, with another .vsix, other settings or options."""
    running: list[CodeServer] = []

    def start(
        name: str,
        vsix: Path,
        *options: str,
        settings: Mapping[str, object] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> CodeServer:
        server = CodeServer(
            home / name, [vsix], settings or {}, directories | dict(environment or {}), [*options]
        )
        running.append(server)
        return server.start()

    yield start
    for server in running:
        server.stop()


@pytest.fixture(scope="package")
def editor(start_editor: Callable[..., CodeServer], thin_vsix: Path) -> CodeServer:
    """The usual editor: the thin extension with this Python's server; every workspace is trusted."""
    settings = {"pollard.interpreter": sys.executable}
    return start_editor("usual", thin_vsix, "--disable-workspace-trust", settings=settings)


@pytest.fixture
def pictures(tmp_path: Path) -> Pictures:
    return Pictures(tmp_path / "pictures")


@pytest.fixture(scope="package")
def shared(browser: BrowserContext, editor: CodeServer, home: Path) -> SharedWindow:
    """The window of the usual editor that most tests use one after the other."""
    return SharedWindow(browser, editor, home / "shared")


@pytest.fixture
def open_window(
    browser: BrowserContext, request: pytest.FixtureRequest, pictures: Pictures
) -> Iterator[Opener]:
    """Opens a folder and a file in it; after a failed test, takes a picture of the window.

    The folder is opened in the shared window, unless the test needs one of its own: of another
    editor, with a `workspace` file, or `own`, for what happens only while a window opens or if it
    has no other folder.
    """
    windows: list[Window] = []

    def open_one(
        file: Path,
        editor: CodeServer | None = None,
        folder: Path | None = None,
        workspace: Path | None = None,
        own: bool = False,
    ) -> Window:
        if own or editor or workspace:
            server = editor or request.getfixturevalue("editor")
            window = Window(browser.new_page(), server, folder or file.parent, workspace)
            windows.append(window)
            return window.open(file)
        shared: SharedWindow = request.getfixturevalue("shared")
        windows.append(shared.window)
        return shared.window.move(folder or file.parent, file)

    yield open_one
    failed = request.node.stash.get(FAILED, False)
    for number, window in enumerate(windows):
        if failed:
            pictures.take(window.page, f"failed-{request.node.name}-{number}")
        if failed or not window.shared:
            window.page.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember whether a test failed, so that a picture is taken."""
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


@pytest.fixture
def scene(tmp_path: Path) -> Watched:
    """A folder with a watchable reduction; modules that need another one override this."""
    return watched_scene(tmp_path / "orders")


@pytest.fixture
def window(scene: Watched, open_window: Opener) -> Window:
    """The usual editor with the file of the scene open."""
    return open_window(scene.file)
