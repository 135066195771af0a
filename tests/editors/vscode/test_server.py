"""The server is found, started and restarted; if there is none, a button fixes that."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from tests.editors.vscode.code_server import CodeServer
from tests.editors.vscode.conftest import Opener
from tests.editors.vscode.pictures import Pictures
from tests.editors.vscode.scenes import Watched
from tests.editors.vscode.steps import (
    CONSENT,
    is_reduced,
    reduce_file,
    reduce_until_held,
    wait_done,
)
from tests.editors.vscode.waiting import wait_for
from tests.editors.vscode.workbench import Window

pytestmark = pytest.mark.editors

_OWN = "Use Bundled Server"
_INSTALL_SECONDS = 300.0
_TRUST = "--disable-workspace-trust"


def test_a_killed_server_restarts_and_the_reduction_can_be_continued(
    scene: Watched, open_window: Opener, pictures: Pictures
) -> None:
    """The buffer keeps the best text so far, and the result is that of an uninterrupted reduction."""
    window = open_window(scene.file, own=True)
    best = reduce_until_held(window, scene)
    _kill(window)
    scene.release()
    wait_for("the status bar to forget it", lambda: "←" not in window.status.text)
    assert window.text == best
    window.notifications.wait("Continue")
    pictures.take(window.page, "server-killed")
    window.notifications.press("Continue", "Continue")
    window.notifications.press(CONSENT, "Run once")
    wait_done(window)
    assert window.text.encode() == scene.by_command_line()


def test_the_original_is_restored_by_the_next_server(scene: Watched, open_window: Opener) -> None:
    window = open_window(scene.file, own=True)
    reduce_file(window)
    wait_done(window)
    _kill(window)
    window.pollard("Restore Original")
    wait_for("the original", lambda: window.text == scene.text, seen=lambda: window.text)


def test_the_original_is_restored_after_the_browser_was_closed(
    scene: Watched, open_window: Opener
) -> None:
    """A reloaded page has a new extension host and a new server, but the same history."""
    window = open_window(scene.file, own=True)
    reduce_file(window)
    wait_done(window)
    window.focus()
    window.save()
    window.reopen()
    assert is_reduced(window.text)
    window.pollard("Restore Original")
    wait_for("the original", lambda: window.text == scene.text, seen=lambda: window.text)


def test_restart_server_starts_another_one(scene: Watched, open_window: Opener) -> None:
    window = open_window(scene.file, own=True)
    reduce_file(window)
    wait_done(window)
    (old,) = window.probe.servers()
    window.pollard("Restart Server")
    new = wait_for("another server", lambda: [s for s in window.probe.servers() if s != old])
    wait_for("the old server to be gone", lambda: old not in window.probe.servers())
    assert len(new) == 1
    reduce_file(window)
    wait_done(window)


def test_a_setting_without_a_server_is_reported_once_and_fixed_by_the_button(
    scene: Watched,
    start_editor: Callable[..., CodeServer],
    bundled_vsix: Path,
    open_window: Opener,
    pictures: Pictures,
) -> None:
    settings = {"pollard.path": "/no/such/pollard"}
    editor = start_editor("misled", bundled_vsix, _TRUST, settings=settings)
    window = open_window(scene.file, editor=editor)
    window.pollard("Reduce File")
    window.notifications.wait_alone("/no/such/pollard")
    pictures.take(window.page, "server-missing")
    window.notifications.press("/no/such/pollard", _OWN)
    wait_for("a server", window.probe.servers, seen=window.notifications.history)
    reduce_file(window)
    wait_done(window)
    assert is_reduced(window.text)


def test_an_old_server_is_reported_once_with_a_button(
    scene: Watched,
    start_editor: Callable[..., CodeServer],
    bundled_vsix: Path,
    open_window: Opener,
    tmp_path: Path,
) -> None:
    """Neither twice at the start, nor again when a settings file is saved."""
    program = tmp_path / "pollard"
    program.write_text('#!/bin/sh\necho "pollard, version 0.0.1"\n')
    program.chmod(0o755)
    settings = {"pollard.path": str(program)}
    editor = start_editor("old", bundled_vsix, _TRUST, settings=settings)
    window = open_window(scene.file, editor=editor)
    window.pollard("Reduce File")
    assert "0.0.1" in window.notifications.wait_alone("too old")
    assert _OWN in window.notifications.buttons("too old")
    messages = [one for one in window.notifications.history() if "Pollard" in one]
    assert len(messages) == 1, messages
    # Nobody asks for a server then. The log has a line for each time that none was found; the error
    # is that of the command.
    window.show_log("[error] no server")
    failures = window.output.count("no server")
    settings_file = scene.folder / "pollard.toml"
    settings_file.write_text(settings_file.read_text() + "# saved again\n")
    window.page.wait_for_timeout(3000)
    assert window.output.count("no server") == failures, "a saved file caused another report"


def test_a_missing_server_is_installed_by_the_button(
    scene: Watched,
    start_editor: Callable[..., CodeServer],
    thin_vsix: Path,
    open_window: Opener,
    tmp_path: Path,
) -> None:
    """The wheel that comes with the extension is installed; its dependencies are those of the tests."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python3").symlink_to(sys.executable)
    environment = {
        "PATH": f"{tmp_path / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin",
        "PIP_NO_DEPS": "1",
        "PYTHONPATH": sysconfig.get_path("platlib"),
    }
    editor = start_editor("bare", thin_vsix, _TRUST, environment=environment)
    window = open_window(scene.file, editor=editor)
    window.pollard("Reduce File")
    window.notifications.press("not installed", "Install Pollard")
    window.notifications.wait("Installing Pollard")
    (server,) = wait_for(
        "a server",
        window.probe.servers,
        seen=window.notifications.history,
        seconds=_INSTALL_SECONDS,
    )
    assert "globalStorage" in server.cmdline()[0]
    reduce_file(window)
    wait_done(window)
    assert is_reduced(window.text)


def _kill(window: Window) -> None:
    """End the window's server at once, as a crash does; wait until another one runs."""
    (server,) = window.probe.servers()
    server.kill()
    wait_for(
        "another server",
        lambda: any(one.pid != server.pid for one in window.probe.servers()),
        seen=window.notifications.texts,
    )
    psutil.wait_procs([server], timeout=10)


def test_the_log_names_the_server(scene: Watched, open_window: Opener) -> None:
    window = open_window(scene.file, own=True)
    wait_for("a server", window.probe.servers)
    window.show_log(sys.executable)
