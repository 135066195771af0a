"""What a sandbox must show of crowded directories: the paths that a command names."""

from __future__ import annotations

import pytest

from pollard.oracle.command import prepare


@pytest.mark.parametrize(
    "command",
    [
        ("sh", "{workspace}/check.sh", "--config={workspace}/a b.toml", "{file}", "relative.txt"),
        "sh {workspace}/check.sh --config='{workspace}/a b.toml' {file} <relative.txt",
    ],
    ids=["words", "shell"],
)
def test_the_paths_are_the_workspace_the_program_and_what_arguments_and_options_name(
    command, tmp_path
):
    paths = prepare(command, tmp_path, stdin=False).paths()
    named = {tmp_path / "check.sh", tmp_path / "a b.toml"}
    assert {tmp_path, *named} <= {*paths}
    assert {path.name for path in paths} == {tmp_path.name, "sh", *(path.name for path in named)}
