"""Closed streams, full folders, odd names and words: one clear sentence, and no lost result."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from tests.core.cli.helpers import (
    JSON,
    NEEDLE,
    POLLARD,
    ended,
    pollard,
    script,
    started,
)

REDUCED = "needle"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "bug.json"
    path.write_text(JSON)
    return path


def in_shell(line: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a shell's line in which POLLARD stands for the command."""
    line = line.replace("POLLARD", shlex.join(POLLARD))
    return subprocess.run(
        ["sh", "-c", line], cwd=cwd, capture_output=True, text=True, check=False, timeout=60
    )


REDUCE = "POLLARD reduce bug.json -o - -- grep -q needle"


def test_a_closed_standard_output_is_told_before_anything_runs(file: Path) -> None:
    script(file.parent / "oracle.sh", f"#!/bin/sh\ntouch {file.parent}/ran\n")
    done = in_shell("POLLARD reduce bug.json -o - -- ./oracle.sh >&-", file.parent)
    assert done.returncode == 2
    assert done.stderr == "pollard: Standard output is closed; name a file with -o.\n"
    assert not (file.parent / "ran").exists()


def test_a_result_that_standard_output_has_no_room_for_is_printed_by_resuming(file: Path) -> None:
    done = in_shell(f"{REDUCE} >/dev/full", file.parent)
    assert done.returncode == 2
    assert done.stderr.startswith("pollard: standard output cannot be written: No space left")
    assert "--resume" in done.stderr
    resumed = pollard("reduce", "bug.json", "--resume", "-o", "-", "--", *NEEDLE, cwd=file.parent)
    assert resumed.returncode == 0
    assert REDUCED in resumed.stdout


def test_without_a_folder_for_temporary_files_that_is_said(file: Path) -> None:
    """Python raises the kind of error then that also says that the current directory is gone."""
    done = in_shell(f"ulimit -f 0; {REDUCE}", file.parent)
    assert done.returncode == 2
    assert done.stderr.startswith("pollard: No folder for temporary files can be written; ")


@pytest.mark.parametrize(("option", "advice"), [((), "-o"), (("--in-place",), "-o")])
def test_a_name_that_leaves_no_room_for_more_gets_an_advice(
    tmp_path: Path, option: tuple[str, ...], advice: str
) -> None:
    name = f"{'n' * 248}.json"
    (tmp_path / name).write_text(JSON)
    done = pollard("reduce", name, *option, "--", *NEEDLE, cwd=tmp_path)
    assert done.returncode == 2
    assert "File name too long" in done.stderr
    assert advice in done.stderr


def test_a_result_may_have_the_longest_name(file: Path) -> None:
    """Its temporary name must not be longer; that would end the search at its first success."""
    name = "n" * 255
    done = pollard("reduce", file.name, "-o", name, "--", *NEEDLE, cwd=file.parent)
    assert done.returncode == 0, done.stderr
    assert REDUCED in (file.parent / name).read_text()


def test_standard_input_is_no_file(file: Path) -> None:
    done = pollard("reduce", "-", "--", *NEEDLE, cwd=file.parent)
    assert done.returncode == 2
    assert "FILE cannot be standard input; save that to a file" in done.stderr


@pytest.mark.parametrize("command", ["reduce", "check"])
def test_two_dashes_may_also_stand_before_a_file_that_begins_with_one(
    tmp_path: Path, command: str
) -> None:
    (tmp_path / "-x.json").write_text(JSON)
    words = ("--", "-x.json", "--", *NEEDLE, "--", "{file}")
    done = pollard(command, *words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_two_dashes_after_a_file_belong_to_the_command(file: Path) -> None:
    words = ("--lines", "1:", "bug.json", "--", *NEEDLE, "--", "{file}")
    done = pollard("reduce", *words, cwd=file.parent)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", ["reduce", "check"])
def test_a_subcommand_that_was_taken_for_a_file_is_named(file: Path, command: str) -> None:
    """`go run` where a file is called `run`."""
    (file.parent / "run").write_text("")
    script(file.parent / "go", '#!/bin/sh\n[ "$1" = run ]\n')
    done = pollard(command, "bug.json", "--", "./go", "run", "{file}", cwd=file.parent)
    assert done.returncode == 3
    assert "the word run was taken for the file " in done.stdout + done.stderr
    assert '"./go run {file}"' in done.stdout + done.stderr
    line = f"{file.parent}/go run {{file}}"
    quoted = pollard(command, "bug.json", "--", line, cwd=file.parent)
    assert quoted.returncode in (0, 1), quoted.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("check", "bug.json", "--", "./slow.sh"),
        ("init", "bug.json", "--preset", "crash", "--command", "{workspace}/slow.sh", "--yes"),
    ],
)
def test_a_command_that_takes_long_says_how_to_end_it(file: Path, words: tuple[str, ...]) -> None:
    script(file.parent / "slow.sh", "#!/bin/sh\nsleep 60\n")
    process = started(*words, cwd=file.parent)
    assert process.stderr is not None
    while "Ctrl+C ends it" not in (line := process.stderr.readline()):
        assert line, "it ended without a word"
    process.send_signal(2)
    code, errors = ended(process)
    assert (code, errors) == (130, "pollard: interrupted\n")
