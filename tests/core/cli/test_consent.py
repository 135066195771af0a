"""Without a sandbox, nothing executes candidates before the user has agreed to that."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.cli.helpers import TEXT, on_terminal, pollard

COMMAND = ("--stdout", "needle", "--", "sh", "{file}")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A shell script that prints "needle", and whose runs leave a mark."""
    monkeypatch.delenv("POLLARD_ALLOW_UNCONFINED")
    lines = f"touch {tmp_path}/was-executed\necho needle\n"
    (tmp_path / "case.sh").write_text(lines + "".join(f": {line}\n" for line in TEXT.split("\n")))
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "inner.sh").write_text(lines)
    return tmp_path


def was_executed(folder: Path) -> bool:
    return (folder / "was-executed").exists()


@pytest.mark.parametrize("command", ["check", "reduce"])
@pytest.mark.parametrize("place", ["case.sh", "tree"])
def test_without_a_terminal_an_option_is_needed(folder: Path, command: str, place: str) -> None:
    words = [*COMMAND[:-1], "{file}" if place == "case.sh" else "inner.sh"]
    refused = pollard(command, place, *words, cwd=folder)
    assert refused.returncode == 2
    assert "executes the file" in refused.stderr
    assert "add --allow-unconfined" in refused.stderr
    assert not was_executed(folder)
    assert pollard(command, place, "--allow-unconfined", *words, cwd=folder).returncode in (0, 1)
    assert was_executed(folder)


def test_a_variable_is_as_good_as_the_option(folder: Path, monkeypatch) -> None:
    monkeypatch.setenv("POLLARD_ALLOW_UNCONFINED", "1")
    assert pollard("check", "case.sh", *COMMAND, cwd=folder).returncode == 0


def test_a_command_that_only_reads_needs_nothing(folder: Path) -> None:
    assert pollard("check", "case.sh", "--", "grep", "needle", cwd=folder).returncode == 0


@pytest.mark.parametrize(("typed", "code"), [("y\n", 0), ("\n", 2), ("n\n", 2), ("\x04", 2)])
def test_a_terminal_is_asked(folder: Path, typed: str, code: int) -> None:
    ended, drawn = on_terminal("check", "case.sh", *COMMAND, cwd=folder, typed=typed)
    assert "Execute them all the same? [y/N]" in drawn
    assert ended == code
    assert was_executed(folder) is (code == 0)
    assert ("Nothing was executed" in drawn) is (code != 0)
