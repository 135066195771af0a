"""Steps that several tests share: start a reduction as a user does, and wait for its end."""

from __future__ import annotations

from tests.editors.vscode.scenes import KEPT, Watched
from tests.editors.vscode.waiting import TIMEOUT_SECONDS, wait_for
from tests.editors.vscode.workbench import Window

CONSENT = "May Pollard run this command"
REDUCING, PAUSED, DONE, STOPPED = "sync~spin", "debug-pause", "check", "debug-stop"
FAILED = "error"


def consent(window: Window, answer: str = "Run once") -> None:
    """Answer the question whether the oracle may run."""
    window.notifications.press(CONSENT, answer)


def accept_diagnostic(window: Window, diagnostic: str) -> None:
    """Wait for the input with the diagnostic that must stay, and press Enter."""
    wait_for(f"the input {diagnostic!r}", lambda: window.input.value == diagnostic)
    window.input.accept()


def reduce_file(window: Window) -> None:
    """Start the reduction of the whole file from the palette, with consent."""
    window.pollard("Reduce File")
    consent(window)


def wait_done(window: Window) -> str:
    """Wait until the status bar shows that the reduction is done; return its text."""
    return window.status.wait("→", DONE, seconds=5 * TIMEOUT_SECONDS)


def wait_stopped(window: Window) -> str:
    """Wait until the status bar shows that the reduction was stopped; return its text."""
    return window.status.wait("→", STOPPED)


def wait_smaller(window: Window, text: str) -> str:
    """Wait until the buffer is smaller than `text`; return its text."""
    wait_for(
        "the buffer to shrink",
        lambda: len(window.text) < len(text),
        seen=lambda: (len(window.text), window.status.text, window.notifications.texts()),
    )
    return window.text


def reduce_until_held(window: Window, scene: Watched) -> str:
    """Reduce the whole file until it shrinks, then hold the oracle; return the buffer's text.

    The reduction lasts until the test releases it, regardless of the machine's speed.
    """
    reduce_file(window)
    wait_smaller(window, scene.text)
    scene.hold()
    return settled(window, scene)


def settled(window: Window, scene: Watched) -> str:
    """Wait until the latest accepted text is in the buffer; the oracle must be held."""
    last = window.probe.ask("document", uri=window.uri)["version"]
    runs = scene.runs

    def quiet() -> bool:
        nonlocal last, runs
        window.page.wait_for_timeout(500)  # five times the interval of the stream
        before, last = last, window.probe.ask("document", uri=window.uri)["version"]
        had, runs = runs, scene.runs
        return bool(before == last and had == runs)

    wait_for("the held reduction to be quiet", quiet, seen=lambda: window.status.text)
    return window.text


def is_reduced(text: str) -> bool:
    """Return whether a text is the result of a watched scene: little more than the required words."""
    return all(word in text for word in KEPT) and len(text) < 100
