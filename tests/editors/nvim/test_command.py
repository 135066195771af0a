"""`:Pollard` itself: completion, choices, messages when something is not as it should be."""

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
    "history",
    "log",
    "pause",
    "reduce",
    "restore",
    "resume",
    "stop",
]


def test_subcommands_and_oracles_are_completed(tmp_path: Path, open_scene: Open) -> None:
    """Oracles only where one may be named."""
    editor = open_scene(needle_scene(tmp_path / "work", oracles=("one", "other", "two")))
    complete = "return vim.fn.getcompletion(..., 'cmdline')"
    assert editor.lua(complete, "Pollard ") == _SUBCOMMANDS
    assert editor.lua(complete, "Pollard re") == ["reduce", "restore", "resume"]
    assert editor.lua(complete, "1,3Pollard reduce o") == ["one", "other"]
    assert editor.lua(complete, "Pollard check t") == ["two"]
    assert editor.lua(complete, "Pollard stop ") == []
    assert editor.lua(complete, "Pollard reduce one ") == []


def test_the_oracle_that_is_named_is_taken(tmp_path: Path, open_scene: Open) -> None:
    """The question names it."""
    editor = open_scene(needle_scene(tmp_path / "work", seconds=0, oracles=("one", "two")))
    editor.command("Pollard reduce two")
    editor.wait_to_see("It is the oracle 'two'")
    editor.choose("Run once")
    editor.wait_for_state("done")


def test_one_of_several_oracles_is_asked_for(tmp_path: Path, open_scene: Open) -> None:
    """If none is the default."""
    editor = open_scene(needle_scene(tmp_path / "work", seconds=0, oracles=("one", "two")))
    editor.command("Pollard reduce")
    editor.choose("two: ")
    editor.wait_to_see("It is the oracle 'two'")
    editor.choose("No")
    editor.wait_for_state("failed")


def test_check_runs_the_oracle_and_changes_nothing(tmp_path: Path, open_scene: Open) -> None:
    """What came of it is shown."""
    scene = needle_scene(tmp_path / "work", seconds=0)
    editor = open_scene(scene)
    editor.command("Pollard check")
    editor.choose("Run once")
    editor.wait_to_see("is interesting")
    editor.keys("<CR>")
    assert editor.evaluate("line('$')") == LINES


@pytest.mark.parametrize(
    ("line", "complaint"),
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
def test_complaints_are_one_line(
    tmp_path: Path, open_scene: Open, line: str, complaint: str
) -> None:
    """Each says what is wrong; none makes Neovim wait for Enter."""
    editor = open_scene(needle_scene(tmp_path / "work"))
    editor.command(line)
    editor.wait_to_see(complaint)
    assert not editor.blocked
    assert editor.screen.text.count("Pollard: ") == 1


def test_an_oracle_that_does_not_exist_is_named(tmp_path: Path, open_scene: Open) -> None:
    """Nothing is asked, and the file stays as it is."""
    editor = open_scene(needle_scene(tmp_path / "work"))
    editor.command("Pollard reduce nothing")
    editor.wait_to_see("no oracle is called 'nothing'")
    editor.keys("<CR>")
    assert editor.evaluate("line('$')") == LINES


def test_without_an_oracle_configure_is_named(tmp_path: Path, open_scene: Open) -> None:
    """Nobody is left with a reduction that fails."""
    editor = open_scene(needle_scene(tmp_path / "work", oracles=()))
    editor.command("Pollard reduce")
    editor.wait_to_see("case.txt has no oracle yet; :Pollard configure sets one up")


def test_settings_of_neovim_count(tmp_path: Path, open_scene: Open) -> None:
    """An oracle in vim.lsp.config, as the page shows it, is found."""
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
    """A new buffer, and one of the help."""
    editor = start()
    editor.command("Pollard reduce")
    editor.wait_to_see("this buffer has no file name; save it first")
    editor.command("help")
    editor.command("Pollard reduce")
    editor.wait_to_see("this is a help buffer")


def test_a_missing_program_is_named(tmp_path: Path, start: Open) -> None:
    """With what to do about it."""
    scene = needle_scene(tmp_path / "work")
    init = f"{INIT}\nvim.lsp.config('pollard', {{ cmd = {{ 'no-such-pollard' }} }})"
    editor = start(str(scene.file), init=init)
    editor.command("Pollard reduce")
    editor.wait_to_see("the program no-such-pollard is not found; install it, or set cmd")


def test_the_command_starts_the_server_where_none_is(tmp_path: Path, start: Open) -> None:
    """For a file without a file type, in a Neovim that has not enabled the server."""
    scene = needle_scene(tmp_path / "work", seconds=0)
    file = scene.file.rename(scene.folder / "case")
    editor = start(str(file), init=INIT.replace("vim.lsp.enable('pollard')", ""))
    editor.command("Pollard stop")
    editor.wait_to_see("the server is not attached to this buffer")
    editor.command("Pollard reduce")
    editor.choose("Run once")
    editor.wait_for_state("done")


def test_the_log_has_messages_and_questions(tmp_path: Path, open_scene: Open) -> None:
    """What the server asked and said, in a split that `q` closes."""
    editor = open_scene(needle_scene(tmp_path / "work", seconds=0))
    editor.command("Pollard reduce")
    editor.choose("No")
    editor.wait_for_state("failed")
    editor.command("Pollard log")
    editor.wait_to_see("It is the oracle 'needle'")
    assert "the whole log of all servers: " in editor.text
    editor.keys("q")
    editor.wait(lambda: editor.evaluate("expand('%:t')") == "case.txt", "the log to be closed")
