"""Helpers of the tests of settings: write a file, and read the mistakes in it."""

from __future__ import annotations

import pytest

from pollard.settings import SettingsError, read_settings

FULL = """\
oracle = "gcc-ice"
strategy = ["coarse-hdd", "hddh*"]
jobs = 2
speculation = "frugal"
timeout = "10s"
memory = "2GiB"
output_limit = "1MB"
guard = false
cache = false
checks = 5
max_runs = 200
max_time = "5m"
learn_invalid = true
renaming = false
formatter = ["clang-format", "--assume-filename={file}"]

[preprocessing]
squeeze = false
hide = true

[stream]
mode = "final"
interval = "1s"

[languages.python]
oracle = "black"
formatter = "black -q -"

[oracles.gcc-ice]
command = ["gcc", "-O2", "{file}"]
output = "internal compiler error: .* at tree-ssa"
not_exit_code = 0
signal = ["SIGSEGV", "abrt", 9]
timeout = "500ms"
languages = ["c", "cpp"]
files = ["config.h"]
reduce_files = true
around = true
runs_required = "2 of 3"
invalid = { stderr = "cannot find" }

[oracles.black]
command = "black - | grep -q x"
stdin = true
exit_code = [123, 1]
memory = "none"
languages = "py"
"""


def write(folder, text, name="pollard.toml"):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def problems(folder, text, name="pollard.toml"):
    """Return "line: message" of each problem that reading `text` reports."""
    with pytest.raises(SettingsError) as caught:
        read_settings(write(folder, text, name))
    found = caught.value.problems
    assert {problem.file for problem in found} == {str(folder / name)}
    assert str(caught.value) == "\n".join(map(str, found))
    return [f"{problem.line}: {problem.message}" for problem in found]
