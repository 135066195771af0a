"""Every way to start a reduction shrinks the buffer."""

from __future__ import annotations

from pathlib import Path

import pytest

from pollard.quantities import format_size
from tests.editors.vscode.conftest import Opener
from tests.editors.vscode.pictures import Pictures
from tests.editors.vscode.scenes import KEPT, Watched, watched_scene
from tests.editors.vscode.steps import (
    REDUCING,
    consent,
    is_reduced,
    reduce_file,
    reduce_until_held,
    wait_done,
    wait_smaller,
)
from tests.editors.vscode.waiting import wait_for
from tests.editors.vscode.workbench import Window

pytestmark = pytest.mark.editors

# The functions 20 to 22, of which one has a word that must stay.
_FIRST_LINE, _END_LINE = 140, 161


def test_reduce_file_from_the_palette_shrinks_the_buffer_step_by_step(
    window: Window, scene: Watched, pictures: Pictures
) -> None:
    """It reduces the whole file, and the page shows intermediate texts."""
    reduce_file(window)
    pages: set[str] = set()

    def ended() -> bool:
        pages.add(window.page.locator(".editor-instance .view-lines").first.inner_text())
        return window.status.icon == "check"

    wait_for("the reduction to end", ended, seen=lambda: window.status.text)
    pictures.take(window.page, "reduced")
    texts = window.probe.texts_seen(window.uri)
    assert is_reduced(window.text)
    assert len(set(texts)) >= 3
    assert len(pages) >= 3, "fewer than three states were seen on the page"
    assert texts == sorted(texts, key=len, reverse=True), "the buffer grew in between"
    assert scene.file.read_bytes() == scene.text.encode(), "the file was saved without a request"


def test_reduce_selection_from_the_lightbulb(
    window: Window, scene: Watched, pictures: Pictures
) -> None:
    """The server's code action reduces only the selected lines."""
    _select(window)
    window.focus()
    window.act("Reduce selection", before=lambda: pictures.take(window.page, "lightbulb"))
    consent(window)
    wait_done(window)
    _only_the_selection_shrank(window, scene)


def test_reduce_selection_from_the_palette(window: Window, scene: Watched) -> None:
    _select(window)
    window.pollard("Reduce Selection")
    consent(window)
    wait_done(window)
    _only_the_selection_shrank(window, scene)


def test_reduce_selection_from_the_context_menu(
    window: Window, scene: Watched, pictures: Pictures
) -> None:
    _select(window)
    window.focus()
    window.choose("Reduce Selection", before=lambda: pictures.take(window.page, "context-menu"))
    consent(window)
    wait_done(window)
    _only_the_selection_shrank(window, scene)


def test_the_status_bar_shows_the_progress(
    window: Window, scene: Watched, pictures: Pictures
) -> None:
    """It shows sizes and runs, more in the tooltip, and the result at the end."""
    assert not window.status.shown, "the item is shown before a reduction"
    now = reduce_until_held(window, scene)
    size = _size(now)
    said = window.status.wait(f"{size} ← 5.0 kB · ", REDUCING)
    assert said.endswith("runs"), said
    tooltip = window.status.tooltip()
    pictures.take(window.page, "reducing")
    for word in ("Pass", "Runs", "a second", "Guarded", "Elapsed"):
        assert word in tooltip, tooltip
    assert set(tooltip) & set("▁▂▃▄▅▆▇"), f"no line of sizes in {tooltip}"
    scene.release()
    done = wait_done(window)
    assert done == f"5.0 kB → {_size(window.text)}"


def test_a_saved_file_has_the_reduced_text(window: Window, scene: Watched) -> None:
    reduce_file(window)
    wait_done(window)
    window.focus()
    assert window.save() == window.text.encode()
    assert is_reduced(scene.file.read_text())


def test_a_file_with_crlf_keeps_its_line_ends(tmp_path: Path, open_window: Opener) -> None:
    """The lines that stay are the same bytes as before."""
    scene = watched_scene(tmp_path / "crlf", eol="\r\n")
    window = open_window(scene.file)
    reduce_file(window)
    wait_smaller(window, scene.text)
    wait_done(window)
    text = window.text
    assert is_reduced(text)
    assert text.count("\n") == text.count("\r\n") > 0
    assert text.encode() == scene.by_command_line()
    window.focus()
    assert window.save() == text.encode()


def _select(window: Window) -> None:
    window.select((_FIRST_LINE, 0), (_END_LINE, 0))


def _only_the_selection_shrank(window: Window, scene: Watched) -> None:
    lines = scene.text.splitlines(keepends=True)
    before, after = "".join(lines[:_FIRST_LINE]), "".join(lines[_END_LINE:])
    text = window.text
    assert text.startswith(before)
    assert text.endswith(after)
    region = text[len(before) : len(text) - len(after)]
    assert KEPT[1] in region
    assert len(region) < 40 < len("".join(lines[_FIRST_LINE:_END_LINE]))


def _size(text: str) -> str:
    return format_size(len(text.encode()))
