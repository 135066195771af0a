"""`pollard reduce FILE --with COMPANION --reduce-files`, by the real command."""

from __future__ import annotations

import json

import pytest

from tests.core.cli.helpers import pollard

MAIN = '#include "a.h"\n#include "b.h"\nint main(void) { int x = 1; return f(1) + x; }\n'
A = "int g(int);\nint f(int x) { return needle; }\nint h(void);\n"
B = "int k(int);\n"
_ORACLE = ("cat {file} a.h && grep -q a.h {file} && grep -q needle a.h",)
_BOTH = ("--with", "a.h", "--with", "b.h", "--reduce-files", "--")


@pytest.fixture
def folder(tmp_path):
    """A C file with two headers, one of which is needed."""
    (tmp_path / "x.c").write_text(MAIN)
    (tmp_path / "a.h").write_text(A)
    (tmp_path / "b.h").write_text(B)
    return tmp_path


def texts(folder):
    return {path.name: path.read_text() for path in folder.iterdir() if path.is_file()}


def test_companions_are_reduced_into_a_folder_beside_the_result(folder):
    before = texts(folder)
    done = pollard("reduce", "x.c", "-o", "small.c", *_BOTH, *_ORACLE, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert {name: texts(folder)[name] for name in before} == before
    small = texts(folder / "small.c.files")
    assert list(small) == ["a.h"]
    assert "needle" in small["a.h"]
    assert len(small["a.h"]) < len(A) / 2
    assert "written to small.c.files" in done.stderr
    assert "not needed: b.h" in done.stderr


def test_the_result_stays_what_it_is_without_them(folder):
    pollard("reduce", "x.c", "-o", "plain.c", *_BOTH[:4], "--", *_ORACLE, cwd=folder)
    pollard("reduce", "x.c", "-o", "small.c", *_BOTH, *_ORACLE, cwd=folder)
    assert (folder / "small.c").read_bytes() == (folder / "plain.c").read_bytes()


def test_an_earlier_result_is_not_overwritten(folder):
    (folder / "small.c.files").mkdir()
    (folder / "small.c.files" / "a.h").write_text("mine")
    done = pollard("reduce", "x.c", "-o", "small.c", *_BOTH, *_ORACLE, cwd=folder)
    assert "written to small.c.files.1" in done.stderr
    assert texts(folder / "small.c.files") == {"a.h": "mine"}


def test_in_place_the_companions_are_replaced_and_copied_before(folder):
    done = pollard("reduce", "x.c", "--in-place", *_BOTH, *_ORACLE, cwd=folder)
    assert done.returncode == 0, done.stderr
    after = texts(folder)
    assert (after["a.orig.h"], after["x.orig.c"]) == (A, MAIN)
    assert len(after["a.h"]) < len(A) / 2
    assert after["b.h"] == B  # not needed, but not ours to remove
    assert "a.orig.h" in done.stderr


def test_folders_among_the_companions_keep_their_places(folder):
    (folder / "include").mkdir()
    (folder / "include" / "c.h").write_text(A)
    oracle = "cat {file} > seen; grep -q a.h {file} && grep -q needle include/c.h"
    given = ("--with", "include", "--reduce-files", "--", oracle)
    done = pollard("reduce", "x.c", "-o", "small.c", *given, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert len((folder / "small.c.files" / "include" / "c.h").read_text()) < len(A) / 2


def test_a_setting_with_a_pattern_does_the_same(folder):
    (folder / "y.h").write_text('#include "a.h"\n' * 3)
    (folder / "pollard.toml").write_text(
        f'[oracles.o]\ncommand = "{_ORACLE[0]}"\nfiles = ["*.h"]\nreduce_files = true\n'
    )
    done = pollard("reduce", "y.h", "-o", "small.h", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert list(texts(folder / "small.h.files")) == ["a.h"]


def test_statistics_and_events_have_the_companions(folder):
    given = ("-o", "small.c", "--stats", "s.json", "--events")
    done = pollard("reduce", "x.c", *given, *_BOTH, *_ORACLE, cwd=folder)
    companions = json.loads((folder / "s.json").read_text())["companions"]
    assert [each["path"] for each in companions["files"]] == ["a.h", "b.h"]
    assert companions["files"][1] == {"path": "b.h", "original": len(B), "reduced": None}
    assert companions["runs"] > 0
    events = [json.loads(line) for line in done.stdout.splitlines()]
    ends = [each["output"] for each in events if each["event"] == "finished"]
    assert ends == ["small.c", "small.c.files"]


def test_after_a_limit_companions_stay(folder):
    done = pollard(
        "reduce", "x.c", "-o", "small.c", "--max-runs", "1", *_BOTH, *_ORACLE, cwd=folder
    )
    assert done.returncode in (0, 1), done.stderr
    assert not (folder / "small.c.files").exists()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("x.c", "--reduce-files", "--", "true"), "has no files to reduce beside the candidate"),
        (("x.c", "a.h", "--reduce-files", "--", "true"), "is for a single file"),
        (("x.c", "a.h", "--around", "--", "true"), "is for a single file"),
        (
            ("x.c", "--with", "a.h", "--around", "--reduce-files", "--", "true"),
            "neither a diagnostic nor around",
        ),
        (
            ("x.c", "--with", "a.h", "--reduce-files", "--protocol", "--", "cat"),
            "cannot have reduce_files",
        ),
    ],
)
def test_what_is_impossible_is_said(folder, given, message):
    done = pollard("reduce", *given, cwd=folder)
    assert done.returncode == 2
    assert message in done.stderr
