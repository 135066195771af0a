"""Somebody works on the files while the reduction goes on: nothing of theirs is lost."""

from __future__ import annotations

from pathlib import Path

from pollard.file_tree import Entry
from pollard.project.result_folder import ResultFolder
from tests.core.cli.helpers import MANY, pollard, script


def edits_once(folder: Path, result: Path, edit: str) -> str:
    """Return lines of an oracle that edits the result, once it is there, by a shell's command."""
    done = folder / "edited"
    return f"if [ -e {result} ] && [ ! -e {done} ]; then touch {done}; {edit}; fi\n"


def reduced(folder: Path, file: str, *options: str):
    command = (str(folder / "oracle.sh"), "{dir}" if (folder / file).is_dir() else "{file}")
    return pollard(
        "reduce",
        file,
        "--sandbox",
        "off",
        "--no-cache",
        "-j1",
        *options,
        "--",
        *command,
        cwd=folder,
    )


def test_an_edited_result_of_a_file_is_kept_beside_it(tmp_path: Path) -> None:
    (tmp_path / "bug.json").write_text(MANY)
    out = tmp_path / "out.json"
    edit = edits_once(tmp_path, out, f"echo mine > {out}")
    script(
        tmp_path / "oracle.sh",
        f'#!/bin/sh\n{edit}[ "$(grep -c needle "$1")" -ge 5 ] && test -n "$1"\n',
    )
    done = reduced(tmp_path, "bug.json", "-o", "out.json")
    assert done.returncode == 0, done.stderr
    assert out.read_text().count("needle") == 5
    assert (tmp_path / "out.edited.json").read_text() == "mine\n"
    assert "that version is in" in done.stderr
    assert "out.edited.json" in done.stderr


def test_a_result_that_was_only_touched_is_no_other_version(tmp_path: Path) -> None:
    (tmp_path / "bug.json").write_text(MANY)
    out = tmp_path / "out.json"
    edit = edits_once(tmp_path, out, f"touch -d 2001-01-01 {out}")
    script(tmp_path / "oracle.sh", f'#!/bin/sh\n{edit}[ "$(grep -c needle "$1")" -ge 5 ]\n')
    done = reduced(tmp_path, "bug.json", "-o", "out.json")
    assert done.returncode == 0, done.stderr
    assert "changed meanwhile" not in done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {
        *("bug.json", "out.json", "oracle.sh", "edited")
    }


def test_a_file_that_is_removed_meanwhile_is_reduced_nevertheless(tmp_path: Path) -> None:
    file = tmp_path / "bug.json"
    file.write_text(MANY)
    script(tmp_path / "oracle.sh", f'#!/bin/sh\nrm -f {file}\n[ "$(grep -c needle "$1")" -ge 5 ]\n')
    done = reduced(tmp_path, "bug.json", "-o", "out.json")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.json").read_text().count("needle") == 5


def folder(tmp_path: Path, edit: str) -> Path:
    """Make a folder, and an oracle that edits the result OUT once; return the result's place."""
    out = tmp_path / "small"
    (tmp_path / "project").mkdir()
    for name in ("a.json", "b.json"):
        (tmp_path / "project" / name).write_text(MANY)
    edits = edits_once(tmp_path, out / "a.json", edit.replace("OUT", str(out)))
    needed = (f'[ "$(grep -c needle "$1/{name}")" -ge 5 ]' for name in ("a.json", "b.json"))
    script(tmp_path / "oracle.sh", f"#!/bin/sh\n{edits}{' && '.join(needed)}\n")
    return out


def needles(out: Path) -> list[int]:
    return [path.read_text().count("needle") for path in sorted(out.rglob("*.json"))]


def test_an_edited_file_in_a_result_folder_is_kept_beside_it(tmp_path: Path) -> None:
    out = folder(tmp_path, "echo mine > OUT/a.json")
    done = reduced(tmp_path, "project", "-o", "small")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "small.edited" / "a.json").read_text() == "mine\n"
    assert needles(out) == [5, 5]
    assert "that version is in small.edited" in done.stderr.replace(f"{tmp_path}/", "")


def test_a_result_folder_that_is_removed_comes_back(tmp_path: Path) -> None:
    out = folder(tmp_path, "rm -r OUT")
    done = reduced(tmp_path, "project", "-o", "small")
    assert done.returncode == 0, done.stderr
    assert needles(out) == [5, 5]


def test_own_files_in_a_result_folder_stay_and_do_not_end_the_reduction(tmp_path: Path) -> None:
    """Such as what a compiler leaves in it, although the folder around them is not needed any more."""
    out = ResultFolder(tmp_path / "small")
    out.finish({b"a": Entry(b"text"), b"sub/b": Entry(b"text")})
    mine = out.path / "sub" / "mine.o"
    mine.write_text("mine")
    out.finish({b"a": Entry(b"text")})
    out.finish({b"a": Entry(b"t"), b"sub/b": Entry(b"t")})
    assert {path.name for path in out.path.rglob("*")} == {"a", "sub", "b", "mine.o"}
    out.discard()
    assert [path.name for path in out.path.rglob("*")] == ["sub", "mine.o"]
    assert out.set_aside == []
