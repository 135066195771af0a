"""*Configure Oracle* leads from a failing file without settings to a reduction."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pollard.settings import read_settings
from tests.core.oracle_setup.programs import FINE, HANGS
from tests.editors.support.workspaces import demo_scene
from tests.editors.vscode.code_server import CodeServer
from tests.editors.vscode.conftest import Opener
from tests.editors.vscode.pictures import Pictures
from tests.editors.vscode.scenes import Watched, watched_scene
from tests.editors.vscode.steps import CONSENT, consent, is_reduced, wait_done
from tests.editors.vscode.waiting import TIMEOUT_SECONDS, wait_for

pytestmark = pytest.mark.editors

_FAILURE = "dictionary changed size during iteration"


class Interactions:
    """What the user does, one after the other, and how often."""

    def __init__(self) -> None:
        self.done: list[str] = []

    def __call__(self, what: str, action: Callable[[], object]) -> None:
        self.done.append(what)
        action()


@pytest.fixture(scope="package")
def bundled(start_editor: Callable[..., CodeServer], bundled_vsix: Path) -> CodeServer:
    """An editor as after the installation: the server comes with the extension, nothing is set."""
    return start_editor("bundled", bundled_vsix, "--disable-workspace-trust")


def test_four_interactions_lead_from_an_unconfigured_file_to_the_first_edit(
    bundled: CodeServer, tmp_path: Path, open_window: Opener, pictures: Pictures
) -> None:
    """With the bundled server and no settings: command and criterion are suggested."""
    scene = demo_scene(tmp_path / "demo", configured=False)
    window = open_window(scene.file, editor=bundled)
    text = window.text
    does = Interactions()
    does("Reduce File", lambda: window.pollard("Reduce File"))
    # A Python is looked for, and compiles what came with the extension when it starts it first.
    window.input.wait("Configure oracle", seconds=2 * TIMEOUT_SECONDS)
    assert "python" in window.input.value
    assert "{file}" in window.input.value
    pictures.take(window.page, "configure-command")
    does("accept the command", window.input.accept)
    window.notifications.wait(CONSENT)
    pictures.take(window.page, "configure-consent")
    does("Run once", lambda: consent(window))
    wait_for(
        "the criteria",
        lambda: window.input.shown and any(_FAILURE in row for row in window.input.entries()),
        seen=window.input.entries,
    )
    assert _FAILURE in window.input.entries()[0], "the best criterion is not the first"
    pictures.take(window.page, "configure")
    does("accept the criterion", window.input.accept)
    wait_for(
        "the first shrinking edit",
        lambda: len(window.text) < len(text),
        seen=lambda: (window.notifications.texts(), window.status.text),
    )
    assert len(does.done) <= 4, does.done
    wait_done(window)
    assert "bundled" in " ".join(window.probe.servers()[0].cmdline())
    _has_one_oracle(scene.folder / "pollard.toml", "{file}", _FAILURE)
    assert len(window.text) < len(text) / 5


def test_configure_oracle_writes_the_settings_and_says_where(
    scene: Watched, open_window: Opener, pictures: Pictures
) -> None:
    """It shows the command's exit code and output, and reduces nothing."""
    window = open_window(scene.file)
    window.pollard("Configure Oracle")
    window.input.wait("What is wrong with").pick("Something else")
    window.input.wait("The command that shows it").type("sh {workspace}/oracle.sh {file}")
    window.input.accept()
    consent(window)
    row = "It prints: all are there"
    wait_for(
        "the criteria",
        lambda: window.input.shown and any(row in one for one in window.input.rows()),
        seen=lambda: (window.input.words, window.notifications.texts()),
    )
    assert "exit" in window.input.words.lower(), "the exit code is not shown"
    window.input.pick(row)
    window.notifications.press("pollard.toml", "Open pollard.toml")
    settings = scene.folder / "pollard.toml"
    wait_for(
        "the settings to be shown",
        lambda: (window.probe.ask("active") or {}).get("uri") == settings.as_uri(),
        seen=lambda: window.probe.ask("tabs"),
    )
    pictures.take(window.page, "configured")
    _has_one_oracle(settings, "oracle.sh {file}", "all are there")
    assert window.text == scene.text


def test_a_new_oracle_reduces_without_another_question(scene: Watched, open_window: Opener) -> None:
    """The consent to the trial is also valid for the reduction that follows."""
    window = open_window(scene.file)
    window.pollard("Reduce File")
    window.input.wait("Configure oracle").type("sh {workspace}/oracle.sh {file}")
    window.input.accept()
    consent(window)
    wait_for("the criteria", lambda: window.input.rows())
    window.input.pick("It prints: all are there")
    wait_done(window)
    assert not window.notifications.has(CONSENT)
    assert is_reduced(window.text)


def test_leaving_the_flow_writes_nothing(scene: Watched, open_window: Opener) -> None:
    """Escape at either question ends the flow without a file or a message."""
    window = open_window(scene.file)
    window.pollard("Reduce File")
    window.input.wait("Configure oracle")
    window.input.close()
    window.pollard("Configure Oracle")
    window.input.wait("What is wrong with").pick("Something else")
    window.input.wait("The command that shows it").type("sh {workspace}/oracle.sh {file}")
    window.input.accept()
    consent(window)
    wait_for("the criteria", lambda: window.input.rows())
    window.input.close()
    assert not (scene.folder / "pollard.toml").exists()
    wait_for("the progress to go", lambda: not window.notifications.texts())
    messages = [
        one for one in window.notifications.history() if not one.startswith("Running the oracle")
    ]
    assert messages == [], "the user is told of what they cancelled"
    assert window.text == scene.text


def test_a_preset_leads_to_an_oracle_for_what_hangs(
    tmp_path: Path, open_window: Opener, pictures: Pictures
) -> None:
    """A button leads from the usual question to the presets; the failure is shown first."""
    scene = demo_scene(tmp_path / "hangs", configured=False)
    scene.file.write_bytes(HANGS)
    window = open_window(scene.file)
    window.pollard("Reduce File")
    window.input.wait("Configure oracle").press("It hangs, two versions differ")
    window.input.wait("What is wrong with")
    pictures.take(window.page, "presets")
    window.input.pick("It hangs")
    window.input.wait("The command that shows it").type(f"{sys.executable} {{file}}")
    window.input.accept()
    window.input.wait("After what time").type("2s")
    window.input.accept()
    consent(window)
    wait_for(
        "the failure",
        lambda: any("keeps time limit exceeded" in row for row in window.input.entries()),
        seen=lambda: (window.input.words, window.notifications.texts()),
    )
    assert not (scene.folder / "pollard.toml").exists()
    window.input.accept()
    wait_done(window)
    (oracle,) = read_settings(scene.folder / "pollard.toml").oracles.values()
    assert (oracle.exceeds, oracle.timeout) == ("timeout", 2.0)
    assert "first" not in window.text


def test_what_does_not_show_the_failure_is_told_and_nothing_written(
    tmp_path: Path, open_window: Opener
) -> None:
    scene = demo_scene(tmp_path / "fine", configured=False)
    scene.file.write_bytes(FINE)
    window = open_window(scene.file)
    window.pollard("Configure Oracle")
    window.input.wait("What is wrong with").pick("It crashes")
    window.input.wait("The command that shows it").type(f"{sys.executable} {{file}}")
    window.input.accept()
    consent(window)
    window.notifications.wait("The file does not show it: the command ended after")
    assert not (scene.folder / "pollard.toml").exists()


def test_check_oracle_shows_the_outcome(tmp_path: Path, open_window: Opener) -> None:
    """It runs the configured oracle on the buffer, and changes nothing."""
    scene = watched_scene(tmp_path / "checked")
    window = open_window(scene.file)
    window.pollard("Check Oracle")
    consent(window)
    window.notifications.wait("interesting")
    assert scene.runs >= 1
    assert window.text == scene.text


@pytest.fixture
def scene(tmp_path: Path) -> Watched:
    return watched_scene(tmp_path / "orders", configured=False)


def _has_one_oracle(file: Path, command: str, criterion: str) -> None:
    (oracle,) = read_settings(file).oracles.values()
    assert command in str(oracle.command)
    assert criterion in str(oracle)
