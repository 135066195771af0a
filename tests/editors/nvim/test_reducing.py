"""Reductions by real keys: the code action, ranges, undo, stop, pause and restore."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.editors.nvim.scenes import LINES, needle_scene

if TYPE_CHECKING:
    from tests.editors.nvim.conftest import Open

pytestmark = pytest.mark.editors


def test_the_code_action_gives_the_result_of_the_command_line(
    tmp_path: Path, open_scene: Open
) -> None:
    """With real keys for `gra`, the choice and the consent; a single undo restores the original."""
    scene = needle_scene(tmp_path / "work", seconds=0)
    expected = scene.by_command_line()
    editor = open_scene(scene)
    editor.keys("gra")
    editor.choose("Reduce file")
    editor.choose("Run once")
    editor.wait_for_state("done")
    assert editor.written() == expected
    editor.keys("u")
    editor.wait(lambda: editor.text.encode() + b"\n" == scene.text, "one undo to bring all back")
    editor.keys("<C-r>")
    editor.wait(lambda: editor.text.encode() + b"\n" == expected, "redo to bring the result back")


def test_the_buffer_shrinks_step_by_step(tmp_path: Path, open_scene: Open, own_cache: None) -> None:
    """It shows at least three texts, each smaller than the one before."""
    editor = open_scene(needle_scene(tmp_path / "work"))
    editor.lua("""
      _G.sizes = {}
      vim.api.nvim_buf_attach(0, false, { on_lines = function(_, buf)
        table.insert(_G.sizes, vim.api.nvim_buf_line_count(buf))
      end })
    """)
    editor.command("Pollard reduce")
    editor.choose("Run once")
    editor.wait_for_state("done")
    sizes = [LINES, *editor.lua("return _G.sizes")]
    distinct = [after for before, after in itertools.pairwise(sizes) if after != before]
    assert len(distinct) >= 3, distinct
    assert distinct == sorted(distinct, reverse=True)


@pytest.mark.parametrize(
    "keys", ["41GVGgra", ":41,80Pollard reduce<CR>", "41GVG:Pollard reduce<CR>"]
)
def test_only_the_selected_lines_are_reduced(tmp_path: Path, open_scene: Open, keys: str) -> None:
    """By the code action of a selection, a range, and `'<,'>`; the lines before stay as they are."""
    scene = needle_scene(tmp_path / "work", seconds=0)
    editor = open_scene(scene)
    editor.keys(keys)
    if keys.endswith("gra"):
        editor.choose("Reduce selection")
    editor.choose("Run once")
    editor.wait_for_state("done")
    before = scene.text.splitlines(keepends=True)[:40]
    result = editor.written().splitlines(keepends=True)
    assert result[:40] == before
    assert len(result) == 41
    assert b"needle" in result[40]


def test_the_range_of_all_lines_is_the_whole_file(tmp_path: Path, open_scene: Open) -> None:
    """`:%` gives the same result as no range."""
    scene = needle_scene(tmp_path / "work", seconds=0)
    expected = scene.by_command_line()
    editor = open_scene(scene)
    editor.command("%Pollard reduce")
    editor.choose("Run once")
    editor.wait_for_state("done")
    assert editor.written() == expected


def test_line_ends_stay_as_they_are(tmp_path: Path, open_scene: Open) -> None:
    """A file with CRLF keeps them on disk, also after it is restored."""
    scene = needle_scene(tmp_path / "work", seconds=0, end="\r\n")
    expected = scene.by_command_line()
    editor = open_scene(scene)
    editor.command("Pollard reduce")
    editor.choose("Run once")
    editor.wait_for_state("done")
    assert b"\r\n" in expected
    assert editor.written() == expected
    editor.command("Pollard restore")
    editor.wait_to_see("is restored")
    assert editor.written() == scene.text


def test_a_file_in_latin_1_stays_in_latin_1(tmp_path: Path, open_scene: Open) -> None:
    """Neovim shows its characters and writes its bytes; the oracle gets the same bytes."""
    scene = needle_scene(tmp_path / "work", seconds=0)
    scene.file.write_bytes(scene.text.replace(b"alpha", b"alph\xe9"))
    oracle = scene.folder / "oracle.sh"
    oracle.write_text(
        f"{oracle.read_text().rstrip()} && LC_ALL=C grep -q $(printf '\\351') \"$1\"\n"
    )
    expected = scene.by_command_line()
    editor = open_scene(scene)
    editor.command("Pollard reduce")
    editor.choose("Run once")
    editor.wait_for_state("done")
    assert "é" in editor.text
    assert b"\xe9" in expected
    assert editor.written() == expected


def test_stop_ends_the_reduction_and_keeps_the_best_so_far(
    tmp_path: Path, open_scene: Open, own_cache: None
) -> None:
    """The buffer keeps a text between the original and the final result."""
    editor = open_scene(needle_scene(tmp_path / "work"))
    editor.command("Pollard reduce")
    editor.choose("Run once")
    editor.wait_to_shrink(LINES)
    editor.command("Pollard stop")
    editor.wait_for_state("stopped")
    best = editor.text
    assert best.count("needle") == 2
    assert len(best) + 1 == editor.reports[-1]["bytes"]
    assert editor.text == best


def test_the_progress_token_cancels(tmp_path: Path, open_scene: Open, own_cache: None) -> None:
    """`window/workDoneProgress/cancel`, which progress plugins send, ends the reduction."""
    editor = open_scene(needle_scene(tmp_path / "work"))
    editor.lua("""
      vim.api.nvim_create_autocmd('LspProgress', { callback = function(event)
        _G.token = event.data.params.token
      end })
    """)
    editor.command("Pollard reduce")
    editor.choose("Run once")
    editor.wait_to_shrink(LINES)
    editor.lua("""
      vim.lsp.get_clients({ name = 'pollard' })[1]:notify(
        'window/workDoneProgress/cancel', { token = _G.token })
    """)
    editor.wait_for_state("stopped")


def test_a_paused_reduction_changes_nothing_until_it_is_resumed(
    tmp_path: Path, open_scene: Open, own_cache: None
) -> None:
    """After the pause it ends as an undisturbed reduction does; `:Pollard` reports the pause."""
    editor = open_scene(needle_scene(tmp_path / "work"))
    editor.command("Pollard reduce")
    editor.choose("Run once")
    editor.wait_to_shrink(LINES)
    editor.command("Pollard pause")
    editor.wait_for_state("paused")
    editor.wait_to_see("[paused: ")
    editor.command("Pollard")
    editor.wait_to_see("Pollard: case.txt: paused: ")
    editor.command("Pollard resume")
    editor.wait_for_state("reducing")
    editor.wait_for_state("done")
    assert editor.written() == b"needle\nneedle\n"


def test_restore_brings_back_every_byte(tmp_path: Path, open_scene: Open, own_cache: None) -> None:
    """During a reduction it ends it; it is an undo step of its own."""
    scene = needle_scene(tmp_path / "work")
    editor = open_scene(scene)
    editor.command("Pollard reduce")
    editor.choose("Run once")
    editor.wait_to_shrink(LINES // 2)
    editor.command("Pollard restore")
    editor.wait_to_see("is restored")
    assert editor.state == "stopped"
    assert editor.text.encode() + b"\n" == scene.text
    editor.keys("u")
    editor.wait_to_shrink(LINES // 2)
    assert editor.text.count("needle") == 2


def test_nothing_runs_without_consent(tmp_path: Path, open_scene: Open) -> None:
    """After *No* the reduction fails: the oracle has not run, and the buffer is unchanged."""
    scene = needle_scene(tmp_path / "work", seconds=0)
    oracle = scene.folder / "oracle.sh"
    oracle.write_text(f"touch {tmp_path / 'ran'}\n{oracle.read_text()}")
    editor = open_scene(scene)
    editor.command("Pollard reduce")
    editor.choose("No")
    editor.wait_for_state("failed")
    assert not (tmp_path / "ran").exists()
    assert editor.written() == scene.text
