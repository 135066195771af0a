"""Several files are reduced from Python as from the command line."""

from __future__ import annotations

import inspect

import pytest

import pollard
from pollard.api.several_files import files_reduction_of

FILES = {"src/a.c": "int x;\nint needle;\n", "b.json": b'[1, {"c": "needle"}]', "d": "e"}


def has_needles(files):
    return all(b"needle" in files.get(name, b"") for name in ("src/a.c", "b.json"))


def test_reduce_takes_a_mapping_and_does_what_reduce_files_does():
    result = pollard.reduce(FILES, has_needles)
    assert result.files == {"src/a.c": b"needle;\n", "b.json": b'"needle"'}
    assert pollard.reduce_files(FILES, has_needles).files == result.files
    assert result.original == pollard.ProjectSize(files=3, bytes=40)


def test_a_command_runs_beside_the_files(tmp_path):
    oracle = pollard.Oracle("grep -q needle src/a.c && grep -q needle {file}")
    result = pollard.reduce(FILES, oracle, main="b.json", cache=False)
    assert result.files == {"src/a.c": b"needle;\n", "b.json": b'"needle"'}


def test_other_arguments_are_those_of_reduce():
    functions = (pollard.reduce_files, pollard.reduce)
    ours, theirs = (set(inspect.signature(each).parameters) for each in functions)
    assert theirs - ours == {"source", "filename", "language", "region"}
    assert ours - theirs == {"files", "main", "merging"}


@pytest.mark.parametrize("path", ["", "/etc/passwd", "../a", "a//b", "a/./b", "a/"])
def test_a_path_must_be_plain(path):
    with pytest.raises(ValueError, match="relative and plain"):
        pollard.reduce({path: b"x"}, has_needles)


def test_a_file_cannot_be_a_folder_as_well():
    with pytest.raises(ValueError, match="'a/b' is in a folder that is also a file"):
        pollard.reduce({"a": b"", "a/b": b""}, has_needles)


def test_the_main_file_must_be_one_of_the_files():
    with pytest.raises(ValueError, match="main must be one of the files"):
        pollard.reduce(FILES, has_needles, main="x")


def test_every_setting_reaches_the_plan_of_each_file():
    options = {"jobs": 3, "checks": 5, "guard": False, "renaming": False, "cache": False}
    reduction = files_reduction_of(FILES, has_needles, strategy="hdd", max_runs=9, **options)
    each = reduction.plan.each
    assert {name: getattr(each, name) for name in options} == options
    assert each.strategy.name == "hdd"
    assert each.search_limits.max_runs == 9
