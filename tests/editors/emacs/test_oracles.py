"""Oracles in Emacs: checking one, choosing one, and configuring one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.core.oracle_setup.programs import ASSERTS
from tests.editors.emacs.terminal import Emacs
from tests.editors.support.workspaces import demo_scene

pytestmark = pytest.mark.editors


def test_check_shows_what_the_command_printed(emacs: Emacs, tmp_path: Path) -> None:
    """A check shows the verdict and the output, and leaves the buffer alone."""
    scene = demo_scene(tmp_path / "scene")
    emacs.open(scene.file)
    emacs.command("pollard-check-oracle")
    emacs.answer("Pollard asks", "Run once")
    emacs.until(lambda: "Pollard check" in str(emacs.ask("(observe-windows)")), "the outcome")
    shown = emacs.ask('(with-current-buffer "*Pollard check*" (buffer-string))')
    assert "interesting: exit code 1" in shown
    assert "--- standard error" in shown
    assert "dictionary changed size during iteration" in shown
    assert emacs.text("orders.py").encode() == scene.text


def test_from_nothing_to_a_finished_reduction(emacs: Emacs, tmp_path: Path) -> None:
    """Without settings: a command, a consent, a criterion, and the file is reduced."""
    scene = demo_scene(tmp_path / "scene", configured=False)
    emacs.open(scene.file)
    emacs.command("pollard-reduce")
    emacs.until_prompt("No oracle is configured")
    emacs.keys("y")
    emacs.answer("What is wrong", "It crashes")
    emacs.until_prompt("The command that shows it")
    assert emacs.ask("(observe-minibuffer)") == "python3 {file}"
    emacs.keys(f"\x01\x0b{sys.executable} {{file}}\r")  # replaces the suggestion
    emacs.answer("Pollard asks", "Run once")
    emacs.until_prompt("What tells the failure")
    emacs.keys("\r")  # the likeliest
    emacs.until_prompt("reduce orders.py now")
    settings = (scene.folder / "pollard.toml").read_text()
    assert "dictionary changed size" in settings
    emacs.keys("y")
    emacs.until_state(scene.file, "done")
    result = emacs.saved(scene.file)
    assert len(result) < len(scene.text) / 5
    scene.file.write_bytes(scene.text)
    assert result == scene.by_command_line()


def test_one_of_several_oracles_is_chosen_with_a_prefix(emacs: Emacs, tmp_path: Path) -> None:
    """C-u offers the names of all oracles for the file."""
    scene = demo_scene(tmp_path / "scene")
    settings = scene.folder / "pollard.toml"
    text = settings.read_text()
    settings.write_text(f'oracle = "traceback"\n{text}\n[oracles.never]\ncommand = "false"\n')
    emacs.open(scene.file)
    emacs.keys("\x15")
    emacs.command("pollard-reduce")
    emacs.answer("Oracle", "never")
    emacs.answer("Pollard asks", "Run once")
    emacs.until_state(scene.file, "failed")
    assert "'never'" in emacs.messages()


def test_a_preset_compares_two_versions(emacs: Emacs, tmp_path: Path) -> None:
    """Two commands, a consent, and the failure is shown before it is saved."""
    scene = demo_scene(tmp_path / "scene", configured=False)
    scene.file.write_bytes(ASSERTS)
    emacs.open(scene.file)
    emacs.command("pollard-configure-oracle")
    emacs.answer("What is wrong", "Two")  # a space would complete it
    emacs.until_prompt("The first command")
    emacs.keys(f"\x01\x0b{sys.executable} {{file}}\r")
    emacs.until_prompt("The second command")
    emacs.keys(f"\x01\x0b{sys.executable} -O {{file}}\r")
    emacs.answer("Pollard asks", "Run once")
    emacs.until_prompt("What tells the failure")
    assert not (scene.folder / "pollard.toml").exists()
    shown = emacs.ask('(with-current-buffer "*Pollard check*" (buffer-string))')
    assert "AssertionError, raised on line 3" in shown
    emacs.keys("\r")
    emacs.until_prompt("reduce orders.py now")
    assert "The two versions differ" in (scene.folder / "pollard.toml").read_text()
    emacs.keys("y")
    emacs.until_state(scene.file, "done")
    assert emacs.saved(scene.file).startswith(b"assert")
