"""`:Pollard` itself: completion, choices and error messages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.editors.nvim.conftest import INIT
from tests.editors.nvim.scenes import LINES, needle_scene

if TYPE_CHECKING:
    from tests.editors.nvim.conftest import Open

pytestmark = pytest.mark.editors

_SUBCOMMANDS = [
    "check",
    "configure",
    "folder",
    "history",
    "log",
    "other",
    "pause",
    "reduce",
    "report",
    "restore",
    "resume",
    "stop",
]


def test_subcommands_and_oracles_are_completed(tmp_path: Path, open_scene: Open) -> None:
    """Oracles only after the subcommands that take one."""
    editor = open_scene(needle_scene(tmp_path / "work", oracles=("one", "other", "two")))
    complete = "return vim.fn.getcompletion(..., 'cmdline')"
    # The first time, the server may still be loading.
    editor.wait(lambda: editor.lua(complete, "Pollard check t") == ["two"], "the oracles")
    assert editor.lua(complete, "Pollard ") == _SUBCOMMANDS
    assert editor.lua(complete, "Pollard re") == ["reduce", "report", "restore", "resume"]
    assert editor.lua(complete, "1,3Pollard reduce o") == ["one", "other"]
    assert editor.lua(complete, "Pollard stop ") == []
    assert editor.lua(complete, "Pollard reduce one ") == []


def test_a_named_oracle_is_used(tmp_path: Path, open_scene: Open) -> None:
    """The question names it."""
    editor = open_scene(needle_scene(tmp_path / "work", seconds=0, oracles=("one", "two")))
    editor.command("Pollard reduce two")
    editor.wait_to_see("It is the oracle 'two'")
    editor.choose("Run once")
    editor.wait_for_state("done")


def test_the_user_chooses_among_several_oracles(tmp_path: Path, open_scene: Open) -> None:
    """Only if none is the default."""
    editor = open_scene(needle_scene(tmp_path / "work", seconds=0, oracles=("one", "two")))
    editor.command("Pollard reduce")
    editor.choose("two: ")
    editor.wait_to_see("It is the oracle 'two'")
    editor.choose("No")
    editor.wait_for_state("failed")


def test_check_runs_the_oracle_and_changes_nothing(tmp_path: Path, open_scene: Open) -> None:
    """The verdict is shown."""
    scene = needle_scene(tmp_path / "work", seconds=0)
    editor = open_scene(scene)
    editor.command("Pollard check")
    editor.choose("Run once")
    editor.wait_to_see("is interesting")
    editor.keys("<CR>")
    assert editor.evaluate("line('$')") == LINES


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("Pollard explode", "there is no subcommand explode; see :help :Pollard"),
        ("1,2Pollard stop", "stop takes no range"),
        ("Pollard reduce one two", "too many words after reduce"),
        ("Pollard stop", "case.txt is not being reduced"),
        ("Pollard resume", "case.txt is not being reduced"),
        ("Pollard", "nothing is being reduced"),
        ("Pollard restore", "case.txt has not been reduced yet"),
    ],
)
def test_error_messages_are_one_line(
    tmp_path: Path, open_scene: Open, line: str, message: str
) -> None:
    """Each says what is wrong; none makes Neovim wait for Enter."""
    editor = open_scene(needle_scene(tmp_path / "work"))
    editor.command(line)
    editor.wait_to_see(message)
    assert not editor.blocked
    assert editor.screen.text.count("Pollard: ") == 1


def test_an_unknown_oracle_is_an_error(tmp_path: Path, open_scene: Open) -> None:
    """The message names it, no question comes up, and the file stays as it is."""
    editor = open_scene(needle_scene(tmp_path / "work"))
    editor.command("Pollard reduce nothing")
    editor.wait_to_see("no oracle is called 'nothing'")
    editor.keys("<CR>")
    assert editor.evaluate("line('$')") == LINES


def test_without_an_oracle_the_message_names_configure(tmp_path: Path, open_scene: Open) -> None:
    """It says what to do, and no reduction starts."""
    editor = open_scene(needle_scene(tmp_path / "work", oracles=()))
    editor.command("Pollard reduce")
    editor.wait_to_see("case.txt has no oracle yet; :Pollard configure sets one up")


def test_settings_of_neovim_are_used(tmp_path: Path, open_scene: Open) -> None:
    """An oracle in vim.lsp.config is offered."""
    init = f"""{INIT}
      vim.lsp.config('pollard', {{ settings = {{ pollard = {{
        oracles = {{ mine = {{ command = {{ 'grep', 'needle', '{{file}}' }} }} }},
      }} }} }})
    """
    editor = open_scene(needle_scene(tmp_path / "work", oracles=()), init=init)
    editor.command("Pollard reduce")
    editor.wait_to_see("It is the oracle 'mine'")
    editor.choose("No")
    editor.wait_for_state("failed")


def test_buffers_without_a_file_are_refused(tmp_path: Path, start: Open) -> None:
    """A new buffer and a help buffer."""
    editor = start()
    editor.command("Pollard reduce")
    editor.wait_to_see("this buffer has no file name; save it first")
    editor.command("help")
    editor.command("Pollard reduce")
    editor.wait_to_see("this is a help buffer")


def test_a_buffer_that_cannot_be_changed_is_refused(tmp_path: Path, open_scene: Open) -> None:
    """Before anything runs, and not by a question as if somebody had typed."""
    editor = open_scene(needle_scene(tmp_path / "work", seconds=0))
    editor.command("setlocal nomodifiable")
    editor.command("Pollard reduce")
    editor.wait_to_see("this buffer cannot be changed; :set modifiable allows that")
    assert editor.state == ""


def test_a_missing_program_is_an_error(tmp_path: Path, start: Open) -> None:
    """The message names it and says what to do."""
    scene = needle_scene(tmp_path / "work")
    init = f"{INIT}\nvim.lsp.config('pollard', {{ cmd = {{ 'no-such-pollard' }} }})"
    editor = start(str(scene.file), init=init)
    editor.command("Pollard reduce")
    editor.wait_to_see("the program no-such-pollard is not found; install it, or set cmd")


def test_the_command_starts_the_server_where_none_is(tmp_path: Path, start: Open) -> None:
    """Even for a file without a file type, in a Neovim that has not enabled the server."""
    scene = needle_scene(tmp_path / "work", seconds=0)
    file = scene.file.rename(scene.folder / "case")
    editor = start(str(file), init=INIT.replace("vim.lsp.enable('pollard')", ""))
    editor.command("Pollard stop")
    editor.wait_to_see("the server is not attached to this buffer")
    editor.command("Pollard reduce")
    editor.choose("Run once")
    editor.wait_for_state("done")


def test_the_log_has_messages_and_questions(tmp_path: Path, open_scene: Open) -> None:
    """They are shown in a split that `q` closes."""
    editor = open_scene(needle_scene(tmp_path / "work", seconds=0))
    editor.command("Pollard reduce")
    editor.choose("No")
    editor.wait_for_state("failed")
    editor.command("Pollard log")
    editor.wait_to_see("It is the oracle 'needle'")
    assert "the whole log of all servers: " in editor.text
    editor.keys("q")
    editor.wait(lambda: editor.evaluate("expand('%:t')") == "case.txt", "the log to be closed")
