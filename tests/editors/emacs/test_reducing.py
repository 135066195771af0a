"""Reductions in Emacs: code actions, commands, regions and consent."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editors.emacs.terminal import Emacs
from tests.editors.support.workspaces import corpus_languages, corpus_scene, demo_scene

pytestmark = pytest.mark.editors


@pytest.mark.parametrize("language", corpus_languages("JavaScript", "HTML"))
def test_code_action_gives_the_result_of_the_command_line(
    language: str, emacs: Emacs, tmp_path: Path
) -> None:
    """The saved file has the same bytes."""
    scene = corpus_scene(tmp_path / "scene", language)
    expected = scene.by_command_line()
    emacs.open(scene.file)
    emacs.command("pollard-eglot")
    emacs.wait("(pollard-eglot-p)", "the server to be connected")
    emacs.keys(
        "\x1b>"
    )  # the end, because Eglot would send an expression at the cursor as the selection
    emacs.command("eglot-code-actions")
    emacs.answer("Pick an action", "Reduce file")
    emacs.answer("Pollard asks", "Run once")
    emacs.until_state(scene.file, "done")
    assert emacs.saved(scene.file) == expected


@pytest.mark.usefixtures("known_verdicts")
def test_code_action_can_be_chosen_by_its_kind(emacs: Emacs, tmp_path: Path) -> None:
    """Given the kind, Eglot runs the only action without a menu."""
    scene = demo_scene(tmp_path / "scene")
    expected = scene.by_command_line()
    emacs.open(scene.file)
    emacs.command("pollard-eglot")
    emacs.wait("(pollard-eglot-p)", "the server to be connected")
    emacs.keys("\x1b>\x15")  # Ctrl-u
    emacs.command("eglot-code-actions")
    emacs.answer("Action kind", "refactor.rewrite.reduce")
    emacs.answer("Pollard asks", "Run once")
    emacs.until_state(scene.file, "done")
    assert emacs.saved(scene.file) == expected


def test_a_read_only_buffer_is_refused_before_anything_runs(emacs: Emacs, tmp_path: Path) -> None:
    """And not by a question as if somebody had typed."""
    scene = demo_scene(tmp_path / "scene")
    emacs.open(scene.file)
    emacs.command("read-only-mode")
    emacs.command("pollard-reduce")
    emacs.until(lambda: "Buffer is read-only" in emacs.messages(), "the refusal")
    assert emacs.state(scene.file.name) is None


@pytest.mark.usefixtures("known_verdicts")
def test_command_connects_and_shrinks_the_buffer_in_view(emacs: Emacs, tmp_path: Path) -> None:
    """In a buffer without a server one command does everything; the buffer shrinks in steps."""
    scene = demo_scene(tmp_path / "scene")
    expected = scene.by_command_line()
    emacs.open(scene.file)
    emacs.command("pollard-reduce")
    emacs.answer("Pollard asks", "Run once")
    emacs.until_state(scene.file, "done")
    sizes = emacs.ask('(observe-sizes "orders.py")')
    assert len(set(sizes)) >= 3, sizes
    assert sizes == sorted(sizes, reverse=True)
    assert emacs.saved(scene.file) == expected


@pytest.mark.usefixtures("known_verdicts")
def test_region_is_all_that_changes(emacs: Emacs, tmp_path: Path) -> None:
    """A region of whole lines is reduced as `--lines` does; the rest stays as it is."""
    scene = demo_scene(tmp_path / "scene")
    expected = scene.by_command_line("--lines", "1:60")
    emacs.open(scene.file)
    emacs.keys("\x1b<\x00\x1b60\x0e")  # from the beginning, 60 lines down
    emacs.wait("(and (use-region-p) (= 61 (line-number-at-pos)))", "60 lines to be selected")
    emacs.command("pollard-reduce")
    emacs.answer("Pollard asks", "Run once")
    emacs.until_state(scene.file, "done")
    result = emacs.saved(scene.file)
    assert result == expected
    assert result.endswith(b"".join(scene.text.splitlines(keepends=True)[60:]))


def test_no_runs_nothing(emacs: Emacs, tmp_path: Path) -> None:
    """After No, the command has not run and the buffer is unchanged."""
    scene = demo_scene(tmp_path / "scene")
    mark = tmp_path / "ran"
    settings = scene.folder / "pollard.toml"
    settings.write_text(f'[oracles.mark]\ncommand = "touch {mark}; false"\n')
    emacs.open(scene.file)
    emacs.command("pollard-reduce")
    emacs.answer("Pollard asks", "No")
    emacs.until_state(scene.file, "failed")
    assert not mark.exists()
    assert emacs.text("orders.py").encode() == scene.text


@pytest.mark.parametrize("key", ["RET", "C-g"])
def test_an_empty_answer_is_no(key: str, emacs: Emacs, tmp_path: Path) -> None:
    """RET without an answer and C-g both mean No."""
    scene = demo_scene(tmp_path / "scene")
    mark = tmp_path / "ran"
    settings = scene.folder / "pollard.toml"
    settings.write_text(f'[oracles.mark]\ncommand = "touch {mark}; false"\n')
    emacs.open(scene.file)
    emacs.command("pollard-reduce")
    emacs.until_prompt("Pollard asks")
    if key == "RET":
        emacs.keys("\r")
    else:
        emacs.quit_prompt()
    emacs.until_state(scene.file, "failed")
    assert not mark.exists()


def test_long_question_is_shown_whole_and_stops_nothing_else(emacs: Emacs, tmp_path: Path) -> None:
    """No message is lost while a question that arrived in many pieces is open."""
    scene = demo_scene(tmp_path / "scene")
    other = scene.folder / "other.py"
    other.write_bytes(scene.text)
    words = " ".join(f"word-{number:04}" for number in range(2000))
    settings = scene.folder / "pollard.toml"
    long = f'\n[oracles.long]\ncommand = "python3 {{file}} # {words} at last"\nexit_code = 1\n'
    settings.write_text(f'oracle = "traceback"\n{settings.read_text()}{long}')
    emacs.open(other)
    emacs.command("pollard-reduce")
    emacs.answer("Pollard asks", "Run once")
    emacs.until_state(other, "reducing")
    emacs.open(scene.file)
    emacs.keys("\x15")
    emacs.command("pollard-reduce")
    emacs.answer("Oracle", "long")
    emacs.until_prompt("Pollard asks")
    question = emacs.windows()
    assert "word-0000" in question
    assert "word-1999 at last" in question
    emacs.keys("Run once\r")
    emacs.until_state(scene.file, "reducing")
    emacs.command("pollard-stop")
    emacs.until_state(other, "done")
    assert "Invalid JSON" not in emacs.messages()
