"""No command of a workspace runs without the user's consent."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.editors.vscode.code_server import CodeServer
from tests.editors.vscode.conftest import Opener
from tests.editors.vscode.pictures import Pictures
from tests.editors.vscode.scenes import Watched
from tests.editors.vscode.steps import CONSENT, FAILED, consent, is_reduced, reduce_file, wait_done
from tests.editors.vscode.waiting import wait_for

pytestmark = pytest.mark.editors


def test_consent_shows_the_whole_command_and_no_runs_nothing(
    scene: Watched, open_window: Opener, pictures: Pictures
) -> None:
    window = open_window(scene.file)
    window.pollard("Reduce File")
    asked = window.notifications.wait(CONSENT)
    pictures.take(window.page, "consent")
    assert "/bin/sh '{workspace}/oracle.sh' '{file}'" in asked
    assert f"Workspace: {scene.folder} " in asked
    assert str(scene.folder / "pollard.toml") in asked
    buttons = window.notifications.buttons(CONSENT)
    assert {"Run once", "Always in this workspace", "No"} <= set(buttons)
    consent(window, "No")
    window.status.wait("not reduced", FAILED)
    assert scene.runs == 0
    assert window.text == scene.text


def test_a_closed_question_runs_nothing(scene: Watched, open_window: Opener) -> None:
    window = open_window(scene.file)
    window.pollard("Reduce File")
    window.notifications.wait(CONSENT)
    window.press("Escape")
    window.status.wait("not reduced", FAILED)
    assert scene.runs == 0


def test_run_once_asks_again_the_next_time(scene: Watched, open_window: Opener) -> None:
    window = open_window(scene.file)
    reduce_file(window)
    wait_done(window)
    runs = scene.runs
    window.pollard("Reduce File")
    window.notifications.wait(CONSENT)
    assert scene.runs == runs


def test_always_asks_no_more_until_the_script_changes(scene: Watched, open_window: Opener) -> None:
    """A consent covers the script's content, so a changed script needs another one."""
    window = open_window(scene.file)
    window.pollard("Reduce File")
    consent(window, "Always in this workspace")
    wait_done(window)
    window.pollard("Restore Original")
    wait_for("the original", lambda: window.text == scene.text)
    window.pollard("Reduce File")
    wait_for("the second reduction", lambda: is_reduced(window.text), seen=lambda: window.text)
    assert not window.notifications.has(CONSENT)
    wait_done(window)
    script = scene.folder / "oracle.sh"
    script.write_text(script.read_text() + "# changed\n")
    window.pollard("Reduce File")
    window.notifications.wait(CONSENT)


@pytest.fixture(scope="package")
def careful(start_editor: Callable[..., CodeServer], thin_vsix: Path) -> CodeServer:
    """An editor that asks whether a workspace is to be trusted, when its user wants it."""
    settings = {
        "pollard.interpreter": sys.executable,
        "security.workspace.trust.startupPrompt": "never",
        "security.workspace.trust.untrustedFiles": "open",
        "security.workspace.trust.banner": "always",
    }
    return start_editor("careful", thin_vsix, settings=settings)


def test_restricted_mode_refuses_until_trust_is_granted(
    scene: Watched, careful: CodeServer, open_window: Opener, pictures: Pictures
) -> None:
    window = open_window(scene.file, editor=careful)
    assert window.probe.ask("trusted") is False
    window.pollard("Reduce File")
    window.notifications.wait("trust")
    pictures.take(window.page, "untrusted")
    assert scene.runs == 0
    assert not window.notifications.has(CONSENT), "it asked for consent in restricted mode"
    window.notifications.press("trust", "Manage Workspace Trust")
    window.page.locator(".workspace-trust-editor .monaco-button", has_text="Trust").first.click()
    wait_for("the workspace to be trusted", lambda: window.probe.ask("trusted"))
    window.show_file()
    reduce_file(window)
    wait_done(window)
    assert is_reduced(window.text)
    failures = [one for one in window.notifications.history() if "failed" in one]
    assert failures == [], "granting trust disturbed the server"
